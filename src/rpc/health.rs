//! `grpc.health.v1`: the whole server (`""`) and each service.

use tonic_health::ServingStatus;
use tonic_health::pb::health_server::{Health, HealthServer};
use tonic_health::server::HealthReporter;

use super::pb;

/// What is reported on.
const SERVICES: [&str; 4] = [
    "",
    pb::sudoku_service_server::SERVICE_NAME,
    pb::job_service_server::SERVICE_NAME,
    pb::admin_service_server::SERVICE_NAME,
];

/// The health of the server, as its clients and its orchestrator see it.
pub(super) struct Reporter(HealthReporter);

/// A reporter that says SERVING, and its service. The store is open before the first connection is
/// accepted, so there is no moment in which that is untrue.
pub(super) async fn serving() -> (Reporter, HealthServer<impl Health>) {
    let (reporter, service) = tonic_health::server::health_reporter();
    let reporter = Reporter(reporter);
    reporter.set(ServingStatus::Serving).await;
    (reporter, service)
}

impl Reporter {
    /// Says NOT_SERVING, to those that watch as well.
    pub(super) async fn stop(&self) {
        self.set(ServingStatus::NotServing).await;
    }

    async fn set(&self, status: ServingStatus) {
        for service in SERVICES {
            self.0.set_service_status(service, status).await;
        }
    }
}
