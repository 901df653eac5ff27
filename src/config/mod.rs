//! The settings of `gridmill serve`: names, environment twins, defaults and checks, all in one place.
//!
//! What the command line accepts is complete and makes sense together.

#[cfg(test)]
mod tests;

use std::fmt;
use std::net::SocketAddr;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::thread;
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::store::StoreLimits;
use crate::sudoku::solve::{Isa, UnknownIsa};

/// After a signal the process is gone within this, whatever its clients do.
pub const SHUTDOWN_DEADLINE: Duration = Duration::from_secs(25);

/// The variable that names the engine. Commands without the flag heed it, too.
pub const ENGINE: &str = "GRIDMILL_ENGINE";

/// What is kept of [`SHUTDOWN_DEADLINE`] for closing the store.
const CLOSING: Duration = Duration::from_secs(3);

/// How a server runs. Every setting has an environment twin, `GRIDMILL_` and its name.
#[derive(Debug, Clone, Args)]
pub struct ServeSettings {
    /// Address and port to listen on; port 0 takes a free one
    #[arg(
        long,
        env = "GRIDMILL_LISTEN",
        value_name = "ADDRESS",
        default_value = "127.0.0.1:50051"
    )]
    pub listen: SocketAddr,

    /// Where jobs are kept; the file is created when it is missing
    #[arg(
        long,
        env = "GRIDMILL_DATABASE",
        value_name = "sqlite:PATH",
        default_value = "sqlite:gridmill.db"
    )]
    pub database: Database,

    /// Threads that run jobs; one a core unless given
    #[arg(long, env = "GRIDMILL_WORKERS", value_name = "N", default_value_t = cores())]
    pub workers: NonZeroUsize,

    /// Priority of those threads: idle leaves every other process its share
    #[arg(
        long,
        env = "GRIDMILL_WORKER_PRIORITY",
        value_name = "PRIORITY",
        default_value = "idle"
    )]
    pub worker_priority: WorkerPriority,

    /// Threads that answer calls which do not go through a job
    #[arg(long, env = "GRIDMILL_INTERACTIVE_THREADS", value_name = "N", default_value_t = cores())]
    pub interactive_threads: NonZeroUsize,

    /// Instruction set to compute with: avx512, avx2 or portable [default: the fastest that the CPU has]
    #[arg(long, env = ENGINE, value_name = "ENGINE", value_parser = engine)]
    pub engine: Option<Isa>,

    /// Calls with one answer at once, over all connections; more are told to come back
    #[arg(
        long,
        env = "GRIDMILL_MAX_CALLS",
        value_name = "N",
        default_value = "1024"
    )]
    pub max_calls: NonZeroUsize,

    /// Calls with a stream of answers at once, over all connections; more are told to come back
    #[arg(
        long,
        env = "GRIDMILL_MAX_STREAMS",
        value_name = "N",
        default_value = "1024"
    )]
    pub max_streams: NonZeroUsize,

    /// Live jobs a tenant may have
    #[arg(
        long,
        env = "GRIDMILL_MAX_LIVE_JOBS",
        value_name = "N",
        default_value = "10000"
    )]
    pub max_live_jobs: NonZeroU64,

    /// Bytes that a tenant's jobs may take, as 500MB or 20GiB [default: no limit of its own]
    #[arg(long, env = "GRIDMILL_MAX_TENANT_BYTES", value_name = "SIZE")]
    pub max_tenant_bytes: Option<ByteSize>,

    /// Bytes that the database may take [default: no limit but the disk's]
    #[arg(long, env = "GRIDMILL_DISK_BUDGET", value_name = "SIZE")]
    pub disk_budget: Option<ByteSize>,

    /// Directory for backups; without one there are none
    #[arg(long, env = "GRIDMILL_BACKUP_DIR", value_name = "DIR")]
    pub backup_dir: Option<PathBuf>,

    /// How long to go on serving after a signal, so that load balancers notice; with --drain 22s at most
    #[arg(long, env = "GRIDMILL_LAME_DUCK", value_name = "DURATION", default_value = "2s", value_parser = humantime::parse_duration)]
    pub lame_duck: Duration,

    /// How long calls may take to end after that; with --lame-duck 22s at most
    #[arg(long, env = "GRIDMILL_DRAIN", value_name = "DURATION", default_value = "10s", value_parser = humantime::parse_duration)]
    pub drain: Duration,

    /// Age at which clients are asked to connect anew, give or take a tenth [default: never]
    #[arg(long, env = "GRIDMILL_MAX_CONNECTION_AGE", value_name = "DURATION", value_parser = humantime::parse_duration)]
    pub max_connection_age: Option<Duration>,

    /// What is logged: a level, or a filter as `info,gridmill=debug`
    #[arg(
        long,
        env = "GRIDMILL_LOG",
        value_name = "FILTER",
        default_value = "info"
    )]
    pub log: String,

    /// How the log is written
    #[arg(
        long,
        env = "GRIDMILL_LOG_FORMAT",
        value_name = "FORMAT",
        default_value = "text"
    )]
    pub log_format: LogFormat,
}

