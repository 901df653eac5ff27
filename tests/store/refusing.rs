//! A store whose disk is full for a while: it takes no completion.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use gridmill::jobs::error::StoreError;
use gridmill::jobs::id::{JobRef, Tenant, WorkerId};
use gridmill::jobs::items::Inputs;
use gridmill::jobs::job::{Failure, Job};
use gridmill::jobs::lease::{Claim, JobKey, Lease, Standing};
use gridmill::jobs::signals::Signals;
use gridmill::jobs::store::{
    Backup, Completion, JobFilter, JobStore, QueueStatus, ResultPage, StoreResult, Submission,
};

/// Refuses so many completions, then hands on everything.
#[derive(Clone)]
pub(crate) struct Refusing<S> {
    store: S,
    left: Arc<AtomicU64>,
}

impl<S> Refusing<S> {
    pub(crate) fn new(store: S, refusals: u64) -> Self {
        Self {
            store,
            left: Arc::new(AtomicU64::new(refusals)),
        }
    }
}

macro_rules! hand_on {
    ($(fn $name:ident(&self $(, $argument:ident: $type:ty)*) -> $answer:ty;)*) => {
        $(async fn $name(&self $(, $argument: $type)*) -> StoreResult<$answer> {
            self.store.$name($($argument),*).await
        })*
    };
}

impl<S: JobStore> JobStore for Refusing<S> {
    fn backend(&self) -> &'static str {
        self.store.backend()
    }

    fn signals(&self) -> &Signals {
        self.store.signals()
    }

    fn secret(&self) -> [u8; 32] {
        self.store.secret()
    }

    async fn complete(&self, lease: &Lease, completion: &Completion) -> StoreResult<()> {
        let less = |left: u64| left.checked_sub(1);
        let refused = self
            .left
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, less);
        if refused.is_ok() {
            return Err(StoreError::Full("no room".to_owned()));
        }
        self.store.complete(lease, completion).await
    }

    hand_on! {
        fn create(&self, submission: Submission) -> Job;
        fn append(&self, job: &JobRef, first_index: u64, inputs: Inputs) -> u64;
        fn commit(&self, job: &JobRef, expected_count: u64) -> Job;
        fn job(&self, job: &JobRef) -> Job;
        fn jobs(
            &self,
            tenant: &Tenant,
            filter: &JobFilter,
            after: Option<JobKey>,
            limit: u32
        ) -> Vec<(JobKey, Job)>;
        fn cancel(&self, job: &JobRef) -> Job;
        fn pause(&self, job: &JobRef) -> Job;
        fn resume(&self, job: &JobRef) -> Job;
        fn delete(&self, job: &JobRef, force: bool) -> ();
        fn results(&self, job: &JobRef, start: u64, with_inputs: bool) -> ResultPage;
        fn failures(&self, job: &JobRef, first_index: u64, limit: u32) -> Vec<Failure>;
        fn claim(&self, worker: &WorkerId) -> Option<Claim>;
        fn heartbeat(&self, leases: &[Lease]) -> Vec<Standing>;
        fn standing(&self, leases: &[Lease]) -> Vec<Standing>;
        fn fail(&self, lease: &Lease, message: String) -> ();
        fn release(&self, lease: &Lease) -> ();
        fn reap(&self) -> u64;
        fn collect(&self) -> bool;
        fn queue(&self) -> QueueStatus;
        fn set_queue_paused(&self, paused: bool) -> ();
        fn backup(&self, path: &Path) -> Backup;
    }
}
