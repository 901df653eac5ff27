//! Solving a batch of inputs in turns, for callers that must let others have the thread in between.
//!
//! The batch engine comes first and is not divided: its time is bounded. Then come, one by one, the
//! puzzles that are left to the single engine, of which each may take its whole step limit.

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
    /// What was found out of those before the first that is still left to the single engine.
    found: Vec<Finding>,
    /// The findings of the batch engine after those, the next one last.
    settled: Vec<Option<Finding>>,
}

/// What a turn came to.
#[derive(Debug)]
pub enum Turn {
    /// All is solved.
    Done(Results),
    /// There is more to do.
    More(Solving),
}

impl Solving {
    /// Begins, with the batch engine.
    ///
    /// # Errors
    /// When `cancel` is set before it is done.
    pub fn begin(
        solve: Solve,
        inputs: Inputs,
        solver: &mut Solver,
        cancel: Cancel<'_>,
    ) -> Result<Self, Cancelled> {
        let limits = limits(solve);
        let mut grids = vec![0; inputs.len() * BYTES];
        let (solutions, _) = grids.as_chunks_mut();
        let mut settled = solver.settle(inputs.as_items(), limits, solutions, cancel)?;
        settled.reverse();
        Ok(Self {
            limits,
            found: Vec::with_capacity(inputs.len()),
            inputs,
            grids,
            settled,
        })
    }

    /// Goes on, one puzzle of the single engine at least, until `pause` says so.
    ///
    /// # Errors
    /// When `cancel` is set before.
    pub fn turn(
        mut self,
        solver: &mut Solver,
        mut pause: impl FnMut() -> bool,
        cancel: Cancel<'_>,
    ) -> Result<Turn, Cancelled> {
        let puzzles = self.inputs.as_items();
        let (grids, _) = self.grids.as_chunks_mut();
        let mut some = false;
        while let Some(finding) = self.settled.pop() {
            let i = self.found.len();
            self.found.push(match finding {
                Some(finding) => finding,
                None if some && pause() => {
                    self.settled.push(None);
                    return Ok(Turn::More(self));
                }
                None => {
                    some = true;
                    solver.solve_packed(&puzzles[i], self.limits, &mut grids[i], cancel)?
                }
            });
        }
        let results = results(&self.inputs, self.limits, &self.found, self.grids);
        Ok(Turn::Done(results))
    }
}

/// Solves a batch straight through.
///
/// # Errors
/// When `cancel` is set before the end.
pub fn solve_all(
    solve: Solve,
    inputs: &Inputs,
    solver: &mut Solver,
    cancel: Cancel<'_>,
) -> Result<Results, Cancelled> {
    let limits = limits(solve);
    let mut grids = vec![0; inputs.len() * BYTES];
    let (solutions, _) = grids.as_chunks_mut();
    let found = solver.solve_all(inputs.as_items(), limits, solutions, cancel)?;
    Ok(results(inputs, limits, &found, grids))
}

fn limits(solve: Solve) -> SolveLimits {
    SolveLimits {
        count: solve.count_limit,
        steps: solve.step_limit,
    }
}

fn results(inputs: &Inputs, limits: SolveLimits, found: &[Finding], grids: Vec<u8>) -> Results {
    let outcomes = inputs.as_items().iter().zip(found).map(|(item, finding)| {
        // What is no puzzle was found to have no solution: only there it takes another look.
        if finding.verdict == Verdict::None && Inputs::is_malformed(item) {
            Outcome::Malformed
        } else {
            Outcome::from(finding.verdict)
        }
    });
    Results {
        outcomes: outcomes.collect(),
        counts: (limits.count > 2).then(|| found.iter().map(|finding| finding.count).collect()),
        grids,
        ..Results::default()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::Puzzle;

    /// Unique, with several solutions, with none, malformed, and often the same.
    fn inputs(number: usize) -> Inputs {
        let lines = [
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
            "...3...1.7......3.1.....6.8..8..1.6.5...9......2...3.7...413...8.42.5....2.......",
            "11...............................................................................",
        ];
        let puzzles: Vec<Puzzle> = lines.map(|line| line.parse().expect("cells")).to_vec();
        let mut inputs = Inputs::with_capacity(number);
        for i in 0..number {
            inputs.push(puzzles.get(i % 4));
        }
        inputs
    }

    #[test]
    fn turns_come_to_the_same_as_going_straight_through() {
        let solver = &mut Solver::new();
        for number in [0, 1, 5, 400] {
            for count_limit in [1, 2, 5] {
                let solve = Solve {
                    count_limit,
                    step_limit: 10_000_000,
                };
                let inputs = inputs(number);
                let expected = solve_all(solve, &inputs, solver, Cancel::never()).expect("runs");
                let mut turns = 0;
                let mut solving =
                    Solving::begin(solve, inputs, solver, Cancel::never()).expect("runs");
                let results = loop {
                    // Impatient: a turn is one puzzle.
                    match solving
                        .turn(solver, || true, Cancel::never())
                        .expect("runs")
                    {
                        Turn::Done(results) => break results,
                        Turn::More(more) => solving = more,
                    }
                    turns += 1;
                };
                assert_eq!(results, expected);
                assert_eq!(results.outcomes.len(), number);
                // A batch of four hundred leaves every fourth to the single engine.
                assert!(number < 128 || turns == number / 4 - 1, "{turns}");
            }
        }
    }
}
