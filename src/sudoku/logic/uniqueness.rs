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
//! The scale collects all and takes the cheapest, of these the lowest type, of these the first. Which subset
//! a type 3 takes, where there are several, it does not say; here it is the smallest.

use super::argument::{Argument, Beside, Uniqueness, UniquenessType};
use super::budget::{Budget, Halt};
use super::loops::{self, Loop};
use super::pencilmarks::{Candidate, Pencilmarks, bits, candidates_of};
use super::step::Step;
use super::subsets::{candidates_in, naked_with, of_size};
use super::technique::Technique;
use super::unit::{UNITS_OF, Unit};
use crate::sudoku::cell::Cell;
use crate::sudoku::digit::Digit;

/// The cheapest that any loop gives.
///
/// # Errors
/// If it was cancelled, or the budget was spent: some boards with many solutions have many loops.
pub(super) fn find_within(
    marks: &Pencilmarks,
    budget: &mut Budget<'_>,
) -> Result<Option<Step>, Halt> {
    let mut best: Option<(u16, Proof)> = None;
    loops::each(marks, budget, |found| {
        let worth = match found.len {
            4 => 45,
            6 => 46,
            8 => 47,
            _ => 50,
        };
        for argue in [single_cell, single_digit, subset, strong_digit] {
            let Some(proof) = argue(marks, found) else {
                continue;
            };
            let er_tenths = worth + proof.dearer;
            let is_better = best
                .as_ref()
                .is_none_or(|(er, of)| (er_tenths, proof.kind) < (*er, of.kind));
            if is_better {
                best = Some((er_tenths, proof));
            }
        }
    })?;
    Ok(best.map(|(er_tenths, proof)| proof.step(marks, er_tenths)))
}

/// The same, however long it takes.
#[cfg(test)]
pub(super) fn find(marks: &Pencilmarks) -> Option<Step> {
    find_within(marks, &mut Budget::unlimited()).expect("there is no end to it")
}

/// What a loop proves.
struct Proof {
    of: Loop,
    kind: UniquenessType,
    /// Tenths beyond what the loop is worth.
    dearer: u16,
    eliminations: Vec<Candidate>,
    /// What proves it beside the loop.
    beside: Beside,
    unit: Option<Unit>,
}

impl Proof {
    /// This, if anything goes.
    fn new(of: &Loop, kind: UniquenessType, gone: impl Iterator<Item = Candidate>) -> Option<Self> {
        let eliminations: Vec<_> = gone.collect();
        (!eliminations.is_empty()).then_some(Self {
            of: *of,
            kind,
            dearer: 0,
            eliminations,
            beside: Beside::Nothing,
            unit: None,
        })
    }

    fn step(self, marks: &Pencilmarks, er_tenths: u16) -> Step {
        let candidates = |cell: Cell| candidates_of(cell, marks.candidates(cell));
        let mut evidence: Vec<_> = self.of.cells.iter().flat_map(candidates).collect();
        if let Beside::Naked(subset) | Beside::Hidden(subset) = &self.beside {
            evidence.extend(subset);
        }
        let extras = self.of.extra_cells.iter().flat_map(candidates);
        let extras = extras.filter(|extra| !self.of.pair.contains(&extra.digit()));
        Step {
            technique: match self.of.len {
                4 => Technique::UniqueRectangle,
                _ => Technique::UniqueLoop,
            },
            er_tenths,
            placement: None,
            eliminations: self.eliminations,
            evidence,
            units: self.unit.into_iter().collect(),
            argument: Argument::TwoSolutions(Uniqueness {
                kind: self.kind,
                cells: self.of.cells,
                extras: extras.collect(),
                beside: self.beside,
            }),
        }
    }
}

/// Type 1.
fn single_cell(marks: &Pencilmarks, of: &Loop) -> Option<Proof> {
    let mut cells = of.extra_cells.iter();
    let (Some(cell), None) = (cells.next(), cells.next()) else {
        return None;
    };
    let gone = candidates_of(cell, marks.candidates(cell) & of.digits());
    Proof::new(of, UniquenessType::One, gone)
}

