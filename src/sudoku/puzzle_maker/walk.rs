//! Walks from puzzle to puzzle with the same solution, to where givens are fewer than digging leaves.
//!
//! Of the puzzles that digging ends at, 1 in 400 has 21 givens and 1 in 15,000 has 20. But nearly every
//! solution has such puzzles, and a minimal puzzle has others near by. A walk begins with what digging
//! leaves of a random solution, or of the one asked for. A *step* of it
//!
//! - puts one orbit of givens in the place of two, or of a larger one, such that the solution stays the
//!   only one, and takes away what else can go; or if nowhere can that be done,
//! - puts one orbit in the place of another of as many cells.
//!
//! Which, of all that can be, is the first in an order drawn for the step: the givens that go are looked
//! through in that order, and for each what may come. If nothing can be, or if many steps were in vain,
//! the next walk begins. Each puzzle on the way is looked at, and the first that fits is
//! the item's.
//!
//! After a second step the puzzle is minimal if it was before: could a given go, then this one and the
//! one that went would have made room together for the one that came, by a first step.
//!
//! # What it costs
//!
//! Without symmetry a step looks at some 12,000 puzzles that might come of it and asks the engine about
//! one to five. The unavoidable sets that the [`Judge`] has met rule out the others: where a puzzle has
//! one or two givens of a set, what stands for them must be in the set. So one pass over the sets, two
//! or three thousand, leaves of all exchanges nearly those alone that can be. 25 to 50 µs, about as long
//! as a try.
//!
//! # Why this way
//!
//! - Digging again with a random given more, the new one last, takes the same steps. But it looks at
//!   what one of sixty cells can stand for, where here all are looked at for little more.
//! - The batch engine answers twice as fast, but tells no other solution, and what a walk asks next
//!   depends on the answer.
//! - Steps in vain before a walk ends: from 100 to 3000 the time for 18 and 19 givens is the same within
//!   a factor of two; with more, more steps are taken and each is sooner done.
//!
//! Those who hunt for puzzles with 17 givens search so, and call the steps {-2+1} and {-1+1}. The
//! puzzles of a walk are spread less evenly than those of digging, so walks begin only where digging was
//! in vain ([`item`](super::item)).

use super::fault::Fault;
use super::judge::{Judge, OrbitSet};
use super::minimise::Order;
use super::{MadePuzzle, MakeOptions, Rejections};
use crate::sudoku::grid::Grid;
use crate::sudoku::rng::Rng;
use crate::sudoku::set::CellSet;
use crate::sudoku::solve::{Cancel, Cancelled, Solver};

/// Steps without fewer givens after which a walk ends.
const IN_VAIN: u64 = 300;

/// About to walk.
pub(super) struct Walker<'a> {
    pub(super) options: &'a MakeOptions,
    pub(super) solution: Grid,
    pub(super) rng: &'a mut Rng,
    pub(super) order: &'a mut Order,
    pub(super) solver: &'a mut Solver,
    pub(super) rejections: &'a mut Rejections,
    pub(super) cancel: Cancel<'a>,
}

impl Walker<'_> {
    /// One walk, looking at no more puzzles than there are steps left; takes off those it looks at.
    ///
    /// # Errors
    /// If cancelled.
    pub(super) fn walk(&mut self, steps: &mut u64) -> Result<Option<MadePuzzle>, Cancelled> {
        let orbits = self.options.orbits();
        let judge = Judge::new(self.solution, orbits, self.solver, self.cancel);
        let mut walk = Walk {
            judge,
            options: self.options,
            sizes: Sizes::new(orbits),
            given: (1 << orbits.len()) - 1,
        };
        let order = &mut self.order[..orbits.len()];
        self.rng.shuffle(order);
        *steps -= 1;
        if !walk.judge.is_unique(walk.given)? {
            self.rejections.count(Fault::Pattern);
            return Ok(None);
        }
        walk.dig(order)?;
        let mut in_vain = 0;
        loop {
            let cells = walk.options.cells_of(walk.given);
            let fault = match walk.judge.look(walk.given, self.options)? {
                Ok(made) => return Ok(Some(made)),
                Err(fault) => fault,
            };
            self.rejections.count(fault);
            let too_few = fault == Fault::Minimal;
            if *steps == 0 || in_vain == IN_VAIN || too_few {
                return Ok(None);
            }
            self.rng.shuffle(order);
            if !walk.step(order)? {
                return Ok(None);
            }
            *steps -= 1;
            self.cancel.check()?;
            in_vain += 1;
            if walk.options.cells_of(walk.given).len() < cells.len() {
                in_vain = 0;
            }
        }
    }
}

/// A puzzle on its way.
struct Walk<'a> {
    judge: Judge<'a>,
    options: &'a MakeOptions,
    sizes: Sizes,
    given: OrbitSet,
}

