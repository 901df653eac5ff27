//! Jobs in a SQLite file: the embedded default, one process a file.
//!
//! One connection writes ([`writer`]), four read, one moves the write-ahead log ([`checkpoint`]). A
//! process that dies leaves leases behind, which the next one gives back when it opens the file
//! ([`recover`]). Leases and back-off are measured on the process's monotonic clock, everything that
//! people see on the wall clock.

mod backup;
mod checkpoint;
mod chunks;
mod claim;
mod collect;
mod complete;
mod control;
mod error;
mod forms;
mod heartbeat;
mod lock;
mod open;
mod operation;
#[cfg(test)]
mod plans;
mod queue;
mod read;
mod reap;
mod recover;
mod results;
mod row;
mod seal;
mod space;
mod submit;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use sqlx::SqlitePool;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub use self::lock::LockError;
pub use self::open::{OpenError, SqliteSettings};
use self::space::Space;
use self::writer::Writer;
use super::StoreLimits;
use crate::jobs::clock::Clock;
use crate::jobs::id::{JobRef, Tenant, WorkerId};
use crate::jobs::items::Inputs;
use crate::jobs::job::{Failure, Job};
use crate::jobs::lease::{Claim, JobKey, Lease, Standing};
use crate::jobs::signals::Signals;
use crate::jobs::store::{
    Backup, Completion, JobFilter, JobStore, QueueStatus, ResultPage, StoreResult, Submission,
};

/// A store in a SQLite file. Clones share it.
#[derive(Clone, Debug)]
pub struct SqliteStore(Arc<Inner>);

struct Inner {
    writer: Writer,
    readers: SqlitePool,
    // Pages of results: they are large, and streams ask for many. Small reads do not queue behind them.
    page_readers: SqlitePool,
    clock: Arc<dyn Clock>,
    signals: Signals,
    limits: StoreLimits,
    space: Arc<Space>,
    failed: CancellationToken,
    closing: CancellationToken,
    // The writer and the checkpointer, which hold the lock of the file.
    tasks: TaskTracker,
    secret: [u8; 32],
    //  63      32 31       0
    //  [  boot   ][ claims ]   grows within a process, and from each to the next
    next_token: AtomicI64,
    path: PathBuf,
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.closing.cancel();
    }
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SqliteStore")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl SqliteStore {
    /// Resolves when the database failed in a way that only opening it again can mend; the process
    /// should then end.
    #[must_use]
    pub fn failed(&self) -> CancellationToken {
        self.0.failed.clone()
    }

    /// Lets what was begun end, and gives the file back. Calls that come later get `Closing`.
    pub async fn close(&self) {
        self.0.closing.cancel();
        // First: the tasks hold the lock of the file, which goes last.
        self.0.readers.close().await;
        self.0.page_readers.close().await;
        self.0.tasks.close();
        self.0.tasks.wait().await;
    }

    fn next_token(&self) -> i64 {
        self.0.next_token.fetch_add(1, Ordering::Relaxed)
    }
}

impl JobStore for SqliteStore {
    fn backend(&self) -> &'static str {
        "sqlite"
    }

    fn signals(&self) -> &Signals {
        &self.0.signals
    }

    fn secret(&self) -> [u8; 32] {
        self.0.secret
    }

    async fn create(&self, submission: Submission) -> StoreResult<Job> {
        self.submit(submission).await
    }

    async fn append(&self, job: &JobRef, first_index: u64, inputs: Inputs) -> StoreResult<u64> {
        self.add_inputs(job.clone(), first_index, inputs).await
    }

    async fn commit(&self, job: &JobRef, expected_count: u64) -> StoreResult<Job> {
        self.commit_inputs(job.clone(), expected_count).await
    }

    async fn job(&self, job: &JobRef) -> StoreResult<Job> {
        self.read_job(job).await
    }

    async fn jobs(
        &self,
        tenant: &Tenant,
        filter: &JobFilter,
        after: Option<JobKey>,
        limit: u32,
    ) -> StoreResult<Vec<(JobKey, Job)>> {
        self.read_jobs(tenant, filter, after, limit).await
    }

    async fn cancel(&self, job: &JobRef) -> StoreResult<Job> {
        self.cancel_job(job.clone()).await
    }

    async fn pause(&self, job: &JobRef) -> StoreResult<Job> {
        self.pause_job(job.clone()).await
    }

    async fn resume(&self, job: &JobRef) -> StoreResult<Job> {
        self.resume_job(job.clone()).await
    }

    async fn delete(&self, job: &JobRef, force: bool) -> StoreResult<()> {
        self.delete_job(job.clone(), force).await
    }

    async fn results(
        &self,
        job: &JobRef,
        start: u64,
        with_inputs: bool,
    ) -> StoreResult<ResultPage> {
        self.read_results(job, start, with_inputs).await
    }

    async fn failures(
        &self,
        job: &JobRef,
        first_index: u64,
        limit: u32,
    ) -> StoreResult<Vec<Failure>> {
        self.read_failures(job, first_index, limit).await
    }

    async fn claim(&self, worker: &WorkerId) -> StoreResult<Option<Claim>> {
        self.claim_chunk(worker).await
    }

    async fn heartbeat(&self, leases: &[Lease]) -> StoreResult<Vec<Standing>> {
        self.renew(leases.to_vec()).await
    }

    async fn standing(&self, leases: &[Lease]) -> StoreResult<Vec<Standing>> {
        self.standing_of(leases).await
    }

    async fn complete(&self, lease: &Lease, completion: &Completion) -> StoreResult<()> {
        self.complete_chunk(lease.clone(), completion).await
    }

    async fn fail(&self, lease: &Lease, message: String) -> StoreResult<()> {
        self.fail_chunk(lease.clone(), message).await
    }

    async fn release(&self, lease: &Lease) -> StoreResult<()> {
        self.release_chunk(lease.clone()).await
    }

    async fn reap(&self) -> StoreResult<u64> {
        self.reap_all().await
    }

    async fn collect(&self) -> StoreResult<bool> {
        self.collect_slice().await
    }

    async fn queue(&self) -> StoreResult<QueueStatus> {
        self.read_queue().await
    }

    async fn set_queue_paused(&self, paused: bool) -> StoreResult<()> {
        self.pause_queue(paused).await
    }

    async fn backup(&self, path: &Path) -> StoreResult<Backup> {
        self.back_up(path.to_owned()).await
    }
}
