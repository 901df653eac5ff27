//! New jobs and their inputs.

use sqlx::SqliteConnection;

use super::SqliteStore;
use super::error::{corrupt, database, disk_full};
use super::operation::Tx;
use super::row::{self, signed};
use crate::jobs::chunk::{MAX_CHUNK_ITEMS, chunk_items};
use crate::jobs::clock::Timestamp;
use crate::jobs::error::StoreError;
use crate::jobs::id::{JobId, JobRef, RequestId, Tenant};
use crate::jobs::items::Inputs;
use crate::jobs::job::{Job, JobState};
use crate::jobs::lease::JobKey;
use crate::jobs::progress::Progress;
use crate::jobs::record::Record;
use crate::jobs::spec::MAX_JOB_ITEMS;
use crate::jobs::store::{StoreResult, Submission};
use crate::store::codec;
use crate::sudoku::GENERATOR_VERSION;

/// Inputs, encoded outside of the writer: pieces of at most a chunk, so that a claim reads little more
/// than it needs.
struct Encoded {
    pieces: Vec<(u64, Vec<u8>)>,
    items: u64,
    bytes: u64,
}

impl Encoded {
    fn new(inputs: &Inputs) -> Self {
        let step = usize::try_from(MAX_CHUNK_ITEMS).expect("a chunk fits memory");
        let mut pieces = Vec::with_capacity(inputs.len().div_ceil(step));
        for first in (0..inputs.len()).step_by(step) {
            let piece = inputs.slice(first, step);
            pieces.push((piece.len() as u64, codec::encode_inputs(&piece)));
        }
        Self {
            items: inputs.len() as u64,
            bytes: pieces.iter().map(|(_, payload)| payload.len() as u64).sum(),
            pieces,
        }
    }

    async fn insert(
        &self,
        conn: &mut SqliteConnection,
        job: JobKey,
        mut first: u64,
    ) -> StoreResult<()> {
        for (items, payload) in &self.pieces {
            sqlx::query(
                "insert into inputs (job, first_index, items, payload) values (?, ?, ?, ?)",
            )
            .bind(job.0)
            .bind(signed(first))
            .bind(signed(*items))
            .bind(payload.as_slice())
            .execute(&mut *conn)
            .await
            .map_err(database)?;
            first += items;
        }
        Ok(())
    }
}

impl SqliteStore {
    pub(super) async fn submit(&self, submission: Submission) -> StoreResult<Job> {
        let encoded = Encoded::new(&submission.inputs);
        let store = self.clone();
        self.0
            .writer
            .run(move |tx| Box::pin(async move { create(&store, tx, submission, encoded).await }))
            .await
    }

    pub(super) async fn add_inputs(
        &self,
        job: JobRef,
        first_index: u64,
        inputs: Inputs,
    ) -> StoreResult<u64> {
        let encoded = Encoded::new(&inputs);
        let store = self.clone();
        self.0
            .writer
            .run(move |tx| {
                Box::pin(
                    async move { append(&store, tx, &job, first_index, &inputs, encoded).await },
                )
            })
            .await
    }

    /// Whether there is room for new work that takes `bytes` at once.
    fn admit_work(&self, bytes: u64) -> StoreResult<()> {
        let space = &self.0.space;
        if space.is_spent() {
            return Err(disk_full());
        }
        self.0
            .limits
            .admit_work(space.used(), space.capacity(), bytes)
    }

    pub(super) async fn commit_inputs(&self, job: JobRef, expected: u64) -> StoreResult<Job> {
        self.change(job, move |record, now| record.commit(expected, now))
            .await
    }
}

