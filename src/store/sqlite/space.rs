//! How much room the database takes: measured now and then, read by everyone.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use sqlx::SqliteConnection;

use super::error::database;
use crate::jobs::store::StoreResult;

/// Bytes of a page: a chunk's payload of 256 KiB takes 32.
pub(super) const PAGE_BYTES: u32 = 8192;

/// A write-ahead log longer than this is copied into the database.
const WAL_WORTH_COPYING: u64 = 1000 * PAGE_BYTES as u64;
/// One longer than this is emptied, with the writer waiting.
const WAL_TOO_LONG: u64 = 64 << 20;

/// The last measurement.
#[derive(Debug)]
pub(super) struct Space {
    wal_path: PathBuf,
    pages: AtomicU64,
    wal: AtomicU64,
    wal_limit: AtomicU64,
}

impl Space {
    /// Nothing measured yet.
    pub(super) fn new(database: &Path) -> Self {
        let mut wal_path = database.as_os_str().to_owned();
        wal_path.push("-wal");
        Self {
            wal_path: wal_path.into(),
            pages: AtomicU64::new(0),
            wal: AtomicU64::new(0),
            wal_limit: AtomicU64::new(WAL_TOO_LONG),
        }
    }

    /// Measures. Pages that are free inside the file do not count: they are used before it grows.
    pub(super) async fn measure(&self, connection: &mut SqliteConnection) -> StoreResult<()> {
        let (pages, free): (i64, i64) = sqlx::query_as(
            "select page_count, freelist_count from pragma_page_count(), pragma_freelist_count()",
        )
        .fetch_one(connection)
        .await
        .map_err(database)?;
        let used = u64::try_from(pages - free).unwrap_or(0) * u64::from(PAGE_BYTES);
        self.pages.store(used, Ordering::Relaxed);
        let wal = std::fs::metadata(&self.wal_path).map_or(0, |file| file.len());
        self.wal.store(wal, Ordering::Relaxed);
        Ok(())
    }

    /// Bytes in use, as of the last measurement.
    pub(super) fn used(&self) -> u64 {
        self.pages.load(Ordering::Relaxed) + self.wal.load(Ordering::Relaxed)
    }

    /// Whether a passive checkpoint is worth its fsync.
    pub(super) fn wal_wants_checkpoint(&self) -> bool {
        self.wal.load(Ordering::Relaxed) > WAL_WORTH_COPYING
    }

    /// Whether the log must be emptied.
    pub(super) fn wal_wants_truncation(&self) -> bool {
        self.wal.load(Ordering::Relaxed) > self.wal_limit.load(Ordering::Relaxed)
    }

    /// Somebody tried to empty the log. When a reader was in the way, it may grow by as much again
    /// before the next try: a long read, such as a backup, must not cost each commit the wait.
    pub(super) fn wal_emptied(&self, emptied: bool) {
        if emptied {
            self.wal.store(0, Ordering::Relaxed);
            self.wal_limit.store(WAL_TOO_LONG, Ordering::Relaxed);
        } else {
            let limit = self.wal.load(Ordering::Relaxed) + WAL_TOO_LONG;
            self.wal_limit.store(limit, Ordering::Relaxed);
        }
    }
}
