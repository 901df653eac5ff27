//! What a search for steps may take.
//!
//! Counted, not timed, so that the same puzzle ends in the same place on every machine. A step of the count
//! is a candidate whose consequences are followed, or about as much other work: a look for all that comes
//! before chains, some cells of a walk along loops. That is about a microsecond, whatever the technique; nested
//! chains follow millions.

use thiserror::Error;

use crate::sudoku::solve::{Cancel, Cancelled};

/// Steps that are left, and a flag that another thread may raise.
#[derive(Clone, Debug)]
pub struct Budget<'a> {
    steps: u64,
    cancel: Cancel<'a>,
}

/// Why a search ended before its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Halt {
    /// Somebody wanted it to.
    #[error("cancelled")]
    Cancelled,
    /// Nothing is left of the budget.
    #[error("the step limit came first")]
    StepLimit,
}

impl From<Cancelled> for Halt {
    fn from(Cancelled: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl<'a> Budget<'a> {
    /// So many steps.
    #[must_use]
    pub const fn new(steps: u64, cancel: Cancel<'a>) -> Self {
        Self { steps, cancel }
    }

    /// As many as it takes.
    #[must_use]
    pub const fn unlimited() -> Self {
        Self::new(u64::MAX, Cancel::never())
    }

    /// How many steps are left.
    #[must_use]
    pub const fn left(&self) -> u64 {
        self.steps
    }

    /// Takes one.
    ///
    /// # Errors
    /// If it was cancelled, or none is left.
    pub(super) fn step(&mut self) -> Result<(), Halt> {
        self.cancel.check()?;
        self.steps = self.steps.checked_sub(1).ok_or(Halt::StepLimit)?;
        Ok(())
    }
}
