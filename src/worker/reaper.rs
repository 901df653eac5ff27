//! Ends what time has ended, and removes what has expired.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::jobs::store::JobStore;

const PERIOD: Duration = Duration::from_secs(1);
/// Between two slices of garbage, so that commits of clients come between.
const BREATH: Duration = Duration::from_millis(10);

/// Runs until the pool stops.
pub(super) async fn run<S: JobStore>(store: S, stop: CancellationToken) {
    while stop
        .run_until_cancelled(tokio::time::sleep(PERIOD))
        .await
        .is_some()
    {
        if let Err(error) = store.reap().await {
            tracing::warn!(%error, "reaping failed");
        }
        loop {
            match store.collect().await {
                Ok(false) => break,
                Ok(true) => {}
                Err(error) => {
                    tracing::warn!(%error, "collecting failed");
                    break;
                }
            }
            if stop
                .run_until_cancelled(tokio::time::sleep(BREATH))
                .await
                .is_none()
            {
                return;
            }
        }
    }
}
