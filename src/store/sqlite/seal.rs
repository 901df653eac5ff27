//! Jobs in which no two puzzles may be alike: their chunks are sealed in index order, see [`alike`].
//!
//! A chunk that ran before its turn is set aside in `unsealed`, which counts for nothing: not as done, not
//! as results, not against a quota. Whoever completes the one that the others wait for seals it and
//! some of those; the reaper goes on, in slices, after a death of the process too.
//!
//! Rejected: running the chunks of a job in order (one slow chunk would hold all workers up), and
//! writing results at once behind the watermark (a reader of a job that was cut short is given what lies
//! behind it, alike or not).

use sqlx::SqliteConnection;

use super::SqliteStore;
use super::complete::finish;
use super::error::{corrupt, database};
use super::results::{self, Ran};
use super::row::{self, signed};
use super::{chunks, forms};
use crate::jobs::alike::{MadeForm, Remakes, alike};
use crate::jobs::chunk::Span;
use crate::jobs::clock::Timestamp;
use crate::jobs::error::StoreError;
use crate::jobs::lease::JobKey;
use crate::jobs::record::Record;
use crate::jobs::store::StoreResult;

/// Chunks that one transaction seals: a chunk of a thousand takes a few milliseconds.
const AT_ONCE: usize = 16;

/// A live job whose next chunk has run and is not sealed.
pub(super) const SEALABLE: &str = "\
select j.key from jobs j indexed by jobs_sealing \
cross join unsealed u on u.job = j.key and u.first_index = j.contiguous_done \
where j.sealing = 1 and j.state <= 5 limit 1";

impl SqliteStore {
    /// Seals some of what was left to be sealed; false when nothing is, or when the disk has no room for
    /// it.
    pub(super) async fn seal_slice(&self) -> StoreResult<bool> {
        if self.0.space.is_spent() {
            return Ok(false);
        }
        let mut reader = self.0.readers.acquire().await.map_err(database)?;
        let key: Option<i64> = sqlx::query_scalar(SEALABLE)
            .fetch_optional(&mut *reader)
            .await
            .map_err(database)?;
        drop(reader);
        let Some(key) = key else {
            return Ok(false);
        };
        let store = self.clone();
        self.0
            .writer
            .run(move |tx| {
                Box::pin(async move {
                    let mut record = row::load_key(tx.conn, JobKey(key)).await?;
                    seal_some(tx.conn, &mut record, store.0.clock.now()).await?;
                    finish(tx, &record).await
                })
            })
            .await?;
        Ok(true)
    }
}

/// A chunk of a live job has run: seals it, and some that waited for it, or sets it aside.
pub(super) async fn has_run(
    conn: &mut SqliteConnection,
    record: &mut Record,
    ran: Ran,
    made: &[MadeForm],
    now: Timestamp,
) -> StoreResult<()> {
    if ran.span.first != record.job.progress.contiguous_done {
        set_aside(conn, record.key, &ran, made).await?;
    } else if seal(conn, record, ran, made, now).await? {
        seal_some(conn, record, now).await?;
    }
    record.given_back(0, now);
    Ok(())
}

