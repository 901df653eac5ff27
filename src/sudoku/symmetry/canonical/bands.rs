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
//! The tables take a few milliseconds to make. Bands are gone through in lexicographic order; one of
//! an unknown class is the lowest of it, and the 216 ways to order its rows, its boxes and the
//! columns of its first box lead to all keys of the class, and back.
//!
//! The classes are those of Bertram Felgenhauer and Frazer Jarvis, "Enumerating possible Sudoku
//! grids" (2005), <http://www.afjarvis.org.uk/sudoku/sudoku.pdf>.

use std::array::from_fn;
use std::sync::LazyLock;

use super::portable::Portable;
use super::register::Register;
use crate::sudoku::symmetry::line_orders::{LINE_ORDERS, ORDERS, line_order_number, order_number};

const CLASSES: usize = 416;
const KEYS: usize = 56 * 1296;

/// Three rows, each padded to fill a register.
pub(super) type Band = [[u8; 16]; 3];

/// The tables, half a megabyte.
#[derive(Debug)]
pub(super) struct Bands {
    /// By key.
    classes: Vec<u16>,
    /// By key, where its moves start; they end where those of the next key start.
    starts: Vec<u32>,
    /// Six times the number of a column order, plus that of a row order.
    moves: Vec<u16>,
    /// By class, the rows of its lowest band as [strings](Register::string).
    lowest: Vec<[u64; 3]>,
    /// [`LINE_ORDERS`], each padded to fill a register.
    orders: Vec<[u8; 16]>,
}

/// How a key's band becomes the lowest of its class.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move<'a> {
    /// By row, the row it comes from.
    pub(super) rows: &'static [u8; 3],
    /// By column, the column it comes from.
    pub(super) columns: &'a [u8; 16],
}

/// The tables, made when they are first asked for.
pub(super) static BANDS: LazyLock<Bands> = LazyLock::new(Bands::new);

impl Bands {
    fn new() -> Self {
        let mut found = Found {
            classes: vec![UNKNOWN; KEYS],
            moves: Vec::with_capacity(CLASSES * 216),
            lowest: Vec::with_capacity(CLASSES),
        };
        let mut first = [[0; 16]; 3];
        first[0][..9].copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8, 9]);
        found.search(&mut first, 9);
        found.moves.sort_unstable();
        let mut starts = vec![0; KEYS + 1];
        for &(key, _) in &found.moves {
            starts[key + 1] += 1;
        }
        for key in 0..KEYS {
            starts[key + 1] += starts[key];
        }
        Self {
            starts,
            moves: found.moves.iter().map(|&(_, number)| number).collect(),
            classes: found.classes,
            lowest: found.lowest.iter().map(strings).collect(),
            orders: LINE_ORDERS.iter().map(padded).collect(),
        }
    }

    /// The class of a key, 0 for the lowest.
    #[inline(always)]
    pub(super) fn class(&self, key: usize) -> u16 {
        self.classes[key]
    }

    /// The rows of a class's lowest band, as [strings](Register::string).
    #[inline(always)]
    pub(super) fn lowest(&self, class: u16) -> [u64; 3] {
        self.lowest[usize::from(class)]
    }

    /// What makes a key's band the lowest of its class.
    #[inline(always)]
    pub(super) fn moves(&self, key: usize) -> impl Iterator<Item = Move<'_>> {
        let range = self.starts[key] as usize..self.starts[key + 1] as usize;
        self.moves[range].iter().map(|&number| Move {
            rows: &ORDERS[usize::from(number % 6)],
            columns: &self.orders[usize::from(number / 6)],
        })
    }
}

const UNKNOWN: u16 = u16::MAX;

/// The tables in the making.
struct Found {
    classes: Vec<u16>,
    /// With their keys.
    moves: Vec<(usize, u16)>,
    lowest: Vec<Band>,
}

impl Found {
    /// Goes through all bands that begin with the cells before this one, in lexicographic order,
    /// until all classes are found.
    fn search(&mut self, band: &mut Band, cell: usize) {
        if cell == 27 {
            let (rows, columns) = (band.each_ref(), [0, 1, 2]);
            let keyed = Keyed::new(rows, columns, [1, 2], &labels(rows, columns));
            if self.classes[keyed.key] == UNKNOWN {
                self.add(band);
            }
            return;
        }
        let (row, column) = (cell / 9, cell % 9);
        for digit in 1..=9 {
            let box_columns = column / 3 * 3..column / 3 * 3 + 3;
            let in_box = |row: &[u8; 16]| row[box_columns.clone()].contains(&digit);
            if self.lowest.len() < CLASSES
                && !band[row][..column].contains(&digit)
                && !band[..row].iter().any(in_box)
                && !band[row][box_columns.start..column].contains(&digit)
            {
                band[row][column] = digit;
                self.search(band, cell + 1);
                band[row][column] = 0;
            }
        }
    }

