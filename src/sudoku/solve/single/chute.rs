//! Counting the ways to fill a chute, which is a band or a stack, when all else is filled.
//!
//! A nearly empty board has so many solutions that the search for a million of them never leaves
//! the subtree of its first guesses, where most nodes have two or three. So a count leaves one
//! chute for last, the one with the fewest givens, and adds up its fillings without a search.
//!
//! Across the chute run nine *places*, the columns of a band or the rows of a stack, and along it
//! three *lines*. Each place misses three digits, and each digit is missed in three places, one a
//! box. A filling gives every line all nine digits; the boxes are then right by themselves.
//!
//! 1. The digits of the first line are chosen, place by place: a few hundred ways at most.
//! 2. That leaves two digits to a place and two places to a digit, so digits and places form
//!    cycles. A cycle can be filled in two ways, or one or none where candidates are missing:
//!
//! ```text
//!   place          0      1      2
//!   missing       2 5    5 8    8 2        a cycle of three places
//!   second line   2      5      8          either this
//!   third line    5      8      2
//!   second line   5      8      2          or that
//!   third line    2      5      8
//! ```
//!
//! An empty chute has 200 fillings on average, and about a third of them are left with each given.

use super::board::{Board, Lines};
use super::register::{FIRST, Register};

/// A band or a stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Chute {
    Band(usize),
    Stack(usize),
}

impl Chute {
    /// The chute with the fewest givens.
    pub(super) fn loosest(cells: &[u8; 81]) -> Self {
        let mut givens = [0; 6];
        for cell in (0..81).filter(|&cell| cells[cell] != 0) {
            givens[cell / 27] += 1;
            givens[3 + cell % 9 / 3] += 1;
        }
        match (0..6).min_by_key(|&at| givens[at]) {
            Some(at @ 3..) => Self::Stack(at - 3),
            at => Self::Band(at.unwrap_or(0)),
        }
    }

    /// All bits of its lanes.
    #[inline(always)]
    fn mask<V: Register<N>, const N: usize>(self) -> V {
        match self {
            Self::Band(band) => V::band(band),
            Self::Stack(stack) => V::bands(0o777 << (10 * stack)),
        }
    }

    /// Hides what a digit may do in the chute, as if it were settled there: the search guesses
    /// elsewhere.
    #[inline(always)]
    pub(super) fn hide<V: Register<N>, const N: usize>(self, lines: &mut Lines<V, N>) {
        let mask: V = self.mask();
        for r in 0..N {
            let settled = (mask & V::bands(FIRST)).without(V::idle(r));
            lines.rows[r] = lines.rows[r].without(mask) | settled;
            lines.columns[r] = lines.columns[r].without(mask) | settled;
        }
    }

    /// The solutions of an open board, if nothing outside the chute is open.
    #[inline(always)]
    pub(super) fn count<V: Register<N>, const N: usize>(
        self,
        board: &Board<V, N>,
    ) -> Option<Counted> {
        if !board.open().without(self.mask()).is_zero() {
            return None;
        }
        let mut filling = Filling::new(self, &board.words());
        Some(Counted {
            fillings: filling.fill_first(0, 0),
            tried: filling.tried,
        })
    }
}

/// The fillings of a chute.
pub(super) struct Counted {
    /// Their number.
    pub(super) fillings: u64,
    /// What it took: digits tried in the first line, some nanoseconds each.
    pub(super) tried: u64,
}

/// The candidates of a chute. Sets of digits and of places are bits 0..9.
struct Filling {
    /// The digits of a place in a line.
    candidates: [[u16; 9]; 3],
    /// The three digits that a place misses.
    missing: [u16; 9],
    /// The three places that miss a digit.
    places: [u16; 9],
    /// The first line's place of each digit, as a bit.
    home: [u16; 9],
    /// All places, those with the fewest candidates in the first line first.
    order: [usize; 9],
    /// Digits tried there.
    tried: u64,
}

impl Filling {
    fn new(chute: Chute, words: &[[u32; 3]; 9]) -> Self {
        let mut candidates = [[0u16; 9]; 3];
        let mut missing = [0u16; 9];
        let mut places = [0u16; 9];
        for (digit, bands) in words.iter().enumerate() {
            for at in 0..3 {
                // The cells of one box, column * 3 + row.
                let mut cells = match chute {
                    Chute::Band(band) => bands[band] >> (10 * at) & 0o777,
                    Chute::Stack(stack) => bands[at] >> (10 * stack) & 0o777,
                };
                while cells != 0 {
                    let cell = cells.trailing_zeros() as usize;
                    cells &= cells - 1;
                    let (line, place) = match chute {
                        Chute::Band(_) => (cell % 3, 3 * at + cell / 3),
                        Chute::Stack(_) => (cell / 3, 3 * at + cell % 3),
                    };
                    candidates[line][place] |= 1 << digit;
                    missing[place] |= 1 << digit;
                    places[digit] |= 1 << place;
                }
            }
        }
        // Lines may be exchanged, so the one with the fewest candidates comes first.
        let choices = |line: &[u16; 9]| line.iter().map(|digits| digits.count_ones()).sum::<u32>();
        candidates.sort_unstable_by_key(choices);
        let mut order = [0, 1, 2, 3, 4, 5, 6, 7, 8];
        order.sort_unstable_by_key(|&place: &usize| candidates[0][place].count_ones());
        Self {
            candidates,
            missing,
            places,
            home: [0; 9],
            order,
            tried: 0,
        }
    }

    /// The fillings with the first line as it is in the places before number `at` of `order`, which
    /// have `used`.
    fn fill_first(&mut self, at: usize, used: u16) -> u64 {
        let Some(&place) = self.order.get(at) else {
            return self.count_pairs();
        };
        let mut count = 0;
        let mut digits = self.candidates[0][place] & !used;
        while digits != 0 {
            let digit = digits & digits.wrapping_neg();
            digits ^= digit;
            self.tried += 1;
            self.missing[place] ^= digit;
            self.home[digit.trailing_zeros() as usize] = 1 << place;
            count += self.fill_first(at + 1, used | digit);
            self.missing[place] ^= digit;
        }
        count
    }

    /// The fillings of the other two lines.
    fn count_pairs(&self) -> u64 {
        let mut count = 1;
        let mut left: u16 = 0o777;
        while left != 0 {
            let (mut one, mut other) = (true, true);
            let mut place = left.trailing_zeros() as usize;
            let first = self.missing[place] & self.missing[place].wrapping_neg();
            let mut digit = first;
            loop {
                left ^= 1 << place;
                let rest = self.missing[place] ^ digit;
                let (second, third) = (self.candidates[1][place], self.candidates[2][place]);
                one &= second & digit != 0 && third & rest != 0;
                other &= second & rest != 0 && third & digit != 0;
                if rest == first {
                    break;
                }
                digit = rest;
                let at = digit.trailing_zeros() as usize;
                let places = self.places[at] & !self.home[at] & !(1 << place);
                place = places.trailing_zeros() as usize;
            }
            count *= u64::from(one) + u64::from(other);
        }
        count
    }
}
