//! The front of both engines.

use super::{Answer, BatchSolver, Cancel, Cancelled, Finding, Isa, SingleSolver, SolveLimits};
use super::{Unusable, Verdict};
use crate::sudoku::cell::Cell;
use crate::sudoku::grid::Grid;
use crate::sudoku::packed::{self, BYTES};
use crate::sudoku::puzzle::Puzzle;
use crate::sudoku::rng::Rng;
use crate::sudoku::set::CellSet;

/// Solves puzzles: one with the single engine, many with the batch engine. Which engine ran never
/// shows in an answer.
///
/// Making one costs nothing, and keeping it spares allocations.
#[derive(Debug)]
pub struct Solver {
    isa: Isa,
    single: SingleSolver,
    /// Made when it is first needed.
    batch: Option<Box<BatchSolver>>,
}

impl Solver {
    /// With fewer puzzles than this the single engine is done sooner.
    pub const FEWEST_IN_BATCH: usize = 128;

    /// A puzzle that takes more guesses than this in the batch engine goes to the single one.
    pub const BATCH_GUESSES: u64 = 500;

    /// What is asked of the batch engine. Two solutions, also where one is enough: which of several
    /// comes first depends on the company.
    const IN_BATCH: SolveLimits = SolveLimits {
        steps: Self::BATCH_GUESSES,
        ..SolveLimits::UNIQUENESS
    };

    /// A step limit below this is held by the letter, as the guesses of the single engine, which
    /// then does all the work. Above, it is a safety net: a puzzle that the batch engine proves
    /// unique within [`BATCH_GUESSES`](Self::BATCH_GUESSES) is not held up by it.
    pub const SAFETY_NET: u64 = 1_000_000;

    /// A solver with the instructions that this process uses.
    #[must_use]
    pub fn new() -> Self {
        let isa = Isa::current();
        Self {
            isa,
            single: SingleSolver::new(),
            batch: None,
        }
    }

    /// A solver with certain instructions.
    ///
    /// # Errors
    /// If the CPU lacks them.
    pub fn on(isa: Isa) -> Result<Self, Unusable> {
        Ok(Self {
            isa,
            single: SingleSolver::on(isa)?,
            batch: None,
        })
    }