async fn create(
    store: &SqliteStore,
    tx: &mut Tx<'_>,
    submission: Submission,
    encoded: Encoded,
) -> StoreResult<Job> {
    let Submission {
        tenant,
        id,
        spec,
        commit,
        request,
        ..
    } = submission;
    if let Some((request_id, digest)) = &request
        && let Some(job) = replayed(tx.conn, &tenant, request_id, digest).await?
    {
        return Ok(job);
    }
    let now = store.0.clock.now();
    admit(store, tx.conn, &tenant, &id, encoded.bytes).await?;

    let state = if spec.count.is_some() {
        JobState::Queued
    } else {
        JobState::Uploading
    };
    let mut record = Record {
        key: JobKey(0),
        chunk_items: chunk_items(&spec.work),
        next_index: 0,
        running: 0,
        waiting: 0,
        upload_time: now,
        rate_time: None,
        purged: false,
        job: Job {
            id,
            tenant,
            state,
            revision: 1,
            progress: Progress {
                total: spec.count.unwrap_or(0),
                ..Progress::default()
            },
            rater_version: spec.work.rater_version(),
            spec,
            error: None,
            create_time: now,
            start_time: None,
            end_time: None,
            expire_time: None,
            generator_version: GENERATOR_VERSION,
        },
    };
    record.key = row::insert(tx.conn, &record).await?;
    if encoded.items > 0 {
        receive(tx.conn, &mut record, &encoded, now).await?;
    }
    if commit && record.job.state == JobState::Uploading {
        record.commit(encoded.items, now)?;
    }
    record.settle(now);
    row::save(tx.conn, &record).await?;
    if let Some((request_id, digest)) = request {
        remember(tx.conn, &record, &request_id, &digest, now).await?;
    }
    tx.touch(&record.job.id);
    tx.offer_work();
    Ok(record.job)
}

/// The job that the same request made before.
async fn replayed(
    conn: &mut SqliteConnection,
    tenant: &Tenant,
    request_id: &RequestId,
    digest: &[u8; 32],
) -> StoreResult<Option<Job>> {
    let made: Option<(Vec<u8>, String, Option<i64>)> = sqlx::query_as(
        "select digest, job_id, job from requests where tenant = ? and request_id = ?",
    )
    .bind(tenant.as_str())
    .bind(request_id.to_string())
    .fetch_optional(&mut *conn)
    .await
    .map_err(database)?;
    let Some((stored, id, key)) = made else {
        return Ok(None);
    };
    if stored != digest {
        return Err(StoreError::RequestIdReused);
    }
    let job: Option<row::Stored> = sqlx::query_as(concat!(
        "select ",
        row::columns!(),
        " from jobs where key = ? and deleted = 0"
    ))
    .bind(key)
    .fetch_optional(conn)
    .await
    .map_err(database)?;
    match job {
        Some(stored) => Ok(Some(stored.0.job)),
        // A late resend must not bring a deleted job back to life.
        None => Err(StoreError::JobNotFound(
            JobId::parse(&id).map_err(|_| corrupt("a job id of no known form"))?,
        )),
    }
}

async fn remember(
    conn: &mut SqliteConnection,
    record: &Record,
    request_id: &RequestId,
    digest: &[u8; 32],
    now: Timestamp,
) -> StoreResult<()> {
    sqlx::query(
        "insert into requests (tenant, request_id, digest, job_id, job, create_time) \
         values (?, ?, ?, ?, ?, ?)",
    )
    .bind(record.job.tenant.as_str())
    .bind(request_id.to_string())
    .bind(digest.as_slice())
    .bind(record.job.id.as_str())
    .bind(record.key.0)
    .bind(now.micros())
    .execute(conn)
    .await
    .map_err(database)?;
    Ok(())
}

pub(super) const ADMISSION: &str = "\
select exists (select 1 from jobs where tenant = ?1 and id = ?2 and deleted = 0), \
    (select count(*) from jobs where tenant = ?1 and state <= 5), \
    (select stored_bytes from tenants where tenant = ?1)";

