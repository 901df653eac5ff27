//! The command line.
//!
//! Here, and only here, the rooms meet: [`host`] puts store, workers and gRPC together, every other
//! command is a client of that. Work that a command starts for itself goes the same way as work for a
//! server, so there is one path to test and to measure.

mod admin;
mod batch;
mod bench;
mod canon;
mod client;
mod engine;
mod exit;
mod explain;
mod format;
mod generate;
mod hint;
pub mod host;
mod input;
mod job;
mod leftovers;
mod make;
mod one_off;
mod output;
mod part;
mod progress;
mod range;
mod rate;
mod results;
mod serve;
mod session;
mod signal;
mod solve;
mod standstill;
mod terminal;
mod upload;
mod view;

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Parser, Subcommand};
use tokio::runtime;

use self::exit::{Failure, Result};
use crate::config::{LogFormat, ServeSettings};
use crate::telemetry;

/// Threads of the async runtime. It moves bytes; computing and writing have threads of their own.
const RUNTIME_THREADS: usize = 2;

/// What a command other than `serve` logs.
const QUIET: &str = "warn";

/// Sudoku by the million: generates, makes and solves, through a durable queue.
#[derive(Debug, Parser)]
#[command(name = "gridmill", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run a server
    Serve(Box<ServeSettings>),
    /// Solve puzzles
    Solve(solve::Solve),
    /// Generate complete grids
    Generate(generate::Generate),
    /// Make puzzles with exactly one solution
    Make(make::Make),
    /// Rate puzzles: how hard they are for people
    Rate(rate::Rate),
    /// Find canonical forms: the same for all grids or puzzles that are images of one another
    Canon(canon::Canon),
    /// Explain a puzzle step by step, as people solve it
    Explain(explain::Explain),
    /// Give the next step from a board that is partly filled in
    Hint(hint::Hint),
    /// Submit jobs to a server and look after them
    Job(job::Job),
    /// Operate a server
    Admin(admin::Admin),
    /// Measure the core alone, without queue or server
    Bench(bench::Bench),
}

/// Does what the arguments say and returns the exit code. The first argument is the program's name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are answers; nobody may be reading either.
            let _ = error.print();
            let code = if error.use_stderr() {
                Failure::USAGE
            } else {
                0
            };
            return ExitCode::from(code);
        }
    };
    match execute(arguments.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if failure.code() != 0 {
                let _ = writeln!(io::stderr(), "error: {}", chain(&failure));
            }
            ExitCode::from(failure.code())
        }
    }
}

fn execute(command: Command) -> Result {
    let (filter, format) = match &command {
        Command::Serve(settings) => (settings.log.as_str(), settings.log_format),
        _ => (QUIET, LogFormat::Text),
    };
    telemetry::start(filter, format).map_err(|error| Failure::Usage(format!("--log: {error}")))?;
    match command {
        Command::Serve(settings) => block_on(serve::run(*settings)),
        Command::Solve(solve) => block_on(solve::run(solve)),
        Command::Generate(generate) => block_on(generate::run(generate)),
        Command::Make(make) => block_on(make::run(make)),
        Command::Rate(rate) => block_on(rate::run(rate)),
        Command::Canon(canon) => block_on(canon::run(canon)),
        Command::Explain(explain) => block_on(explain::run(explain)),
        Command::Hint(hint) => block_on(hint::run(hint)),
        Command::Job(job) => block_on(job::run(job)),
        Command::Admin(admin) => block_on(admin::run(admin)),
        Command::Bench(bench) => bench::run(bench),
    }
}

/// Runs a command that talks to a server, its own or another.
fn block_on(command: impl Future<Output = Result>) -> Result {
    let runtime = runtime::Builder::new_multi_thread()
        .worker_threads(RUNTIME_THREADS)
        .enable_all()
        .build()
        .context("cannot start the async runtime")?;
    let done = runtime.block_on(command);
    // A thread may be reading from a terminal; nothing is left to wait for.
    runtime.shutdown_background();
    done
}

/// The message and those of its causes.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let message = error.to_string();
        // Some errors say what their cause says.
        if !text.ends_with(&message) {
            text = format!("{text}: {message}");
        }
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn wrong_arguments_are_usage_errors() {
        for line in [
            "gridmill",
            "gridmill frobnicate",
            "gridmill generate",
            "gridmill generate --count many",
            "gridmill generate --count 1 --first-digit 10",
            "gridmill generate --count 1 --server http://a:1 --database sqlite:x",
            "gridmill make --count 1 --symmetry askew",
            "gridmill job submit generate --count 1 --priority 101",
        ] {
            let arguments = line.split(' ').map(OsString::from);
            assert_eq!(run(arguments), ExitCode::from(64), "{line}");
        }
    }

    #[test]
    fn a_server_may_be_named_before_and_behind_the_subcommand() {
        for line in [
            "gridmill job --server http://a:1 list",
            "gridmill job list --server http://a:1",
            "gridmill job submit generate --count 1 --priority -5 --server http://a:1",
        ] {
            Arguments::try_parse_from(line.split(' ')).expect(line);
        }
    }

    #[test]
    fn causes_are_told_once() {
        let cause = io::Error::other("the disk is on fire");
        let failure = Failure::Input {
            name: "a.txt".to_owned(),
            source: cause,
        };
        assert_eq!(chain(&failure), "cannot read a.txt: the disk is on fire");
    }
}
