//! `gridmill solve`: puzzles from a file or a pipe.

use std::path::PathBuf;

use clap::Args;

use super::exit::Result;
use super::input::Input;
use super::one_off::{OneOff, Order};
use crate::rpc::pb::{Job, SolveOptions, job};

/// Which puzzles, and how far.
#[derive(Debug, Clone, Args)]
pub(crate) struct Work {
    /// File of puzzles: lines of 81 cells or boards of nine rows; - is standard input. Csv and jsonl
    /// are formats of answers and are not read
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,

    /// Stop counting a puzzle's solutions at this many; 2 tells one from several
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..))]
    count_limit: u64,

    /// Stop at the first line that is no puzzle; otherwise it becomes a row with the outcome "malformed"
    #[arg(long)]
    pub(crate) strict: bool,
}

impl Work {
    /// The job that does it; its inputs are uploaded.
    pub(crate) fn job(&self) -> Job {
        Job {
            work: Some(job::Work::Solve(SolveOptions {
                count_limit: self.count_limit,
                step_limit: 0,
            })),
            ..Job::default()
        }
    }

    /// Opens the file.
    pub(crate) fn input(&self) -> Result<Input> {
        Input::open(&self.file)
    }
}

/// Arguments of `gridmill solve`.
#[derive(Debug, Clone, Args)]
pub(crate) struct Solve {
    #[command(flatten)]
    work: Work,

    #[command(flatten)]
    one_off: OneOff,
}

pub(super) async fn run(solve: Solve) -> Result {
    let order = Order {
        job: solve.work.job(),
        input: Some((solve.work.input()?, solve.work.strict)),
    };
    solve.one_off.run(order).await
}
