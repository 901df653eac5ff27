//! As many cells of a house as digits: naked where the cells have no other candidates, hidden where the
//! digits have no other places.
//!
//! Every member has at least two of what the set is made of, as the scale demands: one with a single candidate or
//! place is a single, found before. What goes is in the house where the set was found alone.

use super::memory::{Look, Pattern};
use super::pencilmarks::{Candidate, Pencilmarks, bits, candidates_of, count};
use super::step::Step;
use super::technique::Technique;
use super::unit::Unit;
use crate::sudoku::digit::Digit;
use crate::sudoku::set::CellSet;

/// The subsets of nine with two, three and four members, by increasing mask: the order of the scale.
pub(super) const PAIRS: [u16; 36] = subsets(2);
/// With three.
pub(super) const TRIPLETS: [u16; 84] = subsets(3);
/// With four.
pub(super) const QUADS: [u16; 126] = subsets(4);

const fn subsets<const N: usize>(size: u32) -> [u16; N] {
    let mut all = [0; N];
    let (mut mask, mut len) = (0_u16, 0);
    while mask < 512 {
        if mask.count_ones() == size {
            all[len] = mask;
            len += 1;
        }
        mask += 1;
    }
    all
}

/// The subsets of this size.
pub(super) const fn of_size(size: u32) -> &'static [u16] {
    match size {
        2 => &PAIRS,
        3 => &TRIPLETS,
        _ => &QUADS,
    }
}

/// `size` cells of a unit with `size` candidates, in the rest of which one of those goes.
pub(super) fn naked(mut board: impl Look, size: u32) -> Option<Step> {
    let (technique, er_tenths) = match size {
        2 => (Technique::NakedPair, 30),
        3 => (Technique::NakedTriplet, 36),
        _ => (Technique::NakedQuad, 50),
    };
    board.in_units(Pattern::naked(size), |marks, unit| {
        if marks.empty_in(unit) < 2 * size as usize {
            return None;
        }
        let candidates = unit.cells().map(|cell| marks.candidates(cell));
        first_tuple(&candidates, size, &|cells, digits| {
            let others = bits(!cells & 0x1ff).fold(0, |all, place| all | candidates[place]);
            if others & digits == 0 {
                return None;
            }
            let gone = candidates_in(marks, unit, !cells & 0x1ff, digits);
            let step = Step::taking(technique, er_tenths, gone)?;
            Some(step.proven_by(candidates_in(marks, unit, cells, digits), [unit]))
        })
    })
}

/// A naked subset of which some cells of the unit are one member, which has these candidates: what goes,
/// and the candidates of the other members.
pub(super) fn naked_with(
    marks: &Pencilmarks,
    unit: Unit,
    group: CellSet,
    of_group: u16,
    size: u16,
) -> Option<(Vec<Candidate>, Vec<Candidate>)> {
    let size = u32::from(size);
    let candidates = unit.cells().map(|cell| marks.candidates(cell));
    let (mut outside, mut fit) = (0, 0);
    for (place, of_cell) in candidates.iter().enumerate() {
        let is_outside = !group.contains(unit.cells()[place]);
        let fits = of_cell.count_ones() >= 2 && (of_cell | of_group).count_ones() <= size;
        outside |= u16::from(is_outside) << place;
        fit |= u16::from(is_outside && fits) << place;
    }
    if of_group.count_ones() < 2 || fit.count_ones() < size - 1 {
        return None;
    }
    let mut subsets =
        (1..512_u16).filter(|cells| cells & !fit == 0 && cells.count_ones() == size - 1);
    subsets.find_map(|cells| {
        let digits = bits(cells).fold(of_group, |union, place| union | candidates[place]);
        if digits.count_ones() != size {
            return None;
        }
        let of_cells = |cells| candidates_in(marks, unit, cells, digits).collect::<Vec<_>>();
        let gone = of_cells(outside & !cells);
        (!gone.is_empty()).then(|| (gone, of_cells(cells)))
    })
}

