//! Whether a puzzle is as hard as wanted.

use super::MakeOptions;
use super::fault::Fault;
use crate::sudoku::logic::budget::{Budget, Halt};
use crate::sudoku::logic::path::Way;
use crate::sudoku::logic::pencilmarks::Pencilmarks;
use crate::sudoku::logic::rating::Rating;
use crate::sudoku::puzzle::Puzzle;
use crate::sudoku::solve::{Cancel, Cancelled};

/// Steps that the rating of one puzzle may take.
const STEPS: u64 = 2_000_000;

/// The rating of a puzzle with one solution, or the option that it does not meet: of several the first that
/// its way shows.
///
/// # Errors
/// If cancelled.
pub(super) fn rate(
    puzzle: &Puzzle,
    options: &MakeOptions,
    cancel: Cancel<'_>,
) -> Result<Result<Rating, Fault>, Cancelled> {
    let mut budget = Budget::new(STEPS, cancel);
    match follow(puzzle, options, &mut budget) {
        Ok(result) => Ok(result),
        Err(Halt::StepLimit) => Ok(Err(Fault::Rating)),
        Err(Halt::Cancelled) => Err(Cancelled),
    }
}

fn follow(
    puzzle: &Puzzle,
    options: &MakeOptions,
    budget: &mut Budget<'_>,
) -> Result<Result<Rating, Fault>, Halt> {
    let max = options.er().map_or(u16::MAX, |er| *er.end());
    let mut way = Way::new(Pencilmarks::new(puzzle), max, budget);
    while let Some((technique, er)) = way.step()? {
        if er > max {
            return Ok(Err(Fault::Er));
        }
        if options.forbid().contains(technique) {
            return Ok(Err(Fault::ForbidTechniques));
        }
    }
    let Some(rating) = way.rating() else {
        let is_harder = max < u16::MAX;
        return Ok(Err(if is_harder { Fault::Er } else { Fault::Rating }));
    };
    let require = options.require();
    Ok(if options.er().is_some_and(|er| !er.contains(&rating.er)) {
        Err(Fault::Er)
    } else if rating.techniques().and(require) != require {
        Err(Fault::RequireTechniques)
    } else {
        Ok(rating)
    })
}
