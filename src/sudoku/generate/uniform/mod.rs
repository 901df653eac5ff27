//! Grids at random, each exactly as likely as every other.
//!
//! There are N = 6,670,903,752,021,072,936,960 grids. One is drawn in two steps: a *base grid*, each
//! orbit of grids as often as its size asks for, and then one of its images.
//!
//! # Why no grid is favoured
//!
//! The group G has the 9! renamings of the digits, the 6^4 orders of the rows and the 6^4 orders of
//! the columns. Call h(P, Q, R) the number of ways to fill the rows of a band whose boxes have the
//! partitions P, Q and R ([`partition`]), rows in any order counted once. Going down from the
//! top band, where a, b and c are the moves of the three stacks and a' is opposite to a,
//!
//! ```text
//! N = sum over P, Q, R   of 6^3          280^3 triples; the orders of the columns in the stacks
//!     sum over a, b, c   of 6^3          56^3 descents; the orders of the rows in the bands
//!     h(P, Q, R) h(Pa, Qb, Rc) h(Pa', Qb', Rc')
//! ```
//!
//! and G makes most of these terms equal:
//!
//! 1. Renaming, and the order of the stacks, leave 44 kinds of triples ([`band`]). One with n triples
//!    that begin with partition 0 has 280 n in all, and one of them stands for all.
//! 2. Rotating the bands: a term is kept only if no band is of a lesser kind than the top one, and
//!    then three times over, shared among the t bands of that kind.
//! 3. Exchanging the lower bands makes a into a': only one a of each such pair is kept, twice.
//!
//! ```text
//! N = 280 6^3 6^3  sum over the kinds and the descents kept  of  n (6/t) h h h
//! ```
//!
//! The sum is the number of *ranks*, 510,645,067,241,472. A rank below it is drawn; it says which
//! term, and which fillings of the three bands: that is the base grid. Each step above exchanges
//! grids for others of the same orbit under G, so the identity holds orbit by orbit: an orbit of s
//! grids has s / 13,063,680 ranks. Its chance is s / N, and as any grid of an orbit has each of the
//! s as its image under equally many elements of G, each grid's chance is 1 / N.
//!
//! With the first digit fixed, that digit and the one drawn are exchanged throughout. It makes
//! every grid that begins with it out of nine, so these are equally likely too.
//!
//! # Cost
//!
//! A fixed number of steps: no trial is turned down. Only the generator's own numbers below a
//! bound may be drawn again ([`Rng`]), the rank with a chance below 2^-15 and the others below 2^-21,
//! each time anew. All tables take 3 MB, are built once a process, and need some 0.05 s for that.
//!
//! # What was rejected
//!
//! Drawing the top band in proportion to its fillings, the moves at random, and accepting with the
//! other two bands' fillings over 1,728^2: 74.5 trials a grid. Listing the descents of all kinds
//! without step 2: 3.9 million entries instead of 565,853, for the caches to miss.
//!
//! The kinds, and to count grids by them, are from Bertram Felgenhauer and Frazer Jarvis,
//! "Mathematics of Sudoku I", 2006.

mod band;
mod partition;
mod ranks;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use crate::sudoku::digit::Digit;
use crate::sudoku::grid::Grid;
use crate::sudoku::packed;
use crate::sudoku::rng::Rng;
use crate::sudoku::symmetry::LINE_ORDERS;
use ranks::{Base, Rank, Ranks};

static RANKS: LazyLock<Ranks> = LazyLock::new(Ranks::new);

/// A sequence of independent grids, each exactly as likely as every other.
///
/// Two of them may be the same; that any two of a billion are has a chance below 1 in 13,000.
#[derive(Clone, Debug)]
pub struct Uniform {
    seed: u64,
    first_digit: Option<Digit>,
    ranks: &'static Ranks,
}

