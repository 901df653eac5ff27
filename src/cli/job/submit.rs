//! `gridmill job submit`.

use std::str::FromStr;
use std::time::Duration;

use clap::{Args, Subcommand};
use uuid::Uuid;

use super::Server;
use crate::cli::exit::{Failure, Result};
use crate::cli::input::{InputFile, Reading};
use crate::cli::one_off::{give_up, submit, tell_seed};
use crate::cli::signal::Interrupt;
use crate::cli::upload::upload;
use crate::cli::{canon, generate, make, rate, solve, terminal};
use crate::rpc::pb::{CreateJobRequest, Job, JobState};

/// Arguments of `gridmill job submit`.
#[derive(Debug, Clone, Args)]
pub(super) struct Submit {
    #[command(subcommand)]
    work: Work,
}

#[derive(Debug, Clone, Subcommand)]
enum Work {
    /// Generate grids
    Generate {
        #[command(flatten)]
        work: generate::Work,
        #[command(flatten)]
        terms: Terms,
    },
    /// Make puzzles
    Make {
        #[command(flatten)]
        work: make::Work,
        #[command(flatten)]
        terms: Terms,
    },
    /// Solve puzzles from a file or a pipe; the name is printed when all are uploaded
    Solve {
        #[command(flatten)]
        work: solve::Work,
        #[command(flatten)]
        terms: Terms,
    },
    /// Rate puzzles from a file or a pipe, in the same way
    Rate {
        #[command(flatten)]
        work: rate::Work,
        #[command(flatten)]
        terms: Terms,
    },
    /// Find the canonical forms of grids and puzzles from a file or a pipe, in the same way
    Canon {
        #[command(flatten)]
        input: InputFile,
        #[command(flatten)]
        terms: Terms,
    },
}

/// The terms of a job.
#[derive(Debug, Clone, Args)]
struct Terms {
    /// Place in the queue, -100 to 100, higher first
    #[arg(long, value_name = "P", default_value_t = 0, allow_negative_numbers = true, value_parser = clap::value_parser!(i32).range(-100..=100))]
    priority: i32,

    /// A label of your own; may be given several times
    #[arg(long, value_name = "K=V")]
    label: Vec<Label>,

    /// How long results are kept after the end, as 90m or 7d, 30 days at most [default: 72h]
    #[arg(long, value_name = "D", value_parser = humantime::parse_duration)]
    ttl: Option<Duration>,

    /// Name of your own: a letter, then up to 62 letters, digits and hyphens, all lower case [default: the server draws one]
    #[arg(long, value_name = "ID")]
    job_id: Option<String>,

    /// UUID of this request: a repetition with the same one returns the same job
    #[arg(long, value_name = "UUID")]
    request_id: Option<Uuid>,
}

/// A label, `KEY=VALUE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Label {
    key: String,
    value: String,
}

impl Label {
    pub(super) fn into_pair(self) -> (String, String) {
        (self.key, self.value)
    }
}

impl FromStr for Label {
    type Err = &'static str;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        match text.split_once('=') {
            Some((key, value)) if !key.is_empty() => Ok(Self {
                key: key.to_owned(),
                value: value.to_owned(),
            }),
            _ => Err("expected KEY=VALUE"),
        }
    }
}

impl Terms {
    /// The request for a job on these terms.
    fn request(self, job: Job) -> Result<CreateJobRequest> {
        let ttl = self.ttl.map(prost_types::Duration::try_from).transpose();
        let ttl = ttl.map_err(|_| Failure::Usage("--ttl: it is too long".to_owned()))?;
        let request_id = self.request_id.unwrap_or_else(Uuid::now_v7);
        Ok(CreateJobRequest {
            job: Some(Job {
                priority: self.priority,
                labels: self.label.into_iter().map(Label::into_pair).collect(),
                ttl,
                ..job
            }),
            job_id: self.job_id.unwrap_or_default(),
            request_id: request_id.to_string(),
            ..CreateJobRequest::default()
        })
    }
}

pub(super) async fn run(server: &Server, arguments: Submit) -> Result {
    let mut interrupt = Interrupt::listen()?;
    let (request, input) = match arguments.work {
        Work::Generate { work, terms } => (terms.request(work.job())?, None),
        Work::Make { work, terms } => (terms.request(work.job())?, work.input()?),
        Work::Rate { work, terms } => {
            let input = work.input.open()?;
            (terms.request(work.job())?, Some(input))
        }
        Work::Canon { input, terms } => {
            let input = input.open()?;
            (terms.request(canon::job())?, Some(input))
        }
        Work::Solve { work, terms } => {
            let input = work.input.open()?;
            (terms.request(work.job())?, Some(input))
        }
    };
    let client = server.connect().await?;
    let job = submit(&client, request).await?;
    tell_seed(&job);
    // A repeated request may find its inputs there already.
    if let Some((input, is_strict)) = input
        && job.state() == JobState::Uploading
    {
        let reading: Reading = input.start(is_strict, None);
        let uploaded = tokio::select! {
            uploaded = upload(&client, &job.name, reading) => uploaded,
            signal = interrupt.received() => Err(Failure::Interrupted {
                signal,
                what: "interrupted; the job was cancelled",
            }),
        };
        if let Err(failure) = uploaded {
            give_up(&client, job.name).await;
            return Err(failure);
        }
    }
    terminal::print(job.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_has_a_key() {
        let label: Label = "team=night=shift".parse().expect("the first = counts");
        assert_eq!(
            label.into_pair(),
            ("team".to_owned(), "night=shift".to_owned())
        );
        assert!("a=".parse::<Label>().is_ok());
        for text in ["", "=x", "team"] {
            assert!(text.parse::<Label>().is_err(), "{text:?}");
        }
    }
}
