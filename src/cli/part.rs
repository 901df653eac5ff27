//! `FILE.part`, which becomes `FILE` when it is complete.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::exit::{Failure, Result};

/// What becomes of a part that is not completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unfinished {
    /// It goes.
    Remove,
    /// The same command goes on where it ends.
    Keep,
}

/// `FILE.part`. It is locked while it is written, so two processes never write the same one.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) path: PathBuf,
    target: PathBuf,
    unfinished: Unfinished,
}

impl Part {
    pub(super) fn open(target: PathBuf, unfinished: Unfinished) -> Result<(File, Self)> {
        let mut path = target.clone().into_os_string();
        path.push(".part");
        let path = PathBuf::from(path);
        let file = lock(&path).map_err(|source| Failure::Create {
            path: path.clone(),
            source,
        })?;
        let part = Self {
            path,
            target,
            unfinished,
        };
        Ok((file, part))
    }

    pub(super) fn complete(mut self) -> Result {
        fs::rename(&self.path, &self.target).map_err(|source| Failure::Create {
            path: self.target.clone(),
            source,
        })?;
        // There is no part any more.
        self.unfinished = Unfinished::Keep;
        Ok(())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if self.unfinished == Unfinished::Remove
            && let Err(error) = fs::remove_file(&self.path)
        {
            tracing::warn!("cannot remove {}: {error}", self.path.display());
        }
    }
}

/// Opens and locks the file of that name, creating it when it is missing.
fn lock(path: &Path) -> io::Result<File> {
    loop {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => io::Error::other("another process is writing it"),
            TryLockError::Error(error) => error,
        })?;
        // Its owner may have renamed it between the two calls; then it is a part no more.
        let locked = file.metadata()?;
        match fs::metadata(path) {
            Ok(named) if (named.dev(), named.ino()) == (locked.dev(), locked.ino()) => {
                return Ok(file);
            }
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
}
