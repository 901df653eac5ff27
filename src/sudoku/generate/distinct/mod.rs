//! Grids that never repeat, by construction: the orbit of one base grid.
//!
//! A base grid without automorphisms has 9! x 3,359,232 = 1,218,998,108,160 images under renaming
//! and the geometric symmetries, all different. An index picks one of them: it is scrambled by a
//! bijection of that very range, and then split into a renaming and a geometric symmetry. So no two
//! indices of a seed give the same grid, nothing needs to be remembered, and any grid is made in
//! constant time.
//!
//! With the first digit fixed, the renaming has eight digits left to place and there are a ninth as
//! many grids.
//!
//! The price is that all grids of a seed are the same but for their symmetries, which a puzzle's
//! solver cannot tell but a statistician can. [`Uniform`](super::Uniform) makes unrelated grids,
//! slower and with repeats in principle.
//!
//! | room | what it holds |
//! |---|---|
//! | [`scramble`] | from an index to the numbers of a renaming and of a geometry |
//! | [`renaming`], [`geometry`] | from a number to tables that are looked up |
//! | [`writer`] | from tables to lines and packed grids |
//! | [`avx2`], [`portable`] | the look-ups of an instruction set |
//!
//! With AVX2 a line into memory costs about as much as copying one there: four rounds of a network
//! for eight indices at once, then seven byte shuffles and six stores.

#![expect(
    clippy::inline_always,
    reason = "an intrinsic is an instruction only where its set is enabled"
)]

#[cfg(target_arch = "x86_64")]
mod avx2;
mod geometry;
mod portable;
mod renaming;
mod scramble;
#[cfg(test)]
mod tests;
mod writer;

use super::completion::complete;
use crate::sudoku::digit::Digit;
use crate::sudoku::grid::Grid;
use crate::sudoku::packed;
use crate::sudoku::rng::Rng;
use crate::sudoku::solve::{Cancel, Isa, Solver};
use crate::sudoku::symmetry::automorphisms;
use geometry::Bands;
use scramble::Scramble;

/// A sequence of distinct grids.
#[derive(Clone, Debug)]
pub struct Distinct {
    orbit: Orbit,
    /// Invariant: the CPU has it. AVX-512 takes the way of AVX2.
    isa: Isa,
}

/// The images of a base grid, in the order of a seed.
#[derive(Clone, Debug)]
struct Orbit {
    bands: Bands,
    first_digit: Option<Digit>,
    scramble: Scramble,
}

impl Distinct {
    /// The sequence of a seed; with `first_digit`, of grids with that digit in the top left cell.
    /// About a millisecond.
    #[must_use]
    pub fn new(seed: u64, first_digit: Option<Digit>) -> Self {
        let renamings = match first_digit {
            None => renaming::ALL,
            Some(_) => renaming::KEEPING_NINE,
        };
        Self {
            orbit: Orbit {
                bands: Bands::new(&base(seed)),
                first_digit,
                scramble: Scramble::new(seed, renamings, geometry::ALL),
            },
            isa: Isa::current(),
        }
    }

    /// How many grids a seed has: 1,218,998,108,160, or 135,444,234,240 with the first digit fixed.
    #[must_use]
    pub const fn capacity_of(first_digit: Option<Digit>) -> u64 {
        let renamings = match first_digit {
            None => renaming::ALL,
            Some(_) => renaming::KEEPING_NINE,
        };
        renamings as u64 * geometry::ALL as u64
    }

    /// How many grids [there are](Self::capacity_of).
    #[must_use]
    pub fn capacity(&self) -> u64 {
        self.orbit.scramble.size()
    }

    /// The grid of this index.
    ///
    /// # Panics
    /// If `index` is not below the capacity.
    #[must_use]
    pub fn grid(&self, index: u64) -> Grid {
        let mut grid = [[0; packed::BYTES]];
        self.fill_packed(index, &mut grid);
        Grid::from_checked(packed::to_cells(&grid[0]))
    }

    /// Writes the packed grids of the indices from `first` on. The fast way, as it makes 32 at a
    /// time.
    ///
    /// # Panics
    /// If one of the indices is not below the capacity.
    pub fn fill_packed(&self, first: u64, out: &mut [[u8; packed::BYTES]]) {
        self.check(first, out.len());
        #[cfg(target_arch = "x86_64")]
        if self.isa >= Isa::Avx2 {
            return avx2::packed(&self.orbit, first, out);
        }
        portable::packed(&self.orbit, first, out);
    }

    /// Writes the grids of the indices from `first` on as lines of 81 ASCII digits and a `'\n'`.
    ///
    /// # Panics
    /// If one of the indices is not below the capacity.
    pub fn fill_lines(&self, first: u64, out: &mut [[u8; packed::LINE]]) {
        self.check(first, out.len());
        #[cfg(target_arch = "x86_64")]
        if self.isa >= Isa::Avx2 {
            return avx2::lines(&self.orbit, first, out);
        }
        portable::lines(&self.orbit, first, out);
    }

    fn check(&self, first: u64, count: usize) {
        let capacity = self.capacity();
        assert!(
            count as u64 <= capacity.saturating_sub(first),
            "{count} grids from {first} of {capacity}"
        );
    }
}

/// The first grid without automorphisms among those of the seed; all but one in ten thousand have
/// none.
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
