//! `gridmill canon`: canonical forms of the grids and puzzles of a file or a pipe.

use clap::Args;

use super::exit::Result;
use super::input::InputFile;
use super::one_off::{OneOff, Order};
use crate::rpc::pb::job::Work;
use crate::rpc::pb::{CanonicalizeOptions, Job};

/// Arguments of `gridmill canon`.
#[derive(Debug, Clone, Args)]
pub(crate) struct Canon {
    #[command(flatten)]
    input: InputFile,

    #[command(flatten)]
    one_off: OneOff,
}

/// The job that finds them; its inputs are uploaded.
pub(super) fn job() -> Job {
    Job {
        work: Some(Work::Canonicalize(CanonicalizeOptions {})),
        ..Job::default()
    }
}

pub(super) async fn run(canon: Canon) -> Result {
    let order = Order {
        job: job(),
        input: Some(canon.input.open()?),
    };
    canon.one_off.run(order).await
}
