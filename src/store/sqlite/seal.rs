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

/// Chunks whose forms are kept beside their table, until they enter it together.
const RECENT: i64 = 64;

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
                        let more = seal_some(tx.conn, &mut record, now).await?;
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
async fn set_aside(
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

/// A chunk of a live job has run: seals it, and others that waited for it, or sets it aside. Whether there
/// may be more to seal.
pub(super) async fn ended(
    conn: &mut SqliteConnection,
    record: &mut Record,
    ran: Ran,
    forms: &[MadeForm],
    now: Timestamp,
) -> StoreResult<bool> {
    let is_next = ran.span.first == record.job.progress.contiguous_done;
    let more = if is_next {
        seal(conn, record, ran, forms, now).await? && seal_some(conn, record, now).await?
    } else {
        set_aside(conn, record.key, &ran, forms).await?;
        false
    };
    record.given_back(0, now);
    Ok(more)
}

/// Seals some chunks that were set aside, from the watermark on; whether there may be more.
async fn seal_some(
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
        if !seal(conn, record, ran, &forms, now).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Seals the chunk at the watermark. If it has items to be made again, it waits to be claimed instead.
async fn seal(
    conn: &mut SqliteConnection,
    record: &mut Record,
    ran: Ran,
    forms: &[MadeForm],
    now: Timestamp,
) -> StoreResult<bool> {
    let known = known(conn, record.key, forms).await?;
    let again = alike(forms, |form| known.contains(&form));
    if again.is_empty() {
        remember(conn, record.key, ran.span, forms).await?;
        forget_remakes(conn, record.key, ran.span).await?;
        let completed = write(conn, record, ran).await?;
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
    let old: Vec<i64> = sqlx::query_scalar(
        "select form from forms where job = ? and form in (select value from json_each(?))",
    )
    .bind(job.0)
    .bind(in_order(made.iter().map(|item| item.form)))
    .fetch_all(&mut *conn)
    .await
    .map_err(database)?;
    let forms: HashSet<Form> = made.iter().map(|item| item.form).collect();
    let recent = recent(conn, job).await?;
    let recent = recent.iter().copied().filter(|form| forms.contains(form));
    Ok(old.into_iter().map(Form).chain(recent).collect())
}

/// The forms of the last chunks.
async fn recent(conn: &mut SqliteConnection, job: JobKey) -> StoreResult<Vec<Form>> {
    let blobs: Vec<Vec<u8>> = sqlx::query_scalar("select forms from recent_forms where job = ?")
        .bind(job.0)
        .fetch_all(conn)
        .await
        .map_err(database)?;
    let forms = blobs.iter().flat_map(|blob| blob.as_chunks().0);
    Ok(forms.map(|&form| Form(i64::from_le_bytes(form))).collect())
}

async fn remember(
    conn: &mut SqliteConnection,
    job: JobKey,
    span: Span,
    made: &[MadeForm],
) -> StoreResult<()> {
    let forms: Vec<u8> = made
        .iter()
        .flat_map(|item| item.form.0.to_le_bytes())
        .collect();
    sqlx::query("insert into recent_forms (job, first_index, forms) values (?, ?, ?)")
        .bind(job.0)
        .bind(signed(span.first))
        .bind(forms)
        .execute(&mut *conn)
        .await
        .map_err(database)?;
    let chunks: i64 = sqlx::query_scalar("select count(*) from recent_forms where job = ?")
        .bind(job.0)
        .fetch_one(&mut *conn)
        .await
        .map_err(database)?;
    if chunks >= RECENT {
        settle(conn, job).await?;
    }
    Ok(())
}

/// Moves the forms of the last chunks into their table.
async fn settle(conn: &mut SqliteConnection, job: JobKey) -> StoreResult<()> {
    let recent = recent(conn, job).await?;
    sqlx::query("insert into forms (job, form) select ?, value from json_each(?)")
        .bind(job.0)
        .bind(in_order(recent))
        .execute(&mut *conn)
        .await
        .map_err(database)?;
    sqlx::query("delete from recent_forms where job = ?")
        .bind(job.0)
        .execute(conn)
        .await
        .map_err(database)?;
    Ok(())
}

/// The forms as a JSON array, in the order of the table, so that a page is met once.
fn in_order(forms: impl IntoIterator<Item = Form>) -> String {
    let mut forms: Vec<Form> = forms.into_iter().collect();
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
