//! The contract of a store. `rpc` and `worker` are written against it, `store/*` fulfils it, one suite
//! of tests holds for every backend.
//!
//! What returns `Ok` is durable. Every method is safe to drop half-way: what was begun goes on and is
//! either done or not done, never half-done.

use std::future::Future;
use std::path::Path;
use std::time::Duration;

use super::alike::MadeForm;
use super::clock::Timestamp;
use super::error::StoreError;
use super::id::{JobId, JobRef, RequestId, Tenant, WorkerId};
use super::items::{Inputs, Results};
use super::job::{Failure, Job, JobState};
use super::lease::{Claim, JobKey, Lease, Standing};
use super::progress::Rejections;
use super::signals::Signals;
use super::spec::{JobSpec, Labels};

/// The result of a call to a store.
pub type StoreResult<T> = Result<T, StoreError>;

/// A new job.
#[derive(Clone, Debug)]
pub struct Submission {
    /// Whose.
    pub tenant: Tenant,
    /// Its id.
    pub id: JobId,
    /// What is asked for.
    pub spec: JobSpec,
    /// Inputs that came with it.
    pub inputs: Inputs,
    /// Whether those are all.
    pub commit: bool,
    /// The client's key for this request, and the SHA-256 of the request's canonical form.
    pub request: Option<(RequestId, [u8; 32])>,
}

/// Which jobs to list; every filter that is set must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobFilter {
    /// In one of these states; empty is any.
    pub states: Vec<JobState>,
    /// With all of these labels.
    pub labels: Labels,
    /// Created after this.
    pub created_after: Option<Timestamp>,
    /// Created before this.
    pub created_before: Option<Timestamp>,
}

/// What can be read from one index on.
#[derive(Clone, Debug)]
pub struct ResultPage {
    /// The job, as of the same moment.
    pub job: Job,
    /// Results from that index on, at most a chunk; `None` when there is nothing to read there (yet).
    pub results: Option<Results>,
    /// The inputs of the same items, if they were asked for and the job has any.
    pub inputs: Option<Inputs>,
}

/// What a chunk came to.
#[derive(Clone, Debug)]
pub struct Completion {
    /// One answer an item.
    pub results: Results,
    /// Candidates turned down on the way.
    pub rejections: Rejections,
    /// What the puzzles look like, in index order, where no two may be [alike](super::alike).
    pub forms: Vec<MadeForm>,
}

/// The queue as an operator sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueStatus {
    /// No chunk is claimed until it is resumed.
    pub paused: bool,
    /// Jobs of which nothing ran yet.
    pub queued_jobs: u64,
    /// Chunks that are leased.
    pub running_chunks: u64,
    /// How long the oldest of the queued jobs has waited.
    pub oldest_wait: Duration,
    /// Bytes that the store takes.
    pub stored_bytes: u64,
    /// Bytes that it may take.
    pub stored_bytes_limit: u64,
}

/// A copy of the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backup {
    /// Its size.
    pub bytes: u64,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
}

