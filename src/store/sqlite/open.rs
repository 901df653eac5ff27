//! Opening a database: lock, checks, settings, migrations, recovery.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicI64;
use std::time::Duration;

use sqlx::sqlite::{
    SqliteAutoVacuum, SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{ConnectOptions, SqliteConnection};
use tokio_util::sync::CancellationToken;

use super::lock::{Lock, LockError};
use super::space::{PAGE_BYTES, Space};
use super::writer::Writer;
use super::{Inner, SqliteStore, checkpoint, recover};
use crate::jobs::clock::Clock;
use crate::jobs::error::StoreError;
use crate::jobs::signals::Signals;
use crate::store::StoreLimits;

/// Older ones can corrupt a database when two connections checkpoint and write at the same moment
/// (<https://www.sqlite.org/wal.html#walresetbug>).
const OLDEST_SQLITE: i32 = 3_051_003;

const READERS: u32 = 4;
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

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
        let lock = Lock::take(&path, &address)?;

        let mut writer = writing(&path).connect().await?;
        sqlx::migrate!("migrations/sqlite").run(&mut writer).await?;
        check_settings(&mut writer).await?;
        let opened = recover::recover(&mut writer, clock.now()).await?;
        let space = Arc::new(Space::new(&path));
        space.measure(&mut writer).await?;

        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .acquire_timeout(Duration::from_secs(30))
            .connect_lazy_with(reading(&path));
        let checkpointer = writing(&path).connect().await?;

        let signals = Signals::new();
        let failed = CancellationToken::new();
        let closing = CancellationToken::new();
        let writer = Writer::start(writer, signals.clone(), Arc::clone(&space), failed.clone());
        tokio::spawn(checkpoint::run(
            checkpointer,
            Arc::clone(&space),
            closing.clone(),
        ));
        Ok(Self(Arc::new(Inner {
            writer,
            readers,
            clock,
            signals,
            limits,
            space,
            failed,
            closing,
            secret: opened.secret,
            next_token: AtomicI64::new(opened.boot << 32),
            path,
            _lock: lock,
        })))
    }
}

/// How the writer and the checkpointer connect.
pub(super) fn writing(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        // Both must come before the first table.
        .page_size(PAGE_BYTES)
        .auto_vacuum(SqliteAutoVacuum::Incremental)
        .journal_mode(SqliteJournalMode::Wal)
        // NORMAL may lose acknowledged commits when the power goes; with group commit FULL is cheap.
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(false)
        .busy_timeout(BUSY_TIMEOUT)
        .pragma("wal_autocheckpoint", "0")
        .pragma("journal_size_limit", "67108864")
        // A crash can tear what is mapped, and a full disk is a SIGBUS.
        .pragma("mmap_size", "0")
        .pragma("temp_store", "2")
        .statement_cache_capacity(200)
        .disable_statement_logging()
}

/// How readers connect. What they must not do is refused by SQLite.
pub(super) fn reading(path: &Path) -> SqliteConnectOptions {
    writing(path)
        .create_if_missing(false)
        .pragma("query_only", "1")
}

/// Reads back what must have taken: an unknown or late pragma is a silent no-op.
async fn check_settings(writer: &mut SqliteConnection) -> Result<(), OpenError> {
    let (auto_vacuum, synchronous, page_size): (i64, i64, i64) = sqlx::query_as(
        "select auto_vacuum, synchronous, page_size \
         from pragma_auto_vacuum(), pragma_synchronous(), pragma_page_size()",
    )
    .fetch_one(&mut *writer)
    .await?;
    let journal_mode: String = sqlx::query_scalar("pragma journal_mode")
        .fetch_one(writer)
        .await?;
    let settings = [
        ("auto_vacuum", auto_vacuum, 2),
        ("synchronous", synchronous, 2),
        ("page_size", page_size, i64::from(PAGE_BYTES)),
        ("journal_mode=wal", i64::from(journal_mode == "wal"), 1),
    ];
    for (name, found, wanted) in settings {
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
