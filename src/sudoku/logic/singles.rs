//! One place for a digit, or one digit for a place.

use super::pencilmarks::{Candidate, Pencilmarks};
use super::step::Step;
use super::technique::Technique;
use super::unit::Unit;
use crate::sudoku::cell::Cell;
use crate::sudoku::digit::Digit;

/// The last empty cell of a house, else the only place of a digit in a box, a column, a row.
pub(super) fn hidden_single(marks: &Pencilmarks) -> Option<Step> {
    full_house(marks).or_else(|| {
        Unit::all().find_map(|unit| {
            let one = |&digit: &Digit| marks.places(unit, digit).is_power_of_two();
            let digit = Digit::ALL.into_iter().find(one)?;
            let cell = unit.cells()[marks.places(unit, digit).trailing_zeros() as usize];
            let er_tenths = if unit.is_box() { 12 } else { 15 };
            Some(placed(
                Technique::HiddenSingle,
                er_tenths,
                cell,
                digit,
                &[unit],
            ))
        })
    })
}

fn full_house(marks: &Pencilmarks) -> Option<Step> {
    Unit::all().find_map(|unit| {
        let mut empty = unit.cells().iter().filter(|&&cell| marks.digit(cell) == 0);
        let (cell, None) = (*empty.next()?, empty.next()) else {
            return None;
        };
        // Two candidates, or none, would be no rule of this house's.
        let digit = Digit::ALL
            .into_iter()
            .find(|&digit| marks.places(unit, digit) != 0)?;
        Some(placed(Technique::FullHouse, 10, cell, digit, &[unit]))
    })
}

/// The only candidate of a cell.
pub(super) fn naked_single(marks: &Pencilmarks) -> Option<Step> {
    Cell::all().find_map(|cell| {
        let candidates = marks.candidates(cell);
        let digit = Digit::ALL[candidates.trailing_zeros().min(8) as usize];
        candidates
            .is_power_of_two()
            .then(|| placed(Technique::NakedSingle, 23, cell, digit, &[]))
    })
}

/// A step that fills in a digit and proves it by the digit alone.
fn placed(technique: Technique, er_tenths: u16, cell: Cell, digit: Digit, units: &[Unit]) -> Step {
    let candidate = Candidate::new(cell, digit);
    let step = Step::placing(technique, er_tenths, candidate);
    step.proven_by([candidate], units.iter().copied())
}
