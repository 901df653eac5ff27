//! Solving a batch of inputs, in as many turns as the caller likes.
//!
//! The first step does most of it, in the batch engine and in a bounded time; then come, one by one,
//! the puzzles that are left to the single engine, of which each may take its whole step limit. So a
//! worker goes straight through, and an interactive call lets others have the thread in between.

use super::items::{Inputs, Outcome, Results};
use super::spec::Solve;
use crate::sudoku::packed::BYTES;
use crate::sudoku::{Cancel, Cancelled, Finding, SolveLimits, Solver, Verdict};

/// A batch being solved.
#[derive(Debug)]
pub struct Solving {
    limits: SolveLimits,
    inputs: Inputs,
    /// The first solution of each, as far as it was found.
    grids: Vec<u8>,
    /// Of each input, once the first step was done; `None` where the single engine has to.
    findings: Vec<Option<Finding>>,
    /// The next one that may be left to the single engine.
    next: usize,
}

impl Solving {
    /// Nothing is done yet.
    #[must_use]
    pub fn new(solve: Solve, inputs: Inputs) -> Self {
        Self {
            limits: SolveLimits {
                count: solve.count_limit,
                steps: solve.step_limit,
            },
            grids: vec![0; inputs.len() * BYTES],
            findings: Vec::new(),
            next: 0,
            inputs,
        }
    }

    /// Takes a step, and further ones until `pause` says so. Returns whether all is done.
    ///
    /// # Errors
    /// When `cancel` is set before.
    pub fn advance(
        &mut self,
        solver: &mut Solver,
        mut pause: impl FnMut() -> bool,
        cancel: Cancel<'_>,
    ) -> Result<bool, Cancelled> {
        let puzzles = self.inputs.as_items();
        let (grids, _) = self.grids.as_chunks_mut::<BYTES>();
        if self.findings.len() < puzzles.len() {
            self.findings = solver.settle(puzzles, self.limits, grids, cancel)?;
        }
        while let Some(offset) = self.findings[self.next..].iter().position(Option::is_none) {
            self.next += offset;
            if pause() {
                return Ok(false);
            }
            let (puzzle, grid) = (&puzzles[self.next], &mut grids[self.next]);
            let finding = solver.solve_packed(puzzle, self.limits, grid, cancel)?;
            self.findings[self.next] = Some(finding);
        }
        Ok(true)
    }

    /// What came of it. Inputs whose turn did not come count as stopped by the step limit.
    #[must_use]
    pub fn results(self) -> Results {
        let unseen = Finding {
            verdict: Verdict::StepLimit,
            count: 0,
        };
        let findings = self.inputs.as_items().iter().enumerate().map(|(i, item)| {
            let finding = self.findings.get(i).copied().flatten().unwrap_or(unseen);
            (Inputs::is_malformed(item), finding)
        });
        let outcome = |(malformed, finding): (bool, Finding)| {
            if malformed {
                Outcome::Malformed
            } else {
                Outcome::from(finding.verdict)
            }
        };
        Results {
            outcomes: findings.clone().map(outcome).collect(),
            counts: (self.limits.count > 2)
                .then(|| findings.map(|(_, finding)| finding.count).collect()),
            grids: self.grids,
            ..Results::default()
        }
    }
}

impl From<Verdict> for Outcome {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Unique => Self::Unique,
            Verdict::Multiple => Self::Multiple,
            Verdict::Solved => Self::Solved,
            Verdict::None => Self::None,
            Verdict::StepLimit => Self::StepLimit,
        }
    }
}
