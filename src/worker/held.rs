//! The leases that this pool holds, each with the flag that stops its work.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

use crate::jobs::lease::Lease;

/// All of them. Once the pool stops, what is added is stopped at once.
#[derive(Debug)]
pub(super) struct Held {
    stop: CancellationToken,
    chunks: Mutex<Vec<(Lease, Arc<AtomicBool>)>>,
}

impl Held {
    pub(super) fn new(stop: CancellationToken) -> Self {
        Self {
            stop,
            chunks: Mutex::default(),
        }
    }

    /// Adds a lease and returns the flag of its work.
    pub(super) fn add(&self, lease: Lease) -> Arc<AtomicBool> {
        let mut chunks = self.chunks();
        let flag = Arc::new(AtomicBool::new(self.stop.is_cancelled()));
        chunks.push((lease, Arc::clone(&flag)));
        flag
    }

    /// Removes a lease.
    pub(super) fn remove(&self, lease: &Lease) {
        self.chunks().retain(|(held, _)| held.token != lease.token);
    }

    /// The leases now.
    pub(super) fn leases(&self) -> Vec<Lease> {
        self.chunks()
            .iter()
            .map(|(lease, _)| lease.clone())
            .collect()
    }

    /// Stops the work of one lease.
    pub(super) fn cancel(&self, lease: &Lease) {
        for (held, flag) in self.chunks().iter() {
            if held.token == lease.token {
                flag.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Stops all work. The pool's `stop` must be cancelled before.
    pub(super) fn cancel_all(&self) {
        for (_, flag) in self.chunks().iter() {
            flag.store(true, Ordering::Relaxed);
        }
    }

    fn chunks(&self) -> MutexGuard<'_, Vec<(Lease, Arc<AtomicBool>)>> {
        // The list is whole between any two of its calls.
        self.chunks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
