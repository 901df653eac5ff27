//! The engine: one puzzle at a time, in plain integers.
//!
//! What deduction leaves open is guessed at: a candidate is assumed, and afterwards ruled out. Such
//! a pair decides as much as trying all digits of a cell in turn, deduces in between, and lets a
//! guess be at a digit's place in a box as well. The stack keeps only the second half of each pair,
//! so it never holds more boards than there are candidates; it is kept from call to call, and a
//! search allocates nothing but the solutions it returns.

use super::board::{Board, Candidate};
use super::{Isa, Unusable, Answer, Cancel, Cancelled, End, SolveLimits, Tally};
use crate::sudoku::cell::Cell;
use crate::sudoku::grid::Grid;
use crate::sudoku::puzzle::Puzzle;
use crate::sudoku::rng::Rng;
use crate::sudoku::set::CellSet;

/// Solves puzzles, one after the other. Making one costs nothing; keeping it spares the search
/// stack's allocation.
#[derive(Clone, Default, Debug)]
pub struct SingleSolver {
    stack: Vec<Board>,
}

impl SingleSolver {
    /// A solver.
    #[must_use]
    pub const fn new() -> Self {
        Self { stack: Vec::new() }
    }

    /// On.
    pub fn on(_: Isa) -> Result<Self, Unusable> {
        Ok(Self::new())
    }

    /// Solves a puzzle and returns the first `keep` of its solutions. A guess is a candidate
    /// assumed for want of a deduction. Time is bounded by `limits.steps`: a guess costs about a
    /// microsecond.
    ///
    /// # Errors
    /// If cancelled, which is looked for at every guess.
    pub fn solve(
        &mut self,
        puzzle: &Puzzle,
        limits: SolveLimits,
        keep: usize,
        cancel: Cancel<'_>,
    ) -> Result<Answer, Cancelled> {
        let mut tally = Tally::new(limits, keep);
        let mut guesses = 0;
        let end = self.search(
            Board::new(puzzle.cells()),
            cancel,
            Board::best_guess,
            |event| match event {
                Event::Guess if guesses == limits.steps => Some(End::StepLimit),
                Event::Guess => {
                    guesses += 1;
                    None
                }
                Event::Solution(board) => tally.add(|| board.grid()).then_some(End::CountLimit),
            },
        )?;
        Ok(tally.answer(&end.unwrap_or(End::Exhausted), guesses))
    }

    /// A solution of a puzzle, drawn at random: each guess is at a random digit in a random one of
    /// the cells with the fewest candidates. Every solution can come, but not all are equally
    /// likely.
    ///
    /// # Errors
    /// If cancelled, which is looked for at every guess.
    pub(in crate::sudoku) fn random_solution(
        &mut self,
        puzzle: &Puzzle,
        rng: &mut Rng,
        cancel: Cancel<'_>,
    ) -> Result<Option<Grid>, Cancelled> {
        self.search(
            Board::new(puzzle.cells()),
            cancel,
            |board| board.random(rng),
            |event| match event {
                Event::Guess => None,
                Event::Solution(board) => Some(board.grid()),
            },
        )
    }

    /// Whether a puzzle has a solution other than `solution`, provided that the puzzle with the
    /// cells `open` filled in from it has not. The known solution need not be found again.
    ///
    /// # Errors
    /// If cancelled, which is looked for at every guess.
    pub(in crate::sudoku) fn has_other(
        &mut self,
        puzzle: &Puzzle,
        solution: &Grid,
        open: CellSet,
        cancel: Cancel<'_>,
    ) -> Result<bool, Cancelled> {
        let mut rest = Board::new(puzzle.cells());
        for cell in open.iter().map(Cell::index) {
            // Another solution differs in one of these cells; this is the first it differs in.
            let known = Candidate {
                digit: usize::from(solution.cells()[cell] - 1),
                cell,
            };
            let mut board = rest;
            board.rule_out(known);
            let other = self.search(board, cancel, Board::best_guess, |event| match event {
                Event::Guess => None,
                Event::Solution(_) => Some(()),
            })?;
            if other.is_some() {
                return Ok(true);
            }
            rest.place(known);
        }
        Ok(false)
    }

    /// Depth first through everything below `root`, until `watch` returns something.
    fn search<T>(
        &mut self,
        root: Board,
        cancel: Cancel<'_>,
        mut choose: impl FnMut(&Board) -> Candidate,
        mut watch: impl FnMut(Event<'_>) -> Option<T>,
    ) -> Result<Option<T>, Cancelled> {
        self.stack.clear();
        self.stack.push(root);
        while let Some(mut board) = self.stack.pop() {
            while board.deduce() {
                if board.is_solved() {
                    if let Some(end) = watch(Event::Solution(&board)) {
                        return Ok(Some(end));
                    }
                    break;
                }
                cancel.check()?;
                if let Some(end) = watch(Event::Guess) {
                    return Ok(Some(end));
                }
                let candidate = choose(&board);
                let mut otherwise = board;
                otherwise.rule_out(candidate);
                self.stack.push(otherwise);
                board.place(candidate);
            }
        }
        Ok(None)
    }
}

/// What a search comes by.
enum Event<'a> {
    /// Deduction is at its end and a guess is next.
    Guess,
    /// A solved board.
    Solution(&'a Board),
}
