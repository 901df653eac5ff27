//! The server from its first connection to its last.
//!
//! ```text
//! shutdown ─► NOT_SERVING ─ lame duck ─► GOAWAY, streams end with DRAINING ─ drain ─► sockets close
//! ```
//!
//! The lame duck is there for proxies, which go on sending for a moment after they were told not to.
//! The drain has a deadline of its own because hyper's graceful shutdown need not end (see
//! [`super::connection`]).

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tonic::service::Routes;
use tonic::transport::Server;
use tonic_reflection::server::Builder as Reflection;
use tower::layer::layer_fn;

use super::admin_service::Admin;
use super::call::{Calls, Limits};
use super::compute::Compute;
use super::connection::Incoming;
use super::job_service::Jobs;
use super::pb::admin_service_server::AdminServiceServer;
use super::pb::job_service_server::JobServiceServer;
use super::pb::sudoku_service_server::SudokuServiceServer;
use super::sudoku_service::Sudoku;
use super::{health, pb};
use crate::jobs::clock::Clock;
use crate::jobs::store::JobStore;

/// How the server serves.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Threads of the worker pool, as `GetServerInfo` tells them.
    pub workers: NonZeroUsize,
    /// Where backups go; without one `CreateBackup` is refused.
    pub backup_dir: Option<PathBuf>,
    /// A connection is asked to end at this age, give or take a tenth, so that clients spread over
    /// replicas that came later. Its calls go on to their end.
    pub max_connection_age: Option<Duration>,
    /// How long the server goes on serving after it began to report NOT_SERVING.
    pub lame_duck: Duration,
    /// How long calls have to end after that.
    pub drain: Duration,
    /// Calls with a stream of answers at once.
    pub max_streams: NonZeroUsize,
    /// Calls with one answer at once.
    pub max_calls: NonZeroUsize,
    /// Interactive calls that compute at once.
    pub interactive_threads: NonZeroUsize,
}

/// Why the server stopped serving on its own.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The transport failed.
    #[error("the server failed")]
    Transport(#[from] tonic::transport::Error),
}

/// Serves `store` on `listener` until `shutdown` is cancelled and the drain is over.
///
/// # Errors
/// When the transport fails.
///
/// # Panics
/// Outside a tokio runtime.
pub async fn serve<S: JobStore>(
    listener: TcpListener,
    store: S,
    clock: Arc<dyn Clock>,
    settings: Settings,
    shutdown: CancellationToken,
) -> Result<(), ServeError> {
    let drain = CancellationToken::new();
    let close = CancellationToken::new();
    let open = TaskTracker::new();
    let (reporter, health) = health::serving().await;

    let compute = Compute::new(settings.interactive_threads);
    let routes = Routes::new(health)
        .add_service(reflection().build_v1().expect(DESCRIPTORS))
        .add_service(reflection().build_v1alpha().expect(DESCRIPTORS))
        .add_service(SudokuServiceServer::new(Sudoku::new(compute)))
        .add_service(JobServiceServer::new(Jobs::new(
            store.clone(),
            clock,
            drain.clone(),
        )))
        .add_service(AdminServiceServer::new(Admin::new(store, &settings)))
        .prepare();

    let caps = Limits {
        calls: settings.max_calls.get(),
        streams: settings.max_streams.get(),
    };
    let gate = drain.clone();
    let layer = layer_fn(move |routes| Calls::new(routes, caps, gate.clone()));
    let incoming = Incoming::new(listener, close.clone(), open.clone());
    let serving = transport(settings.max_connection_age)
        .layer(layer)
        .serve_with_incoming_shutdown(routes, incoming, drain.clone().cancelled_owned());

    let over = async {
        shutdown.cancelled().await;
        reporter.stop().await;
        tracing::info!("draining");
        sleep(settings.lame_duck).await;
        drain.cancel();
        sleep(settings.drain).await;
    };
    let result = tokio::select! {
        result = serving => result,
        () = over => {
            tracing::warn!(connections = open.len(), "closing what did not end in time");
            Ok(())
        }
    };
    // Nothing of the server outlives this function: the store is closed next.
    drain.cancel();
    close.cancel();
    open.close();
    open.wait().await;
    Ok(result?)
}

const DESCRIPTORS: &str = "the build compiled the descriptors";

fn reflection() -> Reflection<'static> {
    Reflection::configure()
        .register_encoded_file_descriptor_set(pb::FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        // The messages of error details, so that clients can print them.
        .register_encoded_file_descriptor_set(tonic_types::pb::FILE_DESCRIPTOR_SET)
}

/// Every setting that matters is said here: some of tonic's defaults switch a protection off.
fn transport(max_connection_age: Option<Duration>) -> Server {
    let server = Server::builder()
        // tonic hands its None on, which for h2 means no limit at all.
        .http2_max_local_error_reset_streams(Some(1024))
        .http2_max_pending_accept_reset_streams(Some(64))
        .max_concurrent_streams(256)
        .http2_keepalive_interval(Some(Duration::from_secs(30)))
        .http2_keepalive_timeout(Some(Duration::from_secs(20)))
        .initial_stream_window_size(2 << 20)
        .initial_connection_window_size(8 << 20)
        .http2_max_header_list_size(16 << 10);
    match max_connection_age {
        // With tonic's grace set there would be no GOAWAY at all, so there is none.
        Some(age) => server.max_connection_age(age.mul_f64(0.9 + 0.2 * random())),
        None => server,
    }
}

/// In 0..1. Replicas that were started together must not send their clients away together.
fn random() -> f64 {
    f64::from(getrandom::u32().unwrap_or(u32::MAX / 2)) / f64::from(u32::MAX)
}
