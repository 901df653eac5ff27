//! Keeps the pool's leases: renews them, and stops work whose lease no longer stands.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::held::Held;
use crate::jobs::lease::{HEARTBEAT, Standing};
use crate::jobs::store::JobStore;

/// How often leases are looked at: a cancel takes effect within this and one look at the flag.
const LOOK: Duration = Duration::from_millis(200);

/// Runs until the pool stops.
pub(super) async fn run<S: JobStore>(store: S, held: Arc<Held>, stop: CancellationToken) {
    let mut ticks = interval(LOOK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut renewed = Instant::now();
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        let leases = held.leases();
        if leases.is_empty() {
            continue;
        }
        let standings = if renewed.elapsed() >= HEARTBEAT {
            renewed = Instant::now();
            store.heartbeat(&leases).await
        } else {
            store.standing(&leases).await
        };
        match standings {
            Ok(standings) => {
                for (lease, standing) in leases.iter().zip(standings) {
                    if standing != Standing::Held {
                        held.cancel(lease);
                    }
                }
            }
            // The next tick tries again; a lease that could not be renewed in time is lost, and its
            // token then keeps its results out.
            Err(error) => tracing::warn!(%error, "leases could not be checked"),
        }
    }
}
