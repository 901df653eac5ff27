//! Packed puzzles to planes, and planes to packed solutions.
//!
//! Forty bytes of a puzzle are five words, and the words of 64 puzzles are a matrix of 64x64 bits
//! whose transpose is 64 planes' words. All words of a block are transposed at once, in six steps
//! that swap ever smaller squares across the diagonal (Henry S. Warren, *Hacker's Delight*, section
//! 7-3). The 41st byte is written where the first three steps would have brought it.

use super::planes::{Planes, undecided};
use super::vector::Vector;
use crate::sudoku::packed::BYTES;

/// Whole words of a packed puzzle.
const SLICES: usize = BYTES / 8;

/// The packed cells of a block: puzzle by puzzle, or, transposed, bit by bit.
pub(super) struct Bits<V: Vector> {
    /// By word of the puzzle and row of the word's lanes (or bit); each holds a row of all words.
    slices: [[V::Words; 64]; SLICES],
    /// The last byte: byte `i` of row `k` is that of row `8 * i + k` of the lanes.
    last: [V::Words; 8],
    /// The places of the givens asked about, a byte each, as the last byte.
    pub(super) corner: [V::Words; 8],
}

impl<V: Vector> Bits<V> {
    pub(super) fn new() -> Self {
        Self {
            slices: [[V::ZEROS; 64]; SLICES],
            last: [V::ZEROS; 8],
            corner: [V::ZEROS; 8],
        }
    }

    /// Writes a puzzle to a lane.
    #[inline(always)]
    pub(super) fn write(&mut self, lane: usize, packed: &[u8; BYTES]) {
        let (word, row) = (lane / 64, lane % 64);
        let (words, last) = packed.as_chunks::<8>();
        for (slice, bytes) in self.slices.iter_mut().zip(words) {
            slice[row].as_mut()[word] = u64::from_le_bytes(*bytes);
        }
        write_byte::<V>(&mut self.last, lane, last[0]);
    }

    /// Reads the solution of a lane.
    #[inline(always)]
    pub(super) fn read(&self, lane: usize, packed: &mut [u8; BYTES]) {
        let (word, row) = (lane / 64, lane % 64);
        let (words, last) = packed.as_chunks_mut::<8>();
        for (slice, bytes) in self.slices.iter().zip(words) {
            *bytes = slice[row].as_ref()[word].to_le_bytes();
        }
        let bytes = self.last[row % 8].as_ref()[word].to_le_bytes();
        last[0] = bytes[row / 8];
    }

    /// From puzzle by puzzle to bit by bit, and back.
    #[inline(always)]
    pub(super) fn transpose(&mut self) {
        for slice in &mut self.slices {
            swap::<V, 32>(slice, 0x0000_0000_ffff_ffff);
            swap::<V, 16>(slice, 0x0000_ffff_0000_ffff);
            swap::<V, 8>(slice, 0x00ff_00ff_00ff_00ff);
            swap_in_bytes::<V>(slice);
        }
        swap_in_bytes::<V>(&mut self.last);
    }

    /// The four planes of a cell.
    #[inline(always)]
    pub(super) fn nibble(&mut self, cell: usize) -> &mut [V::Words] {
        // The high nibble of a byte comes first.
        let bit = 8 * (cell / 2) + 4 * (1 - cell % 2);
        let (slice, row) = (bit / 64, bit % 64);
        match self.slices.get_mut(slice) {
            Some(slice) => &mut slice[row..row + 4],
            None => &mut self.last[row..row + 4],
        }
    }

