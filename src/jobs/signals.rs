//! Hints that something changed, so that nobody waits for the next poll.
//!
//! A hint may come late, twice or (from another replica) never: whoever waits on one polls as well,
//! and reads the store to learn what is true.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::id::JobId;

/// The hints of one store. Clones share them.
#[derive(Clone, Debug)]
pub struct Signals(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    work: watch::Sender<()>,
    /// Only jobs that somebody waits for.
    jobs: Mutex<HashMap<JobId, watch::Sender<()>>>,
}

impl Signals {
    /// No hints yet.
    #[must_use]
    #[expect(
        clippy::new_without_default,
        reason = "a second default instance would hear nothing"
    )]
    pub fn new() -> Self {
        Self(Arc::new(Inner {
            work: watch::Sender::new(()),
            jobs: Mutex::default(),
        }))
    }

    /// Changes when a chunk may have become claimable.
    #[must_use]
    pub fn work(&self) -> watch::Receiver<()> {
        self.0.work.subscribe()
    }

    /// Changes when the job does. Subscribe first, then read the job, then wait.
    #[must_use]
    pub fn job(&self, id: &JobId) -> watch::Receiver<()> {
        let mut jobs = self.jobs();
        // Ids nobody waits for any more go when the map is about to grow.
        if jobs.len() == jobs.capacity() {
            jobs.retain(|_, sender| sender.receiver_count() > 0);
        }
        jobs.entry(id.clone()).or_default().subscribe()
    }

    /// Says that a chunk may be claimable.
    pub fn publish_work(&self) {
        self.0.work.send_replace(());
    }

    /// Says that a job changed.
    pub fn publish_job(&self, id: &JobId) {
        if let Some(sender) = self.jobs().get(id) {
            sender.send_replace(());
        }
    }

    fn jobs(&self) -> MutexGuard<'_, HashMap<JobId, watch::Sender<()>>> {
        // The map is whole between any two of its calls, so a panic elsewhere leaves it usable.
        self.0.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_heard_by_its_own_subscribers() {
        let signals = Signals::new();
        let (a, b) = (JobId::draw(), JobId::draw());
        let (of_a, of_b) = (signals.job(&a), signals.job(&b));
        signals.publish_job(&a);
        assert!(of_a.has_changed().expect("sender lives"));
        assert!(!of_b.has_changed().expect("sender lives"));
    }

    #[test]
    fn the_map_forgets_jobs_that_nobody_waits_for() {
        let signals = Signals::new();
        for _ in 0..10_000 {
            drop(signals.job(&JobId::draw()));
        }
        assert!(signals.jobs().len() < 100);
    }
}
