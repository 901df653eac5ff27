//! Removes what has expired or was deleted, a small slice at a time, so that no commit waits long.
//!
//! `DELETE` of everything and `VACUUM` were rejected: the first holds the writer for seconds, the second
//! for the whole rewrite and with twice the disk.

use std::time::Duration;

use sqlx::SqliteConnection;

use super::SqliteStore;
use super::error::database;
use crate::jobs::clock::{Timestamp, micros};
use crate::jobs::record::HEADER_KEPT;
use crate::jobs::store::StoreResult;

/// Payloads in a slice: 16 MiB at most.
const SLICE: i64 = 64;
/// Forms in a slice: some milliseconds.
const FORMS: i64 = 16_384;
/// Pages given back to the file system in a slice: 8 MiB.
const PAGES: i64 = 1024;
/// A request id is remembered at least this long.
const REQUEST_KEPT: Duration = Duration::from_hours(24);

pub(super) const ANYTHING_TO_COLLECT: &str = "\
select exists (select 1 from jobs where deleted = 1) \
or exists (select 1 from jobs where sealing = 1 and state >= 6) \
or exists (select 1 from jobs where purged = 0 \
    and expire_time is not null and expire_time <= ?1) \
or exists (select 1 from jobs where purged = 1 and expire_time <= ?2) \
or exists (select 1 from requests where job is null and create_time <= ?3) \
or (select freelist_count from pragma_freelist_count()) > ?4";

pub(super) const NEXT_TO_FORGET: &str =
    "select key from jobs where sealing = 1 and state >= 6 limit 1";

pub(super) const NEXT_TO_PURGE: &str = "\
select key, tenant from jobs where deleted = 1 and purged = 0 \
union all select key, tenant from jobs where purged = 0 \
    and expire_time is not null and expire_time <= ? limit 1";

pub(super) const UNSEEN_HEADERS: &str = "\
select key from jobs where deleted = 1 and purged = 1 \
union all select key from jobs where purged = 1 and expire_time <= ? limit ?";

impl SqliteStore {
    pub(super) async fn collect_slice(&self) -> StoreResult<bool> {
        match self.seal_slice().await {
            Ok(true) => return Ok(true),
            Ok(false) => {}
            // What can be removed makes room.
            Err(error) => {
                tracing::warn!(error = &error as &dyn std::error::Error, "sealing failed");
            }
        }
        let now = self.0.clock.now();
        if !self.anything_to_collect(now).await? {
            return Ok(false);
        }
        self.0
            .writer
            .run(move |tx| {
                Box::pin(async move {
                    Ok(remove_payloads(tx.conn, now).await?
                        || forget_forms(tx.conn).await?
                        || remove_headers(tx.conn, now).await?
                        || shrink(tx.conn).await?)
                })
            })
            .await
    }

    async fn anything_to_collect(&self, now: Timestamp) -> StoreResult<bool> {
        let mut reader = self.0.readers.acquire().await.map_err(database)?;
        sqlx::query_scalar(ANYTHING_TO_COLLECT)
            .bind(now.micros())
            .bind(now.micros() - micros(HEADER_KEPT))
            .bind(now.micros() - micros(REQUEST_KEPT))
            .bind(PAGES)
            .fetch_one(&mut *reader)
            .await
            .map_err(database)
    }
}

/// One slice of what kept the puzzles of a job from being alike, once it has ended.
async fn forget_forms(conn: &mut SqliteConnection) -> StoreResult<bool> {
    let job: Option<i64> = sqlx::query_scalar(NEXT_TO_FORGET)
        .fetch_optional(&mut *conn)
        .await
        .map_err(database)?;
    let Some(key) = job else {
        return Ok(false);
    };
    for (statement, slice) in [
        (
            "delete from forms where job = ?1 and form in \
             (select form from forms where job = ?1 order by form limit ?2)",
            FORMS,
        ),
        (
            "delete from recent_forms where rowid in (select rowid from recent_forms where job = ?1 \
             order by first_index limit ?2)",
            SLICE,
        ),
        (
            "delete from unsealed where rowid in (select rowid from unsealed where job = ?1 \
             order by first_index limit ?2)",
            SLICE,
        ),
        (
            "delete from remakes where job = ?1 and item in \
             (select item from remakes where job = ?1 order by item limit ?2)",
            FORMS,
        ),
    ] {
        let removed = sqlx::query(statement)
            .bind(key)
            .bind(slice)
            .execute(&mut *conn)
            .await
            .map_err(database)?;
        if removed.rows_affected() > 0 {
            return Ok(true);
        }
    }
    sqlx::query("update jobs set sealing = 0 where key = ?")
        .bind(key)
        .execute(conn)
        .await
        .map_err(database)?;
    Ok(true)
}

