//! How many of the symmetries map a grid to itself, up to a relabelling of its digits.

use super::LINE_ORDERS;
use crate::sudoku::grid::Grid;

/// The order of a grid's automorphism group, 1 to 648: how many of the 3,359,232 geometric
/// symmetries give back the grid when its digits are suitably renamed. 1 is the identity, which
/// almost every grid has alone. About half a millisecond.
///
/// Trying every symmetry is not needed: a column order and the row that comes to stand first fix
/// the renaming, and with it the whole image, whose rows must then be the grid's. So 2 x 1,296 x 9
/// images are looked at, most for a few cells.
///
/// A [`Canonicalizer`](super::Canonicalizer) counts them too and is a thousand times faster, but only
/// once it has made its tables.
#[must_use]
pub fn automorphisms(grid: &Grid) -> u32 {
    let rows: [[u8; 9]; 9] =
        std::array::from_fn(|row| std::array::from_fn(|column| grid.cells()[9 * row + column]));
    let columns = std::array::from_fn(|column| std::array::from_fn(|row| rows[row][column]));
    let mut found = 0;
    for source in [&rows, &columns] {
        for order in &LINE_ORDERS {
            for first in source {
                let mut names = [0; 10];
                for (&column, &name) in order.iter().zip(&rows[0]) {
                    names[usize::from(first[usize::from(column)])] = name;
                }
                if maps(source, order, &names, &rows) {
                    found += 1;
                }
            }
        }
    }
    found
}

/// Whether the image has the same bands of the same rows, in whatever order. Different rows have
/// different images, so it is enough that each image is there and that the rows of a band stay
/// together.
fn maps(source: &[[u8; 9]; 9], order: &[u8; 9], names: &[u8; 10], rows: &[[u8; 9]; 9]) -> bool {
    source.chunks(3).all(|band| {
        let mut bands = band.iter().map(|row| {
            let image = |place: usize| names[usize::from(row[usize::from(order[place])])];
            let start = image(0);
            // A digit starts one row only.
            let target = rows.iter().position(|row| row[0] == start)?;
            (1..9)
                .all(|place| image(place) == rows[target][place])
                .then_some(target / 3)
        });
        let first = bands.next().flatten();
        first.is_some() && bands.all(|band| band == first)
    })
}
