//! One process a database file.
//!
//! An exclusive `flock` on the database file itself, which the kernel drops with the process, however it
//! ends, and which no symbolic link, other name or removed lock file gets round. SQLite's own locks are
//! of another kind (`fcntl`) and do not meet it; but closing any descriptor of the file drops those, so
//! this one must be closed last. `<database>.lock` only says who holds it.
//!
//! Two processes with their own writers would wait for each other's locks, and the second one's
//! recovery would give back leases that the first one still runs.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process;

/// Holds the lock while it lives.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
    database: PathBuf,
}

/// File systems of other machines: their locks are not to be relied on, and SQLite's write-ahead log
/// needs memory that all of its users share. From `statfs(2)`: NFS, SMB, CIFS, SMB2, Ceph, AFS.
const REMOTE: [u64; 6] = [
    0x6969,
    0x517b,
    0xff53_4d42,
    0xfe53_4d42,
    0x00c3_6400,
    0x5346_414f,
];

/// Why the lock could not be had.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process has it.
    #[error("{path} is in use by {holder}", path = path.display())]
    Held {
        /// The database.
        path: PathBuf,
        /// The process and its address.
        holder: String,
    },
    /// It is on another machine.
    #[error("{path} is on a network file system, where a database is not safe", path = path.display())]
    Remote {
        /// The database.
        path: PathBuf,
    },
    /// It has several names, of which each would have a write-ahead log of its own.
    #[error("{path} is a hard link: a database must have one name", path = path.display())]
    ManyNames {
        /// The database.
        path: PathBuf,
    },
    /// The file cannot be opened or locked.
    #[error("{path} cannot be opened: {source}", path = path.display())]
    Io {
        /// The database.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl Lock {
    /// Takes the lock of `database` for the server at `address`. The file is created when it is missing.
    pub(super) fn take(database: &Path, address: &str) -> Result<Self, LockError> {
        let path = database.to_owned();
        let failed = |source| LockError::Io {
            path: path.clone(),
            source,
        };
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(database)
            .map_err(failed)?;
        // The file's one true name: SQLite puts its log beside the name that it is given.
        let database = fs::canonicalize(database).map_err(failed)?;
        let signature = signature(&database);
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(LockError::Held {
                    path,
                    holder: holder(&signature),
                });
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        if file.metadata().map_err(failed)?.nlink() > 1 {
            return Err(LockError::ManyNames { path });
        }
        let system = rustix::fs::fstatfs(&file).map_err(|error| failed(error.into()))?;
        if REMOTE.iter().any(|&remote| is_type(&system, remote)) {
            return Err(LockError::Remote { path });
        }
        let text = format!("process {} at {address}", process::id());
        // A disk without room for it must not keep the server from starting.
        if let Err(error) = fs::write(&signature, text) {
            tracing::warn!(%error, "{} cannot be written", signature.display());
        }
        Ok(Self { file, database })
    }

    /// The locked file, by its one true name.
    pub(super) fn database(&self) -> &Path {
        &self.database
    }

    /// Whether the name still leads to the locked file, and not to another one or to none.
    pub(super) fn still_names_it(&self) -> bool {
        let same = |ours: fs::Metadata, named: fs::Metadata| {
            (ours.dev(), ours.ino()) == (named.dev(), named.ino())
        };
        match (self.file.metadata(), fs::metadata(&self.database)) {
            (Ok(ours), Ok(named)) => same(ours, named),
            _ => false,
        }
    }
}

fn signature(database: &Path) -> PathBuf {
    let mut path = database.as_os_str().to_owned();
    path.push(".lock");
    path.into()
}

/// What the holder wrote, which it may be doing just now.
fn holder(signature: &Path) -> String {
    match fs::read_to_string(signature) {
        Ok(text) if !text.is_empty() => text,
        _ => "another process".to_owned(),
    }
}

#[expect(
    clippy::cast_sign_loss,
    clippy::cast_possible_truncation,
    reason = "magic numbers are 32 bits, in a field whose type differs between machines"
)]
fn is_type(system: &rustix::fs::StatFs, magic: u64) -> bool {
    system.f_type as u32 == magic as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_told_who_was_first() {
        let dir = tempfile::tempdir().unwrap();
        let database = dir.path().join("gridmill.db");
        let first = Lock::take(&database, "127.0.0.1:50051").unwrap();
        let refusal = Lock::take(&database, "127.0.0.1:1")
            .unwrap_err()
            .to_string();
        assert!(
            refusal.contains(&format!("process {} at 127.0.0.1:50051", process::id())),
            "{refusal}"
        );
        drop(first);
        Lock::take(&database, "127.0.0.1:1").unwrap();
    }

    #[test]
    fn no_other_name_gets_round_the_lock() {
        let dir = tempfile::tempdir().unwrap();
        let database = dir.path().join("gridmill.db");
        let lock = Lock::take(&database, "here").unwrap();
        let (soft, hard) = (dir.path().join("soft.db"), dir.path().join("hard.db"));
        std::os::unix::fs::symlink(&database, &soft).unwrap();
        fs::remove_file(dir.path().join("gridmill.db.lock")).unwrap();
        for name in [&database, &soft] {
            let refusal = Lock::take(name, "there").unwrap_err();
            assert!(matches!(refusal, LockError::Held { .. }), "{refusal}");
        }
        fs::hard_link(&database, &hard).unwrap();
        let refusal = Lock::take(&hard, "there").unwrap_err();
        assert!(matches!(refusal, LockError::Held { .. }), "{refusal}");
        drop(lock);
        let refusal = Lock::take(&hard, "there").unwrap_err();
        assert!(matches!(refusal, LockError::ManyNames { .. }), "{refusal}");
    }

    #[test]
    fn a_file_that_is_taken_away_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let database = dir.path().join("gridmill.db");
        let lock = Lock::take(&database, "here").unwrap();
        assert!(lock.still_names_it());
        fs::remove_file(&database).unwrap();
        assert!(!lock.still_names_it());
        fs::write(&database, "").unwrap();
        assert!(!lock.still_names_it());
    }
}
