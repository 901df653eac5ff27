//! What clients read: jobs, results, failures. All of it from the pool of readers, a page a read; no read
//! transaction is open while something is sent.

use sqlx::{Connection, QueryBuilder, Sqlite, SqliteConnection};

use super::error::{corrupt, database};
use super::row::{self, Stored, signed};
use super::{SqliteStore, submit};
use crate::jobs::chunk::MAX_CHUNK_ITEMS;
use crate::jobs::clock::{Timestamp, micros};
use crate::jobs::error::StoreError;
use crate::jobs::id::{JobRef, Tenant};
use crate::jobs::items::{Outcome, Results};
use crate::jobs::job::{Failure, Job, JobError, JobState};
use crate::jobs::lease::JobKey;
use crate::jobs::record::{HEADER_KEPT, Record};
use crate::jobs::store::{JobFilter, ResultPage, StoreResult};
use crate::store::codec;

/// What stands at an index.
enum Piece {
    /// A payload of so many items, and where in it the index is.
    Stored {
        payload: Vec<u8>,
        items: u64,
        skip: usize,
    },
    /// So many items will never have a result.
    Gap(usize),
    /// Nothing (yet).
    Nothing,
}

impl SqliteStore {
    pub(super) async fn read_job(&self, job: &JobRef) -> StoreResult<Job> {
        let now = self.0.clock.now();
        let mut reader = self.0.readers.acquire().await.map_err(database)?;
        let mut record = visible(&mut reader, job, now).await?;
        if record.job.state == JobState::Queued {
            record.job.progress.queue_position = position(&mut reader, &record).await?;
        }
        Ok(record.job)
    }

    pub(super) async fn read_jobs(
        &self,
        tenant: &Tenant,
        filter: &JobFilter,
        after: Option<JobKey>,
        limit: u32,
    ) -> StoreResult<Vec<(JobKey, Job)>> {
        let mut query = list(tenant, filter, after, self.0.clock.now());
        query.push(" order by key desc limit ").push_bind(limit);
        let mut reader = self.0.readers.acquire().await.map_err(database)?;
        let stored: Vec<Stored> = query
            .build_query_as()
            // The text varies with the filters; remembering each would push out the others.
            .persistent(false)
            .fetch_all(&mut *reader)
            .await
            .map_err(database)?;
        Ok(stored.into_iter().map(|s| (s.0.key, s.0.job)).collect())
    }

    pub(super) async fn read_results(
        &self,
        job: &JobRef,
        start: u64,
        with_inputs: bool,
    ) -> StoreResult<ResultPage> {
        let now = self.0.clock.now();
        let mut reader = self.0.page_readers.acquire().await.map_err(database)?;
        let mut snapshot = reader.begin().await.map_err(database)?;
        let record = visible(&mut snapshot, job, now).await?;
        check_kept(&record, now)?;
        if start > record.total() {
            return Err(StoreError::PastEnd {
                start,
                total: record.total(),
            });
        }
        let piece = piece_at(&mut snapshot, &record, start).await?;
        let results = match &piece {
            Piece::Nothing => None,
            Piece::Gap(items) => Some(Results::all(Outcome::Skipped, *items)),
            Piece::Stored {
                payload,
                items,
                skip,
            } => {
                let mut results = codec::decode_results(payload)?;
                if results.len() as u64 != *items {
                    return Err(corrupt(format!(
                        "{} results where {items} were written",
                        results.len()
                    )));
                }
                if *skip > 0 {
                    results = results.slice(*skip, usize::MAX);
                }
                Some(results)
            }
        };
        let inputs = match &results {
            Some(results) if with_inputs && record.job.spec.work.takes_inputs() => {
                let received = usize::try_from(record.job.progress.received.saturating_sub(start));
                let len = results.len().min(received.unwrap_or(usize::MAX));
                Some(submit::read(&mut snapshot, record.key, start, len).await?)
            }
            _ => None,
        };
        Ok(ResultPage {
            job: record.job,
            results,
            inputs,
        })
    }

    pub(super) async fn read_failures(
        &self,
        job: &JobRef,
        first_index: u64,
        limit: u32,
    ) -> StoreResult<Vec<Failure>> {
        type Row = (i64, i64, u32, String, String, i64, String);
        let now = self.0.clock.now();
        let mut reader = self.0.readers.acquire().await.map_err(database)?;
        let record = visible(&mut reader, job, now).await?;
        check_kept(&record, now)?;
        let rows: Vec<Row> = sqlx::query_as(
            "select first_index, items, attempts, reason, message, fail_time, worker from failures \
             where job = ? and first_index >= ? order by first_index limit ?",
        )
        .bind(record.key.0)
        .bind(signed(first_index))
        .bind(limit)
        .fetch_all(&mut *reader)
        .await
        .map_err(database)?;
        let failure = |(first, items, attempts, reason, message, time, worker): Row| Failure {
            first_index: first.unsigned_abs(),
            count: items.unsigned_abs(),
            attempts,
            error: JobError { reason, message },
            time: Timestamp::from_micros(time),
            worker,
        };
        Ok(rows.into_iter().map(failure).collect())
    }
}

