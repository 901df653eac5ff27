//! Rows of `jobs` as records, and back.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::sqlite::SqliteRow;
use sqlx::{FromRow, Row, SqliteConnection};

use super::error::{corrupt, database};
use crate::jobs::clock::{Timestamp, micros};
use crate::jobs::error::StoreError;
use crate::jobs::id::{JobId, JobRef, Tenant};
use crate::jobs::items::{Outcome, Tally};
use crate::jobs::job::{Job, JobError, JobState};
use crate::jobs::lease::JobKey;
use crate::jobs::progress::{Progress, Rate};
use crate::jobs::record::Record;
use crate::jobs::spec::{JobSpec, Priority};
use crate::jobs::store::StoreResult;

/// Columns of a record, in the order of the table.
macro_rules! columns {
    () => {
        "key, id, tenant, work, count, priority, max_parallelism, not_before, deadline, ttl, labels, \
         state, revision, received, chunk_items, next_index, running, waiting, done, \
         contiguous_done, tally, rejections, stored_bytes, rate, rate_pending, rate_time, \
         error_reason, error_message, generator_version, rater_version, create_time, start_time, end_time, \
         expire_time, upload_time, purged"
    };
}
pub(super) use columns;

/// A record as the database gives it.
pub(super) struct Stored(pub(super) Record);

impl FromRow<'_, SqliteRow> for Stored {
    fn from_row(row: &SqliteRow) -> Result<Self, sqlx::Error> {
        let time = |column| row.try_get(column).map(Timestamp::from_micros);
        let time_if_any = |column| {
            let micros: Option<i64> = row.try_get(column)?;
            Ok::<_, sqlx::Error>(micros.map(Timestamp::from_micros))
        };
        let count: Option<i64> = row.try_get("count")?;
        let received = number(row, "received")?;
        let tenant: String = row.try_get("tenant")?;
        let id: String = row.try_get("id")?;
        let priority: i32 = row.try_get("priority")?;
        let state: u8 = row.try_get("state")?;
        let error_reason: Option<String> = row.try_get("error_reason")?;
        let error_message: Option<String> = row.try_get("error_message")?;
        let spec = JobSpec {
            work: json(row, "work")?,
            count: count.map(|n| unsigned("count", n)).transpose()?,
            priority: Priority::new(priority).ok_or_else(|| wrong("priority"))?,
            max_parallelism: row.try_get("max_parallelism")?,
            not_before: time_if_any("not_before")?,
            deadline: time_if_any("deadline")?,
            ttl: Duration::from_micros(number(row, "ttl")?),
            labels: json(row, "labels")?,
        };
        let progress = Progress {
            total: spec.count.unwrap_or(received),
            received,
            done: number(row, "done")?,
            contiguous_done: number(row, "contiguous_done")?,
            rate: Rate {
                items_per_second: row.try_get("rate")?,
                pending: number(row, "rate_pending")?,
            },
            queue_position: 0,
            tally: read_tally(json(row, "tally")?)?,
            stored_bytes: number(row, "stored_bytes")?,
            rejections: json(row, "rejections")?,
        };
        let job = Job {
            id: JobId::parse(&id).map_err(|_| wrong("id"))?,
            tenant: Tenant::stored(tenant),
            spec,
            state: JobState::from_number(state).ok_or_else(|| wrong("state"))?,
            revision: row.try_get("revision")?,
            progress,
            error: error_reason
                .zip(error_message)
                .map(|(reason, message)| JobError { reason, message }),
            create_time: time("create_time")?,
            start_time: time_if_any("start_time")?,
            end_time: time_if_any("end_time")?,
            expire_time: time_if_any("expire_time")?,
            generator_version: row.try_get("generator_version")?,
            rater_version: row.try_get("rater_version")?,
        };
        Ok(Self(Record {
            key: JobKey(row.try_get("key")?),
            job,
            chunk_items: number(row, "chunk_items")?,
            next_index: number(row, "next_index")?,
            running: number(row, "running")?,
            waiting: number(row, "waiting")?,
            upload_time: time("upload_time")?,
            rate_time: time_if_any("rate_time")?,
            purged: row.try_get("purged")?,
        }))
    }
}

pub(super) const VISIBLE: &str = concat!(
    "select ",
    columns!(),
    " from jobs where tenant = ? and id = ? and deleted = 0"
);

/// The record of a job that its tenant can see.
pub(super) async fn load(conn: &mut SqliteConnection, job: &JobRef) -> StoreResult<Record> {
    sqlx::query_as::<_, Stored>(VISIBLE)
        .bind(job.tenant.as_str())
        .bind(job.id.as_str())
        .fetch_optional(conn)
        .await
        .map_err(database)?
        .map(|stored| stored.0)
        .ok_or_else(|| StoreError::JobNotFound(job.id.clone()))
}

/// The record with this key.
pub(super) async fn load_key(conn: &mut SqliteConnection, key: JobKey) -> StoreResult<Record> {
    sqlx::query_as::<_, Stored>(concat!("select ", columns!(), " from jobs where key = ?"))
        .bind(key.0)
        .fetch_optional(conn)
        .await
        .map_err(database)?
        .map(|stored| stored.0)
        .ok_or_else(|| corrupt(format!("chunks of a job that is not there, {}", key.0)))
}

