//! How much room the database takes and how much is left: measured now and then, read by everyone.
//!
//! Room ends at the budget or at what the file system has left, whichever comes first: others write to
//! the same disk. A page may stand in the write-ahead log and in the database at once, so claims stop
//! while there is still room for a copy of the log and some more. A small reserve file is given up when
//! the disk is about to be full all the same, so that cancelling, deleting and collecting go on.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rustix::fs::{FallocateFlags, fallocate, statvfs};
use sqlx::SqliteConnection;

use super::error::database;
use crate::jobs::store::StoreResult;

/// Bytes of a page: a chunk's payload of 256 KiB takes 32.
pub(super) const PAGE_BYTES: u32 = 8192;

/// A write-ahead log longer than this is copied into the database.
const WAL_WORTH_COPYING: u64 = 1000 * PAGE_BYTES as u64;
/// One longer than this is emptied, with the writer waiting.
pub(super) const WAL_TOO_LONG: u64 = 64 << 20;
/// So much of the disk is left alone by claims, or an eighth where that is less.
const DISK_KEPT: u64 = 16 << 20;
/// Room for some hundred small transactions.
const RESERVE: u64 = 4 << 20;
/// With less than this left on the disk the reserve is given up.
const NEARLY_FULL: u64 = 1 << 20;

/// The last measurement.
#[derive(Debug)]
pub(super) struct Space {
    database: PathBuf,
    budget: u64,
    /// Bytes of pages in use, and of pages that are free inside the file.
    pages: AtomicU64,
    free_pages: AtomicU64,
    wal: AtomicU64,
    /// Bytes that the file system has left.
    disk: AtomicU64,
    /// The length at which the log is emptied, when a reader was in the way.
    wal_limit: AtomicU64,
    /// The reserve was given up.
    spent: AtomicBool,
}

impl Space {
    /// Looks at the disk for the first time, and keeps or gives up the reserve.
    pub(super) fn new(database: &Path, budget: u64) -> Self {
        let space = Self {
            database: database.to_owned(),
            budget,
            pages: AtomicU64::new(0),
            free_pages: AtomicU64::new(0),
            wal: AtomicU64::new(0),
            disk: AtomicU64::new(u64::MAX),
            wal_limit: AtomicU64::new(0),
            spent: AtomicBool::new(true),
        };
        if space.beside("reserve").exists() {
            space.spent.store(false, Ordering::Relaxed);
        }
        space.look();
        space
    }

    /// Looks at the files, which takes microseconds, and keeps or gives up the reserve.
    pub(super) fn look(&self) {
        let wal = fs::metadata(self.beside("wal")).map_or(0, |file| file.len());
        self.wal.store(wal, Ordering::Relaxed);
        // A disk that cannot be asked is taken to have room: the budget still holds.
        let disk = statvfs(self.directory())
            .map_or(u64::MAX, |disk| disk.f_bavail.saturating_mul(disk.f_frsize));
        self.disk.store(disk, Ordering::Relaxed);
        if self.is_spent() {
            if disk > 4 * RESERVE && self.keep_reserve().is_ok() {
                self.spent.store(false, Ordering::Relaxed);
            }
        } else if disk < NEARLY_FULL {
            self.spend();
        }
    }

    /// Asks the database for what [`look`](Self::look) cannot see: its pages.
    pub(super) async fn measure(&self, connection: &mut SqliteConnection) -> StoreResult<()> {
        let (pages, free): (i64, i64) = sqlx::query_as(
            "select page_count, freelist_count from pragma_page_count(), pragma_freelist_count()",
        )
        .fetch_one(connection)
        .await
        .map_err(database)?;
        let bytes = |pages: i64| u64::try_from(pages).unwrap_or(0) * u64::from(PAGE_BYTES);
        self.pages.store(bytes(pages - free), Ordering::Relaxed);
        self.free_pages.store(bytes(free), Ordering::Relaxed);
        Ok(())
    }

    /// Bytes in use. Pages that are free inside the file do not count: they are used before it grows.
    pub(super) fn used(&self) -> u64 {
        self.pages.load(Ordering::Relaxed) + self.wal.load(Ordering::Relaxed)
    }

    /// Bytes that may be in use; no more than are, once the reserve was given up.
    pub(super) fn capacity(&self) -> u64 {
        if self.is_spent() {
            return self.used();
        }
        let on_disk = self.used().saturating_add(self.left_on_disk());
        self.budget.min(on_disk)
    }

    /// Bytes that can still be written.
    fn left_on_disk(&self) -> u64 {
        let disk = self.disk.load(Ordering::Relaxed);
        disk.saturating_add(self.free_pages.load(Ordering::Relaxed))
    }

