//! A puzzle and its transpose, a row at a time.

use super::register::Register;

/// The rows of a puzzle or of its transpose, each padded with zeros to fill a register.
pub(super) type Side = [[u8; 16]; 9];

/// A puzzle and its transpose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    pub(super) sides: [Side; 2],
}

impl Board {
    #[inline(always)]
    pub(super) fn new(cells: &[u8; 81]) -> Self {
        let mut sides = [[[0; 16]; 9]; 2];
        for (row, line) in cells.as_chunks::<9>().0.iter().enumerate() {
            sides[0][row % 9][..9].copy_from_slice(line);
            for (column, &cell) in line.iter().enumerate() {
                sides[1][column][row % 9] = cell;
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
                for band in side.as_chunks::<3>().0 {
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
                for &row in side {
                    let bits = bits.shuffle(R::new(row));
                    twice = twice.or(once.and(bits));
                    once = once.or(bits);
                }
            }
        }
        !twice.equal(R::new([0; 16])).bits() & 0x1ff != 0
    }

    /// By side and row, the cells that are given, a bit each.
    #[inline(always)]
    pub(super) fn givens<R: Register>(&self) -> [[u32; 9]; 2] {
        let mut givens = [[0; 9]; 2];
        for (side, givens) in self.sides.iter().zip(&mut givens) {
            for (&row, givens) in side.iter().zip(givens) {
                *givens = !R::new(row).equal(R::new([0; 16])).bits() & 0x1ff;
            }
        }
        givens
    }
}

/// By digit a bit: 1 to 8 in the first table, 9 in the second.
const BITS: [[u8; 16]; 2] = [
    [0, 1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0],
];

/// By column, the next of its stack, around.
pub(super) const RIGHT: [u8; 16] = [1, 2, 0, 4, 5, 3, 7, 8, 6, 15, 15, 15, 15, 15, 15, 15];
/// By column, the one before in its stack, around.
pub(super) const LEFT: [u8; 16] = [2, 0, 1, 5, 3, 4, 8, 6, 7, 15, 15, 15, 15, 15, 15, 15];
