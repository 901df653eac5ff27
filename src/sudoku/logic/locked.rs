//! A digit whose places in one house lie all in another: it goes from the rest of that one.
//!
//! From a box to a line it is called pointing, from a line to a box claiming. Where what goes leaves a
//! third house one place for the digit, a person sees that place at once and need not note what went:
//! the *direct* form, which only fills in.
//!
//! Two boxes of a band that keep a digit out of one row, so that the third has it there, are claiming
//! twice; the filled cells of a box that push a digit into the rest of a line are pointing.

use super::memory::{Look, Pattern};
use super::pencilmarks::{Candidate, Pencilmarks, bits};
use super::step::Step;
use super::technique::Technique;
use super::unit::Unit;
use crate::sudoku::digit::Digit;

/// The first in the scale's order that leaves a third house one place for the digit.
pub(super) fn direct(board: impl Look) -> Option<Step> {
    scan(board, true, |marks, locked| {
        let Locked {
            crossing,
            digit,
            first,
            second,
            ..
        } = *locked;
        let (technique, er_tenths) = if first.is_box() {
            (Technique::DirectPointing, 17)
        } else {
            (Technique::DirectClaiming, 19)
        };
        crossing.alongside(first).into_iter().find_map(|third| {
            let places = marks.places(third, digit);
            let left = places & !third.common(second);
            if third == first || left == places || !left.is_power_of_two() {
                return None;
            }
            let cell = third.cells()[left.trailing_zeros() as usize];
            let units = [first, second, third];
            let step = Step::placing(technique, er_tenths, Candidate::new(cell, digit));
            Some(step.proven_by(locked.evidence(marks), units))
        })
    })
}

/// The first that takes a candidate away.
pub(super) fn indirect(board: impl Look) -> Option<Step> {
    scan(board, false, |marks, locked| {
        let (technique, er_tenths) = if locked.first.is_box() {
            (Technique::Pointing, 26)
        } else {
            (Technique::Claiming, 28)
        };
        let cells = locked.second.cells();
        let gone = bits(locked.gone).map(|place| Candidate::new(cells[place], locked.digit));
        let step = Step::taking(technique, er_tenths, gone)?;
        Some(step.proven_by(locked.evidence(marks), [locked.first, locked.second]))
    })
}

/// A digit whose places in the first unit, two at least, lie all in the second, where it has others.
struct Locked {
    crossing: Crossing,
    digit: Digit,
    first: Unit,
    second: Unit,
    /// Its other places in the second.
    gone: u16,
}

impl Locked {
    /// Where it is in the first unit.
    fn evidence(&self, marks: &Pencilmarks) -> impl Iterator<Item = Candidate> {
        let (unit, digit) = (self.first, self.digit);
        let places = bits(marks.places(unit, digit));
        places.map(move |place| Candidate::new(unit.cells()[place], digit))
    }
}

/// The kinds of units that lock a digit into one another.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Crossing {
    BoxColumn,
    BoxRow,
    ColumnBox,
    RowBox,
}

impl Crossing {
    /// In the scale's order.
    pub(super) const ALL: [Self; 4] =
        [Self::BoxColumn, Self::BoxRow, Self::ColumnBox, Self::RowBox];

    /// The units that may lock a digit.
    pub(super) fn firsts(self) -> [Unit; 9] {
        match self {
            Self::BoxColumn | Self::BoxRow => Unit::boxes(),
            Self::ColumnBox => Unit::columns(),
            Self::RowBox => Unit::rows(),
        }
    }

    /// The unit that has all these places of one of the first units: there is one at most, since they
    /// are two at least.
    #[inline]
    pub(super) fn second(self, first: Unit, places: u16) -> Option<Unit> {
        let [in_rows, in_columns] = PARTS[usize::from(places & 0x1ff)];
        let part = if self == Self::BoxColumn {
            in_columns
        } else {
            in_rows
        };
        let part = usize::from(part?);
        let (chute, line) = (first.index() % 9 / 3, first.index() % 3);
        Some(match self {
            Self::BoxColumn => Unit::columns()[3 * line + part],
            Self::BoxRow => Unit::rows()[3 * chute + part],
            Self::ColumnBox => Unit::boxes()[3 * part + chute],
            Self::RowBox => Unit::boxes()[3 * chute + part],
        })
    }

    /// The units of the same kind as a first one that cross what that one crosses, itself among them.
    fn alongside(self, first: Unit) -> [Unit; 3] {
        let (number, all) = (first.index() % 9, first.of_its_kind());
        match self {
            Self::BoxColumn => [0, 3, 6].map(|box_| all[number % 3 + box_]),
            _ => [0, 1, 2].map(|next| all[number / 3 * 3 + next]),
        }
    }
}

/// Of the places of a unit, as bits, the third that has them all, if they are two or three: of three in a row,
/// and in a box of three below each other.
const PARTS: [[Option<u8>; 2]; 512] = {
    let mut all = [[None; 2]; 512];
    let mut places = 0_u16;
    while places < 512 {
        let mut part = 0;
        while part < 3 && places.count_ones() > 1 {
            if places & !(0o007 << (3 * part)) == 0 {
                all[places as usize][0] = Some(part);
            }
            if places & !(0o111 << part) == 0 {
                all[places as usize][1] = Some(part);
            }
            part += 1;
        }
        places += 1;
    }
    all
};

/// Goes through all in the scale's order: box and column, box and row, column and box, row and box; then by
/// digit and first unit.
fn scan(
    mut board: impl Look,
    is_direct: bool,
    found: impl Fn(&Pencilmarks, &Locked) -> Option<Step>,
) -> Option<Step> {
    Crossing::ALL.into_iter().find_map(|crossing| {
        let pattern = Pattern::locked(crossing as usize, is_direct);
        Digit::ALL.into_iter().zip(0..).find_map(|(digit, number)| {
            if board.is_barren(pattern, number) {
                return None;
            }
            let marks = board.marks();
            let mut has_any = false;
            let step = crossing.firsts().into_iter().find_map(|first| {
                let second = crossing.second(first, marks.places(first, digit))?;
                let gone = marks.places(second, digit) & !second.common(first);
                if gone == 0 {
                    return None;
                }
                has_any = true;
                let locked = Locked {
                    crossing,
                    digit,
                    first,
                    second,
                    gone,
                };
                found(marks, &locked)
            });
            if step.is_none() {
                board.note_barren(pattern, number);
            }
            if !has_any {
                board.note_barren(Pattern::locked(crossing as usize, !is_direct), number);
            }
            step
        })
    })
}