impl Walk<'_> {
    /// Takes away what can go, in this order.
    fn dig(&mut self, order: &[u8]) -> Result<(), Cancelled> {
        for orbit in order.iter().map(|&orbit| 1 << orbit) {
            let without = self.given & !orbit;
            if without != self.given && self.may_be(without) && self.judge.is_unique(without)? {
                self.given = without;
            }
        }
        Ok(())
    }

    /// To the next puzzle, if there is one.
    fn step(&mut self, order: &[u8]) -> Result<bool, Cancelled> {
        let is_given = |&orbit: &u8| self.given >> orbit & 1 != 0;
        let (given, rest): (Vec<u8>, Vec<u8>) = order.iter().partition(|orbit| is_given(orbit));
        let openings = Openings::new(self.judge.sets(), self.given, &given);
        for (at, &first) in given.iter().enumerate() {
            for (after, &second) in given[at..].iter().enumerate() {
                let gone = 1 << first | 1 << second;
                let fewer = self.sizes.below(self.sizes.sum(gone));
                let open = openings.of(at, at + after) & fewer;
                if let Some(next) = self.first(gone, open, &rest)? {
                    self.given = next;
                    self.dig(order)?;
                    return Ok(true);
                }
            }
        }
        for (at, &orbit) in given.iter().enumerate() {
            let size = self.sizes.sum(1 << orbit);
            let equal = self.sizes.below(size + 1) & !self.sizes.below(size);
            if let Some(next) = self.first(1 << orbit, openings.of(at, at) & equal, &rest)? {
                self.given = next;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// With some orbits gone, and the first of `rest` instead that is one of `open` and leaves one
    /// solution.
    fn first(
        &mut self,
        gone: OrbitSet,
        open: OrbitSet,
        rest: &[u8],
    ) -> Result<Option<OrbitSet>, Cancelled> {
        if open == 0 {
            return Ok(None);
        }
        for orbit in rest.iter().map(|&orbit| 1 << orbit) {
            let next = self.given & !gone | orbit;
            if open & orbit != 0 && self.may_be(next) && self.judge.is_unique(next)? {
                return Ok(Some(next));
            }
        }
        Ok(None)
    }

    /// Whether these givens are enough for what is wanted. A puzzle that is to be minimal must be dug
    /// to the end, whatever else is wanted.
    fn may_be(&self, given: OrbitSet) -> bool {
        let per_house = self.options.givens_per_house();
        self.options.minimal()
            || self.sizes.sum(given) >= usize::from(*self.options.givens().start())
                && per_house.is_none_or(|wanted| wanted.has_enough(self.options.cells_of(given)))
    }
}

/// What may stand for the givens of a puzzle, as far as is known.
struct Openings {
    /// How many orbits are given.
    len: usize,
    /// What may stand for the two given orbits at these places of an order, or for one; at `first *
    /// len + second`, with `first <= second`.
    open: Vec<OrbitSet>,
}

impl Openings {
    /// For these orbits in their order.
    fn new(sets: &[OrbitSet], given: OrbitSet, order: &[u8]) -> Self {
        let len = order.len();
        let mut places = [0; 128];
        for (place, &orbit) in order.iter().enumerate() {
            places[usize::from(orbit)] = place;
        }
        let mut open = vec![!given; len * len];
        for set in sets {
            let met = set & given;
            let further = met & met.wrapping_sub(1);
            if further & further.wrapping_sub(1) == 0 {
                let one = places[met.trailing_zeros() as usize];
                let other = places[(further | met).ilog2() as usize];
                open[one.min(other) * len + one.max(other)] &= set;
            }
        }
        for first in 0..len {
            for second in first + 1..len {
                open[first * len + second] &=
                    open[first * len + first] & open[second * len + second];
            }
        }
        Self { len, open }
    }

    /// What may stand for the orbits at two places, or at one if they are the same.
    fn of(&self, first: usize, second: usize) -> OrbitSet {
        self.open[first * self.len + second]
    }
}

/// The sizes of orbits.
struct Sizes {
    /// At `n`: the orbits with so many cells.
    of: [OrbitSet; 9],
}

impl Sizes {
    fn new(orbits: &[CellSet]) -> Self {
        let mut of = [0; 9];
        for (number, orbit) in orbits.iter().enumerate() {
            of[orbit.len()] |= 1 << number;
        }
        Self { of }
    }

    /// How many cells these orbits have.
    fn sum(&self, orbits: OrbitSet) -> usize {
        let of = self.of.iter().enumerate();
        of.map(|(size, of)| size * (of & orbits).count_ones() as usize)
            .sum()
    }

    /// The orbits with fewer cells than this.
    fn below(&self, size: usize) -> OrbitSet {
        self.of.iter().take(size).fold(0, |below, of| below | of)
    }
}