/// Sets a chunk aside until it can be sealed.
async fn set_aside(
    conn: &mut SqliteConnection,
    job: JobKey,
    ran: &Ran,
    made: &[MadeForm],
) -> StoreResult<()> {
    sqlx::query(
        "insert into unsealed (job, first_index, items, payload, tally, rejections, forms) \
         values (?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(job.0)
    .bind(signed(ran.span.first))
    .bind(signed(ran.span.len))
    .bind(&ran.payload)
    .bind(row::write_tally(&ran.tally))
    .bind(row::to_json(&ran.rejections))
    .bind(forms::encode(made))
    .execute(conn)
    .await
    .map_err(database)?;
    Ok(())
}

/// Seals some chunks that were set aside, from the watermark on. A job ends if one cannot be read: no
/// attempt would do better.
async fn seal_some(
    conn: &mut SqliteConnection,
    record: &mut Record,
    now: Timestamp,
) -> StoreResult<()> {
    for _ in 0..AT_ONCE {
        if record.job.state.has_ended() {
            return Ok(());
        }
        let (ran, made) = match take(conn, record).await {
            Ok(Some(next)) => next,
            Ok(None) => return Ok(()),
            Err(StoreError::Corrupt(what)) => {
                tracing::error!(job = %record.job.id, what, "an unsealed chunk is corrupt");
                record.fail("CORRUPT", what, now);
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        if !seal(conn, record, ran, &made, now).await? {
            return Ok(());
        }
    }
    Ok(())
}

/// Seals the chunk at the watermark. If it has items to be made again, it waits to be claimed instead.
async fn seal(
    conn: &mut SqliteConnection,
    record: &mut Record,
    ran: Ran,
    made: &[MadeForm],
    now: Timestamp,
) -> StoreResult<bool> {
    let known = forms::known(conn, record.key, made).await?;
    let again = alike(made, |form| known.contains(&form));
    if again.is_empty() {
        forms::remember(conn, record.key, ran.span, made).await?;
        forget_remakes(conn, record.key, ran.span).await?;
        let completed = results::write(conn, record, ran).await?;
        record.sealed(completed, now);
    } else {
        make_again(conn, record.key, &again).await?;
        if record.may_run() {
            chunks::put(conn, record.key, ran.span).await?;
            record.reopened(now);
        }
    }
    Ok(again.is_empty())
}

/// The chunk that is to be sealed next, if it has run.
async fn take(
    conn: &mut SqliteConnection,
    record: &Record,
) -> StoreResult<Option<(Ran, Vec<MadeForm>)>> {
    type Row = (i64, Vec<u8>, String, String, Vec<u8>);
    let first = record.job.progress.contiguous_done;
    let row: Option<Row> = sqlx::query_as(
        "delete from unsealed where job = ? and first_index = ? \
         returning items, payload, tally, rejections, forms",
    )
    .bind(record.key.0)
    .bind(signed(first))
    .fetch_optional(conn)
    .await
    .map_err(database)?;
    let Some((items, payload, tally, rejections, made)) = row else {
        return Ok(None);
    };
    let unreadable = |error| corrupt(format!("an unsealed chunk: {error}"));
    let ran = Ran {
        span: Span {
            first,
            len: items.unsigned_abs(),
        },
        payload,
        tally: row::read_tally(serde_json::from_str(&tally).map_err(unreadable)?)
            .map_err(database)?,
        rejections: serde_json::from_str(&rejections).map_err(unreadable)?,
    };
    Ok(Some((ran, forms::decode(&made)?)))
}

async fn make_again(conn: &mut SqliteConnection, job: JobKey, again: &Remakes) -> StoreResult<()> {
    for (&item, &remakes) in again {
        sqlx::query(
            "insert into remakes (job, item, remakes) values (?, ?, ?) \
             on conflict do update set remakes = excluded.remakes",
        )
        .bind(job.0)
        .bind(signed(item))
        .bind(remakes)
        .execute(&mut *conn)
        .await
        .map_err(database)?;
    }
    Ok(())
}

/// The items of a chunk that are to be made again.
pub(super) async fn remakes(
    conn: &mut SqliteConnection,
    job: JobKey,
    span: Span,
) -> StoreResult<Remakes> {
    let rows: Vec<(i64, u32)> = sqlx::query_as(
        "select item, remakes from remakes where job = ? and item >= ? and item < ?",
    )
    .bind(job.0)
    .bind(signed(span.first))
    .bind(signed(span.end()))
    .fetch_all(conn)
    .await
    .map_err(database)?;
    let rows = rows.into_iter();
    Ok(rows
        .map(|(item, remakes)| (item.unsigned_abs(), remakes))
        .collect())
}

async fn forget_remakes(conn: &mut SqliteConnection, job: JobKey, span: Span) -> StoreResult<()> {
    sqlx::query("delete from remakes where job = ? and item >= ? and item < ?")
        .bind(job.0)
        .bind(signed(span.first))
        .bind(signed(span.end()))
        .execute(conn)
        .await
        .map_err(database)?;
    Ok(())
}
