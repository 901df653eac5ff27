//! The arithmetic of interactive calls, away from the async runtime: a search there would hold up
//! everybody's keepalives and health checks.
//!
//! A fixed number run at once; the others wait for their turn, in order and not for long: then they are
//! told to come back. Long work comes in pieces, so that a turn is short.
//! A caller that goes away, or whose deadline passes, drops the future, and that stops the search.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task;
use tokio::time::timeout;
use tonic::Status;

use super::{limits, status};
use crate::sudoku::{Cancel, Cancelled};

/// Where interactive work runs. Clones share the threads.
#[derive(Clone, Debug)]
pub(super) struct Compute {
    turns: Arc<Semaphore>,
    patience: Duration,
}

impl Compute {
    /// Runs up to `threads` pieces of work at once.
    pub(super) fn new(threads: NonZeroUsize) -> Self {
        Self {
            turns: Arc::new(Semaphore::new(threads.get())),
            patience: limits::MAX_TURN_WAIT,
        }
    }

    /// Runs `work` when its turn comes.
    ///
    /// # Errors
    /// OVERLOADED if its turn does not come soon, INTERNAL if it panics.
    pub(super) async fn run<T, F>(&self, work: F) -> Result<T, Status>
    where
        T: Send + 'static,
        F: FnOnce(Cancel<'_>) -> Result<T, Cancelled> + Send + 'static,
    {
        let turns = Arc::clone(&self.turns);
        let turn = timeout(self.patience, turns.acquire_owned())
            .await
            .map_err(|_| status::overloaded("all interactive threads are busy; a job can wait"))?
            .expect("the semaphore is never closed");
        let raise = RaiseOnDrop(Arc::default());
        let flag = Arc::clone(&raise.0);
        let running = task::spawn_blocking(move || {
            let _turn = turn;
            work(Cancel(&flag))
        });
        match running.await {
            Ok(result) => result.map_err(|cancelled| status::internal(&cancelled)),
            Err(panic) => Err(status::internal(&panic)),
        }
    }
}

/// Cancels the work when whoever waits for it goes.
struct RaiseOnDrop(Arc<AtomicBool>);

impl Drop for RaiseOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use tonic_types::StatusExt;

    use super::*;

    fn compute() -> Compute {
        Compute::new(NonZeroUsize::MIN)
    }

    #[tokio::test]
    async fn dropping_the_call_cancels_the_work() {
        let (started, is_started) = tokio::sync::oneshot::channel();
        let (report, reported) = mpsc::channel();
        let compute = compute();
        let call = compute.run(move |cancel| {
            let _ = started.send(());
            while !cancel.is_set() {
                std::thread::yield_now();
            }
            let _ = report.send(());
            Err::<(), _>(Cancelled)
        });
        tokio::select! {
            _ = call => unreachable!("it runs until it is cancelled"),
            _ = is_started => {}
        }
        let told = task::spawn_blocking(move || reported.recv());
        assert!(told.await.expect("no panic").is_ok());
        assert_eq!(compute.run(|_| Ok(7)).await.expect("the turn came back"), 7);
    }

    #[tokio::test]
    async fn a_call_without_a_turn_is_told_to_come_back() {
        let compute = Compute {
            patience: Duration::from_millis(1),
            ..compute()
        };
        let turns = Arc::clone(&compute.turns);
        let taken = turns.acquire_owned().await.expect("the only turn");
        let refused = compute.run(|_| Ok(())).await.expect_err("no turn");
        assert_eq!(refused.code(), tonic::Code::Unavailable);
        assert!(refused.get_details_retry_info().is_some());
        drop(taken);
        assert!(compute.run(|_| Ok(())).await.is_ok());
    }

    #[tokio::test]
    async fn a_panic_is_an_internal_error_and_gives_the_turn_back() {
        let compute = compute();
        let result: Result<(), Status> = compute.run(|_| panic!("boom")).await;
        assert_eq!(result.expect_err("panicked").code(), tonic::Code::Internal);
        assert!(compute.run(|_| Ok(())).await.is_ok());
    }
}
