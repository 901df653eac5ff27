//! A digit that has, on some lines, as many places as they are: on the lines across it goes elsewhere.

use super::memory::{Look, Pattern};
use super::pencilmarks::{Candidate, bits};
use super::step::Step;
use super::subsets::first_tuple;
use super::technique::Technique;
use super::unit::Unit;
use crate::sudoku::digit::Digit;

/// `size` columns, or else rows, on which a digit has `size` places, and others to lose on the lines across.
/// The scale goes by the lines first and then by the digit; of each digit the first lines are found.
pub(super) fn find(mut board: impl Look, size: u32) -> Option<Step> {
    let (technique, er_tenths) = match size {
        2 => (Technique::XWing, 32),
        3 => (Technique::Swordfish, 38),
        _ => (Technique::Jellyfish, 52),
    };
    let [columns, rows] = [Unit::columns(), Unit::rows()];
    for (base, across) in [(columns, rows), (rows, columns)] {
        let pattern = Pattern::fish(size, base == Unit::rows());
        let mut first: Option<(u16, u16, Digit)> = None;
        for (digit, number) in Digit::ALL.into_iter().zip(0..) {
            if board.is_barren(pattern, number) {
                continue;
            }
            let marks = board.marks();
            let is_possible = marks.times_placed_of(digit) + 2 * size as usize <= 9;
            let places = base.map(|line| marks.places_of(line, number));
            let fish = |lines: u16, cover: u16| {
                let mut others = bits(!lines & 0x1ff);
                let has_more = others.any(|line| places[line] & cover != 0);
                has_more.then_some((lines, cover, digit))
            };
            let found = if is_possible {
                first_tuple(&places, size, &fish)
            } else {
                None
            };
            match found {
                None => board.note_barren(pattern, number),
                Some(found) if first.is_none_or(|first| found.0 < first.0) => first = Some(found),
                Some(_) => {}
            }
        }
        if let Some((lines, cover, digit)) = first {
            let marks = board.marks();
            let cells = |lines: u16| {
                bits(lines).flat_map(move |line| {
                    let places = bits(marks.places(base[line], digit) & cover);
                    places.map(move |place| Candidate::new(base[line].cells()[place], digit))
                })
            };
            let step = Step::taking(technique, er_tenths, cells(!lines & 0x1ff))?;
            let units = bits(lines).map(|line| base[line]);
            let units = units.chain(bits(cover).map(|place| across[place]));
            return Some(step.proven_by(cells(lines), units));
        }
    }
    None
}
