//! Taking givens away while the solution stays the only one.
//!
//! The result is that of the plain way: go through the orbits in order, and take each away if the
//! puzzle without it still has one solution. An orbit that had to stay once has to stay for good,
//! so once through is enough to be minimal. Orbits are tested several at a time while many givens
//! are left, when nearly all can go; in a group that cannot go whole, the first orbit that has to
//! stay is searched for by halving. What an [unavoidable set](Unavoidable) foretells is not tested. That
//! changes the number of tests and nothing else.
//!
//! A [`Minimiser`] does no test itself. It asks a [question](Minimiser::question) and waits for the
//! [answer](Minimiser::answer), so that the questions of many can be put to an engine together.
//!
//! ```text
//!  orbits in order:   - - g g - g ? ? ? ? . . . . . .
//!                                 ^   ^   ^
//!                              next  end  stuck        - gone   g has to stay   . later
//! ```
//!
//! The question is whether `next..end` can go. It is known of `next..stuck` that it cannot, if that
//! is any orbit at all; then `end` is halfway there.

use super::unavoidable::Unavoidable;
use crate::sudoku::grid::Grid;
use crate::sudoku::packed::{self, BYTES};
use crate::sudoku::set::CellSet;

/// When to stop taking away.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    /// As soon as no more givens than this are left.
    pub(super) at: u8,
    /// Orbits are passed over that would leave fewer.
    pub(super) never_below: u8,
    /// As soon as more givens than this must stay.
    pub(super) needed_above: u8,
}

/// A puzzle with one solution, losing givens.
#[derive(Clone, Debug)]
pub(super) struct Minimiser {
    /// What is left, packed.
    cells: [u8; BYTES],
    order: Order,
    unavoidable: Unavoidable,
    /// Places of the order before `next` that stay, a bit each.
    kept: u128,
    next: u8,
    end: u8,
    stuck: u8,
    /// Givens left.
    left: u8,
    /// Givens that have to stay, of those before `next`.
    needed: u8,
    stop: Stop,
}

/// Orbits in some order, by their numbers in the list of orbits.
pub(super) type Order = [u8; 81];

impl Minimiser {
    /// Down to so many givens too few tests fail for a list of unavoidable sets to be worth its
    /// making.
    const FEW: u8 = 28;

    /// With every cell given, about to take orbits away in this order until told to stop.
    pub(super) fn new(solution: &Grid, orbits: &[CellSet], order: Order, stop: Stop) -> Self {
        let unavoidable = if stop.at < Self::FEW {
            Unavoidable::new(solution, orbits, &order)
        } else {
            Unavoidable::none()
        };
        let mut minimiser = Self {
            cells: solution.to_packed(),
            order,
            unavoidable,
            kept: 0,
            next: 0,
            end: 0,
            stuck: 0,
            left: 81,
            needed: 0,
            stop,
        };
        minimiser.proceed(orbits);
        minimiser
    }

    /// What is left, packed.
    pub(super) const fn cells(&self) -> &[u8; BYTES] {
        &self.cells
    }

    /// How many givens are left.
    pub(super) const fn left(&self) -> u8 {
        self.left
    }

    /// Whether there is a question; if not, it is over.
    pub(super) const fn is_waiting(&self) -> bool {
        self.next < self.end
    }

    /// The puzzle of which must be known whether it has one solution; it has at least one.
    pub(super) fn question(&self, orbits: &[CellSet]) -> [u8; BYTES] {
        let mut cells = self.cells;
        for cell in self.open(orbits).iter() {
            packed::clear(&mut cells, cell);
        }
        cells
    }

    /// The cells that are given in what is left and not in the question.
    pub(super) fn open(&self, orbits: &[CellSet]) -> CellSet {
        let asked = &self.order[usize::from(self.next)..usize::from(self.end)];
        asked.iter().fold(CellSet::EMPTY, |open, &orbit| {
            open.union(orbits[usize::from(orbit)])
        })
    }

    /// Takes the answer to the question.
    pub(super) fn answer(&mut self, is_unique: bool, orbits: &[CellSet]) {
        if is_unique {
            for cell in self.open(orbits).iter() {
                packed::clear(&mut self.cells, cell);
                self.left -= 1;
            }
            self.next = self.end;
        } else {
            self.stuck = self.end;
        }
        self.proceed(orbits);
    }

    /// Finds the next question.
    fn proceed(&mut self, orbits: &[CellSet]) {
        let all = u8::try_from(orbits.len()).expect("at most 81 orbits");
        self.end = self.next;
        while self.next < all && self.left > self.stop.at && self.needed <= self.stop.needed_above {
            if self.next + 1 < self.stuck {
                self.end += (self.stuck - self.next) / 2;
                return;
            }
            let size = self.size(self.next, orbits);
            if self.next + 1 == self.stuck || self.unavoidable.holds(self.next, self.kept) {
                self.needed += size;
            } else if self.left >= self.stop.never_below + size {
                self.end = self.group_end(all, orbits);
                return;
            }
            self.kept |= 1 << self.next;
            self.next += 1;
            self.end = self.next;
        }
    }

    /// The end of a group that begins at `next`: at least one orbit, and no more than are all wanted
    /// gone.
    fn group_end(&self, all: u8, orbits: &[CellSet]) -> u8 {
        let most = self.group_cells().min(self.left - self.stop.at);
        let mut end = self.next + 1;
        let mut cells = self.size(self.next, orbits);
        while end < all && !self.unavoidable.holds(end, self.kept) {
            cells += self.size(end, orbits);
            if cells > most {
                break;
            }
            end += 1;
        }
        end
    }

    /// How many cells to test at a time: fewer as it becomes less likely that all can go.
    fn group_cells(&self) -> u8 {
        match self.left {
            61.. => 16,
            45.. => 8,
            37.. => 4,
            31.. => 2,
            _ => 1,
        }
    }

    /// The cells of the orbit at this place of the order.
    fn size(&self, at: u8, orbits: &[CellSet]) -> u8 {
        let orbit = orbits[usize::from(self.order[usize::from(at)])];
        u8::try_from(orbit.len()).expect("at most 81 cells")
    }
}
