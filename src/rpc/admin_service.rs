//! `AdminService`. Without configured identities every caller is an operator.

use std::path::{Path, PathBuf};

use tonic::{Request, Response, Status};

use super::convert::time;
use super::pb::admin_service_server::AdminService;
use super::server::Settings;
use super::status::bad_field;
use super::{limits, pb};
use crate::jobs::spec::{MAX_JOB_ITEMS, MAX_TTL};
use crate::jobs::store::JobStore;
use crate::sudoku::GENERATOR_VERSION;
use crate::sudoku::logic::RATER_VERSION;
use crate::sudoku::solve::Isa;

/// The service.
#[derive(Debug)]
pub(super) struct Admin<S> {
    store: S,
    workers: u32,
    backup_dir: Option<PathBuf>,
}

impl<S: JobStore> Admin<S> {
    /// For a store and what the server was told.
    pub(super) fn new(store: S, settings: &Settings) -> Self {
        Self {
            store,
            workers: u32::try_from(settings.workers.get()).unwrap_or(u32::MAX),
            backup_dir: settings.backup_dir.clone(),
        }
    }
}

type Answer<T> = Result<Response<T>, Status>;

#[tonic::async_trait]
impl<S: JobStore> AdminService for Admin<S> {
    async fn get_server_info(
        &self,
        _: Request<pb::GetServerInfoRequest>,
    ) -> Answer<pb::GetServerInfoResponse> {
        Ok(Response::new(pb::GetServerInfoResponse {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            engine: Isa::current().name().to_owned(),
            store: self.store.backend().to_owned(),
            workers: self.workers,
            max_message_bytes: u32::try_from(limits::MAX_MESSAGE_BYTES).expect("4 MiB"),
            max_interactive_grids: limits::MAX_INTERACTIVE_GRIDS,
            max_interactive_puzzles: limits::MAX_INTERACTIVE_PUZZLES,
            max_job_items: MAX_JOB_ITEMS,
            max_ttl: Some(time::duration(MAX_TTL)),
            generator_version: GENERATOR_VERSION,
            rater_version: RATER_VERSION,
        }))
    }

    async fn get_queue(&self, _: Request<pb::GetQueueRequest>) -> Answer<pb::GetQueueResponse> {
        let queue = self.store.queue().await?;
        Ok(Response::new(pb::GetQueueResponse {
            paused: queue.paused,
            queued_jobs: queue.queued_jobs,
            running_chunks: queue.running_chunks,
            oldest_wait: Some(time::duration(queue.oldest_wait)),
            stored_bytes: queue.stored_bytes,
            stored_bytes_limit: queue.stored_bytes_limit,
        }))
    }

    async fn pause_queue(
        &self,
        _: Request<pb::PauseQueueRequest>,
    ) -> Answer<pb::PauseQueueResponse> {
        self.store.set_queue_paused(true).await?;
        tracing::info!("queue paused");
        Ok(Response::new(pb::PauseQueueResponse {}))
    }

    async fn resume_queue(
        &self,
        _: Request<pb::ResumeQueueRequest>,
    ) -> Answer<pb::ResumeQueueResponse> {
        self.store.set_queue_paused(false).await?;
        tracing::info!("queue resumed");
        Ok(Response::new(pb::ResumeQueueResponse {}))
    }

    async fn create_backup(
        &self,
        request: Request<pb::CreateBackupRequest>,
    ) -> Answer<pb::CreateBackupResponse> {
        let path = backup_path(self.backup_dir.as_deref(), &request.into_inner().file_name)?;
        let backup = self.store.backup(&path).await?;
        tracing::info!(path = %path.display(), bytes = backup.bytes, "backup written");
        Ok(Response::new(pb::CreateBackupResponse {
            bytes: backup.bytes,
            sha256: backup.sha256,
        }))
    }
}

/// A client names a file in the configured directory and cannot leave it.
fn backup_path(directory: Option<&Path>, name: &str) -> Result<PathBuf, Status> {
    let Some(directory) = directory else {
        let description =
            "the server has no place for backups: it was started without --backup-dir";
        return Err(bad_field("file_name", description));
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    if name.is_empty() || name.len() > 128 || name.starts_with('.') || !name.chars().all(is_plain) {
        let description = "expected 1 to 128 of a-z A-Z 0-9 . - _, the first no dot";
        return Err(bad_field("file_name", description));
    }
    Ok(directory.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backup_stays_in_its_directory() {
        let directory = Some(Path::new("/backups"));
        let path = backup_path(directory, "monday-1.db").expect("a plain name");
        assert_eq!(path, Path::new("/backups/monday-1.db"));
        for name in [
            "",
            ".",
            "..",
            ".hidden",
            "a/b",
            "../a",
            "a\\b",
            "a\0",
            "ü",
            &"x".repeat(129),
        ] {
            assert!(backup_path(directory, name).is_err(), "{name:?}");
        }
        assert!(backup_path(None, "monday-1.db").is_err());
    }
}
