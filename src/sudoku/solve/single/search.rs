//! Depth first search, generic over the registers.
//!
//! What deduction leaves open is guessed at: a guess is assumed, and afterwards denied. Such a pair
//! decides as much as trying all digits of a cell in turn, deduces in between, and lets a guess be
//! at a digit's minirow as well. The stack keeps only the second half of each pair, so it never
//! holds more boards than there are candidates; it is kept from call to call.
//!
//! Where only the number of many solutions is still wanted, the second half of a guess need not be
//! gone through if it is known to have as many as the first: if no cell has more than two
//! candidates ([`Board::has_two_a_cell`]), or if deduction leaves the same open in both halves.
//! That spares 19 % to 96 % of the guesses on nearly empty boards, and depends on how
//! many solutions are kept; with up to two solutions wanted there is nothing to gain.
//!
//! Everything is inlined into the entry functions of a register file, which alone have its
//! instructions enabled; a closure would not be. After the `memchr` crate, whose generic search
//! does the same.

use super::board::{Board, Deduced, Guess, Lines};
use super::register::{Register, bit};
use crate::sudoku::cell::Cell;
use crate::sudoku::grid::Grid;
use crate::sudoku::puzzle::Puzzle;
use crate::sudoku::rng::Rng;
use crate::sudoku::set::CellSet;
use crate::sudoku::solve::{Answer, Cancel, Cancelled, End, SolveLimits, Tally};

/// The guesses under way.
pub(super) type Stack<V, const N: usize> = Vec<Branch<V, N>>;

/// A guess whose first half is under way.
#[derive(Clone, Debug)]
pub(super) struct Branch<V, const N: usize> {
    /// The second half, not yet deduced from.
    otherwise: Board<V, N>,
    /// Whether that has as many solutions as the first half.
    alike: bool,
    /// What deduction left open of the first half, once it has; only for a count.
    assumed: Option<Board<V, N>>,
    /// How many solutions were found before; only for a count.
    before: u64,
}

/// Whoever has a search made.
trait Watch<V: Register<N>, const N: usize> {
    /// Says what to guess, or that the search ends for want of steps.
    fn guess(&mut self, board: &Board<V, N>, lines: &Lines<V, N>) -> Option<Guess>;

    /// Takes a solution and says whether it is the last one wanted.
    fn solution(&mut self, board: &Board<V, N>) -> bool;

    /// Whether many solutions are wanted, so that it pays to know their number without finding each.
    const MANY: bool = false;

    /// Whether from now on nothing but their number is wanted.
    #[inline(always)]
    fn only_counts(&self) -> bool {
        false
    }

    /// The number of solutions found.
    #[inline(always)]
    fn counted(&self) -> u64 {
        0
    }

    /// Adds to that number and says whether that is enough.
    #[inline(always)]
    fn count(&mut self, _: u64) -> bool {
        false
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
    // For a count: whether the board is the first half of the last branch; or else that half, open,
    // and its number of solutions.
    let mut first = false;
    let mut twin: Option<(Board<V, N>, u64)> = None;
    loop {
        match board.deduce(settled) {
            Deduced::Open(lines) => {
                cancel.check()?;
                let known = match &twin {
                    Some((twin, count)) if W::MANY && twin.leaves_the_same(&board) => Some(count),
                    _ => None,
                };
                if let Some(&count) = known {
                    if watch.count(count) {
                        return Ok(End::CountLimit);
                    }
                } else {
                    if W::MANY
                        && first
                        && let Some(branch) = stack.last_mut()
                    {
                        branch.assumed = Some(board);
                    }
                    let Some(guess) = watch.guess(&board, &lines) else {
                        return Ok(End::StepLimit);
                    };
                    let mut otherwise = board;
                    otherwise.cut(guess.digit, guess.band, guess.denied);
                    stack.push(Branch {
                        otherwise,
                        alike: W::MANY && board.has_two_a_cell(),
                        assumed: None,
                        before: watch.counted(),
                    });
                    board.cut(guess.digit, guess.band, guess.assumed);
                    settled = V::splat(0);
                    first = true;
                    twin = None;
                    continue;
                }
            }
            Deduced::Solution if watch.solution(&board) => return Ok(End::CountLimit),
            Deduced::Solution | Deduced::Contradiction => {}
        }
        loop {
            let Some(branch) = stack.pop() else {
                return Ok(End::Exhausted);
            };
            if W::MANY && branch.alike && watch.only_counts() {
                if watch.count(watch.counted() - branch.before) {
                    return Ok(End::CountLimit);
                }
                continue;
            }
            board = branch.otherwise;
            twin = None;
            if W::MANY && watch.only_counts() {
                let count = watch.counted() - branch.before;
                if let Some(assumed) = branch.assumed {
                    twin = Some((assumed, count));
                }
            }
            break;
        }
        settled = V::splat(0);
        first = false;
    }
}

/// Counts solutions and keeps the first.
struct Counting<const MANY: bool> {
    tally: Tally,
    guesses: u64,
    steps: u64,
}

impl<V: Register<N>, const N: usize, const MANY: bool> Watch<V, N> for Counting<MANY> {
    const MANY: bool = MANY;

    #[inline(always)]
    fn only_counts(&self) -> bool {
        !self.tally.keeps()
    }

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
        self.tally.count(1)
    }

    #[inline(always)]
    fn counted(&self) -> u64 {
        self.tally.count
    }

    #[inline(always)]
    fn count(&mut self, more: u64) -> bool {
        self.tally.count(more)
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
    if limits.count > 2 {
        counting::<V, N, true>(stack, puzzle, limits, keep, cancel)
    } else {
        counting::<V, N, false>(stack, puzzle, limits, keep, cancel)
    }
}

#[inline(always)]
fn counting<V: Register<N>, const N: usize, const MANY: bool>(
    stack: &mut Stack<V, N>,
    puzzle: &Puzzle,
    limits: SolveLimits,
    keep: usize,
    cancel: Cancel<'_>,
) -> Result<Answer, Cancelled> {
    let mut counting = Counting::<MANY> {
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

impl<V: Register<N>, const N: usize> Watch<V, N> for Random<'_> {
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
    fn solution(&mut self, _: &Board<V, N>) -> bool {
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
