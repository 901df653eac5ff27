//! A whole server in this process: listener, store, workers, gRPC. The one place that names a backend.
//!
//! `serve` runs one, a one-off command starts one for itself on the loopback interface, and so do
//! tests: there is one code path through queue, store and wire.

use std::io;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::config::Database;
use crate::jobs::clock::SystemClock;
use crate::rpc::{self, ServeError};
use crate::store::StoreLimits;
use crate::store::sqlite::{OpenError, SqliteSettings, SqliteStore};
use crate::worker::{Pool, PoolSettings, Priority};

/// What a server is made of.
#[derive(Debug)]
pub struct HostSettings {
    /// Where to listen; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Where jobs are kept.
    pub database: Database,
    /// What the store may take.
    pub limits: StoreLimits,
    /// Threads that run jobs.
    pub workers: NonZeroUsize,
    /// Their priority.
    pub priority: Priority,
    /// The gRPC side.
    pub rpc: rpc::Settings,
}

/// Why a server did not come up.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address cannot be listened on.
    #[error("--listen {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why not.
        source: io::Error,
    },
    /// The system does not tell the address of the listener.
    #[error("the listener has no address")]
    NoAddress(#[source] io::Error),
    /// The database cannot be opened.
    #[error("--database {database}")]
    Database {
        /// The database.
        database: Database,
        /// Why not.
        source: OpenError,
    },
}

/// A running server.
#[derive(Debug)]
pub struct Host {
    address: SocketAddr,
    shutdown: CancellationToken,
    /// Taken once it is known how it ended.
    server: Option<JoinHandle<Result<(), ServeError>>>,
    pool: Pool,
    store: SqliteStore,
}

impl Host {
    /// Binds, opens the store (which takes its lock, migrates and recovers), starts the workers and
    /// serves.
    ///
    /// # Errors
    /// When the address or the database cannot be had.
    pub async fn start(settings: HostSettings) -> Result<Self, StartError> {
        let HostSettings {
            listen,
            database,
            limits,
            workers,
            priority,
            rpc,
        } = settings;
        let listener = TcpListener::bind(listen)
            .await
            .map_err(|source| StartError::Listen {
                address: listen,
                source,
            })?;
        let address = listener.local_addr().map_err(StartError::NoAddress)?;
        let clock = Arc::new(SystemClock::new());
        let sqlite = SqliteSettings {
            path: PathBuf::from(database.path()),
            address: address.to_string(),
            limits,
        };
        let store = SqliteStore::open(sqlite, clock.clone())
            .await
            .map_err(|source| StartError::Database { database, source })?;
        let pool = Pool::start(store.clone(), PoolSettings { workers, priority });
        let shutdown = CancellationToken::new();
        let server = tokio::spawn(rpc::serve(
            listener,
            store.clone(),
            clock,
            rpc,
            shutdown.clone(),
        ));
        Ok(Self {
            address,
            shutdown,
            server: Some(server),
            pool,
            store,
        })
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Waits for a failure that only a new start can mend, and says what it is.
    pub async fn failed(&mut self) -> anyhow::Error {
        let store = self.store.failed();
        let ended = async {
            match &mut self.server {
                Some(server) => server.await,
                None => Ok(Ok(())),
            }
        };
        let ended = tokio::select! {
            () = store.cancelled() => return anyhow::anyhow!("the database failed"),
            ended = ended => ended,
        };
        self.server = None;
        match ended {
            Ok(Ok(())) => anyhow::anyhow!("the server ended by itself"),
            Ok(Err(error)) => error.into(),
            Err(panic) => panic.into(),
        }
    }

    /// Whether the database failed in a way that only a new start can mend.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.store.failed().is_cancelled()
    }

    /// Ends after a failure: nobody is waited for but the threads, which need the runtime to the last.
    pub async fn abandon(self) {
        if let Some(server) = self.server {
            server.abort();
        }
        self.pool.stop().await;
        self.store.close().await;
    }

    /// Lets calls end and gives work back, both at once, then closes the store.
    ///
    /// # Errors
    /// When the server did not end well; the store is closed all the same.
    pub async fn stop(self) -> anyhow::Result<()> {
        self.shutdown.cancel();
        let served = async {
            match self.server {
                Some(server) => server.await,
                None => Ok(Ok(())),
            }
        };
        let (served, ()) = tokio::join!(served, self.pool.stop());
        self.store.close().await;
        served??;
        Ok(())
    }
}
