//! Jobs in which no two puzzles may be alike: their chunks are sealed in index order, see [`alike`].
//!
//! A completed chunk is set aside in `unsealed`. Whoever completes the one that all others wait for seals
//! what follows, some chunks a transaction. If a process dies in between, the reaper goes on.

use std::collections::HashSet;

use sqlx::SqliteConnection;

use super::SqliteStore;
use super::chunks;
use super::complete::{Ran, finish, write};
use super::error::{corrupt, database};
use super::row::{self, signed};
use crate::jobs::alike::{Form, MadeForm, Remakes, alike};
use crate::jobs::chunk::Span;
use crate::jobs::clock::Timestamp;
use crate::jobs::lease::JobKey;
use crate::jobs::record::Record;
use crate::jobs::store::StoreResult;
use crate::store::codec;

/// Chunks that one transaction seals: a chunk of a thousand takes a few milliseconds.
const AT_ONCE: usize = 16;

/// Live jobs whose next chunk has run and is not sealed.
pub(super) const SEALABLE: &str = "\
select j.key from jobs j indexed by jobs_sealing \
cross join unsealed u on u.job = j.key and u.first_index = j.contiguous_done \
where j.sealing = 1 and j.state <= 5";

impl SqliteStore {
    /// Goes on until nothing more can be sealed.
    pub(super) async fn seal_all(&self, key: JobKey) -> StoreResult<()> {
        let mut more = true;
        while more {
            let store = self.clone();
            more = self
                .0
                .writer
                .run(move |tx| {
                    Box::pin(async move {
                        let mut record = row::load_key(tx.conn, key).await?;
                        let now = store.0.clock.now();
                        let more = seal(tx.conn, &mut record, now).await?;
                        finish(tx, &record).await?;
                        Ok(more)
                    })
                })
                .await?;
        }
        Ok(())
    }

    /// Seals what a process that died, or a full disk, left to be sealed.
    pub(super) async fn seal_left_over(&self) -> StoreResult<()> {
        let mut reader = self.0.readers.acquire().await.map_err(database)?;
        let keys: Vec<i64> = sqlx::query_scalar(SEALABLE)
            .fetch_all(&mut *reader)
            .await
            .map_err(database)?;
        drop(reader);
        for key in keys {
            self.seal_all(JobKey(key)).await?;
        }
        Ok(())
    }
}

/// Sets a chunk aside until it can be sealed.
pub(super) async fn set_aside(
    conn: &mut SqliteConnection,
    job: JobKey,
    ran: &Ran,
    forms: &[MadeForm],
) -> StoreResult<()> {
    sqlx::query(
        "insert into unsealed (job, first_index, items, payload, rejections, forms) \
         values (?, ?, ?, ?, ?, ?)",
    )
    .bind(job.0)
    .bind(signed(ran.span.first))
    .bind(signed(ran.span.len))
    .bind(&ran.payload)
    .bind(row::to_json(&ran.rejections))
    .bind(row::to_json(&forms))
    .execute(conn)
    .await
    .map_err(database)?;
    Ok(())
}

/// Seals some chunks from the watermark on; whether there may be more. One with items to be made again
/// waits to be claimed.
pub(super) async fn seal(
    conn: &mut SqliteConnection,
    record: &mut Record,
    now: Timestamp,
) -> StoreResult<bool> {
    for _ in 0..AT_ONCE {
        if record.job.state.has_ended() {
            return Ok(false);
        }
        let Some((ran, forms)) = take(conn, record).await? else {
            return Ok(false);
        };
        let known = known(conn, record.key, &forms).await?;
        let again = alike(&forms, |form| known.contains(&form));
        if !again.is_empty() {
            make_again(conn, record.key, &again).await?;
            if record.may_run() {
                chunks::put(conn, record.key, ran.span).await?;
                record.reopened(now);
            }
            return Ok(false);
        }
        remember(conn, record.key, &forms).await?;
        forget_remakes(conn, record.key, ran.span).await?;
        let completed = write(conn, record, ran).await?;
        record.sealed(completed, now);
    }
    Ok(true)
}

/// The chunk that is to be sealed next, if it has run.
async fn take(
    conn: &mut SqliteConnection,
    record: &Record,
) -> StoreResult<Option<(Ran, Vec<MadeForm>)>> {
    let first = record.job.progress.contiguous_done;
    let row: Option<(i64, Vec<u8>, String, String)> = sqlx::query_as(
        "delete from unsealed where job = ? and first_index = ? \
         returning items, payload, rejections, forms",
    )
    .bind(record.key.0)
    .bind(signed(first))
    .fetch_optional(conn)
    .await
    .map_err(database)?;
    let Some((items, payload, rejections, forms)) = row else {
        return Ok(None);
    };
    let unreadable = |error| corrupt(format!("an unsealed chunk: {error}"));
    let ran = Ran {
        span: Span {
            first,
            len: items.unsigned_abs(),
        },
        tally: codec::decode_results(&payload)?.tally(),
        payload,
        rejections: serde_json::from_str(&rejections).map_err(unreadable)?,
    };
    let forms = serde_json::from_str(&forms).map_err(unreadable)?;
    Ok(Some((ran, forms)))
}

/// Those of these forms that sealed items have.
async fn known(
    conn: &mut SqliteConnection,
    job: JobKey,
    made: &[MadeForm],
) -> StoreResult<HashSet<Form>> {
    let forms: Vec<i64> = sqlx::query_scalar(
        "select form from forms where job = ? and form in (select value from json_each(?))",
    )
    .bind(job.0)
    .bind(in_order(made))
    .fetch_all(conn)
    .await
    .map_err(database)?;
    Ok(forms.into_iter().map(Form).collect())
}

async fn remember(conn: &mut SqliteConnection, job: JobKey, made: &[MadeForm]) -> StoreResult<()> {
    sqlx::query("insert into forms (job, form) select ?, value from json_each(?)")
        .bind(job.0)
        .bind(in_order(made))
        .execute(conn)
        .await
        .map_err(database)?;
    Ok(())
}

/// The forms as a JSON array, in the order of the table, so that a page is met once.
fn in_order(made: &[MadeForm]) -> String {
    let mut forms: Vec<Form> = made.iter().map(|item| item.form).collect();
    forms.sort_unstable();
    row::to_json(&forms)
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