    /// Whether there is room for what chunks bring: in the budget for some of them, on the disk for a
    /// copy of the log as well.
    pub(super) fn admits_claims(&self) -> bool {
        let in_budget = self.used() < self.budget - self.budget / 32;
        let left = self.left_on_disk();
        let kept = DISK_KEPT.min(self.used().saturating_add(left) / 8);
        let on_disk = left > self.wal.load(Ordering::Relaxed) + kept;
        in_budget && on_disk && !self.is_spent()
    }

    /// Whether the reserve was given up: what is left is for cancelling, deleting and collecting.
    pub(super) fn is_spent(&self) -> bool {
        self.spent.load(Ordering::Relaxed)
    }

    /// Gives up the reserve.
    pub(super) fn spend(&self) {
        if !self.spent.swap(true, Ordering::Relaxed) {
            tracing::error!("the disk is full: nothing new is taken until there is room");
            if let Err(error) = fs::remove_file(self.beside("reserve")) {
                tracing::warn!(%error, "the reserve could not be given up");
            }
        }
    }

    /// Whether a passive checkpoint is worth its fsync.
    pub(super) fn wal_wants_checkpoint(&self) -> bool {
        self.wal.load(Ordering::Relaxed) > WAL_WORTH_COPYING.min(self.capacity() / 32)
    }

    /// Whether the log must be emptied.
    pub(super) fn wal_wants_truncation(&self) -> bool {
        let limit = self.wal_limit.load(Ordering::Relaxed);
        self.wal.load(Ordering::Relaxed) > limit.max(self.wal_too_long())
    }

    /// Somebody tried to empty the log. When a reader was in the way, it may grow by as much again
    /// before the next try: a long read, such as a backup, must not cost each commit the wait.
    pub(super) fn wal_emptied(&self, emptied: bool) {
        if emptied {
            self.wal.store(0, Ordering::Relaxed);
            self.wal_limit.store(0, Ordering::Relaxed);
        } else {
            let limit = self.wal.load(Ordering::Relaxed) + self.wal_too_long();
            self.wal_limit.store(limit, Ordering::Relaxed);
        }
    }

    fn wal_too_long(&self) -> u64 {
        WAL_TOO_LONG.min(self.capacity() / 8)
    }

    fn keep_reserve(&self) -> io::Result<()> {
        let path = self.beside("reserve");
        let kept = File::create(&path)
            .and_then(|file| Ok(fallocate(&file, FallocateFlags::empty(), 0, RESERVE)?));
        if kept.is_err() {
            // Half a reserve would look like a whole one.
            let _ = fs::remove_file(path);
        }
        kept
    }

    fn beside(&self, what: &str) -> PathBuf {
        let mut path = self.database.as_os_str().to_owned();
        path.push("-");
        path.push(what);
        path.into()
    }

    fn directory(&self) -> &Path {
        match self.database.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space(budget: u64, used: u64, disk: u64) -> Space {
        let dir = tempfile::tempdir().unwrap();
        let space = Space::new(&dir.path().join("gridmill.db"), budget);
        space.pages.store(used, Ordering::Relaxed);
        space.disk.store(disk, Ordering::Relaxed);
        space
    }

    #[test]
    fn room_ends_at_the_budget_or_at_the_disk() {
        assert_eq!(space(1000, 100, 10_000).capacity(), 1000);
        assert_eq!(space(1000, 100, 200).capacity(), 300);
    }

    #[test]
    fn claims_stop_while_the_log_can_still_be_copied() {
        let space = space(10_000, 700, 300);
        assert!(space.admits_claims());
        space.wal.store(200, Ordering::Relaxed);
        assert!(
            !space.admits_claims(),
            "300 are left, for 200 and an eighth"
        );
    }

    #[test]
    fn claims_stop_just_below_the_budget() {
        assert!(space(1000, 960, 1 << 40).admits_claims());
        assert!(!space(1000, 970, 1 << 40).admits_claims());
    }

    #[test]
    fn a_reserve_is_kept_and_given_up_once() {
        let dir = tempfile::tempdir().unwrap();
        let database = dir.path().join("gridmill.db");
        let space = Space::new(&database, 1 << 30);
        let reserve = dir.path().join("gridmill.db-reserve");
        assert_eq!(fs::metadata(&reserve).unwrap().len(), RESERVE);
        assert!(space.admits_claims());
        space.spend();
        assert!(!reserve.exists());
        assert!(!space.admits_claims());
        // The disk has room, so the next look keeps a new one.
        space.look();
        assert!(reserve.exists() && !space.is_spent());
    }
}