    /// Adds the class of a band that is the lowest of it.
    fn add(&mut self, band: &Band) {
        let class = self.lowest.len() as u16;
        for rows in ORDERS {
            for [first, second, third] in ORDERS {
                for inside in ORDERS {
                    let ordered = rows.map(|row| &band[usize::from(row)]);
                    let first = inside.map(|column| 3 * first + column);
                    let labels = labels(ordered, first);
                    let keyed = Keyed::new(ordered, first, [second, third], &labels);
                    self.classes[keyed.key] = class;
                    self.moves.push((keyed.key, keyed.way_back(rows)));
                }
            }
        }
        self.lowest.push(*band);
    }
}

/// By digit, the place that it has in a box whose columns come in this order.
#[inline(always)]
pub(super) fn labels(rows: [&[u8; 16]; 3], columns: [u8; 3]) -> [u8; 16] {
    let mut labels = [0; 16];
    for (row, start) in rows.into_iter().zip([0, 3, 6]) {
        for (&column, label) in columns.iter().zip(start..) {
            labels[usize::from(row[usize::from(column) & 15] & 15)] = label;
        }
    }
    labels
}

/// The band that has a key, as an image of another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keyed {
    pub(super) key: usize,
    /// By column, the column it comes from.
    pub(super) columns: [u8; 16],
}

impl Keyed {
    /// The key of a band's rows, with the columns of the box to be taken as the first, the other two
    /// boxes, and the labels by digit that the first box gives.
    #[inline(always)]
    pub(super) fn new(
        rows: [&[u8; 16]; 3],
        first: [u8; 3],
        others: [u8; 2],
        labels: &[u8; 16],
    ) -> Self {
        // A column: its labels, four bits each, the first row's highest, and where it comes from.
        let [second, third] = others.map(|other| {
            sort([0, 1, 2].map(|column| {
                let from = 3 * other + column;
                let append = |number, row: &[u8; 16]| {
                    number << 4 | u16::from(labels[usize::from(row[usize::from(from) & 15] & 15)])
                };
                rows.into_iter().fold(0, append) << 4 | u16::from(from)
            }))
        });
        let rows = second.iter().fold(0, |rows, column| {
            // The first box's first row holds 0..3, so that these bits are free.
            rows | 1 << (column >> 12) | 1 << (column >> 8 & 15) & 7
        });
        let orders = [second, third].map(|columns| {
            let middle = ascents(columns.map(|column| column >> 8 & 15));
            let last = ascents(columns.map(|column| column >> 4 & 15));
            usize::from(PAIRS[middle << 3 | last])
        });
        let mut columns = [15; 16];
        columns[..3].copy_from_slice(&first);
        for (to, column) in columns[3..9]
            .iter_mut()
            .zip(second.into_iter().chain(third))
        {
            *to = (column & 15) as u8;
        }
        Self {
            key: (usize::from(ROWS[rows & 511]) * 36 + orders[0]) * 36 + orders[1],
            columns,
        }
    }

    /// The number of the move back, if its rows came from these.
    fn way_back(&self, rows: [u8; 3]) -> u16 {
        let mut columns = [0; 9];
        for (to, &from) in self.columns[..9].iter().enumerate() {
            columns[usize::from(from)] = to as u8;
        }
        let mut back = [0; 3];
        for (to, &from) in rows.iter().enumerate() {
            back[usize::from(from)] = to as u8;
        }
        line_order_number(&columns) * 6 + order_number(back)
    }
}

/// Sorts three numbers.
#[inline(always)]
pub(super) fn sort([a, b, c]: [u16; 3]) -> [u16; 3] {
    let (a, b) = (a.min(b), a.max(b));
    let (b, c) = (b.min(c), b.max(c));
    [a.min(b), a.max(b), c]
}

/// Which pairs of three numbers ascend: one of six values of three bits.
#[inline(always)]
fn ascents([a, b, c]: [u16; 3]) -> usize {
    usize::from(a < b) | usize::from(a < c) << 1 | usize::from(b < c) << 2
}

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

/// Two orders of three, each told by its [`ascents`], numbered.
static PAIRS: [u8; 64] = {
    const NONE: u8 = 6;
    // c < a < b and so on; that a < b < c < a is impossible, and so is its reverse.
    const NUMBERS: [u8; 8] = [0, 1, NONE, 2, 3, NONE, 4, 5];
    let mut pairs = [0; 64];
    let mut pair = 0;
    while pair < 64 {
        let (middle, last) = (NUMBERS[pair >> 3], NUMBERS[pair & 7]);
        if middle != NONE && last != NONE {
            pairs[pair] = middle * 6 + last;
        }
        pair += 1;
    }
    pairs
};

fn strings(band: &Band) -> [u64; 3] {
    band.map(|row| Portable::new(row).string())
}

fn padded(order: &[u8; 9]) -> [u8; 16] {
    from_fn(|column| order.get(column).copied().unwrap_or(15))
}
