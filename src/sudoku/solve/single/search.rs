//! Depth first search, generic over the registers.
//!
//! What deduction leaves open is guessed at: a guess is assumed, and afterwards denied. Such a pair
//! decides as much as trying all digits of a cell in turn, deduces in between, and lets a guess be
//! at a digit's minirow as well. The stack keeps only the second half of each pair, so it never
//! holds more boards than there are candidates; it is kept from call to call.
//!
//! Everything is inlined into the entry functions of a register file, which alone have its
//! instructions enabled; a closure would not be. After the `memchr` crate, whose generic search
//! does the same.

use super::board::{Board, Deduced, Guess, Lines};
use super::lanes::{Lanes, bit};
use crate::sudoku::cell::Cell;
use crate::sudoku::grid::Grid;
use crate::sudoku::puzzle::Puzzle;
use crate::sudoku::rng::Rng;
use crate::sudoku::set::CellSet;
use crate::sudoku::solve::{Answer, Cancel, Cancelled, End, SolveLimits, Tally};

/// The second halves of the guesses under way.
pub(super) type Stack<V, const N: usize> = Vec<Board<V, N>>;

/// Whoever has a search made.
trait Watch<V: Lanes<N>, const N: usize> {
    /// Says what to guess, or that the search ends for want of steps.
    fn guess(&mut self, board: &Board<V, N>, lines: &Lines<V, N>) -> Option<Guess>;

    /// Takes a solution and says whether it is the last one wanted.
    fn solution(&mut self, board: &Board<V, N>) -> bool;
}

/// Goes through everything below a board.
#[inline(always)]
fn search<V: Lanes<N>, const N: usize>(
    stack: &mut Stack<V, N>,
    (mut board, mut settled): (Board<V, N>, V),
    cancel: Cancel<'_>,
    watch: &mut impl Watch<V, N>,
) -> Result<End, Cancelled> {
    stack.clear();
    loop {
        match board.deduce(settled) {
            Deduced::Open(lines) => {
                cancel.check()?;
                let Some(guess) = watch.guess(&board, &lines) else {
                    return Ok(End::StepLimit);
                };
                let mut otherwise = board;
                otherwise.cut(guess.digit, guess.band, guess.denied);
                stack.push(otherwise);
                board.cut(guess.digit, guess.band, guess.assumed);
            }
            Deduced::Solution if watch.solution(&board) => return Ok(End::CountLimit),
            Deduced::Solution | Deduced::Contradiction => match stack.pop() {
                Some(otherwise) => board = otherwise,
                None => return Ok(End::Exhausted),
            },
        }
        settled = V::splat(0);
    }
}

/// Counts and keeps solutions.
struct Counting {
    tally: Tally,
    guesses: u64,
    steps: u64,
}

impl<V: Lanes<N>, const N: usize> Watch<V, N> for Counting {
    #[inline(always)]
    fn guess(&mut self, _: &Board<V, N>, lines: &Lines<V, N>) -> Option<Guess> {
        if self.guesses == self.steps {
            return None;
        }
        self.guesses += 1;
        Some(lines.best_guess())
    }

    #[inline(always)]
    fn solution(&mut self, board: &Board<V, N>) -> bool {
        if self.tally.keeps() {
            let grid = Grid::from_checked(board.cells());
            self.tally.solutions.push(grid);
        }
        self.tally.count()
    }
}

/// As [`Solver::solve`](super::Solver::solve).
#[inline(always)]
pub(super) fn solve<V: Lanes<N>, const N: usize>(
    stack: &mut Stack<V, N>,
    puzzle: &Puzzle,
    limits: SolveLimits,
    keep: usize,
    cancel: Cancel<'_>,
) -> Result<Answer, Cancelled> {
    let mut counting = Counting {
        tally: Tally::new(limits, keep),
        guesses: 0,
        steps: limits.steps,
    };
    let end = search(stack, Board::new(puzzle.cells()), cancel, &mut counting)?;
    Ok(counting.tally.answer(&end, counting.guesses))
}

/// Wants one solution, any.
struct Random<'a> {
    rng: &'a mut Rng,
    found: Option<Grid>,
}

