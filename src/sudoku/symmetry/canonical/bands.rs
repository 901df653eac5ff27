//! The 416 classes of bands, and how each band becomes the lowest of its class.
//!
//! The symmetries of a band permute its rows, its boxes and the columns of each box, in 6 x 6 x 6^3
//! = 7,776 ways, and relabel. A band whose digits are relabelled by its first box, and whose other
//! boxes have their columns sorted by the first row, has a *key*, a number below 56 x 6^4 = 72,576:
//!
//! ```text
//!   0 1 2 | 3 4 6 | 5 7 8      which digits of the second box are in which row    56
//!   3 4 5 | 7 2 8 | 0 1 6      their order in its second and third row            6 x 6
//!   6 7 8 | 0 5 1 | 2 3 4      and that of the third box's digits                 6 x 6
//! ```
//!
//! By key are looked up the class, numbered in the order of the lowest bands, and the *moves* that
//! lead to the lowest band, one for each of the class's automorphisms: 89,856 in all.
//!
//! The tables take about 60 ms to make. Bands are gone through in lexicographic order; one of
//! an unknown class is the lowest of it, and the 216 ways to order its rows, its boxes and the
//! columns of its first box lead to all keys of the class, and back.
//!
//! The classes are those of Bertram Felgenhauer and Frazer Jarvis, "Enumerating possible Sudoku
//! grids" (2005), <http://www.afjarvis.org.uk/sudoku/sudoku.pdf>.

use std::sync::LazyLock;

use super::board::{Band, RIGHT};
use super::portable::Portable;
use super::register::Register;
use super::state::{PLACES, sort};
use crate::sudoku::symmetry::line_orders::{
    ORDERS, PADDED_ORDERS, line_order_number, order_number,
};

const CLASSES: usize = 416;
const KEYS: usize = 56 * 1296;
/// Moves of a class: the orders of the rows, of the boxes and of the columns of a box.
const MOVES: usize = 216;

/// The tables, half a megabyte.
#[derive(Debug)]
pub(super) struct Bands {
    /// By key, where its moves start. Those of a class fill 216 places, class after class.
    starts: Vec<u32>,
    /// Six times the number of a column order, plus that of a row order.
    moves: Vec<u16>,
    classes: Vec<Class>,
}

/// A class of bands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Class {
    /// The rows of its lowest band, as [strings](Register::string).
    pub(super) lowest: [u64; 3],
    /// How many of the 7,776 symmetries map a band to itself, suitably relabelled.
    automorphisms: u8,
    /// Where its first moves start.
    start: u32,
}

impl Class {
    /// Whether the moves that start there are of this class.
    #[inline(always)]
    pub(super) const fn has(self, start: u32) -> bool {
        start.wrapping_sub(self.start) < MOVES as u32
    }
}

/// How a key's band becomes the lowest of its class.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    /// By row, the row it comes from.
    pub(super) rows: &'static [u8; 3],
    /// By column, the column it comes from.
    pub(super) columns: &'static [u8; 16],
}

/// The tables, made when they are first asked for.
pub(super) static BANDS: LazyLock<Bands> = LazyLock::new(Bands::new);

const UNKNOWN: u32 = u32::MAX;

impl Bands {
    fn new() -> Self {
        let mut bands = Self {
            starts: vec![UNKNOWN; KEYS],
            moves: Vec::with_capacity(CLASSES * MOVES),
            classes: Vec::with_capacity(CLASSES),
        };
        let mut first = [[0; 16]; 3];
        first[0][..9].copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8, 9]);
        bands.search(&mut first, 9);
        bands
    }

    /// Where the moves of a key start: lower if its class is.
    #[inline(always)]
    pub(super) fn start(&self, key: usize) -> u32 {
        self.starts[key]
    }

    /// The class whose moves start there.
    #[inline(always)]
    pub(super) fn class(&self, start: u32) -> Class {
        self.classes[start as usize / MOVES]
    }

    /// The moves of a key.
    #[inline(always)]
    pub(super) fn moves(&self, class: Class, start: u32) -> impl Iterator<Item = Move> {
        let moves = &self.moves[start as usize..][..usize::from(class.automorphisms)];
        moves.iter().map(|&number| Move {
            rows: &ORDERS[usize::from(number % 6)],
            columns: &PADDED_ORDERS[usize::from(number / 6)],
        })
    }

    /// Goes through all bands that begin with the cells before this one, in lexicographic order,
    /// until all classes are found.
    fn search(&mut self, band: &mut Band, cell: usize) {
        if cell == 27 {
            if self.starts[key(band).number] == UNKNOWN {
                self.add(band);
            }
            return;
        }
        let (row, column) = (cell / 9, cell % 9);
        let mut taken = 0u16;
        for &digit in &band[row][..column] {
            taken |= 1 << digit;
        }
        for above in &band[..row] {
            for &digit in &above[column / 3 * 3..][..3] {
                taken |= 1 << digit;
            }
        }
        for digit in 1..=9 {
            if taken >> digit & 1 == 0 && self.classes.len() < CLASSES {
                band[row][column] = digit;
                self.search(band, cell + 1);
            }
        }
    }

    /// Adds the class of a band that is the lowest of it.
    fn add(&mut self, band: &Band) {
        let mut moves = Vec::with_capacity(MOVES);
        for rows in ORDERS {
            for boxes in 0..6 {
                for inside in 0..6 {
                    // Only the columns of the first box; those of the others get sorted anyway.
                    let columns = Portable::new(PADDED_ORDERS[boxes * 216 + inside * 36]);
                    let image = rows.map(|row| {
                        let row = Portable::new(band[usize::from(row)]);
                        row.shuffle(columns).bytes()
                    });
                    let key = key(&image);
                    let columns = columns.shuffle(key.columns());
                    moves.push((key.number, way_back(rows, columns.bytes())));
                }
            }
        }
        moves.sort_unstable();
        let start = self.moves.len() as u32;
        let mut automorphisms = 0;
        for moves in moves.chunk_by(|(key, _), (other, _)| key == other) {
            self.starts[moves[0].0] = self.moves.len() as u32;
            self.moves.extend(moves.iter().map(|&(_, number)| number));
            automorphisms = moves.len() as u8;
        }
        self.classes.push(Class {
            lowest: band.map(|row| Portable::new(row).string()),
            automorphisms,
            start,
        });
    }
}

