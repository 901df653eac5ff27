//! One place for a digit, or one digit for a place.
//!
//! Most steps of most ways are these, so that a way may take a [`Single`] for what it is worth and leave
//! its proof unwritten.

use super::pencilmarks::{Candidate, Pencilmarks};
use super::step::Step;
use super::technique::Technique;
use super::unit::Unit;
use crate::sudoku::cell::Cell;
use crate::sudoku::digit::Digit;

/// A digit that is filled in, and where it is seen.
#[derive(Clone, Copy)]
pub(super) struct Single {
    pub(super) technique: Technique,
    pub(super) er_tenths: u16,
    pub(super) placed: Candidate,
    unit: Option<Unit>,
}

impl Single {
    const fn new(technique: Technique, er_tenths: u16, cell: Cell, digit: Digit) -> Self {
        Self {
            technique,
            er_tenths,
            placed: Candidate::new(cell, digit),
            unit: None,
        }
    }

    /// With its proof, the digit alone.
    fn step(self) -> Step {
        let step = Step::placing(self.technique, self.er_tenths, self.placed);
        step.proven_by([self.placed], self.unit)
    }
}

/// The last empty cell of a house, else the only place of a digit in a box, a column, a row.
pub(super) fn hidden_single(marks: &Pencilmarks) -> Option<Step> {
    hidden(marks).map(Single::step)
}

/// The only candidate of a cell.
pub(super) fn naked_single(marks: &Pencilmarks) -> Option<Step> {
    naked(marks).map(Single::step)
}

/// [`hidden_single`] without its proof.
pub(super) fn hidden(marks: &Pencilmarks) -> Option<Single> {
    if let Some(single) = full_house(marks) {
        return Some(single);
    }
    // A whole kind of houses at once is soon looked through.
    let kinds = marks.all_places().chunks_exact(9).enumerate();
    for (kind, houses) in kinds {
        if !has_one_bit(houses.as_flattened()) {
            continue;
        }
        for unit in Unit::all().skip(9 * kind) {
            let mut places = Digit::ALL.into_iter().zip(marks.places_in(unit));
            if let Some((digit, places)) = places.find(|(_, places)| places.is_power_of_two()) {
                let cell = unit.cells()[places.trailing_zeros() as usize];
                let er_tenths = if unit.is_box() { 12 } else { 15 };
                return Some(Single {
                    unit: Some(unit),
                    ..Single::new(Technique::HiddenSingle, er_tenths, cell, digit)
                });
            }
        }
    }
    None
}

fn full_house(marks: &Pencilmarks) -> Option<Single> {
    if !has_one_bit(marks.empty()) {
        return None;
    }
    Unit::all().zip(marks.empty()).find_map(|(unit, empty)| {
        if !empty.is_power_of_two() {
            return None;
        }
        let cell = unit.cells()[empty.trailing_zeros() as usize];
        // Two candidates, or none, would be no rule of this house's.
        let digit = Digit::ALL
            .into_iter()
            .find(|&digit| marks.places(unit, digit) != 0)?;
        Some(Single {
            unit: Some(unit),
            ..Single::new(Technique::FullHouse, 10, cell, digit)
        })
    })
}

/// [`naked_single`] without its proof.
fn naked(marks: &Pencilmarks) -> Option<Single> {
    if !has_one_bit(marks.all()) {
        return None;
    }
    let cell = Cell::all().find(|&cell| marks.candidates(cell).is_power_of_two())?;
    let digit = Digit::ALL[marks.candidates(cell).trailing_zeros() as usize];
    Some(Single::new(Technique::NakedSingle, 23, cell, digit))
}

/// Whether any mask has one bit; without branches, several are looked at in one instruction.
fn has_one_bit(masks: &[u16]) -> bool {
    let one = |&mask: &u16| u16::from(mask ^ mask.wrapping_sub(1) > mask.wrapping_sub(1));
    masks.iter().map(one).fold(0, |any, one| any | one) != 0
}
