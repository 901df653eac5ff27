//! Runs a span of work on the core: pure, and the same for a worker and for an interactive call.
//!
//! It stands here and not in `worker` because `rpc` answers Generate and MakePuzzle with the same code
//! (and SolveStream in turns, with [`solving`]), and the two never import one another. Item `i` depends
//! on the work and `i` alone, and on its remake where no two may be [alike](super::alike).

use super::alike::Remakes;
use super::chunk::Span;
use super::items::{Canonicalized, Inputs, Outcome, Results};
use super::making;
use super::progress::Rejections;
use super::rating;
use super::solving;
use super::spec::{Distribution, Generate, Work};
use super::store::Completion;
use crate::sudoku::packed::BYTES;
use crate::sudoku::symmetry::Canonicalizer;
use crate::sudoku::{Cancel, Cancelled, Distinct, Solver, Uniform};

/// Runs spans one after another and keeps what the next one can use: setting up the distinct
/// grids of a seed takes longer than filling ten chunks with them.
#[derive(Clone, Debug, Default)]
pub struct Runner {
    solver: Solver,
    canonicalizer: Canonicalizer,
    sequence: Option<(Generate, Sequence)>,
}

/// The grids of a seed.
#[derive(Clone, Debug)]
enum Sequence {
    Distinct(Distinct),
    Uniform(Uniform),
}

impl Sequence {
    fn new(generate: &Generate) -> Self {
        let Generate {
            seed, first_digit, ..
        } = *generate;
        match generate.distribution {
            Distribution::Distinct => Self::Distinct(Distinct::new(seed, first_digit)),
            Distribution::Uniform => Self::Uniform(Uniform::new(seed, first_digit)),
        }
    }
}

impl Runner {
    /// See [`run`]. Puzzles that turned out to be alike to others are made again as `remakes` says; it
    /// may name items of other spans.
    ///
    /// # Errors
    /// When `cancel` is set before the end.
    pub fn run(
        &mut self,
        work: &Work,
        span: Span,
        inputs: &Inputs,
        remakes: &Remakes,
        cancel: Cancel<'_>,
    ) -> Result<Completion, Cancelled> {
        match work {
            Work::Solve(solve) => {
                solving::solve_all(*solve, inputs, &mut self.solver, cancel).map(Completion::from)
            }
            Work::Generate(generate) => {
                fill(self.sequence(*generate), span, cancel).map(Completion::from)
            }
            Work::MakePuzzle(make) => {
                let task = making::Task {
                    span,
                    inputs,
                    remakes,
                };
                making::make_all(make, &task, &mut self.canonicalizer, cancel)
            }
            Work::Rate(rate) => {
                rating::rate_all(*rate, inputs, &mut self.solver, cancel).map(Completion::from)
            }
            Work::Canonicalize => {
                canonicalize(inputs, &mut self.canonicalizer, cancel).map(Completion::from)
            }
        }
    }

    fn sequence(&mut self, generate: Generate) -> &Sequence {
        let kept = self.sequence.take().filter(|(of, _)| *of == generate);
        let sequence = kept.unwrap_or_else(|| (generate, Sequence::new(&generate)));
        &self.sequence.insert(sequence).1
    }
}

/// Runs the items of `span`, each for the first time. `inputs` holds one item each for work that takes them.
///
/// # Errors
/// When `cancel` is set before the end.
pub fn run(
    work: &Work,
    span: Span,
    inputs: &Inputs,
    cancel: Cancel<'_>,
) -> Result<Completion, Cancelled> {
    Runner::default().run(work, span, inputs, &Remakes::new(), cancel)
}

impl From<Results> for Completion {
    fn from(results: Results) -> Self {
        Self {
            results,
            rejections: Rejections::new(),
            forms: Vec::new(),
        }
    }
}

fn fill(sequence: &Sequence, span: Span, cancel: Cancel<'_>) -> Result<Results, Cancelled> {
    let mut results = Results::all(Outcome::Made, span.items());
    let (grids, _) = results.grids.as_chunks_mut::<BYTES>();
    // A thousand grids take a millisecond at most, so one look at the flag for them is enough.
    for (first, grids) in span.range().step_by(1024).zip(grids.chunks_mut(1024)) {
        cancel.check()?;
        match sequence {
            Sequence::Distinct(sequence) => sequence.fill_packed(first, grids),
            Sequence::Uniform(sequence) => sequence.fill_packed(first, grids),
        }
    }
    Ok(results)
}

fn canonicalize(
    inputs: &Inputs,
    canonicalizer: &mut Canonicalizer,
    cancel: Cancel<'_>,
) -> Result<Results, Cancelled> {
    let mut results = Results::all(Outcome::Malformed, inputs.len());
    let mut canonicals = vec![Canonicalized::NONE; inputs.len()];
    let (forms, _) = results.grids.as_chunks_mut::<BYTES>();
    let items = results.outcomes.iter_mut().zip(forms).zip(&mut canonicals);
    for (((outcome, form), canonicalized), input) in items.zip(inputs.iter()) {
        let Some(puzzle) = input else { continue };
        cancel.check()?;
        let canonical = canonicalizer.canonical(&puzzle);
        *outcome = Outcome::Made;
        *form = canonical.form.to_packed();
        *canonicalized = Canonicalized {
            transformation: canonical.transformation,
            automorphisms: canonical.automorphisms,
        };
    }
    results.canonicals = Some(canonicals);
    Ok(results)
}
