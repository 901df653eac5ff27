//! A puzzle and its transpose, a row at a time.

use super::register::Register;

/// The rows of a puzzle or of its transpose, each padded with zeros to fill a register.
pub(super) type Side = [[u8; 16]; 9];

/// A puzzle and its transpose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    pub(super) sides: [Side; 2],
}

/// By digit a bit: 1 to 8 in the first table, 9 in the second.
const BITS: [[u8; 16]; 2] = [
    [0, 1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0],
];

impl Board {
    pub(super) fn new(cells: &[u8; 81]) -> Self {
        let mut sides = [[[0; 16]; 9]; 2];
        for (row, line) in cells.chunks_exact(9).enumerate() {
            sides[0][row][..9].copy_from_slice(line);
            for (column, &cell) in line.iter().enumerate() {
                sides[1][column][row] = cell;
            }
        }
        Self { sides }
    }

    /// Whether it is a grid: every row, column and box has all nine digits.
    #[inline(always)]
    pub(super) fn is_grid<R: Register>(&self) -> bool {
        let [low, high] = BITS.map(R::new);
        let (right, right_again) = (R::new(RIGHT), R::new(RIGHT_AGAIN));
        let [mut lows, mut highs] = [R::new([0xff; 16]); 2];
        for side in &self.sides {
            let [mut all_low, mut all_high] = [R::new([0; 16]); 2];
            for band in side.chunks_exact(3) {
                let [mut band_low, mut band_high] = [R::new([0; 16]); 2];
                for &row in band {
                    let row = R::new(row);
                    band_low = band_low.or(low.shuffle(row));
                    band_high = band_high.or(high.shuffle(row));
                }
                all_low = all_low.or(band_low);
                all_high = all_high.or(band_high);
                let boxes = |band: R| band.or(band.shuffle(right)).or(band.shuffle(right_again));
                lows = lows.and(boxes(band_low));
                highs = highs.and(boxes(band_high));
            }
            lows = lows.and(all_low);
            highs = highs.and(all_high);
        }
        let full = |found: R, wanted: u8| found.equal(R::new([wanted; 16])).bits() & 0x1ff == 0x1ff;
        full(lows, 0xff) && full(highs, 1)
    }

    /// By side, the rows in which a digit stands twice, a bit each.
    #[inline(always)]
    pub(super) fn repeats<R: Register>(&self) -> [u32; 2] {
        let tables = BITS.map(R::new);
        let columns = self.sides.map(|side| {
            let mut twice = R::new([0; 16]);
            for table in tables {
                let mut once = R::new([0; 16]);
                for row in side {
                    let bits = table.shuffle(R::new(row));
                    twice = twice.or(once.and(bits));
                    once = once.or(bits);
                }
            }
            !twice.equal(R::new([0; 16])).bits() & 0x1ff
        });
        [columns[1], columns[0]]
    }

    /// By side and row, the cells that are given, a bit each.
    #[inline(always)]
    pub(super) fn givens<R: Register>(&self) -> [[u32; 9]; 2] {
        let empty = R::new([0; 16]);
        self.sides
            .map(|side| side.map(|row| !R::new(row).equal(empty).bits() & 0x1ff))
    }
}

/// The next column of the stack, around.
const RIGHT: [u8; 16] = [1, 2, 0, 4, 5, 3, 7, 8, 6, 9, 10, 11, 12, 13, 14, 15];

const RIGHT_AGAIN: [u8; 16] = [2, 0, 1, 5, 3, 4, 8, 6, 7, 9, 10, 11, 12, 13, 14, 15];
