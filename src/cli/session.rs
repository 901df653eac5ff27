//! The server that a one-off command talks to: one that runs already, or one of its own.
//!
//! Its own listens on the loopback interface on a free port and keeps its jobs in a private directory
//! that goes with it, however the command ends. There is no second code path: what is tested through
//! a server is what a pipe runs.

use std::cell::OnceCell;
use std::env;
use std::future;
use std::net::{Ipv4Addr, SocketAddr};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::anyhow;
use clap::Args;
use tempfile::TempDir;
use tonic::Code;

use super::client::{Client, ServerUrl};
use super::exit::{Failure, Result};
use super::host::{Host, HostSettings};
use super::signal::Interrupt;
use super::{engine, leftovers, standstill};
use crate::config::{self, Database};
use crate::rpc;
use crate::worker::Priority;

/// How long an own server may take to end.
const CLOSING: Duration = Duration::from_secs(10);

/// Where a one-off command has its work done.
#[derive(Debug, Clone, Args)]
pub(crate) struct Through {
    /// Server that does the work [default: one of its own, in this process]
    #[arg(long, env = "GRIDMILL_SERVER", value_name = "http://HOST:PORT")]
    server: Option<ServerUrl>,

    /// Keep the jobs of the own server in this database [default: a temporary one]
    #[arg(long, value_name = "sqlite:PATH", conflicts_with = "server")]
    database: Option<Database>,
}

/// A connection, and the server behind it if it is our own.
pub(crate) struct Session {
    pub(crate) client: Client,
    pub(crate) own: Option<Own>,
}

/// A server that serves this command alone.
pub(crate) struct Own {
    host: Host,
    /// Where its database is.
    place: PathBuf,
    /// Removed when it is dropped, after the server has ended.
    directory: Option<TempDir>,
}

impl Session {
    pub(crate) async fn open(through: Through, interrupt: &mut Interrupt) -> Result<Self> {
        let Through { server, database } = through;
        if let Some(server) = server {
            return tokio::select! {
                client = Client::connect(&server) => Ok(Self { client: client?, own: None }),
                signal = interrupt.received() => Err(Failure::Interrupted {
                    signal,
                    what: "interrupted before the server answered",
                }),
            };
        }
        // Short, so a signal waits for it.
        let own = Own::start(database).await?;
        match own.connect().await {
            Ok(client) => Ok(Self {
                client,
                own: Some(own),
            }),
            Err(failure) => {
                own.stop().await;
                Err(failure)
            }
        }
    }

    /// Asks one thing, and closes whatever comes of it.
    pub(crate) async fn ask(
        through: Through,
        question: impl AsyncFnOnce(&Client) -> Result,
    ) -> Result {
        let mut interrupt = Interrupt::listen()?;
        let session = Self::open(through, &mut interrupt).await?;
        let done = tokio::select! {
            done = question(&session.client) => done,
            signal = interrupt.received() => Err(Failure::Interrupted {
                signal,
                what: "interrupted",
            }),
        };
        session.close().await;
        done
    }

    /// Ends an own server and removes what it kept.
    pub(crate) async fn close(self) {
        // Connections first: the server waits for them.
        drop(self.client);
        if let Some(own) = self.own {
            own.stop().await;
        }
    }
}

/// Waits until a command's own server cannot go on with its job. Another one is looked after by others.
pub(crate) async fn stuck(
    own: &mut Option<Own>,
    client: &Client,
    job: &OnceCell<String>,
) -> Failure {
    match own {
        Some(own) => own.stuck(client, job).await,
        None => future::pending().await,
    }
}

impl Own {
    async fn stuck(&mut self, client: &Client, job: &OnceCell<String>) -> Failure {
        let failure = tokio::select! {
            failure = self.host.failed() => failure,
            () = standstill::of(client, job) => return self.no_room(),
        };
        if self.host.has_failed() {
            return self.no_room();
        }
        failure.into()
    }

    fn no_room(&self) -> Failure {
        Failure::NoRoom {
            directory: self.place.clone(),
        }
    }

    /// What a failure means that came from this server: a store that is full, or that failed, makes
    /// calls fail in many ways.
    pub(crate) fn explain(&self, failure: Failure) -> Failure {
        match failure {
            Failure::Refused(status)
                if self.host.has_failed() || status.code() == Code::ResourceExhausted =>
            {
                self.no_room()
            }
            other => other,
        }
    }

    async fn start(database: Option<Database>) -> Result<Self> {
        engine::choose_by_environment()?;
        let (directory, database) = if let Some(database) = database {
            (None, database)
        } else {
            let parent = env::temp_dir();
            leftovers::remove(&parent);
            let directory = tempfile::Builder::new()
                .prefix(leftovers::PREFIX)
                .tempdir_in(&parent)
                .map_err(|source| Failure::Create {
                    path: parent.join(leftovers::PREFIX),
                    source,
                })?;
            let database = Database::at(directory.path().join(leftovers::DATABASE));
            (Some(directory), database)
        };
        let place = database.directory().to_owned();
        let limits = config::limits(&database, NonZeroU64::MAX, None, None)?;
        let many = NonZeroUsize::MIN.saturating_add(63);
        let host = Host::start(HostSettings {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            database,
            limits,
            workers: config::cores(),
            // Somebody waits for this process, unlike for a server that stands beside others.
            priority: Priority::Normal,
            rpc: rpc::Settings {
                workers: config::cores(),
                backup_dir: None,
                max_connection_age: None,
                lame_duck: Duration::ZERO,
                drain: Duration::from_secs(1),
                max_streams: many,
                max_calls: many,
                interactive_threads: NonZeroUsize::MIN,
            },
        })
        .await?;
        Ok(Self {
            host,
            place,
            directory,
        })
    }

    async fn connect(&self) -> Result<Client> {
        let url = format!("http://{}", self.host.address());
        let url: ServerUrl = url.parse().map_err(|error| anyhow!("{url}: {error}"))?;
        Client::connect(&url).await
    }

    async fn stop(self) {
        // The answers are out; a database that did not close well recovers when it is opened.
        match tokio::time::timeout(CLOSING, self.host.stop()).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!("the server did not end well: {error:#}"),
            Err(_) => tracing::warn!("the server did not end within {CLOSING:?}"),
        }
        if let Some(directory) = self.directory
            && let Err(error) = directory.close()
        {
            tracing::warn!("cannot remove the temporary database: {error}");
        }
    }
}