impl ServeSettings {
    /// Checks what one setting alone cannot.
    ///
    /// # Errors
    /// Names the settings that do not go together.
    pub fn check(&self) -> Result<(), ConfigError> {
        let most = SHUTDOWN_DEADLINE.saturating_sub(CLOSING);
        if self.lame_duck.saturating_add(self.drain) > most {
            return Err(ConfigError::SlowShutdown { most });
        }
        if self.max_connection_age.is_some_and(|age| age.is_zero()) {
            return Err(ConfigError::NoAge);
        }
        Ok(())
    }

    /// What the store may take.
    ///
    /// # Errors
    /// When the database's directory does not exist.
    pub fn limits(&self) -> Result<StoreLimits, ConfigError> {
        limits(
            &self.database,
            self.max_live_jobs,
            self.max_tenant_bytes,
            self.disk_budget,
        )
    }
}

/// What a store may take: what was asked for, else all there is.
///
/// # Errors
/// When the database's directory does not exist.
pub fn limits(
    database: &Database,
    live_jobs: NonZeroU64,
    tenant_bytes: Option<ByteSize>,
    disk_budget: Option<ByteSize>,
) -> Result<StoreLimits, ConfigError> {
    if !database.directory().is_dir() {
        return Err(ConfigError::NoDirectory {
            database: database.clone(),
            directory: database.directory().to_owned(),
        });
    }
    // The store itself minds how much the disk has left, which changes.
    let disk_bytes = disk_budget.map_or(u64::MAX, ByteSize::bytes);
    Ok(StoreLimits {
        live_jobs: live_jobs.get(),
        tenant_bytes: tenant_bytes.map_or(disk_bytes, ByteSize::bytes),
        disk_bytes,
    })
}

/// Reads the name of an engine.
///
/// # Errors
/// Says which names there are. The variable is named because it may come from there.
pub fn engine(name: &str) -> Result<Isa, String> {
    name.parse()
        .map_err(|error: UnknownIsa| format!("{ENGINE}: {error}"))
}

/// Cores that this process may use.
#[must_use]
pub fn cores() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Settings that do not go together, or not with this machine.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// Shutting down would take too long.
    #[error("--lame-duck and --drain: together they may be at most {}", humantime::format_duration(*.most))]
    SlowShutdown {
        /// The most.
        most: Duration,
    },
    /// Connections would be closed as they open.
    #[error("--max-connection-age: it must be longer than nothing")]
    NoAge,
    /// The database's directory does not exist.
    #[error("--database {database}: there is no directory {}", directory.display())]
    NoDirectory {
        /// The database.
        database: Database,
        /// Where it should be.
        directory: PathBuf,
    },
}

/// Where jobs are kept: `sqlite:PATH`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Database(PathBuf);

impl Database {
    /// A SQLite database in this file.
    #[must_use]
    pub const fn at(path: PathBuf) -> Self {
        Self(path)
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The directory of the file.
    #[must_use]
    pub fn directory(&self) -> &Path {
        match self.0.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        }
    }
}

impl FromStr for Database {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let path = text
            .strip_prefix("sqlite:")
            .ok_or("expected sqlite:PATH, the only kind of database there is so far")?;
        // Not a URL, but many will write one.
        let path = path.strip_prefix("//").unwrap_or(path);
        if path.is_empty() || path == ":memory:" {
            return Err("jobs are durable and need a file: sqlite:PATH".to_owned());
        }
        Ok(Self(PathBuf::from(path)))
    }
}

impl fmt::Display for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sqlite:{}", self.0.display())
    }
}

/// The scheduling class of the threads that run jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum WorkerPriority {
    /// Only what no other process wants.
    Idle,
    /// As any other process.
    Normal,
}

/// How the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// An object a line.
    Json,
}

/// A number of bytes, at least one, written as `500MB` or `20GiB`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ByteSize(NonZeroU64);

const UNITS: [(&str, u64); 9] = [
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000),
    ("B", 1),
];

impl ByteSize {
    /// The number.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        self.0.get()
    }
}

impl FromStr for ByteSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (number, unit) = match text.find(|c: char| !c.is_ascii_digit()) {
            Some(end) => (&text[..end], text[end..].trim_start()),
            None => (text, "B"),
        };
        let factor = UNITS
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(unit))
            .map(|&(_, factor)| factor);
        let bytes = factor
            .zip(number.parse::<u64>().ok())
            .and_then(|(factor, number)| number.checked_mul(factor))
            .and_then(NonZeroU64::new);
        bytes
            .map(Self)
            .ok_or_else(|| "expected a size above 0, as 1000000, 500MB or 20GiB".to_owned())
    }
}
