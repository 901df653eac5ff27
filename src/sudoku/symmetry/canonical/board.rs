//! A puzzle and its transpose, a row at a time.

use super::register::Register;
use super::state::PLACES;

/// Three rows, each padded with zeros to fill a register.
pub(super) type Band = [[u8; 16]; 3];

/// The bands of a puzzle or of its transpose.
pub(super) type Side = [Band; 3];

/// A puzzle and its transpose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    pub(super) sides: [Side; 2],
}

impl Board {
    #[inline(always)]
    pub(super) fn new<R: Register>(cells: &[u8; 81]) -> Self {
        let mut rows = [R::new([0; 16]); 9];
        for (number, row) in rows.iter_mut().enumerate() {
            // Beyond a row's nine cells are those of the next, and beyond the last row's none.
            let (from, order) = if number < 8 {
                (9 * number, PLACES)
            } else {
                (65, LAST_ROW)
            };
            let mut bytes = [0; 16];
            bytes.copy_from_slice(&cells[from..from + 16]);
            *row = R::new(bytes).shuffle(R::new(order)).and(R::new(NINE));
        }
        let mut sides = [[[[0; 16]; 3]; 3]; 2];
        for (side, rows) in sides.iter_mut().zip([rows, R::transposed(rows)]) {
            for (bytes, row) in side.as_flattened_mut().iter_mut().zip(rows) {
                *bytes = row.bytes();
            }
        }
        Self { sides }
    }

    /// Whether it is a grid: every row, column and box has all nine digits.
    #[inline(always)]
    pub(super) fn is_grid<R: Register>(&self) -> bool {
        // By column of a side, the bits of the digits in it, in each of its boxes, and in all.
        let mut everywhere = [R::new([0xff; 16]); 2];
        for side in &self.sides {
            for (everywhere, bits) in everywhere.iter_mut().zip(BITS) {
                let bits = R::new(bits);
                let mut column = R::new([0; 16]);
                for band in side {
                    let mut part = R::new([0; 16]);
                    for &row in band {
                        part = part.or(bits.shuffle(R::new(row)));
                    }
                    column = column.or(part);
                    let others = part.shuffle(R::new(RIGHT)).or(part.shuffle(R::new(LEFT)));
                    *everywhere = everywhere.and(part.or(others));
                }
                *everywhere = everywhere.and(column);
            }
        }
        let [low, high] = everywhere;
        let all = low
            .equal(R::new([0xff; 16]))
            .and(high.equal(R::new([1; 16])));
        all.bits() & 0x1ff == 0x1ff
    }

    /// Whether a digit stands twice in a row or column.
    #[inline(always)]
    pub(super) fn repeats<R: Register>(&self) -> bool {
        let mut twice = R::new([0; 16]);
        for side in &self.sides {
            for bits in BITS {
                let bits = R::new(bits);
                let mut once = R::new([0; 16]);
                for &row in side.as_flattened() {
                    let bits = bits.shuffle(R::new(row));
                    twice = twice.or(once.and(bits));
                    once = once.or(bits);
                }
            }
        }
        !twice.equal(R::new([0; 16])).bits() & 0x1ff != 0
    }

    /// By side and row, the rows of its band that equal it, a bit each.
    #[inline(always)]
    pub(super) fn alike<R: Register>(&self) -> [[u32; 9]; 2] {
        let mut alike = [[0; 9]; 2];
        for (side, alike) in self.sides.iter().zip(&mut alike) {
            for ((band, alike), first) in
                side.iter().zip(alike.as_chunks_mut::<3>().0).zip([0, 3, 6])
            {
                let [a, b, c] = [R::new(band[0]), R::new(band[1]), R::new(band[2])];
                let ab = u32::from(a.equal(b).bits() == 0xffff);
                let ac = u32::from(a.equal(c).bits() == 0xffff);
                let bc = u32::from(b.equal(c).bits() == 0xffff);
                *alike = [
                    (1 | ab << 1 | ac << 2) << first,
                    (ab | 2 | bc << 2) << first,
                    (ac | bc << 1 | 4) << first,
                ];
            }
        }
        alike
    }

    /// By side and row, the cells that are given, a bit each.
    #[inline(always)]
    pub(super) fn givens<R: Register>(&self) -> [[u32; 9]; 2] {
        let mut givens = [[0; 9]; 2];
        for (side, givens) in self.sides.iter().zip(&mut givens) {
            for (&row, givens) in side.as_flattened().iter().zip(givens) {
                *givens = !R::new(row).equal(R::new([0; 16])).bits() & 0x1ff;
            }
        }
        givens
    }
}

/// All ones in the nine columns.
const NINE: [u8; 16] = {
    let mut nine = [0; 16];
    let mut column = 0;
    while column < 9 {
        nine[column] = 0xff;
        column += 1;
    }
    nine
};

/// The order of bytes that brings cells 72 to 80 to the front of cells 65 to 80.
const LAST_ROW: [u8; 16] = [7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 0, 0, 0, 0, 0, 0];

/// By digit a bit: 1 to 8 in the first table, 9 in the second.
const BITS: [[u8; 16]; 2] = [
    [0, 1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0],
];

/// By column, the next of its stack, around.
pub(super) const RIGHT: [u8; 16] = [1, 2, 0, 4, 5, 3, 7, 8, 6, 15, 15, 15, 15, 15, 15, 15];
/// By column, the one before in its stack, around.
pub(super) const LEFT: [u8; 16] = [2, 0, 1, 5, 3, 4, 8, 6, 7, 15, 15, 15, 15, 15, 15, 15];
