//! What visibly breaks a rule: the reason, for a person, why a puzzle has no solution.
//!
//! Only what is seen at once on the board is named: equal givens, and what follows from the givens
//! by ruling out their peers. A puzzle without conflicts may still have no solution, which then
//! only a search shows.

use std::fmt;

use super::cell::Cell;
use super::digit::Digit;
use super::house::House;
use super::puzzle::Puzzle;
use super::set::{CellSet, DigitSet};

/// One broken rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conflict {
    /// A house holds a digit more than once.
    Repeated {
        /// The digit.
        digit: Digit,
        /// The house.
        house: House,
        /// Every cell of the house that holds it, at least two.
        cells: CellSet,
    },
    /// An empty cell whose peers hold all nine digits.
    NoCandidate {
        /// The cell.
        cell: Cell,
    },
    /// A digit that no cell of a house can hold.
    NoPlace {
        /// The digit.
        digit: Digit,
        /// The house.
        house: House,
    },
}

impl Conflict {
    /// The cells concerned: those that hold the same digit, or the one without a candidate; none
    /// for a digit without a place.
    #[must_use]
    pub fn cells(&self) -> CellSet {
        match *self {
            Self::Repeated { cells, .. } => cells,
            Self::NoCandidate { cell } => CellSet::EMPTY.with(cell),
            Self::NoPlace { .. } => CellSet::EMPTY,
        }
    }

    /// The digit concerned, if it is one.
    #[must_use]
    pub fn digit(&self) -> Option<Digit> {
        match *self {
            Self::Repeated { digit, .. } | Self::NoPlace { digit, .. } => Some(digit),
            Self::NoCandidate { .. } => None,
        }
    }

    /// The house concerned, if it is one.
    #[must_use]
    pub fn house(&self) -> Option<House> {
        match *self {
            Self::Repeated { house, .. } | Self::NoPlace { house, .. } => Some(house),
            Self::NoCandidate { .. } => None,
        }
    }

    /// Every conflict of a puzzle: repeated digits first, then cells without a candidate, then
    /// digits without a place.
    pub(super) fn all(puzzle: &Puzzle) -> Vec<Self> {
        let mut conflicts = Vec::new();
        for house in House::all() {
            for digit in Digit::ALL {
                let cells: CellSet = house
                    .cells()
                    .into_iter()
                    .filter(|cell| puzzle.cells()[cell.index()] == digit.value())
                    .collect();
                if cells.len() > 1 {
                    conflicts.push(Self::Repeated {
                        digit,
                        house,
                        cells,
                    });
                }
            }
        }
        let candidates = |cell: Cell| match Digit::new(puzzle.cells()[cell.index()]) {
            Some(given) => DigitSet::EMPTY.with(given),
            None => cell
                .peers()
                .iter()
                .filter_map(|peer| Digit::new(puzzle.cells()[peer.index()]))
                .fold(DigitSet::ALL, DigitSet::without),
        };
        for cell in Cell::all().filter(|&cell| candidates(cell).is_empty()) {
            conflicts.push(Self::NoCandidate { cell });
        }
        for house in House::all() {
            for digit in Digit::ALL {
                if !house
                    .cells()
                    .into_iter()
                    .any(|cell| candidates(cell).contains(digit))
                {
                    conflicts.push(Self::NoPlace { digit, house });
                }
            }
        }
        conflicts
    }
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Repeated {
                digit,
                house,
                cells,
            } => {
                write!(f, "{digit} stands more than once in {house}:")?;
                cells.iter().try_for_each(|cell| write!(f, " {cell}"))
            }
            Self::NoCandidate { cell } => write!(f, "{cell} has no candidate"),
            Self::NoPlace { digit, house } => write!(f, "{digit} has no place in {house}"),
        }
    }
}
