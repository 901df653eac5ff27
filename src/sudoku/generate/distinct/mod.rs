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
//! solver cannot tell but a statistician can. A random search makes unrelated grids, slower and
//! with repeats in principle.

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
    /// Invariant: the CPU has it.
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
        let mut packed = [0; packed::BYTES];
        self.write_packed(index, &mut packed);
        Grid::from_checked(packed::to_cells(&packed))
    }

    /// Writes the packed grid of this index.
    ///
    /// # Panics
    /// If `index` is not below the capacity.
    pub fn write_packed(&self, index: u64, out: &mut [u8; packed::BYTES]) {
        self.fill_packed(index, std::slice::from_mut(out));
    }

    /// Writes the packed grids from the index `first` on.
    ///
    /// # Panics
    /// If one of the indices is not below the capacity.
    #[expect(unsafe_code, reason = "functions with an instruction set enabled")]
    pub fn fill_packed(&self, first: u64, out: &mut [[u8; packed::BYTES]]) {
        self.check(first, out.len());
        match self.isa {
            Isa::Portable => portable::packed(&self.orbit, first, out),
            // SAFETY: the CPU has the instructions.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 | Isa::Avx512 => unsafe { avx2::packed(&self.orbit, first, out) },
        }
    }

    /// Writes the grids from the index `first` on as lines of 81 ASCII digits and a `'\n'` each.
    ///
    /// # Panics
    /// If one of the indices is not below the capacity.
    #[expect(unsafe_code, reason = "functions with an instruction set enabled")]
    pub fn fill_lines(&self, first: u64, out: &mut [[u8; packed::LINE]]) {
        self.check(first, out.len());
        match self.isa {
            Isa::Portable => portable::lines(&self.orbit, first, out),
            // SAFETY: the CPU has the instructions.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 | Isa::Avx512 => unsafe { avx2::lines(&self.orbit, first, out) },
        }
    }

    fn check(&self, first: u64, count: usize) {
        let capacity = self.capacity();
        let left = capacity.saturating_sub(first);
        assert!(
            count as u64 <= left,
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
