//! Depth first search, generic over the registers.
//!
//! What deduction leaves open is guessed at: a guess is assumed, and afterwards denied. Such a pair
//! decides as much as trying all digits of a cell in turn, deduces in between, and lets a guess be
//! at a digit's minirow as well. The stack keeps only the second half of each pair, so it never
//! holds more boards than there are candidates; it is kept from call to call.
//!
//! Where only the number of many solutions is still wanted, the search leaves a [`chute`](super::chute)
//! for last, whose fillings are counted without a guess.
//!
//! Everything is inlined into the entry functions of a register file, which alone have its
//! instructions enabled; a closure would not be. After the `memchr` crate, whose generic search
//! does the same.

use super::board::{Board, Deduced, Guess, Lines};
use super::chute::Chute;
use super::register::{Register, bit};
use crate::sudoku::cell::Cell;
use crate::sudoku::grid::Grid;
use crate::sudoku::puzzle::Puzzle;
use crate::sudoku::rng::Rng;
use crate::sudoku::set::CellSet;
use crate::sudoku::solve::{Answer, Cancel, Cancelled, End, SolveLimits, Tally};

/// The guesses under way: of each the second half, not yet deduced from.
pub(super) type Stack<V, const N: usize> = Vec<Board<V, N>>;

/// Whoever has a search made.
trait Watch<V: Register<N>, const N: usize> {
    /// Whether nothing but the number of solutions is wanted.
    const COUNTS: bool = false;

    /// Says what to guess, or that the search ends for want of steps.
    fn guess(&mut self, board: &Board<V, N>, lines: &Lines<V, N>) -> Option<Guess>;

    /// Takes a solution, which stands for so many, and says whether that is enough.
    fn solution(&mut self, board: &Board<V, N>, each: u64) -> bool;

    /// Takes all solutions of an open board at once, if it can, and says whether that is enough.
    #[inline(always)]
    fn solutions(&mut self, _: &Board<V, N>, _each: u64) -> Option<bool> {
        None
    }
}

/// Goes through everything below a board.
#[inline(always)]
fn search<V: Register<N>, const N: usize, W: Watch<V, N>>(
    stack: &mut Stack<V, N>,
    (mut board, mut settled): (Board<V, N>, V),
    cancel: Cancel<'_>,
    watch: &mut W,
) -> Result<End, Cancelled> {
    stack.clear();
    // How many solutions each of the board's stands for.
    let mut each = 1;
    loop {
        let enough = match board.deduce(settled) {
            Deduced::Open(lines) => {
                cancel.check()?;
                if let Some(enough) = watch.solutions(&board, each) {
                    enough
                } else {
                    let Some(guess) = watch.guess(&board, &lines) else {
                        return Ok(End::StepLimit);
                    };
                    if W::COUNTS && board.has_two_a_cell() {
                        // At most once for every four cells.
                        each *= 2;
                    } else {
                        let mut otherwise = board;
                        otherwise.cut(guess.digit, guess.band, guess.denied);
                        stack.push(otherwise);
                    }
                    board.cut(guess.digit, guess.band, guess.assumed);
                    settled = V::splat(0);
                    continue;
                }
            }
            Deduced::Solution => watch.solution(&board, each),
            Deduced::Contradiction => false,
        };
        if enough {
            return Ok(End::CountLimit);
        }
        let Some(otherwise) = stack.pop() else {
            return Ok(End::Exhausted);
        };
        board = otherwise;
        settled = V::splat(0);
        each = 1;
    }
}

/// How many guesses may be made.
struct Steps {
    guesses: u64,
    limit: u64,
}

/// Digits tried in a chute that take as long as a guess.
const TRIED_A_GUESS: u64 = 64;

impl Steps {
    /// Counts what took as long as so many guesses.
    #[inline(always)]
    fn spend(&mut self, guesses: u64) {
        self.guesses = self.guesses.saturating_add(guesses).min(self.limit);
    }

    #[inline(always)]
    fn take(&mut self) -> Option<()> {
        if self.guesses == self.limit {
            return None;
        }
        self.guesses += 1;
        Some(())
    }
}

/// Finds solutions one by one, and keeps the first.
struct Finder<'a> {
    tally: &'a mut Tally,
    steps: &'a mut Steps,
}

impl<V: Register<N>, const N: usize> Watch<V, N> for Finder<'_> {
    #[inline(always)]
    fn guess(&mut self, _: &Board<V, N>, lines: &Lines<V, N>) -> Option<Guess> {
        self.steps.take()?;
        Some(lines.best_guess())
    }

    #[inline(always)]
    fn solution(&mut self, board: &Board<V, N>, _: u64) -> bool {
        if self.tally.keeps() {
            let grid = Grid::from_checked(board.cells());
            self.tally.solutions.push(grid);
        }
        self.tally.count(1)
    }
}

/// Counts solutions.
struct Counter<'a> {
    tally: &'a mut Tally,
    steps: &'a mut Steps,
    last: Chute,
}

