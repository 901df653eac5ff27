//! Making the puzzles of a span.

use super::alike::{Form, MAX_REMAKES, MadeForm, Remakes};
use super::chunk::Span;
use super::items::{Inputs, Outcome, Results};
use super::progress::Rejections;
use super::spec::MakePuzzle;
use super::store::Completion;
use crate::sudoku::logic::rating::Rating;
use crate::sudoku::packed::BYTES;
use crate::sudoku::symmetry::Canonicalizer;
use crate::sudoku::{self, Ask, Cancel, Cancelled, Grid, Made, PuzzleMaker};

/// Which puzzles to make.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task<'a> {
    /// These items.
    pub(super) span: Span,
    /// Their solutions, unless they are drawn.
    pub(super) inputs: &'a Inputs,
    /// Which of an item's puzzles, where it is not the first.
    pub(super) remakes: &'a Remakes,
}

impl Task<'_> {
    /// Every item, with its solution if it is given; `None` for one whose solution is none.
    fn asks(&self, make: &MakePuzzle) -> Vec<Option<Ask>> {
        let ask = |index, solution| Ask {
            index,
            remake: self.remakes.get(&index).copied().unwrap_or(0),
            solution,
        };
        let indices = self.span.range();
        if make.from_solutions {
            let solutions = self.inputs.iter().map(|cells| Grid::try_from(cells?).ok());
            let items = indices.zip(solutions);
            items
                .map(|(index, solution)| Some(ask(index, Some(solution?))))
                .collect()
        } else {
            indices.map(|index| Some(ask(index, None))).collect()
        }
    }
}

/// Makes them.
///
/// # Errors
/// When `cancel` is set before the end.
pub(super) fn make_all(
    make: &MakePuzzle,
    task: &Task<'_>,
    canonicalizer: &mut Canonicalizer,
    cancel: Cancel<'_>,
) -> Result<Completion, Cancelled> {
    let options = make.options().expect("checked when the job was accepted");
    let is_rated = options.is_rated();
    let mut maker = PuzzleMaker::new(make.seed, options);
    let first = task.span.first;
    let mut results = Results::all(Outcome::NotFound, task.span.items());
    let mut solutions = vec![0; results.grids.len()];
    let mut guesses = vec![0; results.len()];
    let mut ratings = is_rated.then(|| vec![Rating::default(); results.len()]);
    let mut forms = Vec::new();
    let (puzzle_cells, _) = results.grids.as_chunks_mut::<BYTES>();
    let (solution_cells, _) = solutions.as_chunks_mut::<BYTES>();
    let outcomes = &mut results.outcomes;
    let wanted = task.asks(make);
    for (outcome, ask) in outcomes.iter_mut().zip(&wanted) {
        if ask.is_none() {
            *outcome = Outcome::Malformed;
        }
    }
    let wanted = wanted.into_iter().flatten();
    let wanted = wanted.filter(|ask| ask.remake <= MAX_REMAKES);
    maker.make_all(wanted, cancel, |ask, made| {
        let item = usize::try_from(ask.index - first).expect("a span is at most a chunk");
        let Made::Puzzle(found) = made else { return };
        outcomes[item] = Outcome::Unique;
        puzzle_cells[item] = found.puzzle.to_packed();
        solution_cells[item] = found.solution.to_packed();
        guesses[item] = found.guesses;
        if let (Some(ratings), Some(rating)) = (&mut ratings, found.rating) {
            ratings[item] = rating.without_counts();
        }
        if make.distinct_up_to_symmetry {
            forms.push(MadeForm {
                index: ask.index,
                remake: ask.remake,
                form: Form::of(&canonicalizer.canonical(&found.puzzle).form),
            });
        }
    })?;
    forms.sort_unstable_by_key(|item| item.index);
    results.solutions = Some(solutions);
    results.guesses = Some(guesses);
    results.ratings = ratings;
    let alike = task.remakes.range(task.span.range());
    let alike = alike.map(|(_, &remakes)| u64::from(remakes)).sum();
    Ok(Completion {
        results,
        rejections: turned_down(maker.rejections(), alike),
        forms,
    })
}

fn turned_down(rejections: sudoku::Rejections, alike: u64) -> Rejections {
    let by_option = [
        ("givens", rejections.givens),
        ("minimal", rejections.minimal),
        ("pattern", rejections.pattern),
        ("givens_per_house", rejections.givens_per_house),
        ("guesses", rejections.guesses),
        ("er_tenths", rejections.er),
        ("require_techniques", rejections.require_techniques),
        ("forbid_techniques", rejections.forbid_techniques),
        ("rating", rejections.rating),
        ("distinct_up_to_symmetry", alike),
    ];
    let counted = by_option
        .into_iter()
        .filter(|&(_, candidates)| candidates > 0);
    counted
        .map(|(option, candidates)| (option.to_owned(), candidates))
        .collect()
}
