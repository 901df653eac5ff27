//! The bivalue universal grave (BUG): a board where every empty cell has two candidates and every digit
//! two places, or none, in every house.
//!
//! Such a board has two solutions or none, so a puzzle with one solution never comes to it: where a few
//! candidates more, the *extras*, are all that keeps a board from being one, an extra is true. **This
//! supposes that the puzzle has exactly one solution.** The types are those of
//! [`uniqueness`](super::uniqueness), but for the fourth:
//!
//! | type | the extras | what goes |
//! |---|---|---|
//! | 1 | in one cell | all else there |
//! | 2 | of one digit | it, from the cells that see all that have it |
//! | 3 | in cells of a house, which act as one cell that has them | what a naked subset with it takes |
//! | 4 | in two cells of a house that share one other candidate | what else both have beside the extras |

use super::argument::{Argument, Beside, Uniqueness, UniquenessType};
use super::pencilmarks::{Candidate, Pencilmarks, candidates_of, digits};
use super::step::Step;
use super::subsets::naked_with;
use super::technique::Technique;
use super::unit::{UNITS_OF, Unit};
use crate::sudoku::cell::Cell;
use crate::sudoku::digit::Digit;
use crate::sudoku::set::CellSet;

/// The first, in the order of the types but for the fourth, which comes before the third.
pub(super) fn find(marks: &Pencilmarks) -> Option<Step> {
    let grave = Grave::dig(marks)?;
    grave
        .single_cell()
        .or_else(|| grave.single_digit())
        .or_else(|| grave.shared_digit())
        .or_else(|| grave.subset())
}

/// A board that is a grave but for some extras.
struct Grave<'a> {
    marks: &'a Pencilmarks,
    /// The cells with extras.
    cells: CellSet,
    /// The extras by cell.
    extras: [u16; 81],
    /// All of them.
    union: u16,
}

impl<'a> Grave<'a> {
    /// The board as one, if it is. An extra is what has the only cell with more than two candidates among the
    /// places of a digit in a house, where these are not two.
    fn dig(marks: &'a Pencilmarks) -> Option<Self> {
        let large = |cell: Cell| marks.candidates(cell).count_ones() > 2;
        let mut grave = Self {
            marks,
            cells: CellSet::EMPTY,
            extras: [0; 81],
            union: 0,
        };
        for unit in Unit::all() {
            let is_large = (0..9).fold(0, |mask, place| {
                mask | u16::from(large(unit.cells()[place])) << place
            });
            for digit in Digit::ALL {
                let places = marks.places(unit, digit);
                if matches!(places.count_ones(), 0 | 2) {
                    continue;
                }
                let places = places & is_large;
                if places == 0 {
                    return None;
                }
                if places.is_power_of_two() {
                    let cell = unit.cells()[places.trailing_zeros() as usize];
                    let bit = 1 << (digit.value() - 1);
                    grave.cells = grave.cells.with(cell);
                    grave.extras[cell.index()] |= bit;
                    grave.union |= bit;
                }
            }
        }
        grave.is_one().then_some(grave)
    }

    /// Whether the extras are all that keeps it from being one.
    fn is_one(&self) -> bool {
        let have_two = Cell::all()
            .all(|cell| self.marks.digit(cell) != 0 || self.others(cell).count_ones() == 2);
        have_two
            && Unit::all().all(|unit| {
                // Of every digit whether it was seen at least once, twice, three times.
                let mut seen = [0_u16; 3];
                for &cell in unit.cells() {
                    let others = self.others(cell);
                    seen[2] |= seen[1] & others;
                    seen[1] |= seen[0] & others;
                    seen[0] |= others;
                }
                seen[0] == seen[1] && seen[2] == 0
            })
    }

    /// The candidates of a cell beside its extras.
    fn others(&self, cell: Cell) -> u16 {
        self.marks.candidates(cell) & !self.extras[cell.index()]
    }

    /// Type 1.
    fn single_cell(&self) -> Option<Step> {
        let mut cells = self.cells.iter();
        let (Some(cell), None) = (cells.next(), cells.next()) else {
            return None;
        };
        let gone = candidates_of(cell, self.others(cell));
        self.step(UniquenessType::One, 56, gone, Beside::Nothing, None)
    }

    /// Type 2.
    fn single_digit(&self) -> Option<Step> {
        if !self.union.is_power_of_two() {
            return None;
        }
        let gone = self
            .cells
            .seen_by_all()
            .iter()
            .flat_map(|cell| candidates_of(cell, self.marks.candidates(cell) & self.union));
        self.step(UniquenessType::Two, 57, gone, Beside::Nothing, None)
    }

    /// Type 4.
    fn shared_digit(&self) -> Option<Step> {
        let mut cells = self.cells.iter();
        let (Some(first), Some(second), None) = (cells.next(), cells.next(), cells.next()) else {
            return None;
        };
        let mut shared = digits(self.others(first) & self.others(second));
        let (Some(shared), None) = (shared.next(), shared.next()) else {
            return None;
        };
        let unit = self.units().next()?;
        let gone = [first, second]
            .into_iter()
            .flat_map(|cell| candidates_of(cell, self.others(cell)));
        let gone = gone.filter(|gone| gone.digit() != shared);
        self.step(
            UniquenessType::Four,
            57,
            gone,
            Beside::Strong(shared),
            Some(unit),
        )
    }

    /// Type 3.
    fn subset(&self) -> Option<Step> {
        if self.cells.len() < 2 || self.union.count_ones() < 2 {
            return None;
        }
        (2..=6).find_map(|size| {
            self.units().find_map(|unit| {
                let (gone, set) = naked_with(self.marks, unit, self.cells, self.union, size)?;
                let er_tenths = 57 + size - 1;
                self.step(
                    UniquenessType::Three,
                    er_tenths,
                    gone,
                    Beside::Naked(set),
                    Some(unit),
                )
            })
        })
    }

    /// The units that all cells with extras are in.
    fn units(&self) -> impl Iterator<Item = Unit> {
        let first = self.cells.iter().next();
        let units = first.into_iter().flat_map(|cell| UNITS_OF[cell.index()]);
        units
            .map(|(unit, _)| unit)
            .filter(|unit| self.cells.iter().all(|cell| unit.has(cell)))
    }

    fn step(
        &self,
        kind: UniquenessType,
        er_tenths: u16,
        gone: impl IntoIterator<Item = Candidate>,
        beside: Beside,
        unit: Option<Unit>,
    ) -> Option<Step> {
        let extras = self.cells.iter();
        let extras = extras.flat_map(|cell| candidates_of(cell, self.extras[cell.index()]));
        let extras: Vec<_> = extras.collect();
        let mut evidence = extras.clone();
        match &beside {
            Beside::Nothing => {}
            Beside::Naked(set) | Beside::Hidden(set) => evidence.extend(set),
            Beside::Strong(digit) => {
                evidence.extend(self.cells.iter().map(|cell| Candidate::new(cell, *digit)));
            }
        }
        let step = Step::taking(Technique::BivalueUniversalGrave, er_tenths, gone)?;
        let argument = Argument::TwoSolutions(Uniqueness {
            kind,
            cells: self.marks.empty_cells(),
            extras,
            beside,
        });
        Some(step.proven_by(evidence, unit).by(argument))
    }
}
