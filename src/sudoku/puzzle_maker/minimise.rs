//! Taking givens away while the solution stays the only one.
//!
//! The result is that of the plain way: go through the orbits in order, and take each away if the
//! puzzle without it still has one solution. An orbit that had to stay once has to stay for good,
//! so once through is enough to be minimal. Orbits are tested several at a time while many givens
//! are left, when nearly all can go; in a group that cannot go whole, the first orbit that has to
//! stay is searched for by halving. What an [unavoidable set](Unavoidable) foretells is not tested. That
//! changes the number of tests and nothing else.
//!
//! Rejected: to look first whether a given is a naked or hidden single to the others. That
//! settles 33 of the 57 cells that go, but in groups these take only 5 tests of 29, which the engine
//! answers without a guess: 4 % fewer minimal puzzles a second.
//!
//! Cells of no orbit are never given. The first test is then whether what is left has one solution.
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
use crate::sudoku::cell::Cell;
use crate::sudoku::grid::Grid;
use crate::sudoku::house::House;
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
    /// What every house must have, if that matters: taking away goes on until no house has too many, and
    /// leaves what a house needs.
    pub(super) per_house: Option<PerHouse>,
}

/// How many givens every house may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PerHouse {
    /// The fewest.
    pub min: u8,
    /// The most.
    pub max: u8,
}

impl PerHouse {
    /// Whether no house has too many or too few of these givens.
    pub(super) fn is_met(self, given: CellSet) -> bool {
        self.has_enough(given) && self.crowded(given).is_empty()
    }

    /// Whether every house has enough of these givens.
    pub(super) fn has_enough(self, given: CellSet) -> bool {
        let mut houses = House::all();
        houses.all(|house| given.intersection(house.cell_set()).len() >= usize::from(self.min))
    }

    /// The cells of the houses that have too many.
    pub(super) fn crowded(self, given: CellSet) -> CellSet {
        let houses = House::all().map(House::cell_set);
        houses
            .filter(|&house| given.intersection(house).len() > usize::from(self.max))
            .fold(CellSet::EMPTY, CellSet::union)
    }
}

/// A puzzle with one solution, losing givens.
#[derive(Clone, Debug)]
pub(super) struct Minimiser {
    /// What is left, packed.
    cells: [u8; BYTES],
    given: CellSet,
    /// How many are given.
    left: u8,
    start: Start,
    order: Order,
    unavoidable: Unavoidable,
    /// Places of the order before `next` that stay, a bit each.
    kept: u128,
    next: u8,
    end: u8,
    stuck: u8,
    /// Givens that have to stay, of those before `next`.
    needed: u8,
    stop: Stop,
}

/// Whether there is one solution before any orbit is taken away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Start {
    Unknown,
    Unique,
    Ambiguous,
}

/// Orbits in some order, by their numbers in the list of orbits.
pub(super) type Order = [u8; 81];

impl Minimiser {
    /// Down to so many givens too few tests fail for a list of unavoidable sets to be worth its
    /// making.
    const FEW: u8 = 28;

