//! What a store can refuse, and why.

use std::time::Duration;

use super::clock::Timestamp;
use super::id::JobId;
use super::job::JobState;

/// A refusal or a failure of the store. One place in `rpc` turns it into a gRPC status.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No such job for this tenant.
    #[error("there is no job {0}")]
    JobNotFound(JobId),
    /// The results are gone; the header is kept a while longer.
    #[error("the results of job {id} have expired")]
    ResultsExpired {
        /// The job.
        id: JobId,
        /// When they went.
        expire_time: Timestamp,
    },
    /// The id that the client chose is taken.
    #[error("job {0} exists already")]
    JobExists(JobId),
    /// The request id came with another request before.
    #[error("this request_id was used with another request before")]
    RequestIdReused,
    /// An append that begins behind the watermark's end.
    #[error("inputs begin at {first_index} but only {received} were received: send from there")]
    InputGap {
        /// Where the append began.
        first_index: u64,
        /// The durable watermark.
        received: u64,
    },
    /// An append that differs from what was received before.
    #[error("input {index} was received before and was another puzzle")]
    InputConflict {
        /// The first item that differs.
        index: u64,
    },
    /// More items than a job may have.
    #[error("a job has at most {limit} items")]
    TooManyItems {
        /// The limit.
        limit: u64,
    },
    /// Not in this state.
    #[error("{what} (the job is {})", state.name())]
    WrongState {
        /// The job.
        id: JobId,
        /// Its state.
        state: JobState,
        /// What cannot be done.
        what: String,
    },
    /// A start index behind the end.
    #[error("start_index {start} is past the end, {total}")]
    PastEnd {
        /// What was asked for.
        start: u64,
        /// Where the end is.
        total: u64,
    },
    /// The tenant has too much already.
    #[error("the tenant's quota is used up: {what}")]
    TenantQuota {
        /// Which quota, with its limit.
        what: String,
        /// When it is worth another try.
        retry: Duration,
    },
    /// The store takes no new work for now; cancelling and deleting still go.
    #[error("the store is full: {0}")]
    Full(String),
    /// The lease is not held any more; nothing was written.
    #[error("the lease was lost: another attempt owns the chunk")]
    LeaseLost,
    /// A backup that cannot be made as asked.
    #[error("{0}")]
    Backup(String),
    /// The store is being closed.
    #[error("the store is closing")]
    Closing,
    /// Stored data are not what was written.
    #[error("stored data are corrupt: {0}")]
    Corrupt(String),
    /// Anything else; the cause is for the log.
    #[error("the store failed")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}
