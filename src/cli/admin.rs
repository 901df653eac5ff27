//! `gridmill admin`: the server as its operator sees it.

use clap::{Args, Subcommand};

use super::exit::Result;
use super::job::Server;
use super::terminal;
use super::view::{self, Look, View};
use crate::rpc::pb::{
    CreateBackupRequest, GetQueueRequest, GetServerInfoRequest, PauseQueueRequest,
    ResumeQueueRequest,
};

/// Arguments of `gridmill admin`.
#[derive(Debug, Clone, Args)]
pub(crate) struct Admin {
    #[command(flatten)]
    server: Server,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Clone, Subcommand)]
enum Command {
    /// Show the server's version and limits
    Info(Look),
    /// Show the queue
    Queue(Look),
    /// Start no more work, in any job, until it is resumed
    Pause,
    /// Start work again
    Resume,
    /// Copy the database while it serves, and print the copy's size and SHA-256
    Backup {
        /// Name of a new file in the server's backup directory
        file_name: String,
    },
}

pub(super) async fn run(admin: Admin) -> Result {
    let mut service = admin.server.connect().await?.admin();
    match admin.command {
        Command::Info(look) => {
            let info = service
                .get_server_info(GetServerInfoRequest {})
                .await?
                .into_inner();
            let view = View::default()
                .with("version", info.version)
                .with("engine", info.engine)
                .with("store", info.store)
                .with("workers", info.workers)
                .with("max_message_bytes", info.max_message_bytes)
                .with("max_interactive_grids", info.max_interactive_grids)
                .with("max_interactive_puzzles", info.max_interactive_puzzles)
                .with("max_job_items", info.max_job_items)
                .with("max_ttl", view::span(info.max_ttl))
                .with("generator_version", info.generator_version)
                .with("rater_version", info.rater_version);
            look.show(&view)
        }
        Command::Queue(look) => {
            let queue = service.get_queue(GetQueueRequest {}).await?.into_inner();
            let view = View::default()
                .with("paused", queue.paused)
                .with("queued_jobs", queue.queued_jobs)
                .with("running_chunks", queue.running_chunks)
                .with("oldest_wait", view::span(queue.oldest_wait))
                .with("stored_bytes", queue.stored_bytes)
                .with("stored_bytes_limit", queue.stored_bytes_limit);
            look.show(&view)
        }
        Command::Pause => {
            service.pause_queue(PauseQueueRequest {}).await?;
            terminal::print("the queue is paused")
        }
        Command::Resume => {
            service.resume_queue(ResumeQueueRequest {}).await?;
            terminal::print("the queue goes on")
        }
        Command::Backup { file_name } => {
            let backup = service
                .create_backup(CreateBackupRequest { file_name })
                .await?
                .into_inner();
            terminal::print(format_args!(
                "{} bytes, sha256 {}",
                backup.bytes, backup.sha256
            ))
        }
    }
}
