//! The option that turns a puzzle down.

use super::{MakeOptions, Rejections};
use crate::sudoku::set::CellSet;

/// An option that a puzzle does not meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    Pattern,
    Givens,
    Minimal,
    GivensPerHouse,
    Guesses,
    Er,
    RequireTechniques,
    ForbidTechniques,
    Rating,
}

impl Fault {
    /// The first option that stands against these givens, if they leave one solution.
    pub(super) fn of_givens(given: CellSet, options: &MakeOptions) -> Option<Self> {
        let left = given.len();
        let (min, max) = options.givens().clone().into_inner();
        let per_house = options.givens_per_house();
        if left > usize::from(max) {
            Some(Self::Givens)
        } else if left < usize::from(min) {
            Some(Self::Minimal)
        } else if per_house.is_some_and(|wanted| !wanted.is_met(given)) {
            Some(Self::GivensPerHouse)
        } else {
            None
        }
    }

    /// Whether the puzzle is too easy, too hard, or solved otherwise than wanted.
    pub(super) const fn is_of_rating(self) -> bool {
        matches!(
            self,
            Self::Er | Self::RequireTechniques | Self::ForbidTechniques
        )
    }

    /// Whether so many guesses are not wanted.
    pub(super) fn of_guesses(guesses: u64, options: &MakeOptions) -> Option<Self> {
        (!options.guesses().contains(&guesses)).then_some(Self::Guesses)
    }
}

impl Rejections {
    pub(super) const fn count(&mut self, fault: Fault) {
        *match fault {
            Fault::Pattern => &mut self.pattern,
            Fault::Givens => &mut self.givens,
            Fault::Minimal => &mut self.minimal,
            Fault::GivensPerHouse => &mut self.givens_per_house,
            Fault::Guesses => &mut self.guesses,
            Fault::Er => &mut self.er,
            Fault::RequireTechniques => &mut self.require_techniques,
            Fault::ForbidTechniques => &mut self.forbid_techniques,
            Fault::Rating => &mut self.rating,
        } += 1;
    }
}
