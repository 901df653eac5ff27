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