/// Durable jobs.
pub trait JobStore: Clone + Send + Sync + 'static {
    /// The kind of store, as `"sqlite"`, for operators.
    fn backend(&self) -> &'static str;

    /// Hints that something changed.
    fn signals(&self) -> &Signals;

    /// A key that is the same for every replica of this store and after each restart; page tokens are
    /// authenticated with it.
    fn secret(&self) -> [u8; 32];

    /// Adds a job, or returns the one that the same request made before.
    fn create(&self, submission: Submission) -> impl Future<Output = StoreResult<Job>> + Send;

    /// Adds inputs from `first_index` on and returns the durable watermark. Items that were received
    /// before must be equal.
    fn append(
        &self,
        job: &JobRef,
        first_index: u64,
        inputs: Inputs,
    ) -> impl Future<Output = StoreResult<u64>> + Send;

    /// Says that the inputs are complete; `expected_count` must be what was received.
    fn commit(
        &self,
        job: &JobRef,
        expected_count: u64,
    ) -> impl Future<Output = StoreResult<Job>> + Send;

    /// The job as it stands.
    fn job(&self, job: &JobRef) -> impl Future<Output = StoreResult<Job>> + Send;

    /// Jobs, newest first, at most `limit`, from behind the one with key `after`. Each with its key.
    fn jobs(
        &self,
        tenant: &Tenant,
        filter: &JobFilter,
        after: Option<JobKey>,
        limit: u32,
    ) -> impl Future<Output = StoreResult<Vec<(JobKey, Job)>>> + Send;

    /// Stops the job; OK on one that has ended.
    fn cancel(&self, job: &JobRef) -> impl Future<Output = StoreResult<Job>> + Send;

    /// Keeps further chunks of the job from being claimed.
    fn pause(&self, job: &JobRef) -> impl Future<Output = StoreResult<Job>> + Send;

    /// Undoes a pause.
    fn resume(&self, job: &JobRef) -> impl Future<Output = StoreResult<Job>> + Send;

    /// Removes the job; `force` cancels it first if it is live.
    fn delete(&self, job: &JobRef, force: bool) -> impl Future<Output = StoreResult<()>> + Send;

    /// What can be read from index `start` on: one stored chunk at most, cut at `start`. In a job that
    /// was cut short, items of a gap before its last finished chunk come as SKIPPED.
    fn results(
        &self,
        job: &JobRef,
        start: u64,
        with_inputs: bool,
    ) -> impl Future<Output = StoreResult<ResultPage>> + Send;

    /// Items that were given up, in index order, from `first_index` on, at most `limit`.
    fn failures(
        &self,
        job: &JobRef,
        first_index: u64,
        limit: u32,
    ) -> impl Future<Output = StoreResult<Vec<Failure>>> + Send;

    /// Leases the next chunk: highest priority first, then the least-served tenant, then the
    /// least-served job.
    fn claim(&self, worker: &WorkerId) -> impl Future<Output = StoreResult<Option<Claim>>> + Send;

    /// Renews leases, and says how each one stands.
    fn heartbeat(
        &self,
        leases: &[Lease],
    ) -> impl Future<Output = StoreResult<Vec<Standing>>> + Send;

    /// Says how each lease stands, and changes nothing.
    fn standing(&self, leases: &[Lease])
    -> impl Future<Output = StoreResult<Vec<Standing>>> + Send;

    /// Writes a chunk's results, its counters and its end in one transaction.
    ///
    /// Where no two puzzles may be [alike](super::alike), the results are set aside until all before them
    /// are sealed, and count for nothing until then. If some have to be made again, the chunk is given
    /// back, and its next claim says which.
    fn complete(
        &self,
        lease: &Lease,
        completion: &Completion,
    ) -> impl Future<Output = StoreResult<()>> + Send;

    /// Gives a chunk back whose work panicked; see [`super::retry`] for what follows.
    fn fail(&self, lease: &Lease, message: String) -> impl Future<Output = StoreResult<()>> + Send;

    /// Gives a chunk back untouched: no attempt is counted.
    fn release(&self, lease: &Lease) -> impl Future<Output = StoreResult<()>> + Send;

    /// Ends what time has ended: leases, deadlines, abandoned uploads. Returns how many things it ended.
    fn reap(&self) -> impl Future<Output = StoreResult<u64>> + Send;

    /// One small slice of what is to be done behind everybody's back: seals what was left to be sealed, or
    /// removes what has expired or was deleted. False when nothing is left to do.
    fn collect(&self) -> impl Future<Output = StoreResult<bool>> + Send;

    /// The queue as an operator sees it.
    fn queue(&self) -> impl Future<Output = StoreResult<QueueStatus>> + Send;

    /// Pauses or resumes all claiming.
    fn set_queue_paused(&self, paused: bool) -> impl Future<Output = StoreResult<()>> + Send;

    /// Writes a consistent copy to a file that does not exist yet, while serving.
    fn backup(&self, path: &Path) -> impl Future<Output = StoreResult<Backup>> + Send;
}