impl<V: Register<N>, const N: usize> Watch<V, N> for Counter<'_> {
    const COUNTS: bool = true;

    #[inline(always)]
    fn guess(&mut self, _: &Board<V, N>, lines: &Lines<V, N>) -> Option<Guess> {
        self.steps.take()?;
        let mut lines = *lines;
        self.last.hide(&mut lines);
        Some(lines.best_guess())
    }

    #[inline(always)]
    fn solution(&mut self, _: &Board<V, N>, each: u64) -> bool {
        self.tally.count(each)
    }

    #[inline(always)]
    fn solutions(&mut self, board: &Board<V, N>, each: u64) -> Option<bool> {
        let counted = self.last.count(board)?;
        self.steps.spend(counted.tried / TRIED_A_GUESS);
        Some(self.tally.count(each.saturating_mul(counted.fillings)))
    }
}

/// As [`SingleSolver::solve`](super::SingleSolver::solve).
#[inline(always)]
pub(super) fn solve<V: Register<N>, const N: usize>(
    stack: &mut Stack<V, N>,
    puzzle: &Puzzle,
    limits: SolveLimits,
    keep: usize,
    cancel: Cancel<'_>,
) -> Result<Answer, Cancelled> {
    let board = Board::new(puzzle.cells());
    let tally = &mut Tally::new(limits, keep);
    let steps = &mut Steps {
        guesses: 0,
        limit: limits.steps,
    };
    // With many wanted, those to keep come first, and once more when all are counted.
    let few = (keep as u64).max(2);
    let many = limits.count > few;
    tally.limit = tally.limit.min(few);
    let mut end = search(stack, board, cancel, &mut Finder { tally, steps })?;
    if many && let End::CountLimit = end {
        tally.limit = limits.count;
        tally.count = 0;
        let last = Chute::loosest(puzzle.cells());
        end = search(stack, board, cancel, &mut Counter { tally, steps, last })?;
        tally.count = tally.count.max(few);
    }
    Ok(tally.answer(&end, steps.guesses))
}

/// Wants one solution, any.
struct Random<'a> {
    rng: &'a mut Rng,
    found: Option<Grid>,
}

impl<V: Register<N>, const N: usize> Watch<V, N> for Random<'_> {
    #[inline(always)]
    fn guess(&mut self, board: &Board<V, N>, _: &Lines<V, N>) -> Option<Guess> {
        Some(board.random_guess(self.rng))
    }

    #[inline(always)]
    fn solution(&mut self, board: &Board<V, N>, _: u64) -> bool {
        self.found = Some(Grid::from_checked(board.cells()));
        true
    }
}

/// As [`SingleSolver::random_solution`](super::SingleSolver::random_solution).
#[inline(always)]
pub(super) fn random_solution<V: Register<N>, const N: usize>(
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

impl<V: Register<N>, const N: usize> Watch<V, N> for Existence {
    #[inline(always)]
    fn guess(&mut self, _: &Board<V, N>, lines: &Lines<V, N>) -> Option<Guess> {
        Some(lines.best_guess())
    }

    #[inline(always)]
    fn solution(&mut self, _: &Board<V, N>, _: u64) -> bool {
        true
    }
}

/// As [`SingleSolver::has_other`](super::SingleSolver::has_other).
#[inline(always)]
pub(super) fn has_other<V: Register<N>, const N: usize>(
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

/// The functions that have the instructions of some registers enabled; everything else is inlined
/// into them. To call them is unsafe where the CPU might lack the instructions, so whoever needs
/// `unsafe` hands it in, with a reason.
macro_rules! entries {
    ($lanes:ty, $registers:literal $(, $unsafe:tt, #[$features:meta])?) => {
        $crate::sudoku::solve::single::search::entry! {
            $lanes, $registers $(, $unsafe, #[$features])?;
            solve(
                puzzle: &$crate::sudoku::Puzzle,
                limits: $crate::sudoku::SolveLimits,
                keep: usize
            ) -> $crate::sudoku::Answer
        }
        $crate::sudoku::solve::single::search::entry! {
            $lanes, $registers $(, $unsafe, #[$features])?;
            random_solution(
                puzzle: &$crate::sudoku::Puzzle,
                rng: &mut $crate::sudoku::rng::Rng
            ) -> Option<$crate::sudoku::Grid>
        }
        $crate::sudoku::solve::single::search::entry! {
            $lanes, $registers $(, $unsafe, #[$features])?;
            has_other(
                puzzle: &$crate::sudoku::Puzzle,
                solution: &$crate::sudoku::Grid,
                open: $crate::sudoku::CellSet
            ) -> bool
        }
    };
}
pub(super) use entries;

macro_rules! entry {
    (
        $lanes:ty, $registers:literal $(, $unsafe:tt, #[$features:meta])?;
        $name:ident($($argument:ident: $type:ty),*) -> $answer:ty
    ) => {
        pub(super) fn $name(
            stack: &mut $crate::sudoku::solve::single::search::Stack<$lanes, $registers>,
            $($argument: $type,)*
            cancel: $crate::sudoku::Cancel<'_>,
        ) -> Result<$answer, $crate::sudoku::Cancelled> {
            $(#[$features])?
            fn enabled(
                stack: &mut $crate::sudoku::solve::single::search::Stack<$lanes, $registers>,
                $($argument: $type,)*
                cancel: $crate::sudoku::Cancel<'_>,
            ) -> Result<$answer, $crate::sudoku::Cancelled> {
                $crate::sudoku::solve::single::search::$name(stack, $($argument,)* cancel)
            }
            $($unsafe)? { enabled(stack, $($argument,)* cancel) }
        }
    };
}
pub(super) use entry;