impl<V: Lanes<N>, const N: usize> Watch<V, N> for Random<'_> {
    #[inline(always)]
    fn guess(&mut self, board: &Board<V, N>, _: &Lines<V, N>) -> Option<Guess> {
        Some(board.random_guess(self.rng))
    }

    #[inline(always)]
    fn solution(&mut self, board: &Board<V, N>) -> bool {
        self.found = Some(Grid::from_checked(board.cells()));
        true
    }
}

/// As [`Solver::random_solution`](super::Solver::random_solution).
#[inline(always)]
pub(super) fn random_solution<V: Lanes<N>, const N: usize>(
    stack: &mut Stack<V, N>,
    puzzle: &Puzzle,
    rng: &mut Rng,
    cancel: Cancel<'_>,
) -> Result<Option<Grid>, Cancelled> {
    let mut random = Random { rng, found: None };
    search(stack, Board::new(puzzle.cells()), cancel, &mut random)?;
    Ok(random.found)
}

/// Wants to know whether there is a solution.
struct Existence;

impl<V: Lanes<N>, const N: usize> Watch<V, N> for Existence {
    #[inline(always)]
    fn guess(&mut self, _: &Board<V, N>, lines: &Lines<V, N>) -> Option<Guess> {
        Some(lines.best_guess())
    }

    #[inline(always)]
    fn solution(&mut self, _: &Board<V, N>) -> bool {
        true
    }
}

/// As [`Solver::has_other`](super::Solver::has_other).
#[inline(always)]
pub(super) fn has_other<V: Lanes<N>, const N: usize>(
    stack: &mut Stack<V, N>,
    puzzle: &Puzzle,
    solution: &Grid,
    open: CellSet,
    cancel: Cancel<'_>,
) -> Result<bool, Cancelled> {
    let (mut rest, settled) = Board::<V, N>::new(puzzle.cells());
    for cell in open.iter().map(Cell::index) {
        // Another solution differs in one of these cells; this is the first it differs in.
        let digit = usize::from(solution.cells()[cell] - 1);
        let known = Guess::cell(digit, cell / 27, bit(cell % 27).into());
        let mut board = rest;
        board.cut(digit, known.band, known.denied);
        if let End::CountLimit = search(stack, (board, settled), cancel, &mut Existence)? {
            return Ok(true);
        }
        rest.cut(digit, known.band, known.assumed);
    }
    Ok(false)
}

/// The functions that have a register file's instructions enabled; everything else is inlined into
/// them.
macro_rules! entries {
    ($lanes:ty, $registers:literal $(, #[$features:meta])?) => {
        $(#[$features])?
        pub(super) fn solve(
            stack: &mut $crate::sudoku::solve::single::search::Stack<$lanes, $registers>,
            puzzle: &$crate::sudoku::Puzzle,
            limits: $crate::sudoku::SolveLimits,
            keep: usize,
            cancel: $crate::sudoku::Cancel<'_>,
        ) -> Result<$crate::sudoku::Answer, $crate::sudoku::Cancelled> {
            $crate::sudoku::solve::single::search::solve(stack, puzzle, limits, keep, cancel)
        }

        $(#[$features])?
        pub(super) fn random_solution(
            stack: &mut $crate::sudoku::solve::single::search::Stack<$lanes, $registers>,
            puzzle: &$crate::sudoku::Puzzle,
            rng: &mut $crate::sudoku::rng::Rng,
            cancel: $crate::sudoku::Cancel<'_>,
        ) -> Result<Option<$crate::sudoku::Grid>, $crate::sudoku::Cancelled> {
            $crate::sudoku::solve::single::search::random_solution(stack, puzzle, rng, cancel)
        }

        $(#[$features])?
        pub(super) fn has_other(
            stack: &mut $crate::sudoku::solve::single::search::Stack<$lanes, $registers>,
            puzzle: &$crate::sudoku::Puzzle,
            solution: &$crate::sudoku::Grid,
            open: $crate::sudoku::CellSet,
            cancel: $crate::sudoku::Cancel<'_>,
        ) -> Result<bool, $crate::sudoku::Cancelled> {
            $crate::sudoku::solve::single::search::has_other(stack, puzzle, solution, open, cancel)
        }
    };
}
pub(super) use entries;
