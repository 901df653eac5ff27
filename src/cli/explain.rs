//! `gridmill explain`: a puzzle solved as a person would, step by step.

use std::fmt::Write;

use anyhow::Context;
use clap::Args;

use super::client::Client;
use super::exit::{Failure, Result};
use super::range;
use super::session::{Session, Through};
use super::terminal;
use crate::rpc::pb::explain_response::Event;
use crate::rpc::pb::{Ending, ExplainRequest, Outcome, Step, step};

/// Arguments of `gridmill explain`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "The exit code is 1 if the puzzle has not exactly one solution.")]
pub(crate) struct Explain {
    /// The puzzle: 81 cells, row by row, . or 0 for an empty one
    #[arg(value_name = "PUZZLE")]
    puzzle: String,

    /// Show the board with its candidates after each step
    #[arg(long)]
    boards: bool,

    /// Guess where the next deduction is worth more than this on the Sudoku Explainer scale: 2.6 [default:
    /// never, as long as any technique finds something]
    #[arg(long, value_name = "ER", value_parser = range::tenths)]
    max_er: Option<u32>,

    #[command(flatten)]
    through: Through,
}

pub(super) async fn run(explain: Explain) -> Result {
    let request = ExplainRequest {
        puzzle: explain.puzzle,
        // Less than any step is worth is still a bound.
        max_er_tenths: explain.max_er.map_or(0, |tenths| tenths.max(1)),
    };
    let ask = async |client: &Client| tell(client, request, explain.boards).await;
    Session::ask(explain.through, ask).await
}

async fn tell(client: &Client, request: ExplainRequest, boards: bool) -> Result {
    let mut service = client.sudoku();
    let mut events = service.explain(request).await?.into_inner();
    while let Some(answer) = events.message().await? {
        match answer.event.context("an event says what it is")? {
            Event::Step(step) => terminal::print(told(&step, boards))?,
            Event::Ending(ending) => return end(&ending),
        }
    }
    Err(anyhow::anyhow!("the explanation has no end").into())
}

/// A numbered line, and the board below it if that is wanted.
pub(super) fn told(step: &Step, boards: bool) -> String {
    let mut text = "  ".repeat(step.guess_level as usize);
    let kind = step.kind();
    let _ = match kind {
        step::Kind::Deduction => write!(
            text,
            "{}. {} ({}.{}): {}",
            step.number,
            step.technique,
            step.er_tenths / 10,
            step.er_tenths % 10,
            step.text
        ),
        _ => write!(text, "{}. {}: {}", step.number, step.technique, step.text),
    };
    if boards {
        text.push('\n');
        text.push_str(&board(step));
    }
    text
}

/// The digits and candidates of every cell, nine rows of three groups.
fn board(step: &Step) -> String {
    let cells: Vec<String> = step
        .board
        .chars()
        .zip(&step.candidates)
        .map(|(digit, mask)| match digit {
            '.' => {
                let candidates = (1..=9_u32).filter(|digit| mask >> (digit - 1) & 1 != 0);
                candidates.map(|digit| digit.to_string()).collect()
            }
            digit => digit.to_string(),
        })
        .collect();
    let mut text = String::new();
    for (number, row) in cells.chunks(9).enumerate() {
        if number % 3 == 0 && number > 0 {
            text.push('\n');
        }
        for (column, cell) in row.iter().enumerate() {
            let width = cells.iter().skip(column).step_by(9).map(String::len).max();
            let gap = if column == 8 { 0 } else { 1 + column % 3 / 2 };
            let width = width.unwrap_or_default();
            let _ = write!(text, "{cell:<width$}{}", " ".repeat(gap));
        }
        while text.ends_with(' ') {
            text.pop();
        }
        text.push('\n');
    }
    text
}

/// Says how it ended.
///
/// # Errors
/// If the puzzle has not one solution.
pub(super) fn end(ending: &Ending) -> Result {
    let unsuccessful = |what: String| Err(Failure::Unsuccessful(what));
    match ending.outcome() {
        Outcome::Unique => match &ending.rating {
            Some(rating) => terminal::print(format_args!(
                "solved: ER {} EP {} ED {}",
                tenths(rating.er_tenths),
                tenths(rating.ep_tenths),
                tenths(rating.ed_tenths)
            )),
            None => terminal::print("solved, with guesses"),
        },
        Outcome::Multiple => {
            let solutions = ending.solutions.join("\n");
            unsuccessful(format!("the puzzle has several solutions, as\n{solutions}"))
        }
        Outcome::None if ending.conflicts.is_empty() => {
            unsuccessful("the puzzle has no solution".to_owned())
        }
        Outcome::None => unsuccessful("the puzzle breaks a rule".to_owned()),
        _ => unsuccessful(
            "not explained to its end: more steps or guesses than the limit".to_owned(),
        ),
    }
}

fn tenths(rating: u32) -> String {
    format!("{}.{}", rating / 10, rating % 10)
}