/// Whether this tenant may have one more job, under this id.
async fn admit(
    store: &SqliteStore,
    conn: &mut SqliteConnection,
    tenant: &Tenant,
    id: &JobId,
    bytes: u64,
) -> StoreResult<()> {
    sqlx::query(
        "insert into tenants (tenant, served, virtual_time, stored_bytes) \
         values (?, (select virtual_time from meta), 0.0, 0) on conflict do nothing",
    )
    .bind(tenant.as_str())
    .execute(&mut *conn)
    .await
    .map_err(database)?;
    let (taken, live, stored): (bool, i64, i64) = sqlx::query_as(ADMISSION)
        .bind(tenant.as_str())
        .bind(id.as_str())
        .fetch_one(conn)
        .await
        .map_err(database)?;
    // First, since it is also the answer to a request that is sent again without a request id.
    if taken {
        return Err(StoreError::JobExists(id.clone()));
    }
    let limits = &store.0.limits;
    store.admit_work(bytes)?;
    limits.admit_job(live.unsigned_abs())?;
    limits.admit_payload(stored.unsigned_abs(), bytes)
}

async fn append(
    store: &SqliteStore,
    tx: &mut Tx<'_>,
    job: &JobRef,
    first_index: u64,
    inputs: &Inputs,
    encoded: Encoded,
) -> StoreResult<u64> {
    let mut record = row::load(tx.conn, job).await?;
    record.check_uploading()?;
    let received = record.job.progress.received;
    if first_index > received {
        return Err(StoreError::InputGap {
            first_index,
            received,
        });
    }
    let known = (received - first_index).min(encoded.items);
    let encoded = if known == 0 {
        encoded
    } else {
        let known = usize::try_from(known).expect("at most what one message holds");
        let stored = read(tx.conn, record.key, first_index, known).await?;
        if let Some(item) = stored.first_difference(inputs) {
            return Err(StoreError::InputConflict {
                index: first_index + item as u64,
            });
        }
        Encoded::new(&inputs.slice(known, inputs.len()))
    };
    if encoded.items == 0 {
        return Ok(received);
    }
    if received + encoded.items > MAX_JOB_ITEMS {
        return Err(StoreError::TooManyItems {
            limit: MAX_JOB_ITEMS,
        });
    }
    let limits = &store.0.limits;
    store.admit_work(encoded.bytes)?;
    let stored: i64 = sqlx::query_scalar("select stored_bytes from tenants where tenant = ?")
        .bind(job.tenant.as_str())
        .fetch_one(&mut *tx.conn)
        .await
        .map_err(database)?;
    limits.admit_payload(stored.unsigned_abs(), encoded.bytes)?;
    receive(tx.conn, &mut record, &encoded, store.0.clock.now()).await?;
    row::save(tx.conn, &record).await?;
    tx.touch(&record.job.id);
    tx.offer_work();
    Ok(record.job.progress.received)
}

async fn receive(
    conn: &mut SqliteConnection,
    record: &mut Record,
    encoded: &Encoded,
    now: Timestamp,
) -> StoreResult<()> {
    let first = record.job.progress.received;
    encoded.insert(conn, record.key, first).await?;
    row::add_tenant_bytes(conn, &record.job.tenant, signed(encoded.bytes)).await?;
    record.received(encoded.items, encoded.bytes, now);
    Ok(())
}

/// Inputs `first..first + len` of a job, all of which were received.
pub(super) async fn read(
    conn: &mut SqliteConnection,
    job: JobKey,
    first: u64,
    len: usize,
) -> StoreResult<Inputs> {
    let pieces: Vec<(i64, Vec<u8>)> = sqlx::query_as(
        "select first_index, payload from inputs where job = ?1 and first_index >= \
         (select max(first_index) from inputs where job = ?1 and first_index <= ?2) \
         and first_index < ?3 order by first_index",
    )
    .bind(job.0)
    .bind(signed(first))
    .bind(signed(first + len as u64))
    .fetch_all(conn)
    .await
    .map_err(database)?;
    let mut inputs = Inputs::with_capacity(len);
    for (begins, payload) in pieces {
        let begins = begins.unsigned_abs();
        let piece = codec::decode_inputs(&payload)?;
        // Only the first piece can begin before what is wanted.
        let skip = usize::try_from(first.saturating_sub(begins)).unwrap_or(usize::MAX);
        inputs.append(&piece.slice(skip, len - inputs.len()));
    }
    if inputs.len() == len {
        Ok(inputs)
    } else {
        Err(corrupt(format!(
            "{} of {len} inputs from {first} on are there",
            inputs.len()
        )))
    }
}
