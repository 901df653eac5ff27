//! The oracle: a search so plain that it is seen to be right.
//!
//! It fills the cell with the fewest digits left, trying each in turn, and knows no deduction. It
//! is for tests and for comparing engines with; it is far slower than
//! [`Solver`](super::Solver). Its guesses and the order of its solutions are its own.

use super::{Answer, Cancel, Cancelled, End, SolveLimits, Tally};
use crate::sudoku::cell::Cell;
use crate::sudoku::digit::Digit;
use crate::sudoku::grid::Grid;
use crate::sudoku::puzzle::Puzzle;
use crate::sudoku::set::DigitSet;

/// Solves a puzzle. A guess is a digit tried in a cell that could hold several.
///
/// # Errors
/// If cancelled, which is looked for at every cell filled.
pub fn solve(
    puzzle: &Puzzle,
    limits: SolveLimits,
    keep: usize,
    cancel: Cancel<'_>,
) -> Result<Answer, Cancelled> {
    let mut search = Search {
        cells: *puzzle.cells(),
        steps: limits.steps,
        guesses: 0,
        tally: Tally::new(limits, keep),
        cancel,
    };
    let givens_agree = Cell::all().all(|cell| {
        Digit::new(search.cells[cell.index()])
            .is_none_or(|digit| search.candidates(cell).contains(digit))
    });
    let end = if givens_agree {
        search.fill()?
    } else {
        End::Exhausted
    };
    Ok(search.tally.answer(&end, search.guesses))
}

struct Search<'a> {
    cells: [u8; 81],
    steps: u64,
    guesses: u64,
    tally: Tally,
    cancel: Cancel<'a>,
}

impl Search<'_> {
    fn fill(&mut self) -> Result<End, Cancelled> {
        self.cancel.check()?;
        let empty = Cell::all().filter(|cell| self.cells[cell.index()] == 0);
        let Some(cell) = empty.min_by_key(|&cell| self.candidates(cell).len()) else {
            if self.tally.keeps() {
                let grid = Grid::from_cells(self.cells);
                let grid = grid.expect("each digit was checked against its peers");
                self.tally.solutions.push(grid);
            }
            let enough = self.tally.count(1);
            return Ok(if enough {
                End::CountLimit
            } else {
                End::Exhausted
            });
        };
        let candidates = self.candidates(cell);
        for digit in candidates.iter() {
            if candidates.len() > 1 {
                if self.guesses == self.steps {
                    return Ok(End::StepLimit);
                }
                self.guesses += 1;
            }
            self.cells[cell.index()] = digit.value();
            match self.fill()? {
                End::Exhausted => {}
                end => return Ok(end),
            }
        }
        self.cells[cell.index()] = 0;
        Ok(End::Exhausted)
    }

    fn candidates(&self, cell: Cell) -> DigitSet {
        cell.peers()
            .iter()
            .filter_map(|peer| Digit::new(self.cells[peer.index()]))
            .fold(DigitSet::ALL, DigitSet::without)
    }
}
