//! `gridmill rate`: how hard the puzzles of a file or a pipe are.

use clap::Args;

use super::exit::Result;
use super::input::InputFile;
use super::one_off::{OneOff, Order};
use crate::rpc::pb::{Job, RateOptions, job};

/// Which puzzles, and how.
#[derive(Debug, Clone, Args)]
pub(crate) struct Work {
    #[command(flatten)]
    pub(crate) input: InputFile,

    /// Steps of the search for deductions a puzzle, after which it has no rating
    /// [default: 100000000, about a minute]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    step_limit: Option<u64>,
}

impl Work {
    /// The job that does it; its inputs are uploaded.
    pub(crate) fn job(&self) -> Job {
        let options = RateOptions {
            step_limit: self.step_limit.unwrap_or_default(),
            ..RateOptions::default()
        };
        Job {
            work: Some(job::Work::Rate(options)),
            ..Job::default()
        }
    }
}

/// Arguments of `gridmill rate`.
#[derive(Debug, Clone, Args)]
#[command(
    after_help = "The exit code is 1 if some puzzles have no rating: they have no solution, several, or more steps \
                  than the limit, or they are no puzzles."
)]
pub(crate) struct Rate {
    #[command(flatten)]
    work: Work,

    #[command(flatten)]
    one_off: OneOff,
}

pub(super) async fn run(rate: Rate) -> Result {
    let order = Order {
        job: rate.work.job(),
        input: Some(rate.work.input.open()?),
    };
    rate.one_off.run(order).await
}
