//! Runs a span of work on the core: pure, and the same for a worker and for an interactive call.
//!
//! It stands here and not in `worker` because `rpc` answers Generate and MakePuzzle with the same code
//! (and SolveStream in turns, with [`solving`]), and the two never import one another. Item `i` depends
//! on the work and `i` alone.

use super::chunk::Span;
use super::items::{Inputs, Outcome, Results};
use super::progress::Rejections;
use super::solving;
use super::spec::{Generate, MakePuzzle, Work};
use super::store::Completion;
use crate::sudoku::packed::BYTES;
use crate::sudoku::{Cancel, Cancelled, Distinct, Made, PuzzleMaker, Solver};

/// Runs spans one after another and keeps what the next one can use: setting up the grids of a seed takes
/// half as long as filling a chunk of them.
#[derive(Clone, Debug, Default)]
pub struct Runner {
    solver: Solver,
    sequence: Option<(Generate, Distinct)>,
}

impl Runner {
    /// See [`run`].
    ///
    /// # Errors
    /// When `cancel` is set before the end.
    pub fn run(
        &mut self,
        work: &Work,
        span: Span,
        inputs: &Inputs,
        cancel: Cancel<'_>,
    ) -> Result<Completion, Cancelled> {
        match work {
            Work::Solve(solve) => {
                solving::solve_all(*solve, inputs, &mut self.solver, cancel).map(Completion::from)
            }
            Work::Generate(generate) => {
                fill(self.sequence(*generate), span, cancel).map(Completion::from)
            }
            Work::MakePuzzle(make) => make_all(make, span, cancel),
        }
    }

    fn sequence(&mut self, generate: Generate) -> &Distinct {
        let kept = self.sequence.take().filter(|(of, _)| *of == generate);
        let sequence = kept.unwrap_or_else(|| {
            let grids = Distinct::new(generate.seed, generate.first_digit);
            (generate, grids)
        });
        &self.sequence.insert(sequence).1
    }
}

/// Runs the items of `span`. `inputs` holds one item each for work that takes them.
///
/// # Errors
/// When `cancel` is set before the end.
pub fn run(
    work: &Work,
    span: Span,
    inputs: &Inputs,
    cancel: Cancel<'_>,
) -> Result<Completion, Cancelled> {
    Runner::default().run(work, span, inputs, cancel)
}

impl From<Results> for Completion {
    fn from(results: Results) -> Self {
        Self {
            results,
            rejections: Rejections::new(),
        }
    }
}

fn fill(sequence: &Distinct, span: Span, cancel: Cancel<'_>) -> Result<Results, Cancelled> {
    let mut results = Results::all(Outcome::Made, items(span));
    let (grids, _) = results.grids.as_chunks_mut::<BYTES>();
    sequence.fill_packed(span.first, grids);
    // 8,192 grids take a tenth of a millisecond, so one look at the flag is enough.
    if cancel.is_set() {
        return Err(Cancelled);
    }
    Ok(results)
}

fn make_all(make: &MakePuzzle, span: Span, cancel: Cancel<'_>) -> Result<Completion, Cancelled> {
    let options = make.options().expect("checked when the job was accepted");
    let mut maker = PuzzleMaker::new(make.seed, options);
    let mut results = Results::all(Outcome::NotFound, items(span));
    let mut solutions = vec![0; results.grids.len()];
    let mut guesses = vec![0; results.len()];
    let (puzzle_cells, _) = results.grids.as_chunks_mut::<BYTES>();
    let (solution_cells, _) = solutions.as_chunks_mut::<BYTES>();
    maker.make_all(span.range(), cancel, |index, made| {
        let item = usize::try_from(index - span.first).expect("a span is at most a chunk");
        if let Made::Puzzle(made) = made {
            results.outcomes[item] = Outcome::Unique;
            puzzle_cells[item] = made.puzzle.to_packed();
            solution_cells[item] = made.solution.to_packed();
            guesses[item] = made.guesses;
        }
    })?;
    results.solutions = Some(solutions);
    results.guesses = Some(guesses);
    Ok(Completion {
        results,
        rejections: turned_down(maker.rejections()),
    })
}

fn turned_down(rejections: crate::sudoku::Rejections) -> Rejections {
    let by_option = [
        ("givens", rejections.givens),
        ("minimal", rejections.minimal),
    ];
    let counted = by_option.into_iter().filter(|&(_, tries)| tries > 0);
    counted
        .map(|(option, tries)| (option.to_owned(), tries))
        .collect()
}

fn items(span: Span) -> usize {
    usize::try_from(span.len).expect("a span is at most a chunk")
}
