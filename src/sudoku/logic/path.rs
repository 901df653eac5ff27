//! The way through a puzzle: one step at a time, each the first of the first technique that finds one.
//!
//! That order is the scale's, and a rating is that of this one way, not of the easiest one.

use super::chains::{Desk, Forcing};
use super::pencilmarks::Pencilmarks;
use super::step::Step;
use super::{aligned, bug, chains, fish, locked, singles, subsets, uniqueness, wings};
use crate::sudoku::solve::{Cancel, Cancelled};

/// What the hardest steps of a way are worth, in tenths on the scale of Sudoku Explainer.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Rating {
    /// The hardest step (ER).
    pub er: u16,
    /// The hardest up to the first that fills in a digit (EP).
    pub ep: u16,
    /// The first (ED).
    pub ed: u16,
}

/// What is known of the puzzle beside its givens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// Nothing: unique rectangles and loops and BUG are left out.
    Nothing,
    /// That it has exactly one solution.
    OneSolution,
}

/// The next step, if any technique finds one.
///
/// # Errors
/// If it was cancelled; chains may take seconds.
pub fn next(
    marks: &Pencilmarks,
    known: Known,
    cancel: Cancel<'_>,
) -> Result<Option<Step>, Cancelled> {
    next_at(marks, known, &mut Desk::new(cancel))
}

/// The same with room from steps before.
fn next_at(
    marks: &Pencilmarks,
    known: Known,
    desk: &mut Desk<'_>,
) -> Result<Option<Step>, Cancelled> {
    if let Some(step) = pattern(marks, known) {
        return Ok(Some(step));
    }
    if let Some(step) = chains::unary(marks, desk)? {
        return Ok(Some(step));
    }
    if let Some(step) = aligned::triplet(marks) {
        return Ok(Some(step));
    }
    for forcing in Forcing::ALL {
        if let Some(step) = chains::forcing(marks, forcing, desk)? {
            return Ok(Some(step));
        }
    }
    Ok(None)
}

/// The next step by the techniques that come before all chains.
fn pattern(marks: &Pencilmarks, known: Known) -> Option<Step> {
    let unique = || (known == Known::OneSolution).then_some(marks);
    singles::hidden_single(marks)
        .or_else(|| locked::direct(marks))
        .or_else(|| subsets::direct_hidden(marks, 2))
        .or_else(|| singles::naked_single(marks))
        .or_else(|| subsets::direct_hidden(marks, 3))
        .or_else(|| locked::indirect(marks))
        .or_else(|| subsets::naked(marks, 2))
        .or_else(|| fish::find(marks, 2))
        .or_else(|| subsets::hidden(marks, 2))
        .or_else(|| subsets::naked(marks, 3))
        .or_else(|| fish::find(marks, 3))
        .or_else(|| subsets::hidden(marks, 3))
        .or_else(|| wings::xy(marks))
        .or_else(|| wings::xyz(marks))
        .or_else(|| unique().and_then(uniqueness::find))
        .or_else(|| subsets::naked(marks, 4))
        .or_else(|| fish::find(marks, 4))
        .or_else(|| subsets::hidden(marks, 4))
        .or_else(|| unique().and_then(bug::find))
        .or_else(|| aligned::pair(marks))
}

/// The rating of a puzzle that is known to have one solution; `None` if the techniques do not solve it.
///
/// # Errors
/// If it was cancelled.
pub fn rate(mut marks: Pencilmarks, cancel: Cancel<'_>) -> Result<Option<Rating>, Cancelled> {
    let mut rating = Rating::default();
    let mut desk = Desk::new(cancel);
    let mut is_placed = false;
    while !marks.is_solved() {
        let Some(step) = next_at(&marks, Known::OneSolution, &mut desk)? else {
            return Ok(None);
        };
        rating.er = rating.er.max(step.er_tenths);
        if rating.ed == 0 {
            rating.ed = step.er_tenths;
        }
        if !is_placed {
            rating.ep = rating.er;
            is_placed = step.placement.is_some();
        }
        step.apply(&mut marks);
    }
    Ok(Some(rating))
}
