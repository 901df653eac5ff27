//! A piece of work that a command has done from beginning to end: create the job, feed it, follow its
//! results into the output. Whatever goes wrong, the job is cancelled and the part is removed.

use std::cell::OnceCell;
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use indicatif::HumanCount;
use uuid::Uuid;

use super::client::Client;
use super::exit::{Failure, Result};
use super::format::{Format, Kind, Renderer};
use super::input::{Input, TEXTS};
use super::output::{Output, Target, is_stdout};
use super::part::Unfinished;
use super::progress::{self, Progress};
use super::results::{self, Query, present};
use super::session::{self, Session, Through};
use super::signal::Interrupt;
use super::terminal;
use super::upload::upload;
use super::view;
use crate::jobs::items::Outcome;
use crate::rpc::pb::{CancelJobRequest, CreateJobRequest, Job, JobState, job};

/// How long a job that is given up may take to hear of it.
const CANCELLING: Duration = Duration::from_secs(2);

/// Where answers go and how they look.
#[derive(Debug, Clone, Args)]
pub(crate) struct Presentation {
    /// How answers are written; an item without one is a board of dots in lines and text,
    /// and ratings are the puzzles there
    /// [default: lines; csv for ratings]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,

    /// File for the answers, written as FILE.part and renamed when complete [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// How progress is shown, on the error stream
    #[arg(long, value_name = "STYLE", default_value = "auto")]
    pub(crate) progress: progress::Style,
}

impl Presentation {
    /// How answers of this kind are written.
    pub(crate) fn renderer(&self, kind: Kind) -> Renderer {
        Renderer::new(self.format.unwrap_or(kind.format()), kind)
    }

    /// Progress of work on `total` items.
    pub(crate) fn progress(&self, total: Option<u64>) -> Progress {
        let answers_on_stdout = self.output.as_deref().is_none_or(is_stdout);
        Progress::start(self.progress, total, answers_on_stdout)
    }

    /// Says what is in the file now, if there is one.
    fn tell_end(&self, kind: Kind, job: &Job) {
        let Some(path) = self.output.as_deref().filter(|path| !is_stdout(path)) else {
            return;
        };
        if self.progress == progress::Style::None {
            return;
        }
        let count = job.count.unwrap_or_default();
        let noun = match kind {
            Kind::Grids => "grid",
            Kind::Solutions => "answer",
            Kind::Puzzles | Kind::RatedPuzzles => "puzzle",
            Kind::Ratings => "rating",
            Kind::Forms => "form",
        };
        let plural = if count == 1 { "" } else { "s" };
        let seed = seed(job).map_or_else(String::new, |seed| format!(" (seed {seed})"));
        terminal::note(format_args!(
            "{} {noun}{plural} in {}{seed}",
            HumanCount(count),
            path.display()
        ));
    }
}

/// Arguments that all one-off commands have.
#[derive(Debug, Clone, Args)]
pub(crate) struct OneOff {
    #[command(flatten)]
    presentation: Presentation,

    #[command(flatten)]
    through: Through,
}

/// What is to be done.
pub(crate) struct Order {
    /// The job.
    pub(crate) job: Job,
    /// Its inputs, if it takes any, and whether the first malformed one ends it.
    pub(crate) input: Option<(Input, bool)>,
}

impl OneOff {
    /// Has it done.
    pub(crate) async fn run(self, order: Order) -> Result {
        let mut interrupt = Interrupt::listen()?;
        let work = order.job.work.as_ref().context("an order has work")?;
        let kind = Kind::of(work);
        let renderer = self.presentation.renderer(kind);
        let target = Target::open(
            self.presentation.output.as_deref(),
            Unfinished::Remove,
            &renderer,
        )?;
        let mut session = Session::open(self.through, &mut interrupt).await?;
        let Session { client, own } = &mut session;
        let name = OnceCell::new();
        let execution = Execution {
            client,
            presentation: &self.presentation,
            target,
            kind,
            renderer,
            name: &name,
        };
        let done = tokio::select! {
            done = execution.run(order) => done,
            signal = interrupt.received() => Err(Failure::Interrupted {
                signal,
                what: "interrupted; the work was cancelled",
            }),
            failure = session::stuck(own, client, &name) => Err(failure),
        };
        let done = done.map_err(|failure| match &session.own {
            Some(own) => own.explain(failure),
            None => failure,
        });
        if done.is_err()
            && let Some(name) = name.into_inner()
        {
            give_up(&session.client, name).await;
        }
        session.close().await;
        done
    }
}

struct Execution<'a> {
    client: &'a Client,
    presentation: &'a Presentation,
    target: Target,
    kind: Kind,
    renderer: Renderer,
    /// The job's, as soon as there is one to give up.
    name: &'a OnceCell<String>,
}

