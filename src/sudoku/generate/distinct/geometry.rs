//! The images of a grid under the 3,359,232 geometric symmetries, a band at a time.
//!
//! A band of an image is that of the base grid or of its transpose, its rows in one of six orders,
//! its stacks in one of six, and last the columns inside each stack in one of six. All but the last
//! are few enough to be kept in a table of 7 kB for each base grid, and the last is a shuffle, for
//! which a band has the form
//!
//! ```text
//! byte   0          9               15   16               22         31
//!       [row 1     |stacks 1 and 2 |0 ] [stacks 2 and 3  |row 3     |0 ]
//!                   of row 2             of row 2
//! cell   0          9                    12               18
//! ```
//!
//! so that each half begins with a stack, no column leaves its half of a register, and the halves
//! written one over the other make 27 cells in a row. The empty byte at the end becomes the end of
//! the line, and in other bands is written over by the next.
//!
//! Rejected: rows in registers of their own, which takes nine times two shuffles and nine stores in
//! place of three times two and six. A table for all orders of columns, which is 200 kB.

use super::scramble::{BATCH, Lanes};
use crate::sudoku::grid::Grid;
use crate::sudoku::symmetry::{ORDERS, line_order};

/// A band, or an order for its bytes, in the form above.
pub(super) type Band = [u8; 32];

/// How many there are: transposing or not, and an order of rows and of columns.
pub(super) const ALL: u32 = 2 * 1296 * 1296;

/// Geometric symmetries, a batch of them.
pub(super) struct Geometries {
    /// Transposing or not, and the order of the stacks.
    faces: Lanes,
    /// The orders of the columns inside the stacks.
    columns: Lanes,
    /// The order of the bands, and the orders of the rows inside them.
    rows: Lanes,
}

impl Geometries {
    /// Those of these numbers, each below [`ALL`].
    #[inline(always)]
    pub(super) fn new(numbers: &Lanes) -> Self {
        let (mut faces, mut columns, mut rows) = ([0; BATCH], [0; BATCH], [0; BATCH]);
        for (lane, &number) in numbers.iter().enumerate() {
            faces[lane] = number / (216 * 1296);
            columns[lane] = number / 1296 % 216;
            rows[lane] = number % 1296;
        }
        Self {
            faces,
            columns,
            rows,
        }
    }
}

/// The bands of a grid, by face, and by place: six times the band and the order of its rows.
#[derive(Clone, Debug)]
pub(super) struct Bands(Box<[[Band; 18]; 12]>);

impl Bands {
    pub(super) fn new(grid: &Grid) -> Self {
        let mut bands = Box::new([[[0; 32]; 18]; 12]);
        for (face, bands) in bands.iter_mut().enumerate() {
            let stacks = ORDERS[face % 6].map(usize::from);
            for (place, band) in bands.iter_mut().enumerate() {
                let rows = ORDERS[place % 6].map(usize::from);
                for (byte, cell) in cells() {
                    let row = 3 * (place / 6) + rows[cell / 9];
                    let column = 3 * stacks[cell % 9 / 3] + cell % 3;
                    let (row, column) = if face < 6 {
                        (row, column)
                    } else {
                        (column, row)
                    };
                    band[byte] = grid.cells()[9 * row + column];
                }
            }
        }
        Self(bands)
    }

    /// The three bands of the image under a geometry of the batch, and the order that their bytes
    /// are still to be put in.
    #[inline(always)]
    pub(super) fn image(
        &self,
        geometries: &Geometries,
        lane: usize,
    ) -> ([&Band; 3], &'static Band) {
        let bands = &self.0[geometries.faces[lane] as usize];
        let places = PLACES[geometries.rows[lane] as usize];
        (
            places.map(|place| &bands[usize::from(place)]),
            &COLUMNS[geometries.columns[lane] as usize],
        )
    }
}

/// The bytes of a band that hold a cell, with it.
fn cells() -> impl Iterator<Item = (usize, usize)> {
    (0..15).zip(0..15).chain((16..31).zip(12..27))
}

/// By the order of the bands, and the orders of the rows in each, the places that come to stand
/// first, second and third.
#[expect(clippy::cast_possible_truncation, reason = "digits in base 6")]
static PLACES: [[u8; 3]; 1296] = {
    let mut places = [[0; 3]; 1296];
    let mut number = 0;
    while number < 1296 {
        let (bands, rows) = line_order(number);
        let mut band = 0;
        while band < 3 {
            places[number][band] = 6 * ORDERS[bands][band] + rows[band] as u8;
            band += 1;
        }
        number += 1;
    }
    places
};

/// By the orders of the columns in each stack, the byte of its half that comes to stand at a byte.
#[expect(clippy::cast_possible_truncation, reason = "five stacks a half")]
static COLUMNS: [Band; 216] = {
    let mut orders = [[15; 32]; 216];
    let mut number = 0;
    while number < 216 {
        let (_, inside) = line_order(number);
        let mut byte = 0;
        while byte < 32 {
            if byte % 16 < 15 {
                // Both halves start with a stack, the upper one with the second.
                let group = byte % 16 / 3;
                let order = ORDERS[inside[(group + byte / 16) % 3]];
                orders[number][byte] = 3 * group as u8 + order[byte % 16 % 3];
            }
            byte += 1;
        }
        number += 1;
    }
    orders
};

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::sudoku::packed;
    use crate::sudoku::symmetry::LINE_ORDERS;

    /// A grid without automorphisms.
    fn base() -> [u8; 81] {
        *super::super::base(3).cells()
    }

    /// The image of this number, cell by cell.
    fn image(base: &[u8; 81], number: usize) -> [u8; 81] {
        let rows = &LINE_ORDERS[number % 1296];
        let columns = &LINE_ORDERS[number / 1296 % 1296];
        std::array::from_fn(|cell| {
            let row = usize::from(rows[cell / 9]);
            let column = usize::from(columns[cell % 9]);
            base[if number < ALL as usize / 2 {
                9 * row + column
            } else {
                9 * column + row
            }]
        })
    }

    #[test]
    fn the_bands_are_those_of_an_image() {
        let base = base();
        let bands = Bands::new(&Grid::from_checked(base));
        for first in (0..ALL - 32).step_by(3_001).chain([ALL - 32]) {
            let mut numbers = first..;
            let numbers = std::array::from_fn(|_| numbers.next().expect("endless"));
            let geometries = Geometries::new(&numbers);
            for (lane, number) in numbers.into_iter().enumerate() {
                let expected = image(&base, number as usize);
                let (parts, columns) = bands.image(&geometries, lane);
                for (band, expected) in parts.into_iter().zip(expected.chunks(27)) {
                    let put = |byte: usize| band[byte / 16 * 16 + usize::from(columns[byte])];
                    assert!(
                        cells().all(|(byte, cell)| put(byte) == expected[cell]),
                        "{number}"
                    );
                    assert_eq!([put(15), put(31)], [0, 0]);
                }
            }
        }
    }

    #[test]
    fn none_repeats() {
        // Up to renaming: named so that the first row reads 1 to 9. Every 16th, told apart by their
        // second and fourth rows.
        let base = base();
        let mut seen = HashSet::new();
        for number in (0..ALL as usize).step_by(16) {
            let mut image = image(&base, number);
            let mut names = [0; 10];
            for (name, &digit) in (1..).zip(&image[..9]) {
                names[usize::from(digit)] = name;
            }
            image = image.map(|digit| names[usize::from(digit)]);
            let rows = packed::from_cells(&image);
            assert!(
                seen.insert((rows[4..9].to_vec(), rows[13..18].to_vec())),
                "{number}"
            );
        }
    }
}