    /// Solves a puzzle and returns the first `keep` of its solutions, in the order of the single
    /// engine. Time is bounded by `limits.steps`: a guess costs less than a microsecond.
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
        self.single.solve(puzzle, limits, keep, cancel)
    }

    /// Answers packed puzzles as [`solve`](Self::solve) answers each, and writes the first solution
    /// of each to the same place in `solutions`, zeros if there is none. Bytes that are no packed
    /// puzzle have no solution. `solutions` must be as long as `puzzles`; what is longer of either is
    /// left out.
    ///
    /// # Errors
    /// If cancelled, which is looked for every few microseconds.
    pub fn solve_all(
        &mut self,
        puzzles: &[[u8; BYTES]],
        limits: SolveLimits,
        solutions: &mut [[u8; BYTES]],
        cancel: Cancel<'_>,
    ) -> Result<Vec<Finding>, Cancelled> {
        let settled = self.settle(puzzles, limits, solutions, cancel)?;
        let mut findings = Vec::with_capacity(puzzles.len());
        for ((puzzle, finding), solution) in puzzles.iter().zip(settled).zip(solutions) {
            findings.push(match finding {
                Some(finding) => finding,
                None => self.solve_packed(puzzle, limits, solution, cancel)?,
            });
        }
        Ok(findings)
    }

    /// The part of [`solve_all`](Self::solve_all) that the batch engine can do, which is most of it
    /// in a bounded time: what it proves to have one solution or none. The rest, `None`, is to be
    /// solved one by one: what has several solutions, of which the single engine's first is wanted,
    /// and what takes very many guesses.
    ///
    /// # Errors
    /// If cancelled.
    pub fn settle(
        &mut self,
        puzzles: &[[u8; BYTES]],
        limits: SolveLimits,
        solutions: &mut [[u8; BYTES]],
        cancel: Cancel<'_>,
    ) -> Result<Vec<Option<Finding>>, Cancelled> {
        solutions.fill([0; BYTES]);
        if puzzles.len() < Self::FEWEST_IN_BATCH || limits.steps < Self::SAFETY_NET {
            return Ok(vec![None; puzzles.len()]);
        }
        let batch = self.batch();
        let findings = batch.solve(puzzles, Self::IN_BATCH, solutions, cancel)?;
        let settled = findings
            .into_iter()
            .zip(solutions)
            .map(|(finding, solution)| match finding.verdict {
                Verdict::Unique if limits.count <= 1 => Some(Finding {
                    verdict: Verdict::Solved,
                    ..finding
                }),
                Verdict::Unique | Verdict::None => Some(finding),
                Verdict::Multiple | Verdict::Solved | Verdict::StepLimit => {
                    *solution = [0; BYTES];
                    None
                }
            });
        Ok(settled.collect())
    }

    /// For each of the packed puzzles, which all have a solution, whether it is the only one. Where a
    /// given is named in `asked`, it is the puzzle without it, which has no other solution with the
    /// same digit there. `asked` may be shorter than `puzzles`.
    ///
    /// # Errors
    /// If cancelled.
    pub(in crate::sudoku) fn are_unique(
        &mut self,
        puzzles: &[[u8; BYTES]],
        asked: &[Option<Cell>],
        cancel: Cancel<'_>,
    ) -> Result<Vec<bool>, Cancelled> {
        let mut verdicts = vec![Verdict::StepLimit; puzzles.len()];
        if puzzles.len() >= Self::FEWEST_IN_BATCH {
            let batch = self.batch();
            let findings = batch.are_unique(puzzles, asked, Self::BATCH_GUESSES, cancel)?;
            verdicts = findings.iter().map(|finding| finding.verdict).collect();
        }
        for (i, verdict) in verdicts.iter_mut().enumerate() {
            if *verdict == Verdict::StepLimit {
                let mut puzzle = puzzles[i];
                if let Some(&Some(given)) = asked.get(i) {
                    packed::clear(&mut puzzle, given);
                }
                let limits = SolveLimits::UNIQUENESS;
                let finding = self.solve_packed(&puzzle, limits, &mut [0; BYTES], cancel)?;
                *verdict = finding.verdict;
            }
        }
        let unique = verdicts.iter().map(|&verdict| verdict == Verdict::Unique);
        Ok(unique.collect())
    }

    /// Answers one packed puzzle as [`solve_all`](Self::solve_all) does.
    ///
    /// # Errors
    /// If cancelled, which is looked for at every guess.
    pub fn solve_packed(
        &mut self,
        puzzle: &[u8; BYTES],
        limits: SolveLimits,
        solution: &mut [u8; BYTES],
        cancel: Cancel<'_>,
    ) -> Result<Finding, Cancelled> {
        *solution = [0; BYTES];
        let Ok(puzzle) = Puzzle::from_packed(puzzle) else {
            return Ok(Finding::NONE);
        };
        let answer = self.single.solve(&puzzle, limits, 1, cancel)?;
        if let Some(first) = answer.solutions.first() {
            *solution = first.to_packed();
        }
        Ok(Finding::from(&answer))
    }

    fn batch(&mut self) -> &mut BatchSolver {
        let isa = self.isa;
        let new = || Box::new(BatchSolver::on(isa).unwrap_or_default());
        self.batch.get_or_insert_with(new)
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
        self.single.random_solution(puzzle, rng, cancel)
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
        self.single.has_other(puzzle, solution, open, cancel)
    }
}

/// A clone has the same instructions, and room of its own.
impl Clone for Solver {
    fn clone(&self) -> Self {
        Self {
            isa: self.isa,
            single: self.single.clone(),
            batch: None,
        }
    }
}

impl Default for Solver {
    fn default() -> Self {
        Self::new()
    }
}