/// The key of a band by its first box.
fn key(band: &Band) -> Key<Portable> {
    Key::new(band, 0, Portable::new(labels(band, 0)))
}

/// The number of the move back from rows and columns in this order.
fn way_back(rows: [u8; 3], columns: [u8; 16]) -> u16 {
    let mut columns_back = [0; 9];
    for (to, &from) in (0..).zip(&columns[..9]) {
        columns_back[usize::from(from)] = to;
    }
    let mut rows_back = [0; 3];
    for (to, from) in (0..).zip(rows) {
        rows_back[usize::from(from)] = to;
    }
    line_order_number(&columns_back) * 6 + order_number(rows_back)
}

/// What tells bands apart but for the labels and the order of the columns in two of the boxes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key<R> {
    pub(super) number: usize,
    /// By column of the sorted band, the column it comes from.
    sorted: R,
    first: usize,
}

impl<R: Register> Key<R> {
    /// The key of a band whose first box is the one of this number and has given the digits these
    /// labels; the box to the right of it is the second, around.
    #[inline(always)]
    pub(super) fn new(band: &Band, first: usize, labels: R) -> Self {
        let [top, middle, bottom] = *band;
        // The first box is sorted by its labels already.
        let top = sort(labels.shuffle(R::new(top)).up::<4>().or(R::new(PLACES)));
        let sorted = top.and(R::new([15; 16]));
        let middle = labels.shuffle(R::new(middle)).shuffle(sorted);
        let bottom = labels.shuffle(R::new(bottom)).shuffle(sorted);
        let (second, third) = (3 * NEXT[first], 3 * NEXT[NEXT[first]]);
        let (top, rises) = (top.bytes(), [rises(middle), rises(bottom)]);
        let middle = middle.bytes();
        let mut rows = 0;
        for column in second..second + 3 {
            // The first box has 0 to 2 in its first row, which leaves the second box's none of them.
            rows |= 1 << (top[column] >> 4) | 1 << middle[column] & 7;
        }
        let orders = |stack: usize| {
            let [middle, bottom] = rises.map(|rises| rises >> stack & 7);
            usize::from(PAIRS[middle as usize][bottom as usize])
        };
        Self {
            number: (usize::from(ROWS[rows & 511]) * 36 + orders(second)) * 36 + orders(third),
            sorted,
            first,
        }
    }

    /// By column of the band that has the key, the column it comes from.
    #[inline(always)]
    pub(super) fn columns(&self) -> R {
        // Rotating the boxes is one of the orders that keep the columns within.
        self.sorted
            .shuffle(R::new(PADDED_ORDERS[ROTATIONS[self.first]]))
    }
}

/// The place of each digit in a box of a band, row by row.
#[inline(always)]
pub(super) fn labels(band: &Band, number: usize) -> [u8; 16] {
    let mut labels = [0; 16];
    for (row, start) in band.iter().zip([0, 3, 6]) {
        for (column, label) in (3 * number..).zip(start..start + 3) {
            labels[usize::from(row[column] & 15)] = label;
        }
    }
    labels
}

/// By the place of a digit in a box, row by row, its place column by column.
pub(super) const TRANSPOSED: [u8; 16] = [0, 3, 6, 1, 4, 7, 2, 5, 8, 9, 10, 11, 12, 13, 14, 15];

/// By column, a bit: whether the next one of its stack, around, is greater.
#[inline(always)]
fn rises<R: Register>(row: R) -> u32 {
    row.min(row.shuffle(R::new(RIGHT))).equal(row).bits()
}

/// The box to the right, around.
pub(super) const NEXT: [usize; 3] = [1, 2, 0];

/// The numbers of the column orders that put this box first and keep the others in their sequence.
const ROTATIONS: [usize; 3] = [0, 3 * 216, 4 * 216];

/// The digits of the second box by their rows, numbered: bits 3 to 8 are those of its first row, bits
/// 0 to 2 those of its second row as far as they are from the first row of the first box.
static ROWS: [u8; 512] = {
    let mut numbers = [0; 512];
    let (mut rows, mut next) = (0u32, 0);
    while rows < 512 {
        // The second row gets from the first box's third row what the first row has left of it.
        let from_third = 3 - (rows >> 6).count_ones();
        let from_first = (rows & 7).count_ones();
        if (rows >> 3).count_ones() == 3 && from_third + from_first == 3 {
            numbers[rows as usize] = next;
            next += 1;
        }
        rows += 1;
    }
    assert!(next == 56);
    numbers
};

/// Two orders of three, each told by which rises there are, numbered.
static PAIRS: [[u8; 8]; 8] = {
    // Three numbers in a ring neither all rise nor all fall.
    const NUMBERS: [u8; 8] = [0, 0, 1, 2, 3, 4, 5, 0];
    let mut pairs = [[0; 8]; 8];
    let mut pair = 0;
    while pair < 64 {
        pairs[pair / 8][pair % 8] = NUMBERS[pair / 8] * 6 + NUMBERS[pair % 8];
        pair += 1;
    }
    pairs
};
