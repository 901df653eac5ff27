//! Loops of cells that all have the same two candidates: filled in by those alone, they could be filled in
//! the other way round too.
//!
//! Invariant: the cells of a loop are of two colours in turn, and a unit with a cell of the loop has
//! exactly one of either colour. So the two digits change places without any unit noticing. Of four cells
//! it is a rectangle in two boxes.
//!
//! A walk from cell to cell that keeps cells of one colour from seeing each other, and ends when both
//! colours are in the same units, meets all loops and no other; that no two steps in a row are by the same
//! kind of unit follows. Cells that are alone in a unit are on no loop, so most walks never begin.

use super::budget::{Budget, Halt};
use super::pencilmarks::{Pencilmarks, bits, count, digits};
use super::unit::{UNITS_OF, Unit};
use crate::sudoku::cell::Cell;
use crate::sudoku::digit::Digit;
use crate::sudoku::set::CellSet;

/// A loop, some cells of which have candidates beside the two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loop {
    /// The two digits, the smaller first.
    pub(super) pair: [Digit; 2],
    /// All its cells.
    pub(super) cells: CellSet,
    /// How many they are, 4 to 18.
    pub(super) len: u8,
    /// Those with more candidates than the two: not more than two, or all have the same one more.
    pub(super) extra_cells: CellSet,
    /// What these have beside the two.
    pub(super) extras: u16,
}

impl Loop {
    /// The two digits as a mask.
    pub(super) fn digits(&self) -> u16 {
        self.pair
            .iter()
            .fold(0, |mask, digit| mask | 1 << (digit.value() - 1))
    }
}

/// Goes through the loops in the scale's order: by the first cell with no other candidates, then the ways on
/// from it through box, column and row. A loop comes once in either direction. A step of the budget is a
/// walk's beginning, or some cells of it.
///
/// # Errors
/// If it was cancelled, or the budget was spent.
pub(super) fn each(
    marks: &Pencilmarks,
    budget: &mut Budget<'_>,
    mut found: impl FnMut(&Loop),
) -> Result<(), Halt> {
    let mut walked = 0;
    for start in Cell::all() {
        let candidates = marks.candidates(start);
        if count(candidates) != 2 {
            continue;
        }
        let mut pair = digits(candidates);
        let (Some(first), Some(second)) = (pair.next(), pair.next()) else {
            continue;
        };
        let has_partners = UNITS_OF[start.index()]
            .iter()
            .all(|&(unit, _)| count(marks.places(unit, first) & marks.places(unit, second)) >= 2);
        if !has_partners {
            continue;
        }
        let both = marks
            .cells_with(first)
            .intersection(marks.cells_with(second));
        // Loops through an earlier such cell have been met from there.
        let earlier = both
            .iter()
            .filter(|&cell| cell < start && marks.candidates(cell) == candidates);
        let within = with_partners(both.difference(earlier.collect()));
        if within.contains(start) {
            let walk = Walk {
                marks,
                start,
                within,
                pair: [first, second],
            };
            let begun = Trail {
                units: [units_of(start), 0],
                extra_cells: CellSet::EMPTY,
                extras: 0,
                cells: CellSet::EMPTY.with(start),
                len: 1,
            };
            let mut tread = || {
                walked += 1;
                if walked % CELLS_A_STEP == 1 {
                    budget.step()?;
                }
                Ok(())
            };
            walk.on(start, begun, &mut tread, &mut found)?;
        }
    }
    Ok(())
}

/// How many cells a walk goes through while a candidate's consequences are followed elsewhere.
const CELLS_A_STEP: u32 = 16;

/// The cells but for those that are alone in one of their units, which no loop goes through.
fn with_partners(mut cells: CellSet) -> CellSet {
    loop {
        let before = cells;
        for unit in Unit::all() {
            let here = cells.intersection(unit.house().cell_set());
            if !here.is_empty() && !here.has_two() {
                cells = cells.difference(here);
            }
        }
        if cells == before {
            return cells;
        }
    }
}

/// The units of a cell, a bit each.
fn units_of(cell: Cell) -> u32 {
    let units = UNITS_OF[cell.index()].iter();
    units.fold(0, |all, (unit, _)| all | 1 << unit.index())
}

/// What stays the same on a walk.
struct Walk<'a> {
    marks: &'a Pencilmarks,
    start: Cell,
    within: CellSet,
    pair: [Digit; 2],
}

/// The way so far.
#[derive(Clone, Copy)]
struct Trail {
    /// The units of the cells of the colour of the last one, then of the other colour.
    units: [u32; 2],
    cells: CellSet,
    len: u8,
    extra_cells: CellSet,
    extras: u16,
}

impl Walk<'_> {
    /// From `last`, in every way that may yet close.
    fn on(
        &self,
        last: Cell,
        trail: Trail,
        tread: &mut impl FnMut() -> Result<(), Halt>,
        found: &mut impl FnMut(&Loop),
    ) -> Result<(), Halt> {
        tread()?;
        let [first, second] = self.pair;
        let [of_last, of_next] = trail.units;
        for (unit, _) in UNITS_OF[last.index()] {
            for place in bits(self.marks.places(unit, first) & self.marks.places(unit, second)) {
                let next = unit.cells()[place];
                if next == self.start && of_last == of_next {
                    found(&Loop {
                        pair: self.pair,
                        cells: trail.cells,
                        len: trail.len,
                        extra_cells: trail.extra_cells,
                        extras: trail.extras,
                    });
                    continue;
                }
                let units = units_of(next);
                let is_seen_twice = !unit.is_box() && next.box_() == last.box_();
                if next == last
                    || is_seen_twice
                    || units & of_next != 0
                    || !self.within.contains(next)
                    || trail.cells.contains(next)
                {
                    continue;
                }
                let mut then = Trail {
                    units: [of_next | units, of_last],
                    cells: trail.cells.with(next),
                    len: trail.len + 1,
                    ..trail
                };
                let candidates = self.marks.candidates(next);
                if count(candidates) > 2 {
                    then.extra_cells = then.extra_cells.with(next);
                    then.extras |= candidates & !self.marks.candidates(self.start);
                    if !then.extras.is_power_of_two() && then.extra_cells.len() > 2 {
                        continue;
                    }
                }
                self.on(next, then, tread, found)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::solve::Cancel;

    /// How many loops there are, and how many steps are left.
    fn walk(marks: &Pencilmarks, steps: u64) -> (Result<u32, Halt>, u64) {
        let (mut budget, mut loops) = (Budget::new(steps, Cancel::never()), 0);
        let walked = each(marks, &mut budget, |_| loops += 1);
        (walked.map(|()| loops), budget.left())
    }

    #[test]
    fn walks_take_steps_and_end_where_none_is_left() {
        // A grid without its ones and twos: no cell has anything else.
        let grid =
            "123456789456789123789123456231564897564897231897231564312645978645978312978312645";
        let marks = Pencilmarks::new(&grid.replace(['1', '2'], ".").parse().unwrap());
        let (loops, left) = walk(&marks, 1_000);
        let taken = 1_000 - left;
        assert!(loops.is_ok_and(|loops| loops > 0));
        assert!(taken > 0);
        assert_eq!(walk(&marks, taken), (loops, 0));
        assert_eq!(walk(&marks, taken - 1), (Err(Halt::StepLimit), 0));
    }
}