/// A job whose header is still kept, whether or not the collector came by since.
async fn visible(conn: &mut SqliteConnection, job: &JobRef, now: Timestamp) -> StoreResult<Record> {
    let record = row::load(conn, job).await?;
    match record.job.expire_time {
        Some(time) if time.after(HEADER_KEPT) <= now => {
            Err(StoreError::JobNotFound(job.id.clone()))
        }
        _ => Ok(record),
    }
}

fn check_kept(record: &Record, now: Timestamp) -> StoreResult<()> {
    match record.job.expire_time {
        Some(expire_time) if expire_time <= now || record.purged => {
            Err(StoreError::ResultsExpired {
                id: record.job.id.clone(),
                expire_time,
            })
        }
        _ => Ok(()),
    }
}

pub(super) const POSITION: &str = "\
select count(*) from jobs indexed by jobs_claimable \
where state <= 3 and state = 2 and (priority > ?1 or (priority = ?1 and key <= ?2))";

/// Jobs that wait and go before this one, and itself. Fairness may let it pass some of them.
async fn position(conn: &mut SqliteConnection, record: &Record) -> StoreResult<u32> {
    sqlx::query_scalar(POSITION)
        .bind(record.job.spec.priority.value())
        .bind(record.key.0)
        .fetch_one(conn)
        .await
        .map_err(database)
}

fn list(
    tenant: &Tenant,
    filter: &JobFilter,
    after: Option<JobKey>,
    now: Timestamp,
) -> QueryBuilder<Sqlite> {
    let kept = now.micros().saturating_sub(micros(HEADER_KEPT));
    let mut query = QueryBuilder::new(concat!(
        "select ",
        row::columns!(),
        " from jobs where deleted = 0 and tenant = "
    ));
    query.push_bind(tenant.as_str().to_owned());
    query
        .push(" and (expire_time is null or expire_time > ")
        .push_bind(kept)
        .push(")");
    if let Some(after) = after {
        query.push(" and key < ").push_bind(after.0);
    }
    if !filter.states.is_empty() {
        query.push(" and state in (");
        let mut states = query.separated(", ");
        for &state in &filter.states {
            states.push_bind(state as u8);
        }
        query.push(")");
    }
    for (key, value) in &filter.labels {
        query.push(" and exists (select 1 from json_each(labels) as l where l.key = ");
        query.push_bind(key.clone());
        query
            .push(" and l.value = ")
            .push_bind(value.clone())
            .push(")");
    }
    if let Some(time) = filter.created_after {
        query.push(" and create_time > ").push_bind(time.micros());
    }
    if let Some(time) = filter.created_before {
        query.push(" and create_time < ").push_bind(time.micros());
    }
    query
}

async fn piece_at(conn: &mut SqliteConnection, record: &Record, start: u64) -> StoreResult<Piece> {
    let short = record.job.state.was_cut_short();
    if !short && start >= record.job.progress.contiguous_done {
        return Ok(Piece::Nothing);
    }
    let stored: Option<(i64, i64, Vec<u8>)> = sqlx::query_as(
        "select first_index, items, payload from results where job = ? and first_index <= ? \
         order by first_index desc limit 1",
    )
    .bind(record.key.0)
    .bind(signed(start))
    .fetch_optional(&mut *conn)
    .await
    .map_err(database)?;
    if let Some((first, items, payload)) = stored {
        let (skip, items) = (start - first.unsigned_abs(), items.unsigned_abs());
        if skip < items {
            return Ok(Piece::Stored {
                payload,
                items,
                skip: usize::try_from(skip).expect("a chunk fits memory"),
            });
        }
    }
    if !short {
        return Err(corrupt(format!(
            "no result of item {start}, below the watermark"
        )));
    }
    let next: Option<i64> = sqlx::query_scalar(
        "select min(first_index) from results where job = ? and first_index > ?",
    )
    .bind(record.key.0)
    .bind(signed(start))
    .fetch_one(conn)
    .await
    .map_err(database)?;
    Ok(match next {
        None => Piece::Nothing,
        Some(next) => {
            let items = (next.unsigned_abs() - start).min(MAX_CHUNK_ITEMS);
            Piece::Gap(usize::try_from(items).expect("a chunk fits memory"))
        }
    })
}
