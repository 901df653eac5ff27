//! A symmetry together with a relabelling.

use crate::sudoku::puzzle::Puzzle;

/// One of the 3,359,232 geometric symmetries, and a relabelling of the digits: cell (r, c) of the
/// image is `digits[cell (rows[r], columns[c])]` of the puzzle, which is transposed first if
/// `transposed`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Transformation {
    pub(super) transposed: bool,
    pub(super) rows: [u8; 9],
    pub(super) columns: [u8; 9],
    pub(super) digits: [u8; 10],
}

impl Transformation {
    /// What leaves every puzzle as it is.
    pub const IDENTITY: Self = Self {
        transposed: false,
        rows: [0, 1, 2, 3, 4, 5, 6, 7, 8],
        columns: [0, 1, 2, 3, 4, 5, 6, 7, 8],
        digits: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    };

    /// Whether rows and columns change places first.
    #[must_use]
    pub const fn transposed(&self) -> bool {
        self.transposed
    }

    /// By row of the image, 0 to 8, the row it comes from; the rows of a band stay together.
    #[must_use]
    pub const fn rows(&self) -> &[u8; 9] {
        &self.rows
    }

    /// By column of the image, 0 to 8, the column it comes from; the columns of a stack stay
    /// together.
    #[must_use]
    pub const fn columns(&self) -> &[u8; 9] {
        &self.columns
    }

    /// By digit, the digit it becomes. A permutation, whether or not all digits occur; entry 0
    /// says that empty stays empty.
    #[must_use]
    pub const fn digits(&self) -> &[u8; 10] {
        &self.digits
    }

    /// How many bytes a transformation takes.
    pub const BYTES: usize = 28;

    /// Whether it transposes, the rows, the columns, and what the digits 1 to 9 become: a byte
    /// each.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[0] = u8::from(self.transposed);
        bytes[1..10].copy_from_slice(&self.rows);
        bytes[10..19].copy_from_slice(&self.columns);
        bytes[19..].copy_from_slice(&self.digits[1..]);
        bytes
    }

    /// The transformation of these [bytes](Self::to_bytes), if they are one's.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Option<Self> {
        let [transposed, lines @ ..] = bytes;
        let (lines, _) = lines.as_chunks::<9>();
        let [rows, columns, digits] = lines.try_into().ok()?;
        let keeps_bands = |lines: &[u8; 9]| {
            let mut bands = lines.chunks(3);
            is_permutation(lines, 0)
                && bands.all(|band| band.iter().all(|line| line / 3 == band[0] / 3))
        };
        let valid = *transposed < 2
            && keeps_bands(&rows)
            && keeps_bands(&columns)
            && is_permutation(&digits, 1);
        valid.then(|| {
            let mut transformation = Self {
                transposed: *transposed == 1,
                rows,
                columns,
                digits: [0; 10],
            };
            transformation.digits[1..].copy_from_slice(&digits);
            transformation
        })
    }

    /// The image of a puzzle.
    #[must_use]
    pub fn apply(&self, puzzle: &Puzzle) -> Puzzle {
        let (down, right) = if self.transposed { (1, 9) } else { (9, 1) };
        let mut cells = [0; 81];
        for (cells, &row) in cells.chunks_exact_mut(9).zip(&self.rows) {
            for (cell, &column) in cells.iter_mut().zip(&self.columns) {
                let from = down * usize::from(row) + right * usize::from(column);
                *cell = self.digits[usize::from(puzzle.cells()[from])];
            }
        }
        Puzzle::from_checked(cells)
    }
}

/// Whether these are nine numbers in a row from `first` on, in any order.
fn is_permutation(numbers: &[u8; 9], first: u8) -> bool {
    let mut sorted = *numbers;
    sorted.sort_unstable();
    sorted.iter().copied().eq(first..first + 9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_and_others_are_refused() {
        let transformation = Transformation {
            transposed: true,
            rows: [5, 3, 4, 0, 2, 1, 6, 7, 8],
            columns: [6, 7, 8, 1, 0, 2, 3, 5, 4],
            digits: [0, 9, 8, 7, 6, 5, 4, 3, 2, 1],
        };
        let bytes = transformation.to_bytes();
        assert_eq!(Transformation::from_bytes(&bytes), Some(transformation));
        for (at, byte) in [(0, 2), (1, 9), (1, 0), (12, 3), (19, 0), (27, 9)] {
            let mut changed = bytes;
            changed[at] = byte;
            assert_eq!(Transformation::from_bytes(&changed), None, "{at}");
        }
        let mut apart = bytes;
        apart.swap(1, 4);
        assert_eq!(Transformation::from_bytes(&apart), None);
    }
}
