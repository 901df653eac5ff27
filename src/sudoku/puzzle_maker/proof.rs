//! The proof that every puzzle takes with it.

use super::MadePuzzle;
use crate::sudoku::grid::Grid;
use crate::sudoku::puzzle::Puzzle;
use crate::sudoku::solve::{Cancel, Cancelled, SolveLimits, Solver, Verdict};

/// The puzzle, proven by the single engine, whoever found that this is its only solution.
///
/// # Errors
/// If cancelled.
///
/// # Panics
/// If it has another solution.
pub(super) fn proven(
    puzzle: Puzzle,
    solution: Grid,
    solver: &mut Solver,
    cancel: Cancel<'_>,
) -> Result<MadePuzzle, Cancelled> {
    let answer = solver.solve(&puzzle, SolveLimits::UNIQUENESS, 0, cancel)?;
    assert_eq!(
        answer.verdict,
        Verdict::Unique,
        "no puzzle leaves without proof: {puzzle}"
    );
    Ok(MadePuzzle {
        puzzle,
        solution,
        guesses: answer.guesses,
        rating: None,
    })
}