/// A grid drawn by these random numbers, each equally likely.
pub(in crate::sudoku) fn draw(rng: &mut Rng) -> Grid {
    let any = Uniform::new(0, None);
    let rank = any.ranks.draw(rng);
    let board = any.board(any.ranks.base(rank), rng);
    Grid::from_checked(std::array::from_fn(|cell| board[cell]))
}

impl Uniform {
    /// The sequence of a seed; with `first_digit`, of grids with that digit in the top left cell.
    /// The first call of the process takes some 0.05 s, and 3 MB that stay.
    #[must_use]
    pub fn new(seed: u64, first_digit: Option<Digit>) -> Self {
        Self {
            seed,
            first_digit,
            ranks: &RANKS,
        }
    }

    /// The grid of this index; every index has one.
    #[must_use]
    pub fn grid(&self, index: u64) -> Grid {
        let (rank, mut rng) = self.draw(index);
        let board = self.board(self.ranks.base(rank), &mut rng);
        Grid::from_checked(std::array::from_fn(|cell| board[cell]))
    }

    /// Writes the packed grids from index `first` on; after the last index comes 0.
    pub fn fill_packed(&self, first: u64, out: &mut [[u8; packed::BYTES]]) {
        // So many that their waits for memory overlap.
        const TOGETHER: usize = 32;
        let mut index = first;
        for out in out.chunks_mut(TOGETHER) {
            let drawn: [_; TOGETHER] = std::array::from_fn(|_| {
                let drawn = self.draw(index);
                index = index.wrapping_add(1);
                drawn
            });
            let bases = drawn.each_ref().map(|&(rank, _)| self.ranks.base(rank));
            for ((out, base), (_, mut rng)) in out.iter_mut().zip(bases).zip(drawn) {
                pack(&self.board(base, &mut rng), out);
            }
        }
    }

    /// A rank, and what is left of the index's stream.
    fn draw(&self, index: u64) -> (Rank, Rng) {
        let mut rng = Rng::keyed(self.seed ^ STREAM, index);
        (self.ranks.draw(&mut rng), rng)
    }

    /// A random image of a base grid.
    fn board(&self, base: Base, rng: &mut Rng) -> Board {
        let mut order = || &LINE_ORDERS[rng.below(1296) as usize];
        let (rows, columns) = (order(), order());
        let mut names = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        rng.shuffle(&mut names);
        let mut board = [0; 128];
        for (band, rows) in self.ranks.bands(base).iter().zip(rows.chunks_exact(3)) {
            let rows = [9 * rows[0], 9 * rows[1], 9 * rows[2], 0];
            let mut filling = band.filling.0;
            for digit in band.digits {
                let name = names[usize::from(digit)];
                for (box_columns, places) in band.columns.iter().zip(columns.chunks_exact(3)) {
                    let row = rows[(filling & 3) as usize];
                    let column = places[usize::from(box_columns[usize::from(digit)])];
                    board[usize::from((row + column) & 127)] = name;
                    filling >>= 2;
                }
            }
        }
        if let Some(digit) = self.first_digit {
            exchange(&mut board, digit.value());
        }
        board
    }
}

/// Keeps the streams apart from those of others that are keyed by the same seed.
const STREAM: u64 = u64::from_be_bytes(*b"uniform\0");

/// 81 cells, and room that saves checks of bounds.
type Board = [u8; 128];

/// As [`packed::from_cells`](crate::sudoku::packed) does, of cells that are digits for certain.
fn pack(board: &Board, out: &mut [u8; packed::BYTES]) {
    for (byte, pair) in out.iter_mut().zip(board.chunks_exact(2)) {
        *byte = pair[0] << 4 | pair[1];
    }
}

/// Exchanges the digit in the top left cell with this one throughout.
fn exchange(board: &mut Board, digit: u8) {
    let first = board[0];
    for cell in board {
        *cell = if *cell == first {
            digit
        } else if *cell == digit {
            first
        } else {
            *cell
        };
    }
}
