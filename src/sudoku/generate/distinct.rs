//! Grids that never repeat, by construction: the orbit of one base grid.
//!
//! A base grid without automorphisms has 9! x 3,359,232 = 1,218,998,108,160 images under renaming and the geometric
//! symmetries, all different. An index picks one of them: it is scrambled by a bijection of that very range, and then
//! split into a renaming and a geometric symmetry. So no two indices of a seed give the same grid, nothing needs to be
//! remembered, and any grid is made in constant time.
//!
//! With the first digit fixed, the renaming has eight digits left to place and there are a ninth as many grids.
//!
//! The price is that all grids of a seed are the same but for their symmetries, which a puzzle's solver cannot tell but a
//! statistician can. A random search makes unrelated grids, slower and with repeats in principle.

use super::completion::complete;
use crate::sudoku::digit::Digit;
use crate::sudoku::grid::Grid;
use crate::sudoku::packed;
use crate::sudoku::rng::{Rng, mix};
use crate::sudoku::solve::{Cancel, Solver};
use crate::sudoku::symmetry::{LINE_ORDERS, automorphisms};

/// A sequence of distinct grids.
#[derive(Clone, Debug)]
pub struct Distinct {
    base: [[u8; 9]; 9],
    transposed: [[u8; 9]; 9],
    first_digit: Option<Digit>,
    scramble: Scramble,
}

/// Transposing or not, and an order of rows and of columns.
const GEOMETRIES: u32 = 2 * 1296 * 1296;

impl Distinct {
    /// The sequence of a seed; with `first_digit`, of grids with that digit in the top left cell. About a millisecond.
    #[must_use]
    pub fn new(seed: u64, first_digit: Option<Digit>) -> Self {
        let base = base(seed);
        let base: [[u8; 9]; 9] =
            std::array::from_fn(|row| std::array::from_fn(|column| base.cells()[9 * row + column]));
        let renamings = if first_digit.is_some() {
            40_320
        } else {
            362_880
        };
        Self {
            base,
            transposed: std::array::from_fn(|row| std::array::from_fn(|column| base[column][row])),
            first_digit,
            scramble: Scramble::new(seed, renamings, GEOMETRIES),
        }
    }

    /// How many grids there are: 1,218,998,108,160, or 135,444,234,240 with the first digit fixed.
    #[must_use]
    pub fn capacity(&self) -> u64 {
        self.scramble.size()
    }

    /// The grid of this index.
    ///
    /// # Panics
    /// If `index` is not below the capacity.
    #[must_use]
    pub fn grid(&self, index: u64) -> Grid {
        let mut cells = [0; 81];
        self.image(index).write(|cell, value| cells[cell] = value);
        Grid::from_checked(cells)
    }

    /// Writes the packed grid of this index; the fast way for many.
    ///
    /// # Panics
    /// If `index` is not below the capacity.
    pub fn write_packed(&self, index: u64, out: &mut [u8; packed::BYTES]) {
        let mut cells = [0; 82];
        self.image(index).write(|cell, value| cells[cell] = value);
        for (byte, pair) in out.iter_mut().zip(cells.chunks_exact(2)) {
            *byte = pair[0] << 4 | pair[1];
        }
    }

    fn image(&self, index: u64) -> Image<'_> {
        assert!(
            index < self.capacity(),
            "grid {index} of {}",
            self.capacity()
        );
        let (renaming, geometry) = self.scramble.split(index);
        let source = if geometry % 2 == 0 {
            &self.base
        } else {
            &self.transposed
        };
        let rows = &LINE_ORDERS[(geometry / 2 % 1296) as usize];
        let columns = &LINE_ORDERS[(geometry / 2592) as usize];
        let names = match self.first_digit {
            None => names(renaming),
            Some(digit) => {
                // A renaming that keeps 9, and then two exchanges: what stands first is called 9, and 9 the digit wanted.
                let mut names = names(renaming);
                let first = source[usize::from(rows[0])][usize::from(columns[0])];
                names.swap(usize::from(first), 9);
                for name in &mut names[1..] {
                    *name = if *name == 9 {
                        digit.value()
                    } else if *name == digit.value() {
                        9
                    } else {
                        *name
                    };
                }
                names
            }
        };
        Image {
            source,
            rows,
            columns,
            names,
        }
    }
}

/// One image of the base grid, not yet written down.
struct Image<'a> {
    source: &'a [[u8; 9]; 9],
    rows: &'a [u8; 9],
    columns: &'a [u8; 9],
    /// By a digit of the source, 1 to 9, the digit it becomes.
    names: [u8; 16],
}

impl Image<'_> {
    #[inline]
    fn write(&self, mut put: impl FnMut(usize, u8)) {
        for (to, &row) in self.rows.iter().enumerate() {
            let source = &self.source[usize::from(row % 9)];
            for (column, &from) in self.columns.iter().enumerate() {
                put(
                    9 * to + column,
                    self.names[usize::from(source[usize::from(from % 9)] & 15)],
                );
            }
        }
    }
}

/// The renaming of this number: a bijection from 0..9! to the orders of nine digits, by exchanges; 0..8! keep 9 in place.
fn names(mut number: u32) -> [u8; 16] {
    let mut names = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 0, 0];
    for choices in 2..=9u32 {
        names.swap(choices as usize, (choices - number % choices) as usize);
        number /= choices;
    }
    names
}

/// The first grid without automorphisms among those of the seed; all but one in ten thousand have none.
fn base(seed: u64) -> Grid {
    let mut solver = Solver::new();
    let mut attempt = 0;
    loop {
        let mut rng = Rng::keyed(seed, attempt);
        let grid = complete(&mut rng, &mut solver, Cancel::never()).expect("nobody cancels");
        if automorphisms(&grid) == 1 {
            return grid;
        }
        attempt += 1;
    }
}

/// A bijection between 0..left x right and pairs of a number below `left` and one below `right`.
///
/// A Feistel network whose halves are these two numbers, added to modulo their own bounds instead of by exclusive or. So
/// it fits the range exactly, and needs no second try as a network over powers of two would.
#[derive(Clone, Debug)]
struct Scramble {
    left: u32,
    right: u32,
    keys: [u64; 6],
}

impl Scramble {
    fn new(seed: u64, left: u32, right: u32) -> Self {
        // Not the stream of any base grid's attempt.
        let mut rng = Rng::keyed(seed, u64::MAX);
        Self {
            left,
            right,
            keys: std::array::from_fn(|_| rng.next_u64()),
        }
    }

    fn size(&self) -> u64 {
        u64::from(self.left) * u64::from(self.right)
    }

    /// The pair of an index below the size.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "quotient and remainder of an index below left x right"
    )]
    fn split(&self, index: u64) -> (u32, u32) {
        let left_bound = u64::from(self.left);
        let (mut left, mut right) = ((index % left_bound) as u32, (index / left_bound) as u32);
        for keys in self.keys.chunks_exact(2) {
            left = add(left, mix(u64::from(right) ^ keys[0]), self.left);
            right = add(right, mix(u64::from(left) ^ keys[1]), self.right);
        }
        (left, right)
    }
}

/// `value` plus a number drawn from `random`, modulo `bound`.
#[allow(
    clippy::cast_possible_truncation,
    reason = "the upper half of a product of 32 bits each; a sum below the bound"
)]
fn add(value: u32, random: u64, bound: u32) -> u32 {
    let step = ((random >> 32) * u64::from(bound)) >> 32;
    let sum = u64::from(value) + step;
    let bound = u64::from(bound);
    (if sum >= bound { sum - bound } else { sum }) as u32
}
