//! Placeholder.

mod avx2;
pub mod board;
mod guess;
mod lanes;
mod search;

use super::{Answer, Cancel, Cancelled, SolveLimits};
use crate::sudoku::puzzle::Puzzle;

/// Engine.
#[derive(Default, Debug, Clone)]
pub struct Single {
    stack: Vec<board::Board<avx2::Avx2, 5>>,
}

impl Single {
    /// New.
    pub fn solve(
        &mut self,
        puzzle: &Puzzle,
        limits: SolveLimits,
        keep: usize,
        cancel: Cancel<'_>,
    ) -> Result<Answer, Cancelled> {
        #[expect(unsafe_code)]
        unsafe {
            avx2::solve(&mut self.stack, puzzle.cells(), limits, keep, cancel)
        }
    }
}
