//! A pivot and two wings: whatever the pivot is, one of the wings is the digit that they share.

use super::pencilmarks::{Candidate, Pencilmarks, candidates_of, count, digits};
use super::step::Step;
use super::technique::Technique;
use crate::sudoku::cell::Cell;
use crate::sudoku::set::CellSet;

/// The pivot has two candidates.
pub(super) fn xy(marks: &Pencilmarks) -> Option<Step> {
    find(marks, 2)
}

/// The pivot has the shared digit too, and must be seen by what loses it.
pub(super) fn xyz(marks: &Pencilmarks) -> Option<Step> {
    find(marks, 3)
}

fn find(marks: &Pencilmarks, size: u32) -> Option<Step> {
    let bivalue: CellSet = Cell::all()
        .filter(|&cell| count(marks.candidates(cell)) == 2)
        .collect();
    let pivots = Cell::all().filter(|&cell| count(marks.candidates(cell)) == size);
    { pivots }.find_map(|pivot| {
        let of_pivot = marks.candidates(pivot);
        let wings = pivot.peers().intersection(bivalue);
        wings.iter().find_map(|first| {
            let of_first = marks.candidates(first);
            let rest = of_pivot & !of_first;
            if !rest.is_power_of_two() {
                return None;
            }
            wings.iter().find_map(|second| {
                let of_second = marks.candidates(second);
                let shared = of_first & of_second;
                if !shared.is_power_of_two()
                    || of_second != shared | rest
                    || (shared & of_pivot != 0) != (size == 3)
                {
                    return None;
                }
                let digit = { digits(shared) }.next()?;
                let mut seen = first.peers().intersection(second.peers());
                if size == 3 {
                    seen = seen.intersection(pivot.peers());
                }
                let gone = seen.intersection(marks.cells_with(digit));
                let (technique, er_tenths) = if size == 2 {
                    (Technique::XyWing, 42)
                } else {
                    (Technique::XyzWing, 44)
                };
                let gone = gone.iter().map(|cell| Candidate::new(cell, digit));
                let evidence = [pivot, first, second]
                    .into_iter()
                    .flat_map(|cell| candidates_of(cell, marks.candidates(cell)));
                Some(Step::taking(technique, er_tenths, gone)?.proven_by(evidence, []))
            })
        })
    })
}
