//! Rows of `chunks`: pieces of a job that are leased or wait to be leased again.

use sqlx::sqlite::SqliteRow;
use sqlx::{FromRow, Row, SqliteConnection};

use super::error::database;
use super::row::{signed, unsigned};
use crate::jobs::chunk::Span;
use crate::jobs::clock::Timestamp;
use crate::jobs::error::StoreError;
use crate::jobs::lease::{JobKey, Lease};
use crate::jobs::record::Record;
use crate::jobs::retry::Failures;
use crate::jobs::store::StoreResult;

/// A chunk that was claimed at least once.
#[derive(Clone, Debug)]
pub(super) struct Chunk {
    pub(super) span: Span,
    /// Claims, less those that were no fault of the chunk.
    pub(super) attempts: u32,
    pub(super) failures: Failures,
}

impl FromRow<'_, SqliteRow> for Chunk {
    fn from_row(row: &SqliteRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            span: Span {
                first: unsigned("first_index", row.try_get("first_index")?)?,
                len: unsigned("items", row.try_get("items")?)?,
            },
            attempts: row.try_get("attempts")?,
            failures: Failures {
                panics: row.try_get("panics")?,
                deaths: row.try_get("deaths")?,
            },
        })
    }
}

/// The chunk of a lease that is still held.
pub(super) async fn held(conn: &mut SqliteConnection, lease: &Lease) -> StoreResult<Chunk> {
    sqlx::query_as(
        "select first_index, items, attempts, panics, deaths from chunks \
         where job = ? and first_index = ? and token = ? and leased = 1",
    )
    .bind(lease.key.0)
    .bind(signed(lease.span.first))
    .bind(lease.token)
    .fetch_optional(conn)
    .await
    .map_err(database)?
    .ok_or(StoreError::LeaseLost)
}

/// Every leased chunk, with the key of its job.
pub(super) async fn leased(conn: &mut SqliteConnection) -> StoreResult<Vec<(i64, Chunk)>> {
    expired(conn, i64::MAX).await
}

/// Chunks whose lease has run out, with the key of their job.
pub(super) async fn expired(
    conn: &mut SqliteConnection,
    monotonic: i64,
) -> StoreResult<Vec<(i64, Chunk)>> {
    let rows = sqlx::query(
        "select job, first_index, items, attempts, panics, deaths from chunks \
         where leased = 1 and lease_until <= ?",
    )
    .bind(monotonic)
    .fetch_all(conn)
    .await
    .map_err(database)?;
    let read = |row: &SqliteRow| Ok((row.try_get("job")?, Chunk::from_row(row)?));
    rows.iter()
        .map(read)
        .collect::<Result<_, _>>()
        .map_err(database)
}

/// The first chunk of a job that waits and may be claimed.
pub(super) async fn waiting(
    conn: &mut SqliteConnection,
    job: JobKey,
    monotonic: i64,
) -> StoreResult<Option<Chunk>> {
    sqlx::query_as(
        "select first_index, items, attempts, panics, deaths from chunks \
         where job = ? and leased = 0 and retry_at <= ? order by first_index limit 1",
    )
    .bind(job.0)
    .bind(monotonic)
    .fetch_optional(conn)
    .await
    .map_err(database)
}

/// Leases a chunk, fresh or waiting.
pub(super) async fn lease(
    conn: &mut SqliteConnection,
    lease: &Lease,
    until: i64,
    worker: &str,
) -> StoreResult<u32> {
    sqlx::query_scalar(
        "insert into chunks (job, first_index, items, leased, token, lease_until, worker, retry_at, \
         attempts, panics, deaths) values (?, ?, ?, 1, ?, ?, ?, 0, 1, 0, 0) \
         on conflict do update set leased = 1, token = excluded.token, \
         lease_until = excluded.lease_until, worker = excluded.worker, attempts = attempts + 1 \
         returning attempts",
    )
    .bind(lease.key.0)
    .bind(signed(lease.span.first))
    .bind(signed(lease.span.len))
    .bind(lease.token)
    .bind(until)
    .bind(worker)
    .fetch_one(conn)
    .await
    .map_err(database)
}

/// Ends the lease: the chunk waits until `retry_at`, or is gone when its job needs it no more.
pub(super) async fn give_back(
    conn: &mut SqliteConnection,
    record: &mut Record,
    chunk: &Chunk,
    retry_at: i64,
    now: Timestamp,
) -> StoreResult<()> {
    if record.may_run() {
        put_back(conn, record.key, chunk, retry_at).await?;
        record.given_back(1, now);
    } else {
        remove(conn, record.key, chunk.span).await?;
        record.given_back(0, now);
    }
    Ok(())
}

async fn put_back(
    conn: &mut SqliteConnection,
    job: JobKey,
    chunk: &Chunk,
    retry_at: i64,
) -> StoreResult<()> {
    sqlx::query(
        "update chunks set leased = 0, retry_at = ?, attempts = ?, panics = ?, deaths = ? \
         where job = ? and first_index = ?",
    )
    .bind(retry_at)
    .bind(chunk.attempts)
    .bind(chunk.failures.panics)
    .bind(chunk.failures.deaths)
    .bind(job.0)
    .bind(signed(chunk.span.first))
    .execute(conn)
    .await
    .map_err(database)?;
    Ok(())
}

/// Two chunks with a clean record in the place of one.
pub(super) async fn split(
    conn: &mut SqliteConnection,
    job: JobKey,
    chunk: &Chunk,
    left: Span,
    right: Span,
) -> StoreResult<()> {
    remove(conn, job, chunk.span).await?;
    for half in [left, right] {
        put(conn, job, half).await?;
    }
    Ok(())
}

/// A chunk with a clean record, which waits.
pub(super) async fn put(conn: &mut SqliteConnection, job: JobKey, span: Span) -> StoreResult<()> {
    sqlx::query(
        "insert into chunks (job, first_index, items, leased, token, lease_until, worker, \
         retry_at, attempts, panics, deaths) values (?, ?, ?, 0, 0, 0, '', 0, 0, 0, 0)",
    )
    .bind(job.0)
    .bind(signed(span.first))
    .bind(signed(span.len))
    .execute(conn)
    .await
    .map_err(database)?;
    Ok(())
}

/// A chunk that is done, or whose job is.
pub(super) async fn remove(
    conn: &mut SqliteConnection,
    job: JobKey,
    span: Span,
) -> StoreResult<()> {
    sqlx::query("delete from chunks where job = ? and first_index = ?")
        .bind(job.0)
        .bind(signed(span.first))
        .execute(conn)
        .await
        .map_err(database)?;
    Ok(())
}
