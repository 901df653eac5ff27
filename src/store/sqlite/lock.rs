//! One process a database file.
//!
//! An exclusive `flock` on `<database>.lock`, which the kernel drops with the process, however it ends.
//! The file says who holds it. Two processes with their own writers would wait for each other's
//! locks, and the second one's recovery would give back leases that the first one still runs.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process;

/// Holds the lock while it lives.
#[derive(Debug)]
pub(super) struct Lock {
    // Never read: closing it gives the lock back.
    _file: File,
}

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
    /// The lock file cannot be used.
    #[error("{path} cannot be locked", path = path.display())]
    Io {
        /// The lock file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl Lock {
    /// Takes the lock of `database` for the server at `address`.
    pub(super) fn take(database: &Path, address: &str) -> Result<Self, LockError> {
        let mut path = database.as_os_str().to_owned();
        path.push(".lock");
        let path = PathBuf::from(path);
        let failed = |source| LockError::Io {
            path: path.clone(),
            source,
        };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(LockError::Held {
                    path: database.to_owned(),
                    holder: holder(&mut file),
                });
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        let mut sign = || {
            file.set_len(0)?;
            file.rewind()?;
            write!(file, "process {} at {address}", process::id())
        };
        sign().map_err(failed)?;
        Ok(Self { _file: file })
    }
}

/// What the holder wrote, which it may be doing just now.
fn holder(file: &mut File) -> String {
    let mut text = String::new();
    match file.read_to_string(&mut text) {
        Ok(_) if !text.is_empty() => text,
        _ => "another process".to_owned(),
    }
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
}