impl Execution<'_> {
    async fn run(mut self, order: Order) -> Result {
        let Order { job, input } = order;
        let is_seeded = seed(&job).is_some();
        let job = create(self.client, job, String::new()).await?;
        self.name.get_or_init(|| job.name.clone());
        if !is_seeded {
            tell_seed(&job);
        }
        let query = Query {
            name: job.name.clone(),
            start: 0,
            follow: true,
            inputs: self.renderer.shows_inputs(),
        };
        let progress = self.presentation.progress(job.count);
        let reading = input.map(|(input, is_strict)| {
            let mut texts = None;
            if self.renderer.shows_inputs() {
                let (sender, receiver) = mpsc::sync_channel(TEXTS);
                self.renderer.show_malformed(receiver);
                texts = Some(sender);
            }
            input.start(is_strict, texts)
        });
        let mut output = Output::start(self.target, self.renderer);
        let results = results::stream(self.client, query, &mut output, &progress);
        let (job, _) = match reading {
            None => results.await?,
            Some(reading) => {
                let upload = async {
                    let job = upload(self.client, &job.name, reading).await?;
                    progress.set_total(job.count.unwrap_or_default());
                    Ok(())
                };
                tokio::try_join!(results, upload)?.0
            }
        };
        succeeded(&job)?;
        output.finish().await?;
        progress.end();
        report(&job)?;
        self.presentation.tell_end(self.kind, &job);
        Ok(())
    }
}

/// Creates a job. The request may be sent again: the server knows it by its id.
pub(crate) async fn create(client: &Client, job: Job, job_id: String) -> Result<Job> {
    let request = CreateJobRequest {
        job: Some(job),
        job_id,
        request_id: Uuid::now_v7().to_string(),
        ..CreateJobRequest::default()
    };
    submit(client, request).await
}

/// Sends a request for a job until it is answered.
pub(crate) async fn submit(client: &Client, request: CreateJobRequest) -> Result<Job> {
    let created = client
        .persist(|mut jobs| {
            let request = request.clone();
            async move { jobs.create_job(request).await }
        })
        .await?;
    present(created.job)
}

/// Asks for the job's end, but not for long: the command is about to end itself.
pub(crate) async fn give_up(client: &Client, name: String) {
    let mut jobs = client.jobs();
    let cancel = jobs.cancel_job(CancelJobRequest { name });
    match tokio::time::timeout(CANCELLING, cancel).await {
        Ok(Ok(_)) => {}
        Ok(Err(status)) => tracing::debug!("cannot cancel the job: {status}"),
        Err(_) => tracing::debug!("cannot cancel the job: no answer"),
    }
}

/// The seed that a job's bytes depend on.
fn seed(job: &Job) -> Option<u64> {
    match job.work.as_ref()? {
        job::Work::Generate(options) => options.seed,
        job::Work::MakePuzzle(options) => options.seed,
        _ => None,
    }
}

/// Says which seed was drawn, so that the same answers can be had again.
pub(crate) fn tell_seed(job: &Job) {
    if let Some(seed) = seed(job) {
        terminal::note(format_args!("seed {seed}"));
    }
}

/// Fails unless every item has its answer.
fn succeeded(job: &Job) -> Result {
    match job.state() {
        JobState::Succeeded | JobState::PartiallyFailed => Ok(()),
        _ => {
            let state = view::state(job);
            let why = job
                .error
                .as_ref()
                .map_or("", |error| error.message.as_str());
            Err(Failure::Unsuccessful(format!(
                "{} is {state} and not complete{}{why}",
                job.name,
                if why.is_empty() { "" } else { ": " },
            )))
        }
    }
}

/// Fails if something is not as it was wished; what there is was written.
fn report(job: &Job) -> Result {
    let counts = job
        .progress
        .as_ref()
        .map(|progress| &progress.outcome_counts);
    let count = |outcome: Outcome| {
        let counted = counts.and_then(|counts| counts.get(outcome.name()));
        counted.copied().unwrap_or_default()
    };
    let total = job.count.unwrap_or_default();
    let mut lacks = Vec::new();
    if let missing @ 1.. = count(Outcome::NotFound) {
        let progress = job.progress.iter();
        let turned_down: Vec<_> = progress
            .flat_map(|progress| &progress.rejections)
            .map(|(option, candidates)| format!("{option} {candidates}"))
            .collect();
        lacks.push(format!(
            "{missing} of {total} puzzles were not found; their places are empty; \
             candidates turned down: {}",
            turned_down.join(", ")
        ));
    }
    if let (Some(job::Work::MakePuzzle(_)), malformed @ 1..) =
        (&job.work, count(Outcome::Malformed))
    {
        lacks.push(format!(
            "{malformed} of {total} solutions are no complete grids; their places are empty"
        ));
    }
    if let Some(job::Work::Rate(_)) = &job.work {
        let unrated = [
            (Outcome::Multiple, "have several solutions"),
            (Outcome::None, "have no solution"),
            (Outcome::StepLimit, "take more steps than the limit"),
            (Outcome::Malformed, "are no puzzles"),
        ];
        for (outcome, what) in unrated {
            if let unrated @ 1.. = count(outcome) {
                lacks.push(format!(
                    "{unrated} of {total} lines {what}; they have no rating"
                ));
            }
        }
    }
    if let faults @ 1.. = count(Outcome::Fault) {
        lacks.push(format!(
            "{faults} of {total} items could not be worked on; their outcome is \"fault\""
        ));
    }
    if lacks.is_empty() {
        return Ok(());
    }
    Err(Failure::Unsuccessful(lacks.join("\n")))
}
