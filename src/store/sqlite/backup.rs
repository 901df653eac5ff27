//! A consistent copy of the database while it serves.
//!
//! `VACUUM INTO` reads one snapshot and writes a compact file. Copying the file was rejected: without the
//! write-ahead log of the same moment the copy is torn.

use std::fmt::Write;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use sqlx::Connection;

use super::SqliteStore;
use super::error::database;
use super::open::{self, Role};
use crate::jobs::error::StoreError;
use crate::jobs::store::{Backup, StoreResult};

impl SqliteStore {
    pub(super) async fn back_up(&self, path: PathBuf) -> StoreResult<Backup> {
        let database = self.0.path.clone();
        // A caller that goes away must not leave half a copy behind.
        let copying = tokio::spawn(async move { copy(&database, &path).await });
        copying
            .await
            .map_err(|error| StoreError::Internal(Box::new(error)))?
    }
}

async fn copy(from: &Path, to: &Path) -> StoreResult<Backup> {
    let target = to
        .to_str()
        .ok_or_else(|| StoreError::Backup("the file name is not UTF-8".to_owned()))?;
    // Ours from here on: of two backups to the same name one fails, and leaves the other's file alone.
    File::create_new(to)
        .map_err(|error| StoreError::Backup(format!("{target} cannot be created: {error}")))?;
    let copied = vacuum_into(from, target).await;
    if copied.is_err() {
        // Half a copy looks like a whole one.
        let _ = std::fs::remove_file(to);
    }
    copied?;
    let path = to.to_owned();
    tokio::task::spawn_blocking(move || seal(&path))
        .await
        .map_err(|error| StoreError::Internal(Box::new(error)))?
        .map_err(|error| StoreError::Internal(Box::new(error)))
}

async fn vacuum_into(from: &Path, target: &str) -> StoreResult<()> {
    let mut connection = open::connect(from, Role::Writing)
        .await
        .map_err(|error| StoreError::Internal(Box::new(error)))?;
    let copied = sqlx::query("vacuum into ?")
        .bind(target)
        .execute(&mut connection)
        .await;
    // Errors of closing change nothing that was written.
    let _ = connection.close().await;
    copied.map(|_| ()).map_err(database)
}

/// Makes the copy and its name durable and sums it up.
fn seal(path: &Path) -> io::Result<Backup> {
    let mut file = File::open(path)?;
    file.sync_all()?;
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?;
    let mut sum = Sha256::new();
    let mut bytes = 0;
    let mut buffer = vec![0; 1 << 20];
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        sum.update(&buffer[..read]);
        bytes += read as u64;
    }
    let mut sha256 = String::with_capacity(64);
    for byte in sum.finalize() {
        write!(sha256, "{byte:02x}").expect("a String takes everything");
    }
    Ok(Backup { bytes, sha256 })
}
