//! Temporary databases of commands that were killed before they could remove them.
//!
//! A command that lives holds the lock of its database, and the kernel gives it back however the
//! command ends: a directory of ours whose lock is free belongs to nobody.

use std::fs::{self, DirEntry, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

/// How the names of such directories begin.
pub(super) const PREFIX: &str = "gridmill-";

/// The database in one, which its store keeps locked.
pub(super) const DATABASE: &str = "jobs.db";

/// Younger ones may belong to a command that is about to take the lock.
const MIN_AGE: Duration = Duration::from_mins(1);

/// Removes what killed commands of this user left in `directory`, as far as that is possible.
pub(super) fn remove(directory: &Path) {
    let Ok(entries) = fs::read_dir(directory) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let removed = match abandoned(&entry) {
            // The lock is held until the directory is gone.
            Ok(Some(_lock)) => fs::remove_dir_all(&path),
            Ok(None) => Ok(()),
            Err(error) => Err(error),
        };
        if let Err(error) = removed {
            tracing::debug!(%error, path = %path.display(), "cannot remove a leftover");
        }
    }
}

/// The lock of a directory that nobody uses any more.
fn abandoned(entry: &DirEntry) -> io::Result<Option<File>> {
    if !entry
        .file_name()
        .as_encoded_bytes()
        .starts_with(PREFIX.as_bytes())
    {
        return Ok(None);
    }
    // Of the entry itself, not of what a link leads to.
    let found = entry.metadata()?;
    if !found.is_dir() || found.uid() != rustix::process::geteuid().as_raw() {
        return Ok(None);
    }
    let lock = match File::open(entry.path().join(DATABASE)) {
        Ok(lock) => lock,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    // A clock that was set back makes it look younger than it is, which is safe.
    let age = lock.metadata()?.modified()?.elapsed().unwrap_or_default();
    Ok((age >= MIN_AGE && lock.try_lock().is_ok()).then_some(lock))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// A directory with a database whose lock was taken so long ago.
    fn left(place: &Path, name: &str, age: Duration) -> (PathBuf, File) {
        let directory = place.join(name);
        fs::create_dir(&directory).unwrap();
        let lock = File::create(directory.join(DATABASE)).unwrap();
        let created = lock.metadata().unwrap().modified().unwrap();
        lock.set_modified(created - age).unwrap();
        (directory, lock)
    }

    #[test]
    fn only_what_nobody_uses_is_removed() {
        let place = tempfile::tempdir().unwrap();
        let old = MIN_AGE * 2;
        let (dead, _) = left(place.path(), "gridmill-dead", old);
        let (alive, lock) = left(place.path(), "gridmill-alive", old);
        lock.lock().unwrap();
        let (young, _) = left(place.path(), "gridmill-young", Duration::ZERO);
        let (other, _) = left(place.path(), "other-dead", old);
        let notes = place.path().join("gridmill-notes");
        fs::create_dir(&notes).unwrap();
        remove(place.path());
        assert!(!dead.exists());
        for kept in [alive, young, other, notes] {
            assert!(kept.exists(), "{}", kept.display());
        }
    }
}
