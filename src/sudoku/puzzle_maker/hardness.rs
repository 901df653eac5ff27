//! What is wanted of a rating: whether it can be, and of which levels the puzzles are.
//!
//! Refused is what plainly is on no way, by the values that steps can have; a rating that merely nobody has seen
//! is not.

use std::ops::RangeInclusive;

use super::{Impossible, MakeOptions, Wishes};
use crate::sudoku::logic::difficulty::Difficulty;
use crate::sudoku::logic::technique::Technique;

impl MakeOptions {
    /// Whether givens may be given back for the sake of the rating.
    pub(super) const fn may_steer(&self) -> bool {
        !self.minimal() && !self.wants_few()
    }

    /// The levels that a rating may be of: those from `er`'s start, and from the least that what is required
    /// is worth, to `er`'s end.
    pub(super) fn levels(&self) -> RangeInclusive<Difficulty> {
        let (min, max) = match self.er() {
            Some(er) => (*er.start(), *er.end()),
            None => (0, u16::MAX),
        };
        let least = |technique: Technique| technique.worth().map(|worth| *worth.start());
        let required = self.require().iter().filter_map(least);
        let min = required.fold(min, u16::max);
        Difficulty::of(min)..=Difficulty::of(max)
    }

    /// The hardest level below those that a sieve can tell.
    pub(super) fn level_below(&self) -> Option<Difficulty> {
        let easiest = *self.levels().start();
        let levels = Difficulty::ALL.into_iter();
        let below = levels.take_while(|&level| level < easiest && level <= Difficulty::Hard);
        below.last()
    }
}

/// With so many givens at most three cells are empty. One of them is alone in a house: if each had company in
/// its row and its column, they would be four at least. So are those that are left then.
const FULL_HOUSES_ALONE: u8 = 78;

/// Whether a rating can be what is wanted of it. A complete grid has one too, of no step.
pub(super) fn rating_is_possible(
    wishes: &Wishes,
    reachable: &RangeInclusive<u8>,
) -> Result<(), Impossible> {
    let Wishes {
        er,
        require,
        forbid,
        ..
    } = wishes;
    let (min, max) = er.clone().unwrap_or(0..=u16::MAX).into_inner();
    // Without a number of givens a puzzle is dug as far as it goes.
    let is_dug = wishes.minimal || wishes.givens.is_none() && *reachable.start() < 81;
    let may_be_complete = *reachable.end() == 81 && !is_dug && *wishes.guesses.start() == 0;
    if may_be_complete && min == 0 && require.is_empty() {
        return Ok(());
    }
    let fits = |&technique: &Technique| (min..=max).any(|er| technique.can_be_worth(er));
    let mut fitting = Technique::ALL.iter().copied().filter(fits).peekable();
    if fitting.peek().is_none() {
        return Err(Impossible::Er { min, max });
    }
    for technique in require.iter() {
        if forbid.contains(technique) {
            return Err(Impossible::RequiredAndForbidden { technique });
        }
        let Some(worth) = technique.worth() else {
            return Err(Impossible::NeverTaken { technique });
        };
        let least = *worth.start();
        if least > max {
            return Err(Impossible::RequiredIsHarder {
                technique,
                least,
                max,
            });
        }
    }
    let last = Technique::FullHouse;
    if forbid.contains(last) {
        return Err(Impossible::LastStep { technique: last });
    }
    if fitting.all(|technique| forbid.contains(technique)) {
        return Err(Impossible::AllForbidden { min, max });
    }
    let givens = *reachable.start();
    if givens < FULL_HOUSES_ALONE {
        return Ok(());
    }
    let takes_steps = givens < 81;
    if er.is_some() && !(takes_steps && (min..=max).contains(&10)) {
        let wish = "er";
        return Err(Impossible::FewEmpty { wish, givens });
    }
    if require.iter().any(|technique| technique != last) || !takes_steps {
        let wish = "require_techniques";
        return Err(Impossible::FewEmpty { wish, givens });
    }
    Ok(())
}
