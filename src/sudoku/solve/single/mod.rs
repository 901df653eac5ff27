//! The single engine: one puzzle at a time, as soon as possible, all nine digits at once in SIMD
//! registers.
//!
//! | room | what it holds |
//! |---|---|
//! | [`register`] | the layout of a board, and what is asked of a machine's registers |
//! | [`board`] | deduction: lines, hidden and naked singles, counts of triads |
//! | [`guess`] | which guess to make |
//! | [`chute`] | counting the ways to fill a band or stack |
//! | [`search`] | depth first search and what it is used for |
//! | [`avx512`], [`avx2`], [`portable`] | the registers of an instruction set, and entry functions with it enabled |
//!
//! The rooms above are written once, generic over the registers, so that all instruction sets do
//! the same work: equal answers, equal guesses. What differs is how many digits a register holds.
//!
//! Rejected: tables and plain words with a digit settled at a time, the engine before this one,
//! which took six to eight times as long for easy puzzles as AVX2 does. Not tried: two searches
//! interleaved.

#![expect(
    clippy::inline_always,
    reason = "an intrinsic is an instruction only where its set is enabled"
)]
#![expect(clippy::many_single_char_names, reason = "registers are lettered")]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod board;
mod chute;
mod guess;
mod portable;
mod register;
mod search;

use super::{Answer, Cancel, Cancelled, Isa, SolveLimits, Unusable};
use crate::sudoku::grid::Grid;
use crate::sudoku::puzzle::Puzzle;
use crate::sudoku::rng::Rng;
use crate::sudoku::set::CellSet;
use search::Stack;

/// Solves puzzles, one after the other. Making one costs nothing; keeping it spares the search
/// stack's allocation.
#[derive(Clone, Debug)]
pub struct SingleSolver(Engine);

/// The search stack of an instruction set. Invariant: the CPU has it.
#[derive(Clone, Debug)]
enum Engine {
    Portable(Stack<portable::Portable, 9>),
    #[cfg(target_arch = "x86_64")]
    Avx2(Stack<avx2::Avx2, 5>),
    #[cfg(target_arch = "x86_64")]
    Avx512(Stack<avx512::Avx512, 3>),
}

impl Default for SingleSolver {
    fn default() -> Self {
        Self::new()
    }
}

/// Calls an entry function of the engine's instruction set.
macro_rules! enter {
    ($solver:expr, $entry:ident($($argument:expr),*)) => {
        match &mut $solver.0 {
            Engine::Portable(stack) => portable::$entry(stack, $($argument),*),
            #[cfg(target_arch = "x86_64")]
            Engine::Avx2(stack) => avx2::$entry(stack, $($argument),*),
            #[cfg(target_arch = "x86_64")]
            Engine::Avx512(stack) => avx512::$entry(stack, $($argument),*),
        }
    };
}

impl SingleSolver {
    /// A solver with the instructions that this process uses.
    #[must_use]
    pub fn new() -> Self {
        Self::on(Isa::current()).unwrap_or_else(|_| Self(Engine::Portable(Vec::new())))
    }

    /// A solver with certain instructions.
    ///
    /// # Errors
    /// If the CPU lacks them.
    pub fn on(isa: Isa) -> Result<Self, Unusable> {
        isa.check()?;
        Ok(Self(match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => Engine::Avx2(Vec::new()),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => Engine::Avx512(Vec::new()),
            _ => Engine::Portable(Vec::new()),
        }))
    }

    /// Solves a puzzle and returns the first `keep` of its solutions. A guess is that a digit is in
    /// a certain minirow or minicolumn, made for want of a deduction. Time is bounded by
    /// `limits.steps`: a guess costs about half a microsecond. Solutions beyond those kept may be
    /// counted without a guess for each.
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
        enter!(self, solve(puzzle, limits, keep, cancel))
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
        enter!(self, random_solution(puzzle, rng, cancel))
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
        enter!(self, has_other(puzzle, solution, open, cancel))
    }
}