/// Type 2.
fn single_digit(marks: &Pencilmarks, of: &Loop) -> Option<Proof> {
    if of.extra_cells.len() < 2 || !of.extras.is_power_of_two() {
        return None;
    }
    let cells = of.extra_cells.seen_by_all();
    let gone = cells
        .iter()
        .flat_map(|cell| candidates_of(cell, marks.candidates(cell) & of.extras));
    Proof::new(of, UniquenessType::Two, gone)
}

/// Type 3: the smallest subset, in its first unit, naked before hidden.
fn subset(marks: &Pencilmarks, of: &Loop) -> Option<Proof> {
    if of.extras.count_ones() < 2 {
        return None;
    }
    let (_, units) = pair(of)?;
    (2..=4).find_map(|size| {
        { units.clone() }.find_map(|unit| {
            let empty = marks.empty_in(unit);
            let naked = if empty >= 2 * usize::from(size) {
                naked_with(marks, unit, of.extra_cells, of.extras, size)
            } else {
                None
            };
            let naked = naked.map(|(eliminations, subset)| Proof {
                of: *of,
                kind: UniquenessType::Three,
                dearer: size - 1,
                eliminations,
                beside: Beside::Naked(subset),
                unit: Some(unit),
            });
            naked.or_else(|| {
                if empty > 2 * usize::from(size) {
                    hidden_with(marks, unit, of, size)
                } else {
                    None
                }
            })
        })
    })
}

/// A hidden subset of the two digits and others, of which the loop's two cells are one cell: the places
/// beside these lose what else they have.
fn hidden_with(marks: &Pencilmarks, unit: Unit, of: &Loop, size: u16) -> Option<Proof> {
    let pair = of.digits();
    let places = Digit::ALL.map(|digit| marks.places(unit, digit));
    let outside = (0..9).fold(0, |mask, place| {
        mask | u16::from(!of.extra_cells.contains(unit.cells()[place])) << place
    });
    let subsets = of_size(u32::from(size)).iter().copied();
    let subsets = subsets.filter(|subset| subset & (pair | of.extras) == pair);
    { subsets }.find_map(|subset| {
        if bits(subset).any(|digit| places[digit].count_ones() < 2) {
            return None;
        }
        let cells = bits(subset).fold(0, |cells, digit| cells | places[digit] & outside);
        if cells.count_ones() != u32::from(size) - 1 {
            return None;
        }
        let of_cells = |digits| candidates_in(marks, unit, cells, digits);
        Some(Proof {
            dearer: size - 2,
            beside: Beside::Hidden(of_cells(subset).collect()),
            unit: Some(unit),
            ..Proof::new(of, UniquenessType::Three, of_cells(!subset))?
        })
    })
}

/// Type 4.
fn strong_digit(marks: &Pencilmarks, of: &Loop) -> Option<Proof> {
    let (cells, units) = pair(of)?;
    let [first, second] = of.pair;
    { units }.find_map(|unit| {
        let ways = [(first, second), (second, first)];
        let (strong, weak) = ways
            .into_iter()
            .find(|&(strong, _)| marks.places(unit, strong).count_ones() == 2)?;
        let gone = cells.iter().map(|&cell| Candidate::new(cell, weak));
        Some(Proof {
            beside: Beside::Strong(strong),
            unit: Some(unit),
            ..Proof::new(of, UniquenessType::Four, gone)?
        })
    })
}

/// The cells with other candidates, if they are two, and the units that both are in.
fn pair(of: &Loop) -> Option<([Cell; 2], impl Iterator<Item = Unit> + Clone)> {
    let mut cells = of.extra_cells.iter();
    let (Some(first), Some(second), None) = (cells.next(), cells.next(), cells.next()) else {
        return None;
    };
    let units = UNITS_OF[first.index()].into_iter().map(|(unit, _)| unit);
    Some(([first, second], units.filter(move |unit| unit.has(second))))
}