    /// With all orbits given, about to take them away in this order until told to stop.
    pub(super) fn new(solution: &Grid, orbits: &[CellSet], order: Order, stop: Stop) -> Self {
        let given = orbits.iter().copied().fold(CellSet::EMPTY, CellSet::union);
        let mut cells = solution.to_packed();
        for cell in CellSet::ALL.difference(given).iter() {
            packed::clear(&mut cells, cell);
        }
        let is_whole = given == CellSet::ALL;
        let unavoidable = if stop.at < Self::FEW || !is_whole {
            Unavoidable::new(solution, orbits, &order)
        } else {
            Some(Unavoidable::none())
        };
        let start = match unavoidable {
            None => Start::Ambiguous,
            Some(_) if is_whole => Start::Unique,
            Some(_) => Start::Unknown,
        };
        let mut minimiser = Self {
            cells,
            given,
            left: u8::try_from(given.len()).expect("at most 81 cells"),
            start,
            order,
            unavoidable: unavoidable.unwrap_or(Unavoidable::none()),
            kept: 0,
            next: 0,
            end: 0,
            stuck: 0,
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

    /// The cells of what is left.
    pub(super) const fn given(&self) -> CellSet {
        self.given
    }

    /// Whether there is a question; if not, it is over.
    pub(super) fn is_waiting(&self) -> bool {
        self.start == Start::Unknown || self.next < self.end
    }

    /// Whether there was more than one solution from the start.
    pub(super) fn is_ambiguous(&self) -> bool {
        self.start == Start::Ambiguous
    }

    /// The puzzle of which must be known whether it has one solution; it has at least one.
    pub(super) fn question(&self, orbits: &[CellSet]) -> [u8; BYTES] {
        let mut cells = self.cells;
        for cell in self.open(orbits).iter() {
            packed::clear(&mut cells, cell);
        }
        cells
    }

    /// The given that is asked about, if the question is about one alone: whether
    /// [what is left](Self::cells) has one solution without it.
    pub(super) fn asked(&self, orbits: &[CellSet]) -> Option<Cell> {
        if self.start == Start::Unknown || self.end - self.next != 1 {
            return None;
        }
        let orbit = self.orbit(self.next, orbits);
        orbit.iter().next().filter(|_| orbit.len() == 1)
    }

    /// The cells that are given in what is left and not in the question, or in nothing.
    pub(super) fn open(&self, orbits: &[CellSet]) -> CellSet {
        if self.start == Start::Unknown {
            return CellSet::ALL.difference(self.given);
        }
        let asked = self.next..self.end;
        asked.fold(CellSet::EMPTY, |open, at| {
            open.union(self.orbit(at, orbits))
        })
    }

    /// Takes the answer to the question.
    pub(super) fn answer(&mut self, is_unique: bool, orbits: &[CellSet]) {
        if self.start == Start::Unknown {
            self.start = if is_unique {
                Start::Unique
            } else {
                Start::Ambiguous
            };
        } else if is_unique {
            let open = self.open(orbits);
            for cell in open.iter() {
                packed::clear(&mut self.cells, cell);
            }
            self.given = self.given.difference(open);
            self.left -= count(open);
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
        if self.start != Start::Unique {
            return;
        }
        while self.next < all && self.is_too_much() && self.needed <= self.stop.needed_above {
            if self.next + 1 < self.stuck {
                self.end += (self.stuck - self.next) / 2;
                return;
            }
            let orbit = self.orbit(self.next, orbits);
            if self.next + 1 == self.stuck || self.unavoidable.holds(self.next, self.kept) {
                self.needed += count(orbit);
            } else if self.may_go(orbit, count(orbit)) {
                self.end = self.group_end(all, orbits);
                return;
            }
            self.kept |= 1 << self.next;
            self.next += 1;
            self.end = self.next;
        }
    }

    /// Whether more is to go.
    fn is_too_much(&self) -> bool {
        self.left > self.stop.at || !self.crowded().is_empty()
    }

    /// The cells of houses with more givens than wanted.
    fn crowded(&self) -> CellSet {
        let per_house = self.stop.per_house;
        per_house.map_or(CellSet::EMPTY, |wanted| wanted.crowded(self.given))
    }

    /// Whether all that is wanted to stay does without these cells, so many, and something is gained.
    fn may_go(&self, cells: CellSet, size: u8) -> bool {
        let left = self.left;
        left >= self.stop.never_below + size
            && self.stop.per_house.is_none_or(|wanted| {
                wanted.has_enough(self.given.difference(cells))
                    && (left > self.stop.at || !cells.intersection(self.crowded()).is_empty())
            })
    }

    /// The end of a group that begins at `next`: at least one orbit, and no more than are all wanted
    /// gone.
    fn group_end(&self, all: u8, orbits: &[CellSet]) -> u8 {
        let left = self.left;
        let most = group_cells(left).min(left.saturating_sub(self.stop.at));
        let mut end = self.next + 1;
        let mut group = self.orbit(self.next, orbits);
        let mut size = count(group);
        while size < most && end < all && !self.unavoidable.holds(end, self.kept) {
            let orbit = self.orbit(end, orbits);
            group = group.union(orbit);
            size += count(orbit);
            if size > most || !self.may_go(group, size) {
                break;
            }
            end += 1;
        }
        end
    }

    /// The cells of the orbit at this place of the order.
    fn orbit(&self, at: u8, orbits: &[CellSet]) -> CellSet {
        orbits[usize::from(self.order[usize::from(at)])]
    }
}

/// How many cells to test at a time with so many givens left: fewer as it becomes less likely that
/// all can go.
fn group_cells(left: u8) -> u8 {
    match left {
        61.. => 16,
        45.. => 8,
        40.. => 4,
        37.. => 2,
        _ => 1,
    }
}

/// How many cells an orbit or a group of them has. To go through so few is faster than to count bits
/// without an instruction for it.
fn count(cells: CellSet) -> u8 {
    cells.iter().fold(0, |count, _| count + 1)
}
