//! Workers: threads that claim chunks, run them on the core and complete them.
//!
//! The search runs on threads of its own, never on the async runtime, where it would starve health
//! checks and keepalive. A worker holds one chunk at a time and asks for the next one together with
//! completing it, so that one commit carries both; claiming ahead was rejected, since a small job would then wait for chunks that
//! nobody runs yet.

mod attempt;
mod held;
mod keeper;
mod priority;
mod reaper;

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;

use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

pub use self::priority::Priority;

use self::attempt::Worker;
use self::held::Held;
use crate::jobs::id::WorkerId;
use crate::jobs::items::Inputs;
use crate::jobs::lease::Claim;
use crate::jobs::run::Runner;
use crate::jobs::store::{Completion, JobStore};
use crate::sudoku::{Cancel, Cancelled};

/// How to work.
#[derive(Clone, Copy, Debug)]
pub struct PoolSettings {
    /// Threads.
    pub workers: NonZeroUsize,
    /// How they share the cores with everything else.
    pub priority: Priority,
}

/// The workers of this process, with what keeps their leases and reaps others.
#[derive(Debug)]
pub struct Pool {
    stop: CancellationToken,
    held: Arc<Held>,
    threads: Vec<thread::JoinHandle<()>>,
    tasks: Vec<JoinHandle<()>>,
}

impl Pool {
    /// Starts working. Must be called inside a tokio runtime.
    pub fn start<S: JobStore>(store: S, settings: PoolSettings) -> Self {
        let mut runner = Runner::default();
        Self::start_with(store, settings, move |claim, cancel| {
            let none = Inputs::default();
            let inputs = claim.inputs.as_ref().unwrap_or(&none);
            runner.run(
                &claim.work,
                claim.lease.span,
                inputs,
                &claim.remakes,
                cancel,
            )
        })
    }

    /// Starts working with another way to run a chunk: a test's, which may panic.
    ///
    /// # Panics
    /// When the system cannot start a thread.
    pub fn start_with<S, E>(store: S, settings: PoolSettings, execute: E) -> Self
    where
        S: JobStore,
        E: FnMut(&Claim, Cancel<'_>) -> Result<Completion, Cancelled> + Clone + Send + 'static,
    {
        let stop = CancellationToken::new();
        let held = Arc::new(Held::new(stop.clone()));
        let id = WorkerId::draw();
        let runtime = Handle::current();
        let threads = (0..settings.workers.get())
            .map(|number| {
                let mut worker = Worker {
                    id: id.clone(),
                    store: store.clone(),
                    held: Arc::clone(&held),
                    stop: stop.clone(),
                    runtime: runtime.clone(),
                    execute: execute.clone(),
                };
                thread::Builder::new()
                    .name(format!("worker-{number}"))
                    .spawn(move || {
                        settings.priority.apply();
                        worker.work();
                    })
                    .expect("the system starts a thread")
            })
            .collect();
        let tasks = vec![
            tokio::spawn(keeper::run(store.clone(), Arc::clone(&held), stop.clone())),
            tokio::spawn(reaper::run(store, stop.clone())),
        ];
        Self {
            stop,
            held,
            threads,
            tasks,
        }
    }

    /// Stops claiming, interrupts what runs, and gives it back: no attempt is counted.
    pub async fn stop(self) {
        self.stop.cancel();
        self.held.cancel_all();
        let threads = self.threads;
        let joined = tokio::task::spawn_blocking(move || {
            for thread in threads {
                if thread.join().is_err() {
                    tracing::error!("a worker panicked outside of its work");
                }
            }
        });
        if let Err(error) = joined.await {
            tracing::error!(%error, "the workers could not be waited for");
        }
        for task in self.tasks {
            if let Err(error) = task.await {
                tracing::error!(%error, "a task of the pool failed");
            }
        }
    }
}
