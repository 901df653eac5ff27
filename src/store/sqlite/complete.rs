//! The end of an attempt: completed, failed or given back. Every write checks the lease's token.

use std::time::Duration;

use sqlx::SqliteConnection;

use super::SqliteStore;
use super::chunks::{self, Chunk};
use super::error::{database, disk_full};
use super::operation::Tx;
use super::results::{self, Ran};
use super::row::{self, signed};
use super::seal;
use crate::jobs::alike::MadeForm;
use crate::jobs::clock::{Timestamp, micros};
use crate::jobs::error::StoreError;
use crate::jobs::items::{Outcome, Results};
use crate::jobs::lease::Lease;
use crate::jobs::progress::Rejections;
use crate::jobs::record::Record;
use crate::jobs::retry::{self, Verdict};
use crate::jobs::store::{Completion, StoreResult};

/// The reason of a [`crate::jobs::job::Failure`].
const PANICKED: &str = "PANICKED";
/// Characters of a panic's message that are kept.
const MESSAGE_CHARS: usize = 500;

impl SqliteStore {
    pub(super) async fn complete_chunk(
        &self,
        lease: Lease,
        completion: &Completion,
    ) -> StoreResult<()> {
        // What is left of a full disk is for cancelling and deleting; the worker tries again.
        if self.0.space.is_spent() {
            return Err(disk_full());
        }
        let results = &completion.results;
        debug_assert!(results.is_consistent() && results.len() as u64 == lease.span.len);
        // On the caller's thread, which is a worker's: the writer only writes.
        let ran = Ran::new(lease.span, results, completion.rejections.clone());
        let forms = completion.forms.clone();
        let store = self.clone();
        let written = self
            .0
            .writer
            .run(move |tx| {
                Box::pin(async move {
                    let (mut record, _) = held(tx.conn, &lease).await?;
                    let now = store.0.clock.now();
                    chunks::remove(tx.conn, lease.key, lease.span).await?;
                    // Whoever followed the results of a job that has ended was told where they end.
                    if record.job.state.has_ended() {
                        record.given_back(0, now);
                        finish(tx, &record).await?;
                        return Ok(false);
                    }
                    has_run(tx.conn, &mut record, ran, &forms, now).await?;
                    finish(tx, &record).await?;
                    Ok(true)
                })
            })
            .await?;
        if written {
            Ok(())
        } else {
            Err(StoreError::LeaseLost)
        }
    }

    pub(super) async fn fail_chunk(&self, lease: Lease, mut message: String) -> StoreResult<()> {
        if let Some((end, _)) = message.char_indices().nth(MESSAGE_CHARS) {
            message.truncate(end);
        }
        let store = self.clone();
        let jitter = jitter();
        self.0
            .writer
            .run(move |tx| {
                Box::pin(async move {
                    let (mut record, mut chunk) = held(tx.conn, &lease).await?;
                    let now = store.0.clock.now();
                    chunk.failures.panics += 1;
                    let verdict = retry::after_panic(chunk.span, chunk.failures, jitter);
                    let wait = match verdict {
                        Verdict::Retry(wait) => wait,
                        _ => Duration::ZERO,
                    };
                    match verdict {
                        Verdict::Split(left, right) if record.may_run() => {
                            chunks::split(tx.conn, lease.key, &chunk, left, right).await?;
                            record.given_back(2, now);
                        }
                        Verdict::Fault if record.may_run() => {
                            give_up(tx.conn, &mut record, &chunk, &message, now).await?;
                        }
                        _ => {
                            let retry_at = store.0.clock.monotonic().saturating_add(micros(wait));
                            chunks::give_back(tx.conn, &mut record, &chunk, retry_at, now).await?;
                        }
                    }
                    finish(tx, &record).await
                })
            })
            .await
    }

    pub(super) async fn release_chunk(&self, lease: Lease) -> StoreResult<()> {
        let store = self.clone();
        self.0
            .writer
            .run(move |tx| {
                Box::pin(async move {
                    let (mut record, mut chunk) = held(tx.conn, &lease).await?;
                    chunk.attempts -= 1;
                    let (now, at_once) = (store.0.clock.now(), store.0.clock.monotonic());
                    chunks::give_back(tx.conn, &mut record, &chunk, at_once, now).await?;
                    finish(tx, &record).await
                })
            })
            .await
    }
}

/// The chunk of a lease that is still held, and its job.
pub(super) async fn held(
    conn: &mut SqliteConnection,
    lease: &Lease,
) -> StoreResult<(Record, Chunk)> {
    let chunk = chunks::held(conn, lease).await?;
    let record = row::load_key(conn, lease.key).await?;
    Ok((record, chunk))
}

pub(super) async fn finish(tx: &mut Tx<'_>, record: &Record) -> StoreResult<()> {
    row::save(tx.conn, record).await?;
    tx.touch(&record.job.id);
    if record.waiting > 0 || record.job.spec.max_parallelism.is_some() {
        tx.offer_work();
    }
    Ok(())
}

/// The item is a fault: that is its result, and the job goes on.
async fn give_up(
    conn: &mut SqliteConnection,
    record: &mut Record,
    chunk: &Chunk,
    message: &str,
    now: Timestamp,
) -> StoreResult<()> {
    let worker: String =
        sqlx::query_scalar("select worker from chunks where job = ? and first_index = ?")
            .bind(record.key.0)
            .bind(signed(chunk.span.first))
            .fetch_one(&mut *conn)
            .await
            .map_err(database)?;
    sqlx::query(
        "insert into failures (job, first_index, items, attempts, reason, message, fail_time, worker) \
         values (?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(record.key.0)
    .bind(signed(chunk.span.first))
    .bind(signed(chunk.span.len))
    .bind(chunk.attempts)
    .bind(PANICKED)
    .bind(message)
    .bind(now.micros())
    .bind(worker)
    .execute(&mut *conn)
    .await
    .map_err(database)?;
    chunks::remove(conn, record.key, chunk.span).await?;
    let fault = Results::all(Outcome::Fault, 1);
    let ran = Ran::new(chunk.span, &fault, Rejections::new());
    has_run(conn, record, ran, &[], now).await
}

/// The chunk of a live job has run: its results count, at once or when all before it are sealed.
async fn has_run(
    conn: &mut SqliteConnection,
    record: &mut Record,
    ran: Ran,
    forms: &[MadeForm],
    now: Timestamp,
) -> StoreResult<()> {
    if record.job.spec.work.is_sealed() {
        return seal::has_run(conn, record, ran, forms, now).await;
    }
    let completed = results::write(conn, record, ran).await?;
    record.completed(completed, now);
    Ok(())
}

/// A number in 0..1; chance here decides when, never what.
fn jitter() -> f64 {
    let mut byte = [0];
    // Without randomness the back-off is only less spread out.
    let _ = getrandom::fill(&mut byte);
    f64::from(byte[0]) / 256.0
}
