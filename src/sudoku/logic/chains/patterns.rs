//! What falls on a working board by patterns, where links lead no further: locked candidates, hidden pairs,
//! naked pairs and X-wings.
//!
//! A pattern counts only if candidates fell to make it; those are its reasons. All that the first kind
//! takes away which finds anything is entered, before the links are followed again.

use super::assume::{Branch, Ground};
use super::{Pencilmarks, number};
use crate::sudoku::cell::Cell;
use crate::sudoku::logic::locked::Crossing;
use crate::sudoku::logic::pencilmarks::bits;
use crate::sudoku::logic::subsets::PAIRS;
use crate::sudoku::logic::unit::{UNITS, Unit};

/// A board before and after candidates fell, and what followed so far.
struct Fallen<'a> {
    before: &'a Pencilmarks,
    now: &'a Pencilmarks,
    branch: &'a mut Branch,
    has_found: bool,
}

/// Enters what patterns take away; tells whether they take anything.
pub(super) fn follow(ground: &Ground<'_>, branch: &mut Branch) -> bool {
    let mut fallen = Fallen {
        before: ground.marks,
        now: ground.now(),
        branch,
        has_found: false,
    };
    let rules = [
        Fallen::locked,
        Fallen::hidden_pairs,
        Fallen::naked_pairs,
        Fallen::x_wings,
    ];
    rules.into_iter().any(|rule| {
        rule(&mut fallen);
        fallen.has_found
    })
}

impl Fallen<'_> {
    /// Enters a candidate that goes, for these reasons.
    fn gone(&mut self, candidate: u16, reasons: impl Iterator<Item = u16>) {
        self.has_found |= self.branch.turn_off(candidate, reasons, None);
    }

    fn locked(&mut self) {
        for crossing in Crossing::ALL {
            for digit in 0..9 {
                for first in crossing.firsts() {
                    let places = self.now.places_of(first, digit);
                    if places == self.before.places_of(first, digit) {
                        continue;
                    }
                    if let Some(second) = crossing.second(first, places) {
                        self.lock(first, second, digit);
                    }
                }
            }
        }
    }

    fn lock(&mut self, first: Unit, second: Unit, digit: usize) {
        let made = self.before.places_of(first, digit) & !first.common(second);
        if made == 0 {
            return;
        }
        for place in bits(self.now.places_of(second, digit) & !second.common(first)) {
            let reasons = bits(made).map(|place| at(first, place, digit));
            self.gone(at(second, place, digit), reasons);
        }
    }

    fn hidden_pairs(&mut self) {
        for unit in Unit::all() {
            if self.now.empty_in(unit) <= 4 {
                continue;
            }
            let fit = fit(|digit| self.now.places_of(unit, digit));
            for pair in PAIRS.into_iter().filter(|pair| pair & !fit == 0) {
                let mut digits = bits(pair);
                let (Some(a), Some(b)) = (digits.next(), digits.next()) else {
                    continue;
                };
                let places = self.now.places_of(unit, a);
                if places != self.now.places_of(unit, b) {
                    continue;
                }
                let made =
                    [a, b].map(|digit| (digit, self.before.places_of(unit, digit) & !places));
                if made[0].1 | made[1].1 == 0 {
                    continue;
                }
                for place in bits(places) {
                    let cell = UNITS[unit.index()][place].index();
                    for other in bits(self.now.all()[cell] & !pair) {
                        let reasons = made.into_iter().flat_map(|(digit, made)| {
                            bits(made).map(move |place| at(unit, place, digit))
                        });
                        self.gone(number(cell, other), reasons);
                    }
                }
            }
        }
    }

    fn naked_pairs(&mut self) {
        for unit in Unit::all() {
            if self.now.empty_in(unit) < 4 {
                continue;
            }
            let cells = UNITS[unit.index()].map(Cell::index);
            let fit = fit(|place| self.now.all()[cells[place]]);
            for pair in PAIRS.into_iter().filter(|pair| pair & !fit == 0) {
                let mut places = bits(pair);
                let (Some(a), Some(b)) = (places.next(), places.next()) else {
                    continue;
                };
                let digits = self.now.all()[cells[a]];
                if digits != self.now.all()[cells[b]] {
                    continue;
                }
                let made =
                    [cells[a], cells[b]].map(|cell| (cell, self.before.all()[cell] & !digits));
                if made[0].1 | made[1].1 == 0 {
                    continue;
                }
                for place in bits(!pair & 0x1ff) {
                    for digit in bits(self.now.all()[cells[place]] & digits) {
                        let reasons = made.into_iter().flat_map(|(cell, made)| {
                            bits(made).map(move |digit| number(cell, digit))
                        });
                        self.gone(number(cells[place], digit), reasons);
                    }
                }
            }
        }
    }

    fn x_wings(&mut self) {
        let placed = self.now.times_placed();
        for base in [Unit::columns(), Unit::rows()] {
            let mut fits = [0; 9];
            for (digit, of) in fits.iter_mut().enumerate() {
                if placed[digit + 1] + 4 <= 9 {
                    *of = fit(|line| self.now.places_of(base[line], digit));
                }
            }
            for pair in PAIRS {
                for (digit, _) in fits
                    .into_iter()
                    .enumerate()
                    .filter(|(_, fit)| pair & !fit == 0)
                {
                    self.x_wing(&base, pair, digit);
                }
            }
        }
    }

    fn x_wing(&mut self, base: &[Unit; 9], pair: u16, digit: usize) {
        let mut lines = bits(pair).map(|line| base[line]);
        let (Some(a), Some(b)) = (lines.next(), lines.next()) else {
            return;
        };
        let cover = self.now.places_of(a, digit);
        if cover != self.now.places_of(b, digit) {
            return;
        }
        let made = [a, b].map(|line| (line, self.before.places_of(line, digit) & !cover));
        if made[0].1 | made[1].1 == 0 {
            return;
        }
        for line in bits(!pair & 0x1ff) {
            for place in bits(self.now.places_of(base[line], digit) & cover) {
                let reasons = made
                    .into_iter()
                    .flat_map(|(line, made)| bits(made).map(move |place| at(line, place, digit)));
                self.gone(at(base[line], place, digit), reasons);
            }
        }
    }
}

/// Which of nine masks have two bits.
fn fit(mask: impl Fn(usize) -> u16) -> u16 {
    let two = (0..9).filter(|&number| mask(number).count_ones() == 2);
    two.fold(0, |fit, number| fit | 1 << number)
}

/// The candidate of a digit at a place of a unit.
fn at(unit: Unit, place: usize, digit: usize) -> u16 {
    number(UNITS[unit.index()][place].index(), digit)
}
