//! Opening a database: lock, checks, settings, migrations, recovery.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicI64;
use std::time::Duration;

use sqlx::sqlite::{
    SqliteAutoVacuum, SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{ConnectOptions, SqliteConnection, SqlitePool};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::lock::{Lock, LockError};
use super::space::{PAGE_BYTES, Space, WAL_TOO_LONG};
use super::writer::{End, Writer};
use super::{Inner, SqliteStore, checkpoint, recover};
use crate::jobs::clock::{Clock, micros};
use crate::jobs::error::StoreError;
use crate::jobs::signals::Signals;
use crate::store::StoreLimits;

/// Older ones can corrupt a database when two connections checkpoint and write at the same moment
/// (<https://www.sqlite.org/wal.html#walresetbug>).
const OLDEST_SQLITE: i32 = 3_051_003;

/// Connections that read: a read is one page, so few serve many streams.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(30);
const READERS: u32 = 4;
/// Each holds a page in memory; more would not read faster on the same disk.
const PAGE_READERS: u32 = 4;
/// How long a connection waits for what else has the file open: a shell, a backup tool.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// The write-ahead log's file is cut back to this once it has been copied: as long as it may grow.
const WAL_KEPT_BYTES: i64 = WAL_TOO_LONG.cast_signed();

/// Which database, and on what terms.
#[derive(Clone, Debug)]
pub struct SqliteSettings {
    /// The file; it is created when it does not exist.
    pub path: PathBuf,
    /// Where this server can be reached, for the message that a second one on the same file gets.
    pub address: String,
    /// How much it takes.
    pub limits: StoreLimits,
}

/// Why a database cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process has it.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The linked SQLite has a bug that corrupts databases.
    #[error("SQLite {0} is linked, but only 3.51.3 and later are safe to use")]
    OldSqlite(i32),
    /// A setting did not take.
    #[error("the database has {name} = {found}, but {wanted} is needed")]
    Setting {
        /// The pragma.
        name: &'static str,
        /// What it is.
        found: i64,
        /// What it should be.
        wanted: i64,
    },
    /// The schema could not be brought up to date.
    #[error("the schema cannot be migrated")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// SQLite refused.
    #[error("the database cannot be opened")]
    Database(#[from] sqlx::Error),
    /// What stands in it makes no sense.
    #[error("the database cannot be recovered")]
    Recover(#[from] StoreError),
}

impl SqliteStore {
    /// Opens or creates the database, brings its schema up to date and gives back every lease of
    /// earlier processes.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub async fn open(settings: SqliteSettings, clock: Arc<dyn Clock>) -> Result<Self, OpenError> {
        let version = libsqlite3_sys::SQLITE_VERSION_NUMBER;
        if version < OLDEST_SQLITE {
            return Err(OpenError::OldSqlite(version));
        }
        let SqliteSettings {
            path,
            address,
            limits,
        } = settings;
        let lock = Arc::new(Lock::take(&path, &address)?);
        let path = lock.database().to_owned();
        // Before the first connection, which on a full disk needs the reserve.
        let space = Arc::new(Space::new(&path, limits.disk_bytes));

        let mut writer = connect(&path, Role::Writing).await?;
        sqlx::migrate!("migrations/sqlite").run(&mut writer).await?;
        let opened = recover::recover(&mut writer, clock.now()).await?;
        space.measure(&mut writer).await?;
        space.look();

        let readers = pool(&path, READERS);
        let page_readers = pool(&path, PAGE_READERS);
        let checkpointer = connect(&path, Role::Writing).await?;

        let signals = Signals::new();
        let failed = CancellationToken::new();
        let closing = CancellationToken::new();
        let (writer, writing) = Writer::new(
            writer,
            path.clone(),
            signals.clone(),
            Arc::clone(&space),
            closing.clone(),
            Arc::clone(&lock),
        );
        let tasks = TaskTracker::new();
        // Dropped by a panic too: a store that cannot write must not look alive.
        let alarm = failed.clone().drop_guard();
        tasks.spawn(async move {
            if writing.run().await == End::Closed {
                alarm.disarm();
            }
        });
        let checkpoints = checkpoint::run(checkpointer, Arc::clone(&space), closing.clone(), lock);
        let alarm = failed.clone().drop_guard();
        tasks.spawn(async move {
            if checkpoints.await == End::Closed {
                alarm.disarm();
            }
        });
        Ok(Self(Arc::new(Inner {
            writer,
            readers,
            page_readers,
            clock,
            signals,
            limits,
            space,
            failed,
            closing,
            tasks,
            secret: opened.secret,
            next_token: AtomicI64::new(opened.boot << 32),
            path,
        })))
    }
}

/// What a connection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The writer, checkpoints and backups.
    Writing,
    /// Readers. What they must not do is refused by SQLite.
    Reading,
}

/// A connection whose settings have taken.
pub(super) async fn connect(path: &Path, role: Role) -> Result<SqliteConnection, OpenError> {
    let mut connection = options(path, role).connect().await?;
    check_settings(&mut connection, role).await?;
    Ok(connection)
}

fn pool(path: &Path, connections: u32) -> SqlitePool {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        // A thousand streams may wait for their turn; that is no news.
        .acquire_slow_threshold(ACQUIRE_TIMEOUT)
        .after_connect(|reader, _| Box::pin(check_reader(reader)))
        .connect_lazy_with(options(path, Role::Reading))
}

