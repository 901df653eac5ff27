//! `gridmill job`: durable work on a server.

mod control;
mod failures;
mod list;
mod results;
mod submit;
mod watch;

use clap::{Args, Subcommand};

use super::client::{Client, ServerUrl};
use super::exit::Result;

/// Where the server is.
#[derive(Debug, Clone, Args)]
pub(crate) struct Server {
    /// Server to talk to
    #[arg(
        long,
        global = true,
        env = "GRIDMILL_SERVER",
        value_name = "http://HOST:PORT",
        default_value = "http://127.0.0.1:50051"
    )]
    server: ServerUrl,
}

impl Server {
    pub(crate) async fn connect(&self) -> Result<Client> {
        Client::connect(&self.server).await
    }
}

/// A job that exists.
#[derive(Debug, Clone, Args)]
struct Name {
    /// The job: jobs/ID or ID
    #[arg(value_name = "JOB")]
    job: String,
}

impl Name {
    /// The resource name, `jobs/{id}`.
    fn resource(&self) -> String {
        if self.job.starts_with("jobs/") {
            self.job.clone()
        } else {
            format!("jobs/{}", self.job)
        }
    }
}

/// Arguments of `gridmill job`.
#[derive(Debug, Clone, Args)]
pub(crate) struct Job {
    #[command(flatten)]
    server: Server,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Clone, Subcommand)]
enum Command {
    /// Submit a job and print its name
    Submit(Box<submit::Submit>),
    /// List jobs, newest first
    List(list::List),
    /// Show a job
    Get(list::Get),
    /// Follow a job to its end; the exit code is 1 if it does not succeed
    Watch(watch::Watch),
    /// Write a job's results, in order; the exit code is 1 if the job ended without all of them
    Results(results::Results),
    /// Cancel a job; its finished results stay
    Cancel(control::Cancel),
    /// Keep a job from going on
    Pause(control::Pause),
    /// Let a paused job go on
    Resume(control::Resume),
    /// Delete a job and its results
    Delete(control::Delete),
    /// List items that could not be worked on
    Failures(failures::Failures),
}

pub(super) async fn run(job: Job) -> Result {
    let Job { server, command } = job;
    match command {
        Command::Submit(submit) => submit::run(&server, *submit).await,
        Command::List(list) => list::list(&server, list).await,
        Command::Get(get) => list::get(&server, get).await,
        Command::Watch(watch) => watch::run(&server, watch).await,
        Command::Results(results) => results::run(&server, results).await,
        Command::Cancel(cancel) => control::cancel(&server, cancel).await,
        Command::Pause(pause) => control::pause(&server, pause).await,
        Command::Resume(resume) => control::resume(&server, resume).await,
        Command::Delete(delete) => control::delete(&server, delete).await,
        Command::Failures(failures) => failures::run(&server, failures).await,
    }
}