/// Writes back everything about a job that can change.
pub(super) async fn save(conn: &mut SqliteConnection, record: &Record) -> StoreResult<()> {
    let job = &record.job;
    let progress = &job.progress;
    sqlx::query(
        "update jobs set count = ?, state = ?, revision = ?, received = ?, next_index = ?, running = ?, \
         waiting = ?, done = ?, contiguous_done = ?, tally = ?, rejections = ?, stored_bytes = ?, \
         rate = ?, rate_pending = ?, rate_time = ?, error_reason = ?, error_message = ?, \
         start_time = ?, end_time = ?, expire_time = ?, upload_time = ?, purged = ? where key = ?",
    )
    .bind(job.spec.count.map(signed))
    .bind(job.state as u8)
    .bind(job.revision)
    .bind(signed(progress.received))
    .bind(signed(record.next_index))
    .bind(signed(record.running))
    .bind(signed(record.waiting))
    .bind(signed(progress.done))
    .bind(signed(progress.contiguous_done))
    .bind(write_tally(&progress.tally))
    .bind(to_json(&progress.rejections))
    .bind(signed(progress.stored_bytes))
    .bind(progress.rate.items_per_second)
    .bind(signed(progress.rate.pending))
    .bind(record.rate_time.map(Timestamp::micros))
    .bind(job.error.as_ref().map(|e| e.reason.as_str()))
    .bind(job.error.as_ref().map(|e| e.message.as_str()))
    .bind(job.start_time.map(Timestamp::micros))
    .bind(job.end_time.map(Timestamp::micros))
    .bind(job.expire_time.map(Timestamp::micros))
    .bind(record.upload_time.micros())
    .bind(record.purged)
    .bind(record.key.0)
    .execute(conn)
    .await
    .map_err(database)?;
    Ok(())
}

/// Writes a new job and returns its key.
pub(super) async fn insert(conn: &mut SqliteConnection, record: &Record) -> StoreResult<JobKey> {
    let job = &record.job;
    let spec = &job.spec;
    let key: i64 = sqlx::query_scalar(
        "insert into jobs (id, tenant, work, count, priority, max_parallelism, not_before, deadline, \
         ttl, labels, state, revision, received, chunk_items, next_index, running, waiting, served, \
         done, contiguous_done, tally, rejections, stored_bytes, rate, rate_pending, \
         generator_version, rater_version, create_time, upload_time, sealing) \
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, 0, 0, 0, \
         (select virtual_time from tenants where tenant = ?), 0, 0, '{}', '{}', 0, 0.0, 0, ?, ?, ?, ?, ?) \
         returning key",
    )
    .bind(job.id.as_str())
    .bind(job.tenant.as_str())
    .bind(to_json(&spec.work))
    .bind(spec.count.map(signed))
    .bind(spec.priority.value())
    .bind(spec.max_parallelism)
    .bind(spec.not_before.map(Timestamp::micros))
    .bind(spec.deadline.map(Timestamp::micros))
    .bind(micros(spec.ttl))
    .bind(to_json(&spec.labels))
    .bind(job.state as u8)
    .bind(job.revision)
    .bind(signed(record.chunk_items))
    .bind(job.tenant.as_str())
    .bind(job.generator_version)
    .bind(job.rater_version)
    .bind(job.create_time.micros())
    .bind(record.upload_time.micros())
    .bind(spec.work.is_sealed())
    .fetch_one(conn)
    .await
    .map_err(database)?;
    Ok(JobKey(key))
}

/// Bytes that a tenant's payloads take.
pub(super) async fn add_tenant_bytes(
    conn: &mut SqliteConnection,
    tenant: &Tenant,
    bytes: i64,
) -> StoreResult<()> {
    sqlx::query("update tenants set stored_bytes = max(0, stored_bytes + ?) where tenant = ?")
        .bind(bytes)
        .bind(tenant.as_str())
        .execute(conn)
        .await
        .map_err(database)?;
    Ok(())
}

/// A number for SQLite, whose integers are signed; every count here stays far below 2^63.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A count from SQLite.
pub(super) fn unsigned(column: &str, number: i64) -> Result<u64, sqlx::Error> {
    u64::try_from(number).map_err(|_| wrong(column))
}

fn number(row: &SqliteRow, column: &str) -> Result<u64, sqlx::Error> {
    unsigned(column, row.try_get(column)?)
}

pub(super) fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain structs and maps with text keys have JSON")
}

fn json<T: DeserializeOwned>(row: &SqliteRow, column: &str) -> Result<T, sqlx::Error> {
    let json: String = row.try_get(column)?;
    serde_json::from_str(&json).map_err(|error| sqlx::Error::ColumnDecode {
        index: column.to_owned(),
        source: Box::new(error),
    })
}

pub(super) fn write_tally(tally: &Tally) -> String {
    let names: BTreeMap<_, _> = tally.iter().map(|(o, items)| (o.name(), items)).collect();
    to_json(&names)
}

pub(super) fn read_tally(names: BTreeMap<String, u64>) -> Result<Tally, sqlx::Error> {
    let mut tally = Tally::default();
    for (name, items) in names {
        let outcome = Outcome::ALL.into_iter().find(|o| o.name() == name);
        tally.set(outcome.ok_or_else(|| wrong("tally"))?, items);
    }
    Ok(tally)
}

fn wrong(column: &str) -> sqlx::Error {
    sqlx::Error::ColumnDecode {
        index: column.to_owned(),
        source: "a value that was never written".into(),
    }
}
