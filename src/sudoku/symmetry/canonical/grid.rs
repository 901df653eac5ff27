//! Grids: the lowest image starts with the lowest band.
//!
//! Each of the six chutes is looked up in the table of [`bands`](super::bands). Those of the lowest
//! class can become the first band, in as many ways as the class has automorphisms; each way fixes
//! the relabelling and the columns, after which the other rows have only to be sorted. That leaves
//! 1.6 images to compare for most grids, and at most 648.

use std::array::from_fn;
use std::cmp::Ordering;

use super::bands::{BANDS, Keyed, labels, sort};
use super::board::{Board, Side};
use super::register::Register;
use super::{Canonical, Transformation, form};

/// The canonical form of a board, if that is a grid.
#[inline(always)]
pub(super) fn canonical<R: Register>(board: &Board) -> Option<Canonical> {
    if !board.is_grid::<R>() {
        return None;
    }
    let bands = &*BANDS;
    let chutes = [0, 1, 2, 3, 4, 5].map(|number| Chute::new(board, number));
    let classes = chutes.each_ref().map(|chute| bands.class(chute.keyed.key));
    let class = classes.into_iter().min()?;
    let mut lowest = [u64::MAX; 6];
    let mut best = None;
    let mut automorphisms = 0;
    for (chute, _) in chutes.iter().zip(classes).filter(|&(_, of)| of == class) {
        let side = &board.sides[usize::from(chute.transposed)];
        let sorted = R::new(chute.keyed.columns);
        for step in bands.moves(chute.keyed.key) {
            let columns = sorted.shuffle(R::new(*step.columns));
            let image = Image::new(side, step.rows.map(|row| chute.first + row), columns);
            match image.compare(side, &mut lowest) {
                Ordering::Less => {
                    best = Some((chute.transposed, image));
                    automorphisms = 1;
                }
                Ordering::Equal => automorphisms += 1,
                Ordering::Greater => {}
            }
        }
    }
    let (transposed, image) = best?;
    let [a, b, c] = bands.lowest(class);
    let [d, e, f, g, h, i] = lowest;
    Some(Canonical {
        form: form(&[a, b, c, d, e, f, g, h, i]),
        transformation: image.transformation(transposed),
        automorphisms,
    })
}

/// Three rows that could become the first band.
struct Chute {
    transposed: bool,
    /// The first of its rows.
    first: u8,
    keyed: Keyed,
}

impl Chute {
    /// Chutes 0 to 2 are the bands, 3 to 5 the stacks.
    #[inline(always)]
    fn new(board: &Board, number: u8) -> Self {
        let side = &board.sides[usize::from(number / 3)];
        let band = number % 3;
        let first = 3 * band;
        let rows = [0, 1, 2].map(|row| &side[usize::from(first + row)]);
        let columns = [first, first + 1, first + 2];
        let others = [(band + 1) % 3, (band + 2) % 3];
        Self {
            transposed: number >= 3,
            first,
            keyed: Keyed::new(rows, columns, others, &labels(rows, columns)),
        }
    }
}

/// An image that starts with the lowest band.
struct Image<R> {
    rows: [u8; 9],
    columns: R,
    /// By digit, its label.
    names: [u8; 16],
}

impl<R: Register> Image<R> {
    /// The image with this band and these columns: labelled by its first row, the other rows sorted.
    #[inline(always)]
    fn new(side: &Side, band: [u8; 3], columns: R) -> Self {
        let first_row = R::new(side[usize::from(band[0])]).shuffle(columns).bytes();
        let mut names = [0; 16];
        for (&digit, label) in first_row[..9].iter().zip(1..) {
            names[usize::from(digit & 15)] = label;
        }
        let first_column = usize::from(columns.bytes()[0] & 15);
        let sorted = |first: u8| {
            sort([first, first + 1, first + 2].map(|row| {
                let digit = side[usize::from(row)][first_column];
                u16::from(names[usize::from(digit & 15)]) << 4 | u16::from(row)
            }))
        };
        let first = band[0] / 3 * 3;
        let (second, third) = (sorted((first + 3) % 9), sorted((first + 6) % 9));
        let (second, third) = (second.min(third), second.max(third));
        let mut rows = [0; 9];
        rows[..3].copy_from_slice(&band);
        for (row, key) in rows[3..].iter_mut().zip(second.into_iter().chain(third)) {
            *row = (key & 15) as u8;
        }
        Self {
            rows,
            columns,
            names,
        }
    }

    /// Compares its last six rows with the lowest so far and keeps the lower.
    #[inline(always)]
    fn compare(&self, side: &Side, lowest: &mut [u64; 6]) -> Ordering {
        let names = R::new(self.names);
        let mut order = Ordering::Equal;
        for (&row, lowest) in self.rows[3..].iter().zip(lowest) {
            let row = R::new(side[usize::from(row)]).shuffle(self.columns);
            let string = names.shuffle(row).string();
            if order == Ordering::Equal {
                order = string.cmp(lowest);
                if order == Ordering::Greater {
                    return order;
                }
            }
            *lowest = string;
        }
        order
    }

    fn transformation(&self, transposed: bool) -> Transformation {
        let columns = self.columns.bytes();
        Transformation {
            transposed,
            rows: self.rows,
            columns: from_fn(|column| columns[column]),
            digits: from_fn(|digit| self.names[digit]),
        }
    }
}
