//! Whether a puzzle is as hard as wanted.
//!
//! A rating takes from a tenth of a millisecond to seconds, a look through the [`sieve`] some
//! microseconds. So the level is asked there first, where that can settle it, and only what may fit is rated; and
//! that ends at the first step that is too hard or forbidden.

use super::MakeOptions;
use super::fault::Fault;
use super::sieve;
use crate::sudoku::logic::budget::{Budget, Halt};
use crate::sudoku::logic::difficulty::Difficulty;
use crate::sudoku::logic::path::Way;
use crate::sudoku::logic::pencilmarks::Pencilmarks;
use crate::sudoku::logic::rating::Rating;
use crate::sudoku::logic::technique::Technique;
use crate::sudoku::puzzle::Puzzle;
use crate::sudoku::solve::{Cancel, Cancelled};

/// Steps that the rating of one puzzle may take: some seconds.
const STEPS: u64 = 2_000_000;

/// The rating of a puzzle with one solution, or the option that it does not meet. Of several that is the
/// level, where it is hard at most or one of these is wanted, then what the way shows first, then what is
/// known at its end.
///
/// # Errors
/// If cancelled.
pub(super) fn rate(
    puzzle: &Puzzle,
    options: &MakeOptions,
    cancel: Cancel<'_>,
) -> Result<Result<Rating, Fault>, Cancelled> {
    if let Some(fault) = fault_of_level(puzzle, options) {
        return Ok(Err(fault));
    }
    let mut budget = Budget::new(STEPS, cancel);
    match follow(puzzle, options, &mut budget) {
        Ok(result) => Ok(result),
        Err(Halt::StepLimit) => Ok(Err(Fault::Rating)),
        Err(Halt::Cancelled) => Err(Cancelled),
    }
}

/// The option that the level alone stands against, if it does.
pub(super) fn fault_of_level(puzzle: &Puzzle, options: &MakeOptions) -> Option<Fault> {
    let (easiest, hardest) = options.levels().into_inner();
    let is_settled = hardest <= Difficulty::Hard;
    // What is no harder than the hardest level wanted is of interest, or else what is easier than the easiest.
    let last = if is_settled {
        hardest
    } else {
        options.level_below()?
    };
    match sieve::level(puzzle, last) {
        None if is_settled => Some(Fault::Er),
        Some(level) if level < easiest => Some(match options.er() {
            Some(er) if Difficulty::of(*er.start()) > level => Fault::Er,
            _ => Fault::RequireTechniques,
        }),
        _ => None,
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
        // Nothing is left, or nothing that is easy enough.
        let hardest = Technique::NestedForcingChains.worth();
        let is_harder = hardest.is_some_and(|worth| max < *worth.end());
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
