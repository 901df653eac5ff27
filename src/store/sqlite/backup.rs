//! A consistent copy of the database while it serves.
//!
//! `VACUUM INTO` reads one snapshot and writes a compact file. Copying the file was rejected: without the
//! write-ahead log of the same moment the copy is torn.

use std::fmt::Write;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use sqlx::{ConnectOptions, Connection};

use super::error::database;
use super::{SqliteStore, open};
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
    if to.exists() {
        return Err(StoreError::Backup(format!(
            "{} exists already",
            to.display()
        )));
    }
    let target = to
        .to_str()
        .ok_or_else(|| StoreError::Backup("the file name is not UTF-8".to_owned()))?;
    let mut connection = open::writing(from)
        .create_if_missing(false)
        .connect()
        .await
        .map_err(database)?;
    let copied = sqlx::query("vacuum into ?")
        .bind(target)
        .execute(&mut connection)
        .await;
    // Errors of closing change nothing that was written.
    let _ = connection.close().await;
    if let Err(error) = copied {
        // Half a copy looks like a whole one.
        let _ = std::fs::remove_file(to);
        return Err(database(error));
    }
    let path = to.to_owned();
    tokio::task::spawn_blocking(move || seal(&path))
        .await
        .map_err(|error| StoreError::Internal(Box::new(error)))?
        .map_err(|error| StoreError::Internal(Box::new(error)))
}

/// Makes the copy durable and sums it up.
fn seal(path: &Path) -> io::Result<Backup> {
    let mut file = File::open(path)?;
    file.sync_all()?;
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
