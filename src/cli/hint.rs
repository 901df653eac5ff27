//! `gridmill hint`: the next step from a board that is partly filled in.

use anyhow::Context;
use clap::Args;

use super::client::Client;
use super::exit::{Failure, Result};
use super::explain::{end, told};
use super::session::{Session, Through};
use super::terminal;
use crate::rpc::pb::hint_response::Event;
use crate::rpc::pb::{HintRequest, Outcome};

/// Arguments of `gridmill hint`.
#[derive(Debug, Clone, Args)]
#[command(
    after_help = "The exit code is 1 if the puzzle has not exactly one solution, or if entries are wrong."
)]
pub(crate) struct Hint {
    /// The puzzle: 81 cells, row by row, . or 0 for an empty one
    #[arg(value_name = "PUZZLE")]
    puzzle: String,

    /// What was filled in so far: 81 cells too, with or without the puzzle's own
    #[arg(long, value_name = "CELLS")]
    entries: Option<String>,

    /// Show the board with its candidates after the step
    #[arg(long)]
    boards: bool,

    #[command(flatten)]
    through: Through,
}

pub(super) async fn run(hint: Hint) -> Result {
    let request = HintRequest {
        givens: hint.puzzle,
        entries: hint.entries.unwrap_or_default(),
        eliminated: Vec::new(),
    };
    let ask = async |client: &Client| tell(client, request, hint.boards).await;
    Session::ask(hint.through, ask).await
}

async fn tell(client: &Client, request: HintRequest, boards: bool) -> Result {
    let answer = client.sudoku().hint(request).await?.into_inner();
    match answer.event.context("a hint says what it is")? {
        Event::Step(step) => terminal::print(told(&step, boards))?,
        Event::Ending(ending) if ending.outcome() == Outcome::Unique => {
            terminal::print("it is solved")?;
        }
        Event::Ending(ending) => end(&ending)?,
    }
    if answer.wrong_cells.is_empty() {
        return Ok(());
    }
    let cells = answer.wrong_cells.iter();
    let cells: Vec<_> = cells
        .map(|cell| format!("r{}c{}", cell / 9 + 1, cell % 9 + 1))
        .collect();
    let what = format!("wrong entries: {}", cells.join(", "));
    Err(Failure::Unsuccessful(what))
}
