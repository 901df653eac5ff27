//! One worker: claim, run, complete, over and over.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use super::held::Held;
use crate::jobs::error::StoreError;
use crate::jobs::id::WorkerId;
use crate::jobs::lease::{Claim, Lease};
use crate::jobs::store::{Completion, JobStore, StoreResult};
use crate::sudoku::{Cancel, Cancelled};

/// The queue is looked at this often when no hint comes: for `not_before`, back-off, other replicas.
const POLL: Duration = Duration::from_secs(1);
/// Between two tries of something that the store could not do.
const STORE_RETRY: Duration = Duration::from_secs(1);

/// A chunk that this worker holds.
struct Chunk {
    claim: Claim,
    /// Stops its work.
    stop: Arc<AtomicBool>,
}

/// What runs on one thread.
pub(super) struct Worker<S, E> {
    pub(super) id: WorkerId,
    pub(super) store: S,
    pub(super) held: Arc<Held>,
    pub(super) stop: CancellationToken,
    pub(super) runtime: Handle,
    pub(super) execute: E,
}

impl<S, E> Worker<S, E>
where
    S: JobStore,
    E: FnMut(&Claim, Cancel<'_>) -> Result<Completion, Cancelled>,
{
    /// Works until the pool stops.
    pub(super) fn work(&mut self) {
        let mut next = None;
        while let Some(chunk) = next.take().or_else(|| self.runtime.block_on(self.wait())) {
            next = self.attempt(&chunk);
        }
    }

    /// Claims a chunk, whose lease is kept from then on.
    async fn claim(&self) -> StoreResult<Option<Chunk>> {
        let claim = self.store.claim(&self.id).await?;
        Ok(claim.map(|claim| Chunk {
            stop: self.held.add(claim.lease.clone()),
            claim,
        }))
    }

    /// The next chunk, as soon as there is one; `None` when the pool stops.
    async fn wait(&self) -> Option<Chunk> {
        let mut work = self.store.signals().work();
        loop {
            if self.stop.is_cancelled() {
                return None;
            }
            // Before the look, so that what comes after it counts as a change.
            work.mark_unchanged();
            let pause = match self.claim().await {
                Ok(Some(chunk)) => return Some(chunk),
                Ok(None) => POLL,
                Err(StoreError::Closing) => return None,
                Err(error) => {
                    tracing::error!(error = &error as &dyn std::error::Error, "claiming failed");
                    STORE_RETRY
                }
            };
            tokio::select! {
                () = self.stop.cancelled() => return None,
                _ = work.changed() => {}
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    /// Runs a chunk and says how it went; the next chunk, if one came along.
    fn attempt(&mut self, Chunk { claim, stop }: &Chunk) -> Option<Chunk> {
        let lease = &claim.lease;
        // A panic leaves nothing half-done behind: a chunk's state is dropped with it, and what is
        // kept between chunks is never changed, only replaced.
        let ended = catch_unwind(AssertUnwindSafe(|| (self.execute)(claim, Cancel(stop))));
        let next = self.runtime.block_on(async {
            let (written, next) = match ended {
                Ok(Ok(completion)) => self.complete(lease, &completion).await,
                Ok(Err(Cancelled)) => (self.store.release(lease).await, None),
                Err(panic) => {
                    let message = message(panic.as_ref());
                    tracing::error!(job = %lease.id, first = lease.span.first, items = lease.span.len,
                        attempt = claim.attempt, message, "a chunk panicked");
                    (self.store.fail(lease, message).await, None)
                }
            };
            match written {
                // The lease was revoked or expired meanwhile; whoever has the chunk now answers for it.
                Ok(()) | Err(StoreError::LeaseLost | StoreError::Closing) => {}
                Err(error) => {
                    tracing::error!(job = %lease.id, error = &error as &dyn std::error::Error,
                        "the end of a chunk could not be written");
                    // Else the lease has to run out, or to count as a death at the next start.
                    if let Err(error) = self.store.release(lease).await {
                        tracing::warn!(job = %lease.id, %error, "nor could it be given back");
                    }
                }
            }
            next
        });
        self.held.remove(lease);
        next
    }

    /// Completes a chunk and claims the next one. Both are queued at once, so that one commit carries them.
    async fn complete(
        &self,
        lease: &Lease,
        completion: &Completion,
    ) -> (StoreResult<()>, Option<Chunk>) {
        let completing = self.complete_stubbornly(lease, completion);
        if self.stop.is_cancelled() {
            return (completing.await, None);
        }
        // Polled in this order: the queue of the writer sees the completion first.
        let (completed, next) = tokio::join!(biased; completing, self.claim());
        // An error will come again in `wait`, which reports it.
        (completed, next.ok().flatten())
    }

    /// Tries again while the store has no room or fails: the work is done, and throwing it away would
    /// only do it again.
    async fn complete_stubbornly(&self, lease: &Lease, completion: &Completion) -> StoreResult<()> {
        loop {
            match self.store.complete(lease, completion).await {
                Err(error @ (StoreError::Full(_) | StoreError::Internal(_))) => {
                    tracing::warn!(job = %lease.id, error = &error as &dyn std::error::Error,
                        "a chunk could not be completed yet");
                    let pause = tokio::time::sleep(STORE_RETRY);
                    if self.stop.run_until_cancelled(pause).await.is_none() {
                        return Err(error);
                    }
                }
                written => return written,
            }
        }
    }
}

/// The words of a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
        .to_owned()
}
