//! `gridmill job results`: a download that goes on where the last one ended.

use clap::Args;
use indicatif::HumanCount;

use super::watch::has_ended;
use super::{Name, Server};
use crate::cli::exit::{Failure, Result};
use crate::cli::format::Kind;
use crate::cli::one_off::Presentation;
use crate::cli::output::{Output, Target};
use crate::cli::part::Unfinished;
use crate::cli::results::{Query, present, stream};
use crate::cli::signal::Interrupt;
use crate::cli::{terminal, view};
use crate::rpc::pb::{GetJobRequest, JobState};

/// Arguments of `gridmill job results`.
#[derive(Debug, Clone, Args)]
pub(super) struct Results {
    #[command(flatten)]
    name: Name,

    /// Index of the first result
    #[arg(long, value_name = "I", default_value_t = 0)]
    start: u64,

    /// Wait for more until the job ends
    #[arg(long)]
    follow: bool,

    #[command(flatten)]
    presentation: Presentation,
}

pub(super) async fn run(server: &Server, results: Results) -> Result {
    let mut interrupt = Interrupt::listen()?;
    let client = server.connect().await?;
    let name = results.name.resource();
    let request = GetJobRequest { name: name.clone() };
    let job = present(client.jobs().get_job(request).await?.into_inner().job)?;
    let kind = job.work.as_ref().map(Kind::of).ok_or_else(|| {
        Failure::Data(format!(
            "{name} does work whose results this version cannot write"
        ))
    })?;

    let presentation = &results.presentation;
    let renderer = presentation.renderer(kind);
    let target = Target::open(presentation.output.as_deref(), Unfinished::Keep, &renderer)?;
    let start = results.start;
    let query = Query {
        name,
        // The last record of an earlier part comes again, to be compared.
        start: start + target.records().saturating_sub(1),
        follow: results.follow,
        inputs: renderer.shows_inputs(),
    };
    let progress = presentation.progress(job.progress.map(|progress| progress.total));
    let mut output = Output::start(target, renderer);
    let streamed = tokio::select! {
        streamed = stream(&client, query, &mut output, &progress) => streamed,
        signal = interrupt.received() => Err(Failure::Interrupted {
            signal,
            what: "detached; the job goes on",
        }),
    };
    let (job, end) = match streamed {
        Ok(streamed) => streamed,
        Err(failure) => {
            // The failure says more than what the part's may say.
            if let Ok(Some(part)) = output.suspend().await {
                terminal::note(format_args!(
                    "what came so far is in {}; the same command goes on from there",
                    part.display()
                ));
            }
            return Err(failure);
        }
    };
    if has_ended(&job) || !output.is_part() {
        output.finish().await?;
    } else if let Some(part) = output.suspend().await? {
        return Err(Failure::Unfinished(format!(
            "{} is {}; what is done so far is in {}, and the same command goes on from there",
            job.name,
            view::state(&job),
            part.display()
        )));
    }
    progress.end();
    match job.state() {
        JobState::Succeeded => {}
        JobState::Failed | JobState::Cancelled | JobState::Expired => {
            let total = job.progress.as_ref().map_or(0, |progress| progress.total);
            return Err(Failure::Unsuccessful(format!(
                "{} is {}: {} of {} results were written",
                job.name,
                view::state(&job),
                HumanCount(end.saturating_sub(start)),
                HumanCount(total.saturating_sub(start)),
            )));
        }
        _ => terminal::note(format_args!("{} is {}", job.name, view::state(&job))),
    }
    Ok(())
}