    /// Sets up the planes of the givens in the lanes `into`. Returns the lanes that are no puzzle, or
    /// whose givens have a digit twice in a box; in a row or column a sweep finds it. `givens` is
    /// scratch.
    #[inline(always)]
    pub(super) fn load(&mut self, planes: &mut Planes<V>, givens: &mut [[V; 9]; 9], into: V) -> V {
        let mut dead = V::zero();
        for b in 0..9 {
            for k in 0..9 {
                let n = self.nibble(cell(b, k));
                let (n0, n1) = (V::from_words(&n[0]), V::from_words(&n[1]));
                let (n2, n3) = (V::from_words(&n[2]), V::from_words(&n[3]));
                planes.taken[b][k].replace(n0.or(n1).or3(n2, n3), into);
                // 10 and more are no digits.
                dead = dead.or_and(n3, n1.or(n2));
                let low = [n1.or(n0).not(), n0.without(n1), n1.without(n0), n1.and(n0)];
                let high = [n3.or(n2).not(), n2.without(n3), n3.without(n2)];
                for d in 0..9 {
                    givens[d][k] = high[(d + 1) / 4].and(low[(d + 1) % 4]);
                }
            }
            for d in 0..9 {
                let g = &givens[d];
                let mut rows = [V::zero(); 3];
                let mut columns = [V::zero(); 3];
                for i in 0..3 {
                    rows[i] = g[3 * i].or3(g[3 * i + 1], g[3 * i + 2]);
                    columns[i] = g[i].or3(g[i + 3], g[i + 6]);
                }
                let none = rows[0].or3(rows[1], rows[2]).not();
                dead = dead.or(undecided(&rows, &columns));
                for i in 0..3 {
                    planes.rows[d][b][i].replace(rows[i].or(none), into);
                    planes.columns[d][b][i].replace(columns[i].or(none), into);
                }
                planes.open[d][b].replace(none, into);
            }
        }
        // The nibble after the last cell.
        for padding in &self.last[..4] {
            dead = dead.or(V::from_words(padding));
        }
        dead
    }

    /// The cells of solved lanes, bit by bit.
    #[inline(always)]
    pub(super) fn store(&mut self, planes: &Planes<V>) {
        // The nibble after the last cell is 0.
        self.last = [V::ZEROS; 8];
        for b in 0..9 {
            for i in 0..3 {
                for j in 0..3 {
                    let mut n = [V::zero(); 4];
                    for d in 0..9 {
                        let here = planes.rows[d][b][i].and(planes.columns[d][b][j]);
                        for bit in 0..4 {
                            if (d + 1) >> bit & 1 != 0 {
                                n[bit] = n[bit].or(here);
                            }
                        }
                    }
                    let nibble = self.nibble(cell(b, 3 * i + j));
                    for bit in 0..4 {
                        nibble[bit] = n[bit].to_words();
                    }
                }
            }
        }
    }
}

/// The number of a cell, row by row.
#[inline(always)]
fn cell(b: usize, k: usize) -> usize {
    9 * (b / 3 * 3 + k / 3) + b % 3 * 3 + k % 3
}

/// Writes the byte of a lane where three steps would have brought it.
#[inline(always)]
pub(super) fn write_byte<V: Vector>(m: &mut [V::Words; 8], lane: usize, byte: u8) {
    let (word, row) = (lane / 64, lane % 64);
    let bytes = &mut m[row % 8].as_mut()[word];
    let shift = row / 8 * 8;
    *bytes = *bytes & !(0xff << shift) | u64::from(byte) << shift;
}

/// The last three steps: within squares of 8x8 bits.
#[inline(always)]
pub(super) fn swap_in_bytes<V: Vector>(m: &mut [V::Words]) {
    swap::<V, 4>(m, 0x0f0f_0f0f_0f0f_0f0f);
    swap::<V, 2>(m, 0x3333_3333_3333_3333);
    swap::<V, 1>(m, 0x5555_5555_5555_5555);
}

/// A step: in squares of twice `N` rows, swaps the quarters off the diagonal. `low` is the lower
/// half of their bits.
#[inline(always)]
fn swap<V: Vector, const N: i32>(m: &mut [V::Words], low: u64) {
    let low = V::splat(low);
    for square in m.chunks_exact_mut(2 * N.unsigned_abs() as usize) {
        let (upper, lower) = square.split_at_mut(N.unsigned_abs() as usize);
        for (x, y) in upper.iter_mut().zip(lower) {
            let (a, b) = (V::from_words(x), V::from_words(y));
            let differ = a.shr::<N>().xor(b).and(low);
            *x = a.xor(differ.shl::<N>()).to_words();
            *y = b.xor(differ).to_words();
        }
    }
}
