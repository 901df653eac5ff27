//! `gridmill serve`: a server until a signal ends it.

use std::time::Duration;

use super::engine;
use super::exit::{Failure, Result};
use super::host::{Host, HostSettings};
use super::signal::Interrupt;
use crate::config::{SHUTDOWN_DEADLINE, ServeSettings, WorkerPriority};
use crate::sudoku::solve::Isa;
use crate::{rpc, worker};

/// Runs until a signal comes; a second one does not wait for anybody.
pub(super) async fn run(settings: ServeSettings) -> Result {
    let mut interrupt = Interrupt::listen()?;
    engine::choose(settings.engine)?;
    let mut host = Host::start(host_settings(settings)?).await?;
    tracing::info!("{} engine, listening on {}", Isa::current(), host.address());
    tokio::select! {
        signal = interrupt.received() => tracing::info!("signal {signal}: shutting down"),
        error = host.failed() => {
            if tokio::time::timeout(SHUTDOWN_DEADLINE, host.abandon()).await.is_err() {
                tracing::warn!("the workers did not end within {SHUTDOWN_DEADLINE:?}");
            }
            return Err(error.into());
        }
    }
    tokio::select! {
        stopped = tokio::time::timeout(SHUTDOWN_DEADLINE, host.stop()) => match stopped {
            Ok(stopped) => stopped?,
            Err(_) => return Err(late(SHUTDOWN_DEADLINE)),
        },
        signal = interrupt.received() => {
            // Safe at any moment: what was acknowledged is on the disk.
            tracing::warn!("signal {signal}: ending at once");
        }
    }
    tracing::info!("ended");
    Ok(())
}

fn late(deadline: Duration) -> Failure {
    anyhow::anyhow!("could not shut down within {deadline:?}").into()
}

fn host_settings(settings: ServeSettings) -> Result<HostSettings> {
    settings.check()?;
    let limits = settings.limits()?;
    let priority = match settings.worker_priority {
        WorkerPriority::Idle => worker::Priority::Idle,
        WorkerPriority::Normal => worker::Priority::Normal,
    };
    Ok(HostSettings {
        listen: settings.listen,
        database: settings.database,
        limits,
        workers: settings.workers,
        priority,
        rpc: rpc::Settings {
            workers: settings.workers,
            backup_dir: settings.backup_dir,
            max_connection_age: settings.max_connection_age,
            lame_duck: settings.lame_duck,
            drain: settings.drain,
            max_streams: settings.max_streams,
            max_calls: settings.max_calls,
            interactive_threads: settings.interactive_threads,
        },
    })
}
