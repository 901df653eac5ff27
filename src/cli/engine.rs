//! The instruction set that this process computes with, chosen before anything is solved.
//!
//! `serve` has a flag for it. Other commands that compute in their own process heed its variable alone:
//! what it should be is a matter of the machine, and `bench solve --engine` is something else.

use std::env;

use super::exit::{Failure, Result};
use crate::config::{self, ENGINE};
use crate::sudoku::solve::Isa;

/// As `serve` was told; otherwise [`Isa::current`] is left to choose.
pub(super) fn choose(engine: Option<Isa>) -> Result {
    compute_with(engine, &format!("--engine ({ENGINE})"))
}

/// As the environment says; otherwise [`Isa::current`] is left to choose.
pub(super) fn choose_by_environment() -> Result {
    let engine = env::var_os(ENGINE).map(|name| config::engine(&name.to_string_lossy()));
    compute_with(engine.transpose().map_err(Failure::Usage)?, ENGINE)
}

fn compute_with(engine: Option<Isa>, setting: &str) -> Result {
    let chosen = engine.map_or(Ok(()), Isa::choose);
    chosen.map_err(|error| Failure::Usage(format!("{setting}: {error}")))
}
