//! `gridmill canon`: canonical forms of the grids and puzzles of a file or a pipe.

use std::path::PathBuf;

use clap::Args;

use super::exit::Result;
use super::input::Input;
use super::one_off::{OneOff, Order};
use crate::rpc::pb::{CanonicalizeOptions, Job, job};

/// Which grids and puzzles.
#[derive(Debug, Clone, Args)]
pub(crate) struct Work {
    /// File of grids or puzzles: lines of 81 cells or boards of nine rows; - is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,

    /// Stop at the first line that is no puzzle; otherwise its place stays empty
    #[arg(long)]
    pub(crate) strict: bool,
}

impl Work {
    /// The job that does it; its inputs are uploaded.
    pub(crate) fn job() -> Job {
        Job {
            work: Some(job::Work::Canonicalize(CanonicalizeOptions {})),
            ..Job::default()
        }
    }

    /// Opens the file.
    pub(crate) fn input(&self) -> Result<Input> {
        Input::open(&self.file)
    }
}

/// Arguments of `gridmill canon`.
#[derive(Debug, Clone, Args)]
pub(crate) struct Canon {
    #[command(flatten)]
    work: Work,

    #[command(flatten)]
    one_off: OneOff,
}

pub(super) async fn run(canon: Canon) -> Result {
    let order = Order {
        job: Work::job(),
        input: Some((canon.work.input()?, canon.work.strict)),
    };
    canon.one_off.run(order).await
}
