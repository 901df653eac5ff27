//! `gridmill solve`: puzzles from a file or a pipe.

use clap::Args;

use super::exit::Result;
use super::input::InputFile;
use super::one_off::{OneOff, Order};
use crate::rpc::pb::{Job, SolveOptions, job};

/// Which puzzles, and how far.
#[derive(Debug, Clone, Args)]
pub(crate) struct Work {
    #[command(flatten)]
    pub(crate) input: InputFile,

    /// Stop counting a puzzle's solutions at this many; 2 tells one from several
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..))]
    count_limit: u64,
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
        input: Some(solve.work.input.open()?),
    };
    solve.one_off.run(order).await
}
