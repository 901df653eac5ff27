//! `gridmill job cancel | pause | resume | delete`.

use clap::Args;

use super::{Name, Server};
use crate::cli::exit::Result;
use crate::cli::results::present;
use crate::cli::{terminal, view};
use crate::rpc::pb::{CancelJobRequest, DeleteJobRequest, Job, PauseJobRequest, ResumeJobRequest};

/// Arguments of `gridmill job cancel`.
#[derive(Debug, Clone, Args)]
pub(super) struct Cancel {
    #[command(flatten)]
    name: Name,
}

/// Arguments of `gridmill job pause`.
#[derive(Debug, Clone, Args)]
pub(super) struct Pause {
    #[command(flatten)]
    name: Name,
}

/// Arguments of `gridmill job resume`.
#[derive(Debug, Clone, Args)]
pub(super) struct Resume {
    #[command(flatten)]
    name: Name,
}

/// Arguments of `gridmill job delete`.
#[derive(Debug, Clone, Args)]
pub(super) struct Delete {
    #[command(flatten)]
    name: Name,

    /// Cancel it first if it has not ended
    #[arg(long)]
    force: bool,

    /// A job that does not exist is no error
    #[arg(long)]
    allow_missing: bool,
}

pub(super) async fn cancel(server: &Server, cancel: Cancel) -> Result {
    let name = cancel.name.resource();
    let answer = server
        .connect()
        .await?
        .jobs()
        .cancel_job(CancelJobRequest { name })
        .await?;
    tell(answer.into_inner().job)
}

pub(super) async fn pause(server: &Server, pause: Pause) -> Result {
    let name = pause.name.resource();
    let answer = server
        .connect()
        .await?
        .jobs()
        .pause_job(PauseJobRequest { name })
        .await?;
    tell(answer.into_inner().job)
}

pub(super) async fn resume(server: &Server, resume: Resume) -> Result {
    let name = resume.name.resource();
    let answer = server
        .connect()
        .await?
        .jobs()
        .resume_job(ResumeJobRequest { name })
        .await?;
    tell(answer.into_inner().job)
}

pub(super) async fn delete(server: &Server, delete: Delete) -> Result {
    let request = DeleteJobRequest {
        name: delete.name.resource(),
        force: delete.force,
        allow_missing: delete.allow_missing,
    };
    let name = request.name.clone();
    server.connect().await?.jobs().delete_job(request).await?;
    terminal::print(format_args!("{name} deleted"))
}

/// Prints the state that a job has now.
fn tell(job: Option<Job>) -> Result {
    let job = present(job)?;
    terminal::print(format_args!("{} {}", job.name, view::state(&job)))
}
