//! The way through a puzzle: one step at a time, each the first of the first technique that finds one.
//!
//! That order is the scale's, and a rating is that of this one way, not of the easiest one.

use super::pencilmarks::Pencilmarks;
use super::step::Step;
use super::{aligned, bug, fish, locked, singles, subsets, uniqueness, wings};

/// What the hardest steps of a way are worth, in tenths on the scale of Sudoku Explainer.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Rating {
    /// The hardest step (ER).
    pub er: u16,
    /// The hardest up to the first that fills in a digit (EP).
    pub ep: u16,
    /// The first (ED).
    pub ed: u16,
    is_placed: bool,
}

impl Rating {
    /// Counts a step, the next one of the way.
    pub fn add(&mut self, step: &Step) {
        self.er = self.er.max(step.er_tenths);
        if self.ed == 0 {
            self.ed = step.er_tenths;
        }
        if !self.is_placed {
            self.ep = self.er;
            self.is_placed = step.placement.is_some();
        }
    }
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
#[must_use]
pub fn next(marks: &Pencilmarks, known: Known) -> Option<Step> {
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
        // The unary chains (6.5 to about 8) go here.
        .or_else(|| aligned::triplet(marks))
}

/// The rating of a puzzle that is known to have one solution; `None` if the techniques do not solve it.
#[must_use]
pub fn rate(mut marks: Pencilmarks) -> Option<Rating> {
    let mut rating = Rating::default();
    while !marks.is_solved() {
        let step = next(&marks, Known::OneSolution)?;
        rating.add(&step);
        step.apply(&mut marks);
    }
    Some(rating)
}
