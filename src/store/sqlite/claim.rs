//! Which chunk is next, and who has it.

use sqlx::{FromRow, SqliteConnection};

use super::error::database;
use super::row;
use super::{SqliteStore, chunks, complete, seal, submit};
use crate::jobs::alike::Remakes;
use crate::jobs::chunk::Span;
use crate::jobs::clock::{Timestamp, micros};
use crate::jobs::error::StoreError;
use crate::jobs::fairness::{CREDIT, after_claim};
use crate::jobs::id::WorkerId;
use crate::jobs::items::Inputs;
use crate::jobs::lease::{Claim, JobKey, LEASE, Lease};
use crate::jobs::record::Record;
use crate::jobs::store::StoreResult;

/// The job whose turn it is: highest priority, least-served tenant, least-served job, newest. The
/// order is that of [`crate::jobs::fairness`]; the windows count who contends.
pub(super) const NEXT_JOB: &str = "\
select j.key, j.served, t.virtual_time, t.served as tenant_served, m.virtual_time as common_time, \
    count(*) over (partition by j.tenant) as jobs, \
    (select count(distinct tenant) from jobs where state <= 3) as tenants \
from meta m \
cross join jobs j indexed by jobs_claimable \
join tenants t on t.tenant = j.tenant \
where m.queue_paused = 0 and j.state <= 3 and j.deleted = 0 \
    and (j.not_before is null or j.not_before <= ?1) \
    and (j.max_parallelism is null or j.running < j.max_parallelism) \
    and (j.next_index < coalesce(j.count, j.received - j.received % j.chunk_items) \
        or (j.waiting > 0 and exists (select 1 from chunks c \
            where c.job = j.key and c.leased = 0 and c.retry_at <= ?2))) \
order by j.priority desc, max(t.served, m.virtual_time - ?3), max(j.served, t.virtual_time - ?3), \
    j.key desc \
limit 1";

#[derive(FromRow)]
struct Next {
    key: i64,
    served: f64,
    virtual_time: f64,
    tenant_served: f64,
    common_time: f64,
    jobs: u32,
    tenants: u32,
}

impl SqliteStore {
    pub(super) async fn claim_chunk(&self, worker: &WorkerId) -> StoreResult<Option<Claim>> {
        if !self.0.space.admits_claims() {
            return Ok(None);
        }
        let store = self.clone();
        let worker = worker.to_string();
        let claimed = self
            .0
            .writer
            .run(move |tx| {
                Box::pin(async move {
                    let claimed = claim(&store, tx.conn, &worker).await?;
                    if let Some((claim, started)) = &claimed
                        && *started
                    {
                        tx.touch(&claim.lease.id);
                    }
                    Ok(claimed)
                })
            })
            .await?;
        let Some((mut claim, _)) = claimed else {
            return Ok(None);
        };
        if claim.work.takes_inputs() {
            let Span { first, len } = claim.lease.span;
            let len = usize::try_from(len).expect("a chunk fits memory");
            match self.read_inputs(claim.lease.key, first, len).await {
                Ok(inputs) => claim.inputs = Some(inputs),
                Err(StoreError::Corrupt(what)) => {
                    self.fail_job(claim.lease, what).await?;
                    return Ok(None);
                }
                Err(error) => {
                    self.release_chunk(claim.lease).await?;
                    return Err(error);
                }
            }
        }
        Ok(Some(claim))
    }

    async fn read_inputs(&self, job: JobKey, first: u64, len: usize) -> StoreResult<Inputs> {
        let mut reader = self.0.readers.acquire().await.map_err(database)?;
        submit::read(&mut reader, job, first, len).await
    }

    /// Ends a job whose inputs cannot be read: no attempt can do better.
    async fn fail_job(&self, lease: Lease, what: String) -> StoreResult<()> {
        tracing::error!(job = %lease.id, what, "the job's inputs are corrupt");
        let store = self.clone();
        self.0
            .writer
            .run(move |tx| {
                Box::pin(async move {
                    let now = store.0.clock.now();
                    let (mut record, chunk) = complete::held(tx.conn, &lease).await?;
                    record.fail("CORRUPT", what, now);
                    chunks::give_back(tx.conn, &mut record, &chunk, 0, now).await?;
                    row::save(tx.conn, &record).await?;
                    tx.touch(&lease.id);
                    // Its claimer goes away empty-handed although other jobs may have work.
                    tx.offer_work();
                    Ok(())
                })
            })
            .await
    }
}

async fn claim(
    store: &SqliteStore,
    conn: &mut SqliteConnection,
    worker: &str,
) -> StoreResult<Option<(Claim, bool)>> {
    let now = store.0.clock.now();
    let monotonic = store.0.clock.monotonic();
    let next: Option<Next> = sqlx::query_as(NEXT_JOB)
        .bind(now.micros())
        .bind(monotonic)
        .bind(CREDIT)
        .fetch_optional(&mut *conn)
        .await
        .map_err(database)?;
    let Some(next) = next else {
        return Ok(None);
    };
    let mut record = row::load_key(conn, JobKey(next.key)).await?;
    let revision = record.job.revision;
    let span = next_chunk(conn, &mut record, now, monotonic).await?;
    let lease = Lease {
        key: record.key,
        id: record.job.id.clone(),
        span,
        token: store.next_token(),
    };
    let until = monotonic.saturating_add(micros(LEASE));
    let attempt = chunks::lease(conn, &lease, until, worker).await?;
    row::save(conn, &record).await?;
    charge(conn, &record, &next).await?;
    let work = record.job.spec.work;
    let remakes = if work.is_sealed() {
        seal::remakes(conn, lease.key, lease.span).await?
    } else {
        Remakes::new()
    };
    let claim = Claim {
        lease,
        work,
        inputs: None,
        remakes,
        attempt,
    };
    Ok(Some((claim, record.job.revision != revision)))
}

/// A chunk that waits, else a fresh one.
async fn next_chunk(
    conn: &mut SqliteConnection,
    record: &mut Record,
    now: Timestamp,
    monotonic: i64,
) -> StoreResult<Span> {
    if record.waiting > 0
        && let Some(chunk) = chunks::waiting(conn, record.key, monotonic).await?
    {
        record.claimed(0, now);
        return Ok(chunk.span);
    }
    let first = record.next_index;
    let len = record.chunk_items.min(record.available() - first);
    record.claimed(len, now);
    Ok(Span { first, len })
}

/// Moves virtual time on.
async fn charge(conn: &mut SqliteConnection, record: &Record, next: &Next) -> StoreResult<()> {
    let (served, virtual_time) = after_claim(next.served, next.virtual_time, next.jobs);
    let (tenant_served, common_time) =
        after_claim(next.tenant_served, next.common_time, next.tenants);
    sqlx::query("update jobs set served = ? where key = ?")
        .bind(served)
        .bind(record.key.0)
        .execute(&mut *conn)
        .await
        .map_err(database)?;
    sqlx::query("update tenants set served = ?, virtual_time = ? where tenant = ?")
        .bind(tenant_served)
        .bind(virtual_time)
        .bind(record.job.tenant.as_str())
        .execute(&mut *conn)
        .await
        .map_err(database)?;
    sqlx::query("update meta set virtual_time = ?")
        .bind(common_time)
        .execute(conn)
        .await
        .map_err(database)?;
    Ok(())
}
