//! How worker threads share the cores with everything else.

use thread_priority::ThreadPriority;
use thread_priority::unix::{
    NormalThreadSchedulePolicy, ThreadSchedulePolicy, set_thread_priority_and_policy,
    thread_native_id,
};

/// The scheduling of worker threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// Only what nothing else wants (`SCHED_IDLE`): commits and calls stay fast while all cores work,
    /// but a busy neighbour on the machine starves the workers.
    Idle,
    /// A fair share.
    Normal,
}

impl Priority {
    /// Sets it for the calling thread.
    pub(super) fn apply(self) {
        if self == Self::Normal {
            return;
        }
        let set = set_thread_priority_and_policy(
            thread_native_id(),
            ThreadPriority::Min,
            ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle),
        );
        if let Err(error) = set {
            tracing::warn!(?error, "a worker keeps its normal priority");
        }
    }
}
