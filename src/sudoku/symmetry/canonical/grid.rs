//! Grids: the lowest image starts with the lowest band.
//!
//! Each of the six chutes is looked up in the table of [`bands`](super::bands). Those of the lowest
//! class can become the first band, in as many ways as the class has automorphisms; each way fixes
//! the relabelling and the columns, after which the other rows have only to be sorted. That leaves
//! 1.6 images to compare for most grids, and at most 648.

use std::array::from_fn;
use std::cmp::Ordering;

use super::bands::{BANDS, Bands, Key, NEXT, TRANSPOSED, labels};
use super::board::{Board, Side};
use super::register::Register;
use super::{Canonical, Transformation, form};

/// The canonical form of a board, if that is a grid.
#[inline(always)]
pub(super) fn canonical<R: Register>(board: &Board) -> Option<Canonical> {
    // The boxes on the diagonal give the labels. Written before there is use for them: a register
    // read from bytes just written has to wait.
    let [top, middle, bottom] = &board.sides[0];
    let labels = [labels(top, 0), labels(middle, 1), labels(bottom, 2)];
    if !board.is_grid::<R>() {
        return None;
    }
    let bands = &*BANDS;
    // Not mapped: a closure would not be inlined, and so lack the instructions.
    let chutes: [Chute<R>; 6] = [
        Chute::new(bands, board, &labels, 0, 0),
        Chute::new(bands, board, &labels, 0, 1),
        Chute::new(bands, board, &labels, 0, 2),
        Chute::new(bands, board, &labels, 1, 0),
        Chute::new(bands, board, &labels, 1, 1),
        Chute::new(bands, board, &labels, 1, 2),
    ];
    let mut start = u32::MAX;
    for chute in &chutes {
        start = start.min(chute.start);
    }
    let class = bands.class(start);
    let mut lowest = [u64::MAX; 6];
    let mut best = None;
    let mut automorphisms = 0;
    for chute in &chutes {
        if !class.has(chute.start) {
            continue;
        }
        let side = &board.sides[chute.side];
        let columns = chute.key.columns();
        for step in bands.moves(class, chute.start) {
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
    let [a, b, c] = class.lowest;
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
    /// Where its moves start.
    start: u32,
}

impl<R: Register> Chute<R> {
    #[inline(always)]
    fn new(bands: &Bands, board: &Board, labels: &[[u8; 16]; 3], side: usize, band: usize) -> Self {
        let mut labels = R::new(labels[band]);
        if side == 1 {
            labels = R::new(TRANSPOSED).shuffle(labels);
        }
        let key = Key::new(&board.sides[side][band], band, labels);
        let start = bands.start(key.number);
        Self {
            side,
            band,
            key,
            start,
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
        let first_row = R::new(side[band][usize::from(order[0])])
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
            let row = R::new(side.as_flattened()[usize::from(row)]).shuffle(self.columns);
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
    for (key, (line, row)) in keys.iter_mut().zip(side[band].iter().zip(3 * band..)) {
        let label = names[usize::from(line[column] & 15)];
        *key = u64::from(label) << 4 | row as u64;
    }
    let [a, b, c] = keys;
    let (a, b) = (a.min(b), a.max(b));
    let (b, c) = (b.min(c), b.max(c));
    a.min(b) << 16 | a.max(b) << 8 | c
}
