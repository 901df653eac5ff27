//! Puzzles of a level and a number of givens that seldom come together.
//!
//! Of random puzzles with more givens than they need few are hard, and of those with as few as can be few are
//! easy. A *steered* try takes away all that can go, and then gives back what makes the puzzle as wanted:
//!
//! - while the level is above the hardest wanted, one orbit with a cell that its techniques leave open;
//! - then, up to the number of givens wanted, orbits of cells that the levels below the easiest wanted fill in
//!   before they come to a halt.
//!
//! The second changes nothing: the techniques up to hard come to a halt on the same board, with those cells
//! given or not ([`sieve`](super::sieve)), and the way goes on from there as it did. So a minimal puzzle of ER 8.3
//! with 24 givens becomes one of ER 8.3 with 30. What comes of it is looked at as every puzzle is.
//!
//! The puzzles are spread otherwise than those of plain tries: their hard part is that of a minimal puzzle. So
//! they come only where plain tries were in vain ([`item`](super::item)).

use super::fault::Fault;
use super::judge::{Judge, OrbitSet};
use super::sieve::Sieve;
use super::walk::Walker;
use super::{MadePuzzle, MakeOptions, rater};
use crate::sudoku::logic::difficulty::Difficulty;
use crate::sudoku::set::CellSet;
use crate::sudoku::solve::Cancelled;

impl Walker<'_> {
    /// One steered try.
    ///
    /// # Errors
    /// If cancelled.
    pub(super) fn steer(&mut self) -> Result<Option<MadePuzzle>, Cancelled> {
        let orbits = self.options.orbits();
        let order = &mut self.order[..orbits.len()];
        self.rng.shuffle(order);
        let (min, max) = self.options.givens().clone().into_inner();
        let wanted = u32::from(min) + self.rng.below(u32::from(max - min) + 1);
        let judge = Judge::new(self.solution, orbits, self.solver, self.cancel);
        let mut steering = Steering {
            judge,
            options: self.options,
            order,
            given: (1 << orbits.len()) - 1,
        };
        let looked_at = if steering.dig()? {
            steering.give(wanted as usize)?
        } else {
            Err(Fault::Pattern)
        };
        Ok(looked_at
            .inspect_err(|&fault| self.rejections.count(fault))
            .ok())
    }
}

/// A puzzle under way.
struct Steering<'a, 'b> {
    judge: Judge<'a>,
    options: &'b MakeOptions,
    order: &'b [u8],
    given: OrbitSet,
}

impl Steering<'_, '_> {
    /// Takes away all that can go, if there is one solution to begin with.
    fn dig(&mut self) -> Result<bool, Cancelled> {
        if !self.judge.is_unique(self.given)? {
            return Ok(false);
        }
        for orbit in self.order.iter().map(|&orbit| 1 << orbit) {
            let without = self.given & !orbit;
            if self.judge.is_unique(without)? {
                self.given = without;
            }
        }
        Ok(true)
    }

    /// Gives back what makes it as wanted, and looks at what it comes to.
    fn give(&mut self, wanted: usize) -> Result<Result<MadePuzzle, Fault>, Cancelled> {
        let hardest = *self.options.levels().end();
        let below = self.options.level_below();
        let max = usize::from(*self.options.givens().end());
        let open = loop {
            let puzzle = self.judge.puzzle(self.given);
            let mut sieve = Sieve::new(&puzzle);
            let mut open = CellSet::EMPTY;
            if let Some(below) = below {
                if sieve.solves(below) {
                    let fault = rater::fault_of_level(&puzzle, self.options);
                    return Ok(Err(fault.unwrap_or(Fault::Er)));
                }
                open = sieve.open();
            }
            if hardest > Difficulty::Hard || sieve.solves(hardest) {
                break open;
            }
            let left = sieve.open();
            let opens = |orbit: CellSet| !orbit.intersection(left).is_empty();
            if !self.give_first(max, opens) {
                return Ok(Err(Fault::Er));
            }
        };
        let per_house = self.options.givens_per_house();
        loop {
            let cells = self.options.cells_of(self.given);
            let fits = |orbit: CellSet| {
                let with = cells.union(orbit);
                orbit.intersection(open).is_empty()
                    && per_house.is_none_or(|wanted| wanted.crowded(with).is_empty())
            };
            if cells.len() >= wanted || !self.give_first(max, fits) {
                return self.judge.look(self.given, self.options);
            }
        }
    }

    /// Gives the first orbit that is not given and is as asked, with at most `max` givens then, if there is one.
    fn give_first(&mut self, max: usize, is_asked: impl Fn(CellSet) -> bool) -> bool {
        let given = self.options.cells_of(self.given);
        let orbits = self.options.orbits();
        let first = self.order.iter().copied().find(|&number| {
            let orbit = orbits[usize::from(number)];
            self.given >> number & 1 == 0 && given.len() + orbit.len() <= max && is_asked(orbit)
        });
        if let Some(orbit) = first {
            self.given |= 1 << orbit;
        }
        first.is_some()
    }
}
