//! A digit whose places in one house lie all in another: it goes from the rest of that one.
//!
//! From a box to a line it is called pointing, from a line to a box claiming. Where what goes leaves a
//! third house one place for the digit, a person sees that place at once and need not note what went:
//! the *direct* form, which only fills in.
//!
//! Two boxes of a band that keep a digit out of one row, so that the third has it there, are claiming
//! twice; the filled cells of a box that push a digit into the rest of a line are pointing.

use super::pencilmarks::{Candidate, Pencilmarks, bits};
use super::step::Step;
use super::technique::Technique;
use super::unit::Unit;
use crate::sudoku::digit::Digit;
use crate::sudoku::set::CellSet;

/// The first in the scale's order that leaves a third house one place for the digit.
pub(super) fn direct(marks: &Pencilmarks) -> Option<Step> {
    scan(marks, |locked| {
        let gone = locked.gone(marks);
        let thirds = locked.first.of_its_kind();
        thirds.into_iter().find_map(|third| {
            if third == locked.first || third.common(locked.second) == 0 {
                return None;
            }
            let places = marks.places(third, locked.digit);
            let left = bits(places).filter(|&place| !gone.contains(third.cells()[place]));
            let mut left = left.map(|place| third.cells()[place]);
            let (cell, None) = (left.next()?, left.next()) else {
                return None;
            };
            (!places.is_power_of_two()).then(|| {
                let (technique, er_tenths) = if locked.first.is_box() {
                    (Technique::DirectPointing, 17)
                } else {
                    (Technique::DirectClaiming, 19)
                };
                let candidate = Candidate::new(cell, locked.digit);
                let units = [locked.first, locked.second, third];
                Step::placing(technique, er_tenths, candidate)
                    .proven_by(locked.evidence(marks), units)
            })
        })
    })
}

/// The first that takes a candidate away.
pub(super) fn indirect(marks: &Pencilmarks) -> Option<Step> {
    scan(marks, |locked| {
        let (technique, er_tenths) = if locked.first.is_box() {
            (Technique::Pointing, 26)
        } else {
            (Technique::Claiming, 28)
        };
        let gone = locked.gone(marks);
        let gone = gone.iter().map(|cell| Candidate::new(cell, locked.digit));
        let step = Step::taking(technique, er_tenths, gone)?;
        Some(step.proven_by(locked.evidence(marks), [locked.first, locked.second]))
    })
}

/// A digit whose places in the first unit lie all in the second.
struct Locked {
    digit: Digit,
    first: Unit,
    second: Unit,
}

impl Locked {
    /// Where the digit goes: the rest of the second unit.
    fn gone(&self, marks: &Pencilmarks) -> CellSet {
        let places = bits(marks.places(self.second, self.digit));
        let cells = places.map(|place| self.second.cells()[place]);
        cells.filter(|&cell| !self.first.has(cell)).collect()
    }

    /// Where it is in the first unit.
    fn evidence(&self, marks: &Pencilmarks) -> impl Iterator<Item = Candidate> {
        let (unit, digit) = (self.first, self.digit);
        let places = bits(marks.places(unit, digit));
        places.map(move |place| Candidate::new(unit.cells()[place], digit))
    }
}

/// The kinds of units that lock a digit into one another, in the scale's order.
pub(super) fn crossing_kinds() -> [([Unit; 9], [Unit; 9]); 4] {
    let [boxes, columns, rows] = [Unit::boxes(), Unit::columns(), Unit::rows()];
    [
        (boxes, columns),
        (boxes, rows),
        (columns, boxes),
        (rows, boxes),
    ]
}

/// Goes through all in the scale's order: box and column, box and row, column and box, row and box; then by
/// digit, first and second unit.
fn scan(marks: &Pencilmarks, mut found: impl FnMut(&Locked) -> Option<Step>) -> Option<Step> {
    for (firsts, seconds) in crossing_kinds() {
        for digit in Digit::ALL {
            for first in firsts {
                let places = marks.places(first, digit);
                if places.count_ones() < 2 || places.count_ones() > 3 {
                    continue;
                }
                for second in seconds {
                    if places & !first.common(second) == 0 {
                        let locked = Locked {
                            digit,
                            first,
                            second,
                        };
                        if let Some(step) = found(&locked) {
                            return Some(step);
                        }
                    }
                }
            }
        }
    }
    None
}
