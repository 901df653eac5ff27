//! `gridmill job list | get`.

use std::fmt;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::submit::Label;
use super::{Name, Server};
use crate::cli::exit::Result;
use crate::cli::results::present;
use crate::cli::terminal;
use crate::cli::view::{self, Look};
use crate::jobs::job::JobState;
use crate::rpc::pb::{GetJobRequest, Job, ListJobsRequest};

/// Jobs that are asked for at a time.
const PAGE: i32 = 500;

/// Arguments of `gridmill job list`.
#[derive(Debug, Clone, Args)]
pub(super) struct List {
    /// Only jobs in this state; may be given several times
    #[arg(long, value_name = "STATE", value_parser = states(), ignore_case = true)]
    state: Vec<JobState>,

    /// Only jobs with this label; may be given several times
    #[arg(long, value_name = "K=V")]
    label: Vec<Label>,

    #[command(flatten)]
    look: Look,
}

fn states() -> impl TypedValueParser<Value = JobState> {
    PossibleValuesParser::new(JobState::ALL.map(JobState::name)).try_map(|name| {
        let state = JobState::ALL
            .into_iter()
            .find(|state| state.name().eq_ignore_ascii_case(&name));
        state.ok_or("no such state")
    })
}

pub(super) async fn list(server: &Server, list: List) -> Result {
    let client = server.connect().await?;
    let mut request = ListJobsRequest {
        page_size: PAGE,
        // The numbers of the states are those of the API.
        states: list.state.iter().map(|&state| state as i32).collect(),
        labels: list.label.into_iter().map(Label::into_pair).collect(),
        ..ListJobsRequest::default()
    };
    let mut is_first = true;
    loop {
        let page = client.jobs().list_jobs(request.clone()).await?.into_inner();
        for job in &page.jobs {
            if list.look.json {
                terminal::print(view::job(job).json())?;
            } else {
                if std::mem::take(&mut is_first) {
                    terminal::print(Row::header())?;
                }
                terminal::print(Row::of(job))?;
            }
        }
        if page.next_page_token.is_empty() {
            return Ok(());
        }
        request.page_token = page.next_page_token;
    }
}

/// A line of the list.
struct Row<'a> {
    name: &'a str,
    state: &'a str,
    work: &'a str,
    created: String,
    done: String,
}

impl<'a> Row<'a> {
    fn header() -> Self {
        Self {
            name: "NAME",
            state: "STATE",
            work: "WORK",
            created: "CREATED".to_owned(),
            done: "DONE".to_owned(),
        }
    }

    fn of(job: &'a Job) -> Self {
        Self {
            name: &job.name,
            state: view::state(job),
            work: view::work(job).0,
            done: view::done(job),
            created: view::time(job.create_time).unwrap_or_default(),
        }
    }
}

impl fmt::Display for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            state,
            work,
            done,
            created,
        } = self;
        write!(
            f,
            "{name:<42}  {state:<16}  {work:<12}  {created:<20}  {done}"
        )
    }
}

/// Arguments of `gridmill job get`.
#[derive(Debug, Clone, Args)]
pub(super) struct Get {
    #[command(flatten)]
    name: Name,

    #[command(flatten)]
    look: Look,
}

pub(super) async fn get(server: &Server, get: Get) -> Result {
    let name = get.name.resource();
    let answer = server
        .connect()
        .await?
        .jobs()
        .get_job(GetJobRequest { name })
        .await?;
    get.look
        .show(&view::job(&present(answer.into_inner().job)?))
}
