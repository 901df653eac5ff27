//! Solving: does a puzzle have a solution, exactly one, how many?
//!
//! [`Solver`] is the front of two engines, and [`naive`] the oracle that both are tested against:
//!
//! | engine | what it is for | how |
//! |---|---|---|
//! | [`single`](SingleSolver) | one puzzle, as soon as possible; counting; whatever depends on order | all digits of a puzzle in a few registers |
//! | [`batch`](BatchSolver) | many puzzles: does each have exactly one solution, and which? | a bit of every register is a puzzle |
//! | [`naive`] | tests | the most obvious way |
//!
//! The batch engine is several times faster a puzzle, but which solution it finds first depends on the
//! other puzzles of the call, their *company*; so it only settles what has one solution or none.
//! Everything else is the single engine's word: the first of several solutions, the number of guesses,
//! where a step limit ends. So the same puzzle and limits give the same answer, alone or among a
//! million, on every instruction set ([`Isa`]). One exception is accepted: under a step limit of a
//! million or more, what the batch engine proves within 500 guesses stands, even if the single engine
//! were to take more than the limit.
//!
//! A search is bounded by a count of guesses, not by time, so that its end does not depend on the
//! machine.

mod batch;
mod isa;
pub mod naive;
mod single;
mod solutions;
mod solver;
#[cfg(test)]
mod tests;

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

pub use batch::BatchSolver;
pub use isa::{Isa, UnknownIsa, Unusable};
pub use single::SingleSolver;
pub use solutions::Solutions;
pub use solver::Solver;

/// Where a search ends if the search space does not end first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolveLimits {
    /// Stop at this many solutions: 2 tells unique from multiple. 0 is read as 1.
    pub count: u64,
    /// Stop when more guesses than this were needed. With 0 a puzzle is answered by deduction or
    /// not at all.
    pub steps: u64,
}

impl SolveLimits {
    /// Enough to tell none, one and many apart, however long it takes.
    pub const UNIQUENESS: Self = Self {
        count: 2,
        steps: u64::MAX,
    };
}

/// A flag that another thread may raise to end a search.
#[derive(Clone, Copy, Debug)]
pub struct Cancel<'a>(pub &'a AtomicBool);

impl Cancel<'_> {
    /// A flag that nobody raises.
    #[must_use]
    pub const fn never() -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Self(&NEVER)
    }

    /// Whether it was raised.
    #[must_use]
    pub fn is_set(self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// # Errors
    /// If it was raised.
    pub(crate) fn check(self) -> Result<(), Cancelled> {
        if self.is_set() {
            Err(Cancelled)
        } else {
            Ok(())
        }
    }
}

/// The search was cancelled; what it had found is dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("cancelled")]
pub struct Cancelled;

/// What a search found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Exactly one solution.
    Unique,
    /// Two solutions or more.
    Multiple,
    /// A solution; with a count limit of 1, so whether it is the only one was not asked.
    Solved,
    /// No solution.
    None,
    /// The step limit came before the end and before the count limit.
    StepLimit,
}

/// The answer to one puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// What was found out.
    pub verdict: Verdict,
    /// The first solutions found, at most as many as were asked for.
    pub solutions: Solutions,
    /// How many solutions were found, a lower bound unless `exact`.
    pub count: u64,
    /// Whether the whole search space was seen: neither limit ended the search.
    pub exact: bool,
    /// Candidates assumed for want of a deduction; that the assumption's opposite is tried
    /// afterwards is not counted again. 0: the puzzle needs no guess. Where many solutions are counted
    /// at once, what takes as long as a guess counts as one.
    pub guesses: u64,
}

/// What a search found out about one of many puzzles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What was found out.
    pub verdict: Verdict,
    /// How many solutions were found, a lower bound if a limit ended the search.
    pub count: u64,
}

impl Finding {
    /// No solution.
    const NONE: Self = Self {
        verdict: Verdict::None,
        count: 0,
    };

    fn new(end: &End, count: u64) -> Self {
        let verdict = match (end, count) {
            (End::StepLimit, _) => Verdict::StepLimit,
            (End::CountLimit, 1) => Verdict::Solved,
            (End::Exhausted, 0) => Verdict::None,
            (End::Exhausted, 1) => Verdict::Unique,
            (End::CountLimit | End::Exhausted, _) => Verdict::Multiple,
        };
        Self { verdict, count }
    }
}

impl From<&Answer> for Finding {
    fn from(answer: &Answer) -> Self {
        Self {
            verdict: answer.verdict,
            count: answer.count,
        }
    }
}

/// How a search ended.
enum End {
    Exhausted,
    CountLimit,
    StepLimit,
}

/// The solutions of a search under way.
struct Tally {
    limit: u64,
    keep: usize,
    count: u64,
    solutions: Solutions,
}

impl Tally {
    fn new(limits: SolveLimits, keep: usize) -> Self {
        Self {
            limit: limits.count.max(1),
            keep,
            count: 0,
            solutions: Solutions::default(),
        }
    }

    /// Whether the next solution is to be kept as well as counted.
    #[inline]
    fn keeps(&self) -> bool {
        self.solutions.len() < self.keep
    }

    /// Counts solutions and says whether that is enough.
    #[inline]
    fn count(&mut self, more: u64) -> bool {
        self.count = self.count.saturating_add(more).min(self.limit);
        self.count == self.limit
    }

    fn answer(&mut self, end: &End, guesses: u64) -> Answer {
        let exact = matches!(end, End::Exhausted);
        Answer {
            verdict: Finding::new(end, self.count).verdict,
            solutions: mem::take(&mut self.solutions),
            count: self.count,
            exact,
            guesses,
        }
    }
}
