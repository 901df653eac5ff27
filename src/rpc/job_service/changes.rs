//! Waiting until a job may have changed.

use std::future::pending;

use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use crate::jobs::id::JobId;
use crate::jobs::signals::Signals;
use crate::rpc::limits;

/// Hints about one job. Subscribe first, then read the job, then wait: no change is missed.
#[derive(Debug)]
pub(super) struct Changes(watch::Receiver<()>);

impl Changes {
    /// Those from now on.
    pub(super) fn of(signals: &Signals, id: &JobId) -> Self {
        Self(signals.job(id))
    }

    /// Returns at the next hint, or when it is time to look without one, and at `end` at the latest.
    pub(super) async fn wait(&mut self, end: Instant) {
        let look = end.min(Instant::now() + limits::POLL);
        let hint = async {
            if self.0.changed().await.is_err() {
                // Nobody is left to give hints; the clock is.
                pending::<()>().await;
            }
        };
        tokio::select! {
            () = hint => {}
            () = sleep_until(look) => {}
        }
    }
}