/// `size` digits of a unit in `size` cells, which lose what else they have.
pub(super) fn hidden(mut board: impl Look, size: u32) -> Option<Step> {
    let (technique, er_tenths) = match size {
        2 => (Technique::HiddenPair, 34),
        3 => (Technique::HiddenTriplet, 40),
        _ => (Technique::HiddenQuad, 54),
    };
    board.in_units(Pattern::hidden(size), |marks, unit| {
        if marks.empty_in(unit) <= 2 * size as usize {
            return None;
        }
        let places = marks.places_in(unit);
        first_tuple(places, size, &|digits, cells| {
            let others = bits(!digits & 0x1ff).fold(0, |all, digit| all | places[digit]);
            if others & cells == 0 {
                return None;
            }
            let gone = candidates_in(marks, unit, cells, !digits);
            let step = Step::taking(technique, er_tenths, gone)?;
            Some(step.proven_by(candidates_in(marks, unit, cells, digits), [unit]))
        })
    })
}

/// `size` digits of a unit in `size` cells, which leave another digit, that had several places, one.
pub(super) fn direct_hidden(mut board: impl Look, size: u32) -> Option<Step> {
    let (technique, er_tenths) = match size {
        2 => (Technique::DirectHiddenPair, 20),
        _ => (Technique::DirectHiddenTriplet, 25),
    };
    board.in_units(Pattern::direct_hidden(size), |marks, unit| {
        if marks.empty_in(unit) <= size as usize {
            return None;
        }
        let places = marks.places_in(unit);
        first_tuple(places, size, &|digits, cells| {
            let others = bits(!digits & 0x1ff);
            let left = |&digit: &usize| {
                let left = places[digit] & !cells;
                left != places[digit] && left.is_power_of_two()
            };
            let digit = { others }.find(left)?;
            let place = (places[digit] & !cells).trailing_zeros() as usize;
            let candidate = Candidate::new(unit.cells()[place], Digit::ALL[digit]);
            let evidence = candidates_in(marks, unit, cells, digits);
            Some(Step::placing(technique, er_tenths, candidate).proven_by(evidence, [unit]))
        })
    })
}

/// Of nine masks, those of a subset whose members have two bits at least each and together as many as they
/// are: what is first found of the subset and its bits, by increasing mask.
pub(super) fn first_tuple<T>(
    masks: &[u16; 9],
    size: u32,
    found: &impl Fn(u16, u16) -> Option<T>,
) -> Option<T> {
    let mut fit = 0;
    for (number, &mask) in masks.iter().enumerate() {
        fit |= u16::from((2..=size).contains(&count(mask))) << number;
    }
    if count(fit) < size {
        return None;
    }
    let tuple = Tuple { masks, size, found };
    tuple.extend(fit, size, 0, 0)
}

struct Tuple<'a, F> {
    masks: &'a [u16; 9],
    size: u32,
    found: F,
}

impl<T, F: Fn(u16, u16) -> Option<T>> Tuple<'_, F> {
    /// With so many more of these members. The highest decides the order, so it comes first.
    fn extend(&self, fit: u16, more: u32, subset: u16, union: u16) -> Option<T> {
        if count(fit) < more {
            return None;
        }
        if more == 0 {
            return if count(union) == self.size {
                (self.found)(subset, union)
            } else {
                None
            };
        }
        bits(fit).find_map(|member| {
            let union = union | self.masks[member];
            if count(union) > self.size {
                return None;
            }
            let bit = 1 << member;
            self.extend(fit & (bit - 1), more - 1, subset | bit, union)
        })
    }
}

/// Those of these digits that are candidates of these cells of a unit.
pub(super) fn candidates_in(
    marks: &Pencilmarks,
    unit: Unit,
    cells: u16,
    digits: u16,
) -> impl Iterator<Item = Candidate> {
    let cells = bits(cells).map(move |place| unit.cells()[place]);
    cells.flat_map(move |cell| candidates_of(cell, marks.candidates(cell) & digits))
}
