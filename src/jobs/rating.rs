//! Rating the puzzles of a span.

use super::items::{Inputs, Outcome, Results};
use super::spec::Rate;
use crate::sudoku::logic::budget::{Budget, Halt};
use crate::sudoku::logic::path;
use crate::sudoku::logic::pencilmarks::Pencilmarks;
use crate::sudoku::logic::rating::Rating;
use crate::sudoku::packed::BYTES;
use crate::sudoku::{Cancel, Cancelled, Puzzle, SolveLimits, Solver};

/// Rates them. A puzzle that is read keeps its place with its own cells, whatever comes of it.
///
/// # Errors
/// When `cancel` is set before the end.
pub(super) fn rate_all(
    rate: Rate,
    inputs: &Inputs,
    solver: &mut Solver,
    cancel: Cancel<'_>,
) -> Result<Results, Cancelled> {
    let mut results = Results::all(Outcome::Malformed, inputs.len());
    let mut guesses = vec![0; inputs.len()];
    let mut ratings = vec![Rating::default(); inputs.len()];
    let (puzzles, _) = results.grids.as_chunks_mut::<BYTES>();
    for (i, input) in inputs.iter().enumerate() {
        let Some(puzzle) = input else { continue };
        let rated = Rated::new(rate, &puzzle, solver, cancel)?;
        results.outcomes[i] = rated.outcome;
        puzzles[i] = puzzle.to_packed();
        guesses[i] = rated.guesses;
        ratings[i] = rated.rating;
    }
    results.guesses = Some(guesses);
    results.ratings = Some(ratings);
    Ok(results)
}

/// What became of a puzzle.
struct Rated {
    outcome: Outcome,
    guesses: u64,
    /// Of one with one solution.
    rating: Rating,
}

impl Rated {
    fn new(
        rate: Rate,
        puzzle: &Puzzle,
        solver: &mut Solver,
        cancel: Cancel<'_>,
    ) -> Result<Self, Cancelled> {
        let limits = SolveLimits {
            count: SolveLimits::UNIQUENESS.count,
            steps: rate.step_limit,
        };
        let answer = solver.solve(puzzle, limits, 0, cancel)?;
        let without = |outcome| Self {
            outcome,
            guesses: answer.guesses,
            rating: Rating::default(),
        };
        let outcome = Outcome::from(answer.verdict);
        if outcome != Outcome::Unique {
            return Ok(without(outcome));
        }
        let mut budget = Budget::new(rate.step_limit, cancel);
        let rating = match path::rate(Pencilmarks::new(puzzle), &mut budget) {
            Ok(Some(rating)) => rating,
            // What all techniques leave is as far beyond the scale as what they do not reach in time.
            Ok(None) | Err(Halt::StepLimit) => return Ok(without(Outcome::StepLimit)),
            Err(Halt::Cancelled) => return Err(Cancelled),
        };
        Ok(Self {
            rating: if rate.technique_counts {
                rating
            } else {
                rating.without_counts()
            },
            ..without(outcome)
        })
    }
}
