//! `gridmill job watch`: a job to its end.

use clap::Args;

use super::{Name, Server};
use crate::cli::client::{Client, Patience};
use crate::cli::exit::{Failure, Result};
use crate::cli::progress::{self, Progress};
use crate::cli::signal::Interrupt;
use crate::cli::{terminal, view};
use crate::rpc::pb::watch_job_response::Event;
use crate::rpc::pb::{Job, JobState, WatchJobRequest};

/// Arguments of `gridmill job watch`.
#[derive(Debug, Clone, Args)]
pub(super) struct Watch {
    #[command(flatten)]
    name: Name,

    /// How progress is shown, on the error stream; states go to standard output
    #[arg(long, value_name = "STYLE", default_value = "auto")]
    progress: progress::Style,
}

pub(super) async fn run(server: &Server, watch: Watch) -> Result {
    let mut interrupt = Interrupt::listen()?;
    let client = server.connect().await?;
    let job = tokio::select! {
        job = follow(&client, watch.name.resource(), watch.progress) => job?,
        signal = interrupt.received() => return Err(Failure::Interrupted {
            signal,
            what: "detached; the job goes on",
        }),
    };
    if job.state() == JobState::Succeeded {
        return Ok(());
    }
    let why = job
        .error
        .as_ref()
        .map_or("", |error| error.message.as_str());
    let colon = if why.is_empty() { "" } else { ": " };
    Err(Failure::Unsuccessful(format!(
        "{} is {}{colon}{why}",
        job.name,
        view::state(&job)
    )))
}

/// Prints each new state and returns the job when it has ended.
async fn follow(client: &Client, name: String, style: progress::Style) -> Result<Job> {
    let mut patience = Patience::new();
    let mut seen: Option<Job> = None;
    let mut progress = None;
    loop {
        let request = WatchJobRequest {
            name: name.clone(),
            known_revision: seen.as_ref().map_or(0, |job| job.revision),
        };
        let broken = match client.jobs().watch_job(request).await {
            Err(status) => Some(status),
            Ok(response) => {
                let mut events = response.into_inner();
                loop {
                    match events.message().await {
                        Ok(Some(message)) => {
                            patience.renew();
                            let Some(Event::Job(job)) = message.event else {
                                continue;
                            };
                            show(&job, seen.as_ref(), &mut progress, style)?;
                            seen = Some(job);
                        }
                        // The last event is the job's end.
                        Ok(None) => break None,
                        Err(status) => break Some(status),
                    }
                }
            }
        };
        match (broken, seen.take()) {
            (None, Some(job)) if has_ended(&job) => return Ok(job),
            (broken, job) => {
                seen = job;
                let cut = || tonic::Status::unavailable("the watch ended before the job did");
                patience.wait(broken.unwrap_or_else(cut)).await?;
            }
        }
    }
}

fn show(
    job: &Job,
    before: Option<&Job>,
    progress: &mut Option<Progress>,
    style: progress::Style,
) -> Result {
    let how_far = job.progress.clone().unwrap_or_default();
    let bar = progress.get_or_insert_with(|| Progress::start(style, None, false));
    bar.set_total(how_far.total);
    bar.set_done(how_far.done);
    if before.is_some_and(|before| before.state == job.state) {
        return Ok(());
    }
    let line = format!("{} {} {}", job.name, view::state(job), view::done(job));
    bar.suspend(|| terminal::print(line))
}

/// Whether nothing will change any more.
pub(super) fn has_ended(job: &Job) -> bool {
    matches!(
        job.state(),
        JobState::Succeeded
            | JobState::PartiallyFailed
            | JobState::Failed
            | JobState::Cancelled
            | JobState::Expired
    )
}
