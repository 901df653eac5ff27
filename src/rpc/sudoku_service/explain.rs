//! Explain: a puzzle solved as a person would, step by step.

use std::time::{Duration, Instant};

use tonic::Status;

use crate::jobs::items::Outcome;
use crate::rpc::compute::Compute;
use crate::rpc::convert::{conflict, rating, step};
use crate::rpc::limits;
use crate::rpc::pb;
use crate::rpc::pb::explain_response::Event;
use crate::rpc::producer::{Produced, Sender};
use crate::rpc::status::bad_field;
use crate::sudoku::logic::RATER_VERSION;
use crate::sudoku::logic::budget::{Budget, Halt};
use crate::sudoku::logic::explanation::Explanation;
use crate::sudoku::logic::path::Known;
use crate::sudoku::logic::pencilmarks::Pencilmarks;
use crate::sudoku::logic::rating::Rating;
use crate::sudoku::{Cancel, Cancelled, Puzzle, SolveLimits, Solver, format};

/// Steps are made for so long before they are sent.
const TURN: Duration = Duration::from_millis(20);

/// More steps than this are not told: with a low bound a board may need very many guesses.
const MOST_STEPS: u32 = 10_000;

/// Explains one puzzle. Whether it has one solution is settled first, and if not, that is the ending.
///
/// # Errors
/// BAD_FIELD with the position of what cannot be read.
pub(super) fn explain(
    compute: Compute,
    request: &pb::ExplainRequest,
) -> Result<Produced<pb::ExplainResponse>, Status> {
    let puzzle = format::parse(&request.puzzle).map_err(|error| bad_field("puzzle", error))?;
    let max_er = match request.max_er_tenths {
        0 => u16::MAX,
        tenths => u16::try_from(tenths).unwrap_or(u16::MAX),
    };
    Ok(Produced::by(move |sender| {
        stream(compute, puzzle, max_er, sender)
    }))
}

async fn stream(
    compute: Compute,
    puzzle: Puzzle,
    max_er: u16,
    sender: Sender<pb::ExplainResponse>,
) -> Result<(), Status> {
    let answer = compute
        .run(move |cancel| Solver::new().solve(&puzzle, SolveLimits::UNIQUENESS, 2, cancel))
        .await?;
    let outcome = Outcome::from(answer.verdict);
    let mut ending = pb::Ending {
        outcome: outcome as i32,
        rater_version: RATER_VERSION,
        ..pb::Ending::default()
    };
    match outcome {
        Outcome::Unique => {
            let mut way = Way::new(&puzzle, max_er, answer.guesses);
            while !way.is_over {
                let (steps, rest) = compute.run(move |cancel| way.turn(cancel)).await?;
                way = rest;
                for step in steps {
                    send(&sender, Event::Step(step)).await?;
                }
            }
            if way.explanation.marks().is_solved() {
                ending.rating = way.rating();
            } else {
                ending.outcome = Outcome::StepLimit as i32;
            }
        }
        Outcome::Multiple => {
            ending.solutions = answer.solutions.iter().map(ToString::to_string).collect();
        }
        _ => ending.conflicts = puzzle.conflicts().iter().map(conflict::conflict).collect(),
    }
    send(&sender, Event::Ending(ending)).await
}

async fn send(sender: &Sender<pb::ExplainResponse>, event: Event) -> Result<(), Status> {
    let event = Some(event);
    sender.send(pb::ExplainResponse { event }).await
}

/// The way through a puzzle, as far as it was gone.
struct Way {
    explanation: Explanation,
    rating: Rating,
    has_guessed: bool,
    number: u32,
    left: u64,
    is_over: bool,
    givens: u32,
    guesses: u64,
}

impl Way {
    fn new(puzzle: &Puzzle, max_er: u16, guesses: u64) -> Self {
        Self {
            explanation: Explanation::new(Pencilmarks::new(puzzle), max_er, Known::OneSolution),
            rating: Rating::default(),
            has_guessed: false,
            number: 0,
            left: limits::MAX_INTERACTIVE_RATE_STEPS,
            is_over: false,
            givens: puzzle.givens().into(),
            guesses,
        }
    }

    /// Goes on for a while.
    fn turn(mut self, cancel: Cancel<'_>) -> Result<(Vec<pb::Step>, Self), Cancelled> {
        let started = Instant::now();
        let mut budget = Budget::new(self.left, cancel);
        let mut steps = Vec::new();
        while !self.is_over && started.elapsed() < TURN {
            let before = self.explanation.level();
            let event = match self.explanation.next(&mut budget) {
                Ok(Some(event)) => event,
                Ok(None) | Err(Halt::StepLimit) => {
                    self.is_over = true;
                    break;
                }
                Err(Halt::Cancelled) => return Err(Cancelled),
            };
            self.number += 1;
            self.is_over = self.number == MOST_STEPS;
            match event.step() {
                Some(step) => self.rating.add(step),
                None => self.has_guessed = true,
            }
            let level = before.max(self.explanation.level());
            let marks = self.explanation.marks();
            steps.push(step::write(&event, self.number, level, marks));
        }
        self.left = budget.left();
        Ok((steps, self))
    }

    /// Of a puzzle that needed no guess.
    fn rating(&self) -> Option<pb::Rating> {
        (!self.has_guessed).then(|| rating::write(&self.rating, self.givens, self.guesses))
    }
}