fn options(path: &Path, role: Role) -> SqliteConnectOptions {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(role == Role::Writing)
        // Both must come before the first table.
        .page_size(PAGE_BYTES)
        .auto_vacuum(SqliteAutoVacuum::Incremental)
        .journal_mode(SqliteJournalMode::Wal)
        // NORMAL may lose acknowledged commits when the power goes; with group commit FULL is cheap.
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(false)
        .busy_timeout(BUSY_TIMEOUT)
        .pragma("wal_autocheckpoint", "0")
        .pragma("journal_size_limit", WAL_KEPT_BYTES.to_string())
        // A crash can tear what is mapped, and a full disk is a SIGBUS.
        .pragma("mmap_size", "0")
        .pragma("temp_store", "2")
        .statement_cache_capacity(200)
        .disable_statement_logging();
    match role {
        Role::Writing => options,
        Role::Reading => options.pragma("query_only", "1"),
    }
}

async fn check_reader(reader: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    let checked = check_settings(reader, Role::Reading).await;
    checked.map_err(|error| sqlx::Error::Configuration(Box::new(error)))
}

/// Reads back what must have taken: an unknown or late pragma is a silent no-op.
async fn check_settings(connection: &mut SqliteConnection, role: Role) -> Result<(), OpenError> {
    let settings = [
        ("auto_vacuum", "pragma auto_vacuum", 2),
        ("page_size", "pragma page_size", i64::from(PAGE_BYTES)),
        ("synchronous", "pragma synchronous", 2),
        ("foreign_keys", "pragma foreign_keys", 0),
        ("wal_autocheckpoint", "pragma wal_autocheckpoint", 0),
        (
            "journal_size_limit",
            "pragma journal_size_limit",
            WAL_KEPT_BYTES,
        ),
        ("mmap_size", "pragma mmap_size", 0),
        ("temp_store", "pragma temp_store", 2),
        (
            "busy_timeout",
            "pragma busy_timeout",
            micros(BUSY_TIMEOUT) / 1000,
        ),
        (
            "query_only",
            "pragma query_only",
            i64::from(role == Role::Reading),
        ),
        (
            "journal_mode=wal",
            "select journal_mode = 'wal' from pragma_journal_mode()",
            1,
        ),
    ];
    for (name, statement, wanted) in settings {
        let found = sqlx::query_scalar(statement)
            .fetch_one(&mut *connection)
            .await?;
        if found != wanted {
            return Err(OpenError::Setting {
                name,
                found,
                wanted,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::clock::{ManualClock, Timestamp};

    #[tokio::test]
    async fn what_did_not_take_is_noticed_on_either_kind_of_connection() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("gridmill.db");
        let mut writer = connect(&path, Role::Writing).await.unwrap();
        for pragma in [
            "pragma synchronous = normal",
            "pragma wal_autocheckpoint = 1000",
            "pragma temp_store = 1",
            "pragma busy_timeout = 0",
            "pragma foreign_keys = 1",
            "pragma journal_size_limit = -1",
            "pragma mmap_size = 1000000",
        ] {
            for role in [Role::Writing, Role::Reading] {
                let mut connection = connect(&path, role).await.unwrap();
                sqlx::query(pragma).execute(&mut connection).await.unwrap();
                let refusal = check_settings(&mut connection, role).await.unwrap_err();
                let OpenError::Setting { name, .. } = refusal else {
                    panic!("{refusal}");
                };
                assert!(pragma.contains(name), "{pragma}: {name}");
            }
        }
        // What only the first connection can decide.
        let as_reader = check_settings(&mut writer, Role::Reading).await;
        assert!(as_reader.unwrap_err().to_string().contains("query_only"));
        sqlx::query("pragma journal_mode = delete")
            .execute(&mut writer)
            .await
            .unwrap();
        assert!(check_settings(&mut writer, Role::Writing).await.is_err());
    }

    async fn store(dir: &tempfile::TempDir) -> SqliteStore {
        let settings = SqliteSettings {
            path: dir.path().join("gridmill.db"),
            address: "here".to_owned(),
            limits: StoreLimits {
                live_jobs: 1,
                tenant_bytes: 1,
                disk_bytes: 1,
            },
        };
        let clock = Arc::new(ManualClock::new(Timestamp::from_micros(0)));
        SqliteStore::open(settings, clock).await.unwrap()
    }

    #[tokio::test]
    async fn a_file_that_is_taken_away_raises_the_alarm() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(&dir).await;
        std::fs::remove_file(dir.path().join("gridmill.db")).unwrap();
        // Only the alarm ends this wait.
        store.failed().cancelled().await;
    }

    #[tokio::test]
    async fn a_writer_that_panics_raises_the_alarm() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(&dir).await;
        let answer = store.0.writer.run::<(), _>(|_| panic!("a bug")).await;
        assert!(matches!(answer, Err(StoreError::Closing)), "{answer:?}");
        // Only the alarm ends this wait.
        store.failed().cancelled().await;
    }

    #[tokio::test]
    async fn a_database_of_another_make_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("other.db");
        let mut other = SqliteConnectOptions::new()
            .filename(&path)
            .create_if_missing(true)
            .page_size(4096)
            .connect()
            .await
            .unwrap();
        sqlx::query("create table t (a)")
            .execute(&mut other)
            .await
            .unwrap();
        drop(other);
        let refusal = connect(&path, Role::Writing).await.unwrap_err();
        assert!(matches!(refusal, OpenError::Setting { .. }), "{refusal}");
    }
}
