//! Ends what time has ended, seals what was left to be sealed, and removes what has expired.

use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::jobs::store::JobStore;

const PERIOD: Duration = Duration::from_secs(1);
/// Between two slices of collecting, so that commits of clients come between.
const BREATH: Duration = Duration::from_millis(10);

/// Runs until the pool stops.
pub(super) async fn run<S: JobStore>(store: S, stop: CancellationToken) {
    let mut reaped = Instant::now();
    let mut pause = PERIOD;
    while stop
        .run_until_cancelled(tokio::time::sleep(pause))
        .await
        .is_some()
    {
        // Between slices too: a large job takes many.
        if reaped.elapsed() >= PERIOD {
            reaped = Instant::now();
            if let Err(error) = store.reap().await {
                tracing::warn!(%error, "reaping failed");
            }
        }
        pause = match store.collect().await {
            Ok(true) => BREATH,
            Ok(false) => PERIOD,
            Err(error) => {
                tracing::warn!(%error, "collecting failed");
                PERIOD
            }
        };
    }
}