/// One slice of one job that was deleted or has expired.
async fn remove_payloads(conn: &mut SqliteConnection, now: Timestamp) -> StoreResult<bool> {
    let job: Option<(i64, String)> = sqlx::query_as(NEXT_TO_PURGE)
        .bind(now.micros())
        .fetch_optional(&mut *conn)
        .await
        .map_err(database)?;
    let Some((key, tenant)) = job else {
        return Ok(false);
    };
    for statement in [
        "delete from results where rowid in (select rowid from results where job = ? \
         order by first_index limit ?) returning length(payload)",
        "delete from inputs where rowid in (select rowid from inputs where job = ? \
         order by first_index limit ?) returning length(payload)",
    ] {
        let lengths: Vec<i64> = sqlx::query_scalar(statement)
            .bind(key)
            .bind(SLICE)
            .fetch_all(&mut *conn)
            .await
            .map_err(database)?;
        if !lengths.is_empty() {
            let bytes: i64 = lengths.iter().sum();
            forget(conn, key, &tenant, bytes).await?;
            return Ok(true);
        }
    }
    for statement in [
        "delete from failures where job = ?",
        "delete from chunks where job = ?",
        "update jobs set purged = 1, running = 0, waiting = 0 where key = ?",
    ] {
        sqlx::query(statement)
            .bind(key)
            .execute(&mut *conn)
            .await
            .map_err(database)?;
    }
    Ok(true)
}

async fn forget(
    conn: &mut SqliteConnection,
    key: i64,
    tenant: &str,
    bytes: i64,
) -> StoreResult<()> {
    sqlx::query("update jobs set stored_bytes = max(0, stored_bytes - ?) where key = ?")
        .bind(bytes)
        .bind(key)
        .execute(&mut *conn)
        .await
        .map_err(database)?;
    sqlx::query("update tenants set stored_bytes = max(0, stored_bytes - ?) where tenant = ?")
        .bind(bytes)
        .bind(tenant)
        .execute(conn)
        .await
        .map_err(database)?;
    Ok(())
}

/// Headers that nobody can see any more, and request ids without a job.
async fn remove_headers(conn: &mut SqliteConnection, now: Timestamp) -> StoreResult<bool> {
    let keys: Vec<i64> = sqlx::query_scalar(UNSEEN_HEADERS)
        .bind(now.micros() - micros(HEADER_KEPT))
        .bind(SLICE)
        .fetch_all(&mut *conn)
        .await
        .map_err(database)?;
    for key in &keys {
        for statement in [
            "update requests set job = null where job = ?",
            "delete from jobs where key = ?",
        ] {
            sqlx::query(statement)
                .bind(key)
                .execute(&mut *conn)
                .await
                .map_err(database)?;
        }
    }
    let requests = sqlx::query(
        "delete from requests where (tenant, request_id) in (select tenant, request_id \
         from requests where job is null and create_time <= ? limit ?)",
    )
    .bind(now.micros() - micros(REQUEST_KEPT))
    .bind(SLICE)
    .execute(conn)
    .await
    .map_err(database)?
    .rows_affected();
    Ok(!keys.is_empty() || requests > 0)
}

/// Gives free pages back to the file system. The pragma frees one page a step, so it is stepped to its
/// end.
async fn shrink(conn: &mut SqliteConnection) -> StoreResult<bool> {
    let free = "select freelist_count from pragma_freelist_count()";
    let before: i64 = sqlx::query_scalar(free)
        .fetch_one(&mut *conn)
        .await
        .map_err(database)?;
    if before <= PAGES {
        return Ok(false);
    }
    sqlx::query("pragma incremental_vacuum(1024)")
        .fetch_all(&mut *conn)
        .await
        .map_err(database)?;
    let after: i64 = sqlx::query_scalar(free)
        .fetch_one(conn)
        .await
        .map_err(database)?;
    Ok(after < before)
}
