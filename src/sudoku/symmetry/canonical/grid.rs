//! Grids: the lowest image starts with the lowest band.
//!
//! Each of the six chutes is looked up in the table of [`bands`](super::bands). Those of the lowest
//! class can become the first band, in as many ways as the class has automorphisms; each way fixes
//! the relabelling and the columns, after which the other rows have only to be sorted. That leaves
//! 1.6 images to compare for most grids, and at most 648.

use std::array::from_fn;
use std::cmp::Ordering;

use super::bands::{BANDS, Key, NEXT, labels};
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
    // Not mapped: a closure would not be inlined, and so lack the instructions.
    let chutes: [Chute<R>; 6] = [
        Chute::new(board, 0, 0),
        Chute::new(board, 0, 1),
        Chute::new(board, 0, 2),
        Chute::new(board, 1, 0),
        Chute::new(board, 1, 1),
        Chute::new(board, 1, 2),
    ];
    let mut class = u16::MAX;
    for chute in &chutes {
        class = class.min(chute.class);
    }
    let mut lowest = [u64::MAX; 6];
    let mut best = None;
    let mut automorphisms = 0;
    for chute in chutes.iter().filter(|chute| chute.class == class) {
        let side = &board.sides[chute.side];
        let columns = chute.key.columns();
        for step in bands.moves(chute.key.number) {
            let columns = columns.shuffle(R::new(*step.columns));
            let image = Image::new(side, chute.band, *step.rows, columns);
            match image.compare(side, &mut lowest) {
                Ordering::Less => {
                    best = Some((chute.side == 1, image));
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
struct Chute<R> {
    side: usize,
    band: usize,
    key: Key<R>,
    class: u16,
}

impl<R: Register> Chute<R> {
    #[inline(always)]
    fn new(board: &Board, side: usize, band: usize) -> Self {
        let rows = &board.sides[side].as_chunks::<3>().0[band];
        // The box on the diagonal gives the labels.
        let key = Key::new(rows, band, R::new(labels(rows, band)));
        let class = BANDS.class(key.number);
        Self {
            side,
            band,
            key,
            class,
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
    /// The image with this band's rows in this order first, and these columns: labelled by its first
    /// row, the other rows sorted.
    #[inline(always)]
    fn new(side: &Side, band: usize, order: [u8; 3], columns: R) -> Self {
        let bands = side.as_chunks::<3>().0;
        let first_row = R::new(bands[band][usize::from(order[0])])
            .shuffle(columns)
            .bytes();
        let mut names = [0; 16];
        for (&digit, label) in first_row[..9].iter().zip(1..) {
            names[usize::from(digit & 15)] = label;
        }
        let column = usize::from(columns.bytes()[0] & 15);
        let (second, third) = (NEXT[band], NEXT[NEXT[band]]);
        let second = sorted(side, second, column, &names);
        let third = sorted(side, third, column, &names);
        let rest = second.min(third) << 24 | second.max(third);
        let mut rows = [0; 9];
        for (row, from) in rows.iter_mut().zip(order) {
            *row = 3 * band as u8 + from;
        }
        for (row, byte) in rows[3..].iter_mut().zip(&rest.to_be_bytes()[2..]) {
            *row = byte & 15;
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

/// The rows of a band, sorted by their labels in a column: a byte each, the first highest, in its
/// upper half the label and in its lower half the row.
#[inline(always)]
fn sorted(side: &Side, band: usize, column: usize, names: &[u8; 16]) -> u64 {
    let mut keys = [0; 3];
    for (key, row) in keys.iter_mut().zip(3 * band..) {
        let label = names[usize::from(side[row][column] & 15)];
        *key = u64::from(label) << 4 | row as u64;
    }
    let [a, b, c] = keys;
    let (a, b) = (a.min(b), a.max(b));
    let (b, c) = (b.min(c), b.max(c));
    a.min(b) << 16 | a.max(b) << 8 | c
}
