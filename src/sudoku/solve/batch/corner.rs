//! The given asked about goes to the first cell and becomes a 1, in every lane.
//!
//! Of a given it is asked whether the puzzle without it has a solution with another digit there. So
//! one candidate is denied, and six flags cannot say so of any one of nine. But there are symmetries
//! enough to bring every cell to the first place and every digit to 1, and to ask the same of all
//! lanes; then a [sweep](super::planes::Planes::sweep) knows of one denied candidate, of digit 1 in the
//! first cell. Where nothing is asked that costs 0.3 % of all instructions.
//!
//! All lanes turn at once, by swaps under a mask: of bands, of rows in the first band, and so with
//! columns. That is some 6,000 operations for a load of about a hundred puzzles.
//!
//! Rejected, by arithmetic: planes for a denied candidate anywhere, some 2,000 operations more in every
//! sweep. Not tried: two lanes a question, the digit not in the cell's minirow, or in it and not in its
//! minicolumn.

use super::transpose::{Bits, swap_in_bytes, write_byte};
use super::vector::Vector;
use crate::sudoku::cell::Cell;

impl<V: Vector> Bits<V> {
    /// Notes the cell of the given that is asked about in a lane.
    ///
    /// ```text
    ///  bit    0 1       2 3              4 5        6 7
    ///         band 0-2  row 0-2 of band  stack 0-2  column 0-2 of stack
    /// ```
    #[inline(always)]
    pub(super) fn ask(&mut self, lane: usize, cell: Cell) {
        let (row, column) = (cell.row(), cell.column());
        let place = (row / 3) | (row % 3) << 2 | (column / 3) << 4 | (column % 3) << 6;
        write_byte::<V>(&mut self.corner, lane, place);
    }

    /// In the lanes `asked` the given asked about becomes a 1 in the first cell, the rest follows, and
    /// the given goes. After the transposition of the puzzles.
    #[inline(always)]
    pub(super) fn turn(&mut self, asked: V) {
        swap_in_bytes::<V>(&mut self.corner);
        let mut place = [V::zero(); 8];
        for bit in 0..8 {
            place[bit] = V::from_words(&self.corner[bit]).and(asked);
        }
        for other in [1, 2] {
            for i in 0..27 {
                self.exchange(i, i + 27 * other, place[other - 1]);
            }
            for i in 0..27 {
                let left = 9 * (i / 3) + i % 3;
                self.exchange(left, left + 3 * other, place[3 + other]);
            }
        }
        for other in [1, 2] {
            for column in 0..9 {
                self.exchange(column, column + 9 * other, place[1 + other]);
            }
            for row in 0..9 {
                self.exchange(9 * row, 9 * row + other, place[5 + other]);
            }
        }
        self.rename(asked);
    }

    /// Exchanges two cells in some lanes.
    #[inline(always)]
    fn exchange(&mut self, first: usize, second: usize, lanes: V) {
        for bit in 0..4 {
            let x = V::from_words(&self.nibble(first)[bit]);
            let y = V::from_words(&self.nibble(second)[bit]);
            let differ = x.xor(y).and(lanes);
            self.nibble(first)[bit] = x.xor(differ).to_words();
            self.nibble(second)[bit] = y.xor(differ).to_words();
        }
    }

    /// Exchanges the first cell's digit with 1 and empties that cell, in some lanes.
    #[inline(always)]
    fn rename(&mut self, lanes: V) {
        let mut digit = [V::zero(); 4];
        for bit in 0..4 {
            let plane = &mut self.nibble(0)[bit];
            digit[bit] = V::from_words(plane).and(lanes);
            *plane = V::from_words(plane).without(lanes).to_words();
        }
        let differ = [digit[0].xor(lanes), digit[1], digit[2], digit[3]];
        for cell in 1..81 {
            let nibble = self.nibble(cell);
            let mut n = [V::zero(); 4];
            for bit in 0..4 {
                n[bit] = V::from_words(&nibble[bit]);
            }
            let high = n[1].or3(n[2], n[3]);
            let no_digit = n[0]
                .xor(digit[0])
                .or3(n[1].xor(digit[1]), n[2].xor(digit[2]));
            let no_digit = no_digit.or(n[3].xor(digit[3]));
            let either = n[0].without(high).or_not(no_digit);
            for bit in 0..4 {
                nibble[bit] = n[bit].xor(either.and(differ[bit])).to_words();
            }
        }
    }
}
