//! Aligned exclusion: of all ways to fill two or three cells, those go that repeat a digit where cells see
//! each other, or take the last candidate from a cell that sees them all, an *excluder*. A candidate that
//! is in no way that is left goes. It needs two excluders in common, and does not suppose that there is one
//! solution only.
//!
//! The ways are not gone through one by one. With one digit fixed, an excluder of two candidates that has
//! it forbids the other one everywhere, and what else can still be emptied forbids a pair; so a candidate is
//! tried in a few operations on masks.
//!
//! The scale leaves out cells that see one with a single candidate; there are none when these have their
//! turn, so that is not looked at.

use super::argument::Argument;
use super::memory::Look;
use super::pencilmarks::{Pencilmarks, bits, candidates_of, count};
use super::step::Step;
use super::technique::Technique;
use crate::sudoku::cell::Cell;
use crate::sudoku::set::CellSet;

/// Two cells, and excluders with two candidates.
pub(super) fn pair(mut board: impl Look) -> Option<Step> {
    let (marks, changed) = (board.marks(), board.changed(2));
    let [open, excluders, _] = cells_by_count(marks);
    let step = pairs(open, excluders, |first, second, common| {
        if !is_new(&[first, second], changed) {
            return None;
        }
        let gone = [(first, second), (second, first)].map(|(cell, other)| {
            let candidates = marks.candidates(cell);
            let left = marks.candidates(other);
            let gone = bits(candidates).filter(|digit| {
                let mut left = left;
                for excluder in common.iter().map(|cell| marks.candidates(cell)) {
                    if excluder >> digit & 1 != 0 {
                        left &= !excluder | 1 << digit;
                    }
                }
                if cell.peers().contains(other) {
                    left &= !(1 << digit);
                }
                left == 0
            });
            (cell, gone.fold(0, |mask, digit| mask | 1 << digit))
        });
        step(marks, Technique::AlignedPairExclusion, 62, &gone, common)
    });
    if step.is_none() {
        board.note_unaligned(2);
    }
    step
}

/// Three cells, and excluders with two or three candidates.
pub(super) fn triplet(mut board: impl Look) -> Option<Step> {
    let (marks, changed) = (board.marks(), board.changed(3));
    if changed.is_empty() {
        return None;
    }
    let [open, two, three] = cells_by_count(marks);
    let excluders = two.union(three);
    let step = pairs(open, excluders, |first, second, of_both| {
        // Where neither changed, nor what sees both, a third that has not changed proves nothing new.
        let thirds = if is_new(&[first, second], changed) {
            open
        } else {
            open.intersection(changed)
        };
        let mut thirds = thirds.iter().filter(|&third| third > second);
        thirds.find_map(|third| {
            let common = of_both.intersection(third.peers());
            if !common.has_two() || !is_new(&[first, second, third], changed) {
                return None;
            }
            let cells = [first, second, third];
            let gone = [0, 1, 2].map(|base| {
                let others = [cells[(base + 1) % 3], cells[(base + 2) % 3]];
                let candidates = bits(marks.candidates(cells[base]));
                let gone = candidates
                    .filter(|&digit| !is_possible(marks, cells[base], digit, others, common));
                (cells[base], gone.fold(0, |mask, digit| mask | 1 << digit))
            });
            step(marks, Technique::AlignedTripletExclusion, 75, &gone, common)
        })
    });
    if step.is_none() {
        board.note_unaligned(3);
    }
    step
}

/// Whether any of these cells, or of those that see them all, has changed: else they prove what they did.
fn is_new(cells: &[Cell], changed: CellSet) -> bool {
    let all = |seen: CellSet, cell: &Cell| seen.intersection(cell.peers());
    let seen = cells.iter().fold(changed, all);
    !seen.is_empty() || cells.iter().any(|&cell| changed.contains(cell))
}

/// Whether the digit (less one) in the cell leaves the two others and the excluders something.
fn is_possible(
    marks: &Pencilmarks,
    cell: Cell,
    digit: usize,
    others: [Cell; 2],
    excluders: CellSet,
) -> bool {
    let bit = 1_u16 << digit;
    let mut left = others.map(|other| {
        let seen = if cell.peers().contains(other) { bit } else { 0 };
        marks.candidates(other) & !seen
    });
    // By digit of the one what the other must not be.
    let mut forbidden = [0_u16; 9];
    if others[0].peers().contains(others[1]) {
        forbidden = [1, 2, 4, 8, 16, 32, 64, 128, 256];
    }
    for excluder in excluders.iter() {
        let rest = marks.candidates(excluder) & !bit;
        match count(rest) {
            1 => left = left.map(|left| left & !rest),
            2 => {
                for one in bits(rest) {
                    forbidden[one] |= rest & !(1 << one);
                }
            }
            _ => {}
        }
    }
    bits(left[0]).any(|one| left[1] & !forbidden[one] != 0)
}

/// The cells with two candidates and more, with two, and with three.
fn cells_by_count(marks: &Pencilmarks) -> [CellSet; 3] {
    let mut sets = [CellSet::EMPTY; 3];
    for cell in Cell::all() {
        let count = count(marks.candidates(cell)) as usize;
        if count >= 2 {
            sets[0] = sets[0].with(cell);
        }
        if let 2 | 3 = count {
            sets[count - 1] = sets[count - 1].with(cell);
        }
    }
    sets
}

/// The first found of two cells that have at least two excluders in common.
fn pairs(
    open: CellSet,
    excluders: CellSet,
    mut found: impl FnMut(Cell, Cell, CellSet) -> Option<Step>,
) -> Option<Step> {
    let mut before = CellSet::EMPTY;
    // By the second cell, then the first: the subsets of two by increasing mask.
    open.iter().find_map(|second| {
        let seen = second.peers().intersection(excluders);
        let firsts = before.iter();
        before = before.with(second);
        if !seen.has_two() {
            return None;
        }
        { firsts }.find_map(|first| {
            let common = seen.intersection(first.peers());
            if common.has_two() {
                found(first, second, common)
            } else {
                None
            }
        })
    })
}

fn step(
    marks: &Pencilmarks,
    technique: Technique,
    er_tenths: u16,
    gone: &[(Cell, u16)],
    excluders: CellSet,
) -> Option<Step> {
    let eliminations = gone
        .iter()
        .flat_map(|&(cell, digits)| candidates_of(cell, digits));
    let bases: CellSet = gone.iter().map(|&(cell, _)| cell).collect();
    let evidence = bases
        .iter()
        .chain(excluders.iter())
        .flat_map(|cell| candidates_of(cell, marks.candidates(cell)));
    let step = Step::taking(technique, er_tenths, eliminations)?;
    Some(
        step.proven_by(evidence, [])
            .by(Argument::Combinations(bases)),
    )
}
