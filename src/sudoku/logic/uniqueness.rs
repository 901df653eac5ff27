//! Unique rectangles and loops: what keeps a loop of cells from having two solutions.
//!
//! A puzzle with one solution does not leave a [`Loop`] nothing but its two digits, so one of its other
//! candidates is true. **All this supposes that the puzzle has exactly one solution**, and proves nothing
//! where it has not.
//!
//! | type | the other candidates | what goes |
//! |---|---|---|
//! | 1 | in one cell | the two digits, from that cell |
//! | 2 | of one digit | it, from the cells that see all that have it |
//! | 3 | in two cells of a unit, which act as one cell that has them | what a subset with that cell takes |
//! | 4 | in two cells of a unit where one of the two digits has no other place | the other of the two, from both |
//!
//! The scale collects all and takes the cheapest, of these the lowest type, of these the first.

use super::loops::{self, Loop};
use super::pencilmarks::{Candidate, Pencilmarks, bits};
use super::step::Step;
use super::subsets::{candidates_of, naked_with, of_size};
use super::technique::{Technique, UniquenessType};
use super::unit::{UNITS_OF, Unit};
use crate::sudoku::cell::Cell;
use crate::sudoku::digit::Digit;
use crate::sudoku::set::CellSet;

/// What a loop proves.
struct Argument {
    kind: UniquenessType,
    /// Tenths beyond what the loop is worth.
    dearer: u16,
    eliminations: Vec<Candidate>,
    /// Beside the loop.
    evidence: Vec<Candidate>,
    unit: Option<Unit>,
}

/// The cheapest.
pub(super) fn find(marks: &Pencilmarks) -> Option<Step> {
    let mut best: Option<Step> = None;
    let mut key = (u16::MAX, UniquenessType::Four);
    loops::each(marks, |found| {
        let worth = match found.cells.len() {
            4 => 45,
            6 => 46,
            8 => 47,
            _ => 50,
        };
        let arguments = [single_cell, single_digit, subset, strong_digit];
        for argument in arguments.iter().filter_map(|argue| argue(marks, found)) {
            let er_tenths = worth + argument.dearer;
            if (er_tenths, argument.kind) < key {
                key = (er_tenths, argument.kind);
                best = Some(argument.step(marks, found, er_tenths));
            }
        }
    });
    best
}

impl Argument {
    fn step(self, marks: &Pencilmarks, of: &Loop, er_tenths: u16) -> Step {
        let evidence = of.cells.iter();
        let evidence = evidence.flat_map(|cell| candidates_of(cell, marks.candidates(cell)));
        Step {
            technique: match of.cells.len() {
                4 => Technique::UniqueRectangle(self.kind),
                cells => Technique::UniqueLoop(cells as u8, self.kind),
            },
            er_tenths,
            placement: None,
            eliminations: self.eliminations,
            evidence: evidence.chain(self.evidence).collect(),
            units: self.unit.into_iter().collect(),
        }
    }
}

/// Type 1.
fn single_cell(marks: &Pencilmarks, of: &Loop) -> Option<Argument> {
    let cell = only(of.extra_cells)?;
    Argument::new(UniquenessType::One, candidates_of(cell, marks.candidates(cell) & of.digits()))
}

/// Type 2.
fn single_digit(marks: &Pencilmarks, of: &Loop) -> Option<Argument> {
    if of.extra_cells.len() < 2 || !of.extras.is_power_of_two() {
        return None;
    }
    let cells = of.extra_cells.seen_by_all();
    Argument::new(
        UniquenessType::Two,
        cells.iter().flat_map(|cell| candidates_of(cell, marks.candidates(cell) & of.extras)),
    )
}

/// Type 4.
fn strong_digit(marks: &Pencilmarks, of: &Loop) -> Option<Argument> {
    let (pair, units) = pair(of)?;
    { units }.find_map(|unit| {
        let [first, second] = of.pair;
        [(first, second), (second, first)].into_iter().find_map(|(strong, weak)| {
            if marks.places(unit, strong).count_ones() != 2 {
                return None;
            }
            Some(Argument {
                unit: Some(unit),
                ..Argument::new(UniquenessType::Four, pair.iter().map(|&cell| Candidate::new(cell, weak)))?
            })
        })
    })
}

/// Type 3.
fn subset(marks: &Pencilmarks, of: &Loop) -> Option<Argument> {
    if of.extras.count_ones() < 2 {
        return None;
    }
    let (_, units) = pair(of)?;
    (2..=4).find_map(|size| {
        { units.clone() }.find_map(|unit| {
        let empty = marks.empty_in(unit);
            let naked = naked_with(marks, unit, of.extra_cells, of.extras, size).filter(|_| empty >= 2 * size as usize);
            let naked = naked.map(|(eliminations, evidence)| Argument {
                kind: UniquenessType::Three, dearer: size as u16 - 1, eliminations, evidence, unit: Some(unit)
            });
            naked.or_else(|| if empty > 2 * size as usize { hidden_with(marks, unit, of, size) } else { None })
        })
    })
}
impl Argument {
    fn new(kind: UniquenessType, gone: impl Iterator<Item = Candidate>) -> Option<Self> {
        let eliminations: Vec<_> = gone.collect();
        (!eliminations.is_empty()).then_some(Self { kind, dearer: 0, eliminations, evidence: Vec::new(), unit: None })
    }
}

fn only(cells: CellSet) -> Option<Cell> {
    let mut all = cells.iter();
    let (Some(cell), None) = (all.next(), all.next()) else { return None };
    Some(cell)
}

fn pair(of: &Loop) -> Option<([Cell; 2], impl Iterator<Item = Unit> + Clone)> {
    let mut cells = of.extra_cells.iter();
    let (Some(first), Some(second), None) = (cells.next(), cells.next(), cells.next()) else { return None };
    let units = UNITS_OF[first.index()].into_iter().map(|(unit, _)| unit);
    Some(([first, second], units.filter(move |unit| unit.has(second))))
}

fn hidden_with(marks: &Pencilmarks, unit: Unit, of: &Loop, size: u32) -> Option<Argument> {
    let mut outside = 0u16;
    for (p, c) in unit.cells().iter().enumerate() { outside |= u16::from(!of.extra_cells.contains(*c)) << p; }
    let pair = of.digits();
    let places = Digit::ALL.map(|d| marks.places(unit, d));
    of_size(size).iter().filter(|&&s| s & pair == pair && s & of.extras == 0).find_map(|&subset| {
        if bits(subset).any(|d| places[d].count_ones() < 2) { return None; }
        let cells = bits(subset).fold(0, |u, d| u | places[d] & outside);
        if cells.count_ones() != size - 1 { return None; }
        let mut a = Argument::new(UniquenessType::Three, bits(cells).flat_map(|p| {
            let cell = unit.cells()[p];
            candidates_of(cell, marks.candidates(cell) & !subset)
        }))?;
        a.dearer = size as u16 - 2;
        a.unit = Some(unit);
        a.evidence = bits(cells).flat_map(|p| { let cell = unit.cells()[p]; candidates_of(cell, marks.candidates(cell) & subset) }).collect();
        Some(a)
    })
}
