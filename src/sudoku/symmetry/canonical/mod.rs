//! The canonical form: of all images of a puzzle under symmetries and relabellings, the lowest.
//!
//! Images are compared as strings, row by row, an empty cell as 0. Two puzzles have the same form if
//! and only if one is an image of the other. Of the forms in use this *row-minlex* form is the
//! nearest to a standard: `%#mc` of Glenn Fowler's (gsf's) solver and subcanon of gridchecker have
//! it. Others that agree on grids differ on puzzles: that which compares the pattern of givens
//! before the digits, and that which carries a puzzle along with its solution.
//!
//! | room | what it holds |
//! |---|---|
//! | [`grid`], [`bands`] | grids: a table of the classes of bands |
//! | [`search`], [`state`], [`repeats`] | all other boards: rows placed one by one |
//! | [`board`] | a puzzle and its transpose |
//! | [`register`], [`avx2`], [`portable`] | nine cells side by side in a register |
//!
//! Grids have a way of their own because the first row, 123456789 in whatever order the columns
//! come, leaves open which row and order to choose; where cells are empty, few orders are lowest.
//!
//! Rejected: to take the form by a puzzle's solution, which needs one solution, and to try all
//! symmetries, the oracle of the tests, which takes 50 ms.
#![expect(
    clippy::inline_always,
    reason = "an intrinsic is an instruction only where its set is enabled"
)]
#![expect(clippy::many_single_char_names, reason = "registers are lettered")]
#![expect(
    clippy::cast_possible_truncation,
    reason = "there are few rows, columns, digits and moves"
)]

#[cfg(target_arch = "x86_64")]
mod avx2;
mod bands;
mod board;
mod grid;
mod portable;
mod register;
mod repeats;
mod search;
mod state;
#[cfg(test)]
mod tests;

use super::transformation::Transformation;
use crate::sudoku::puzzle::Puzzle;
use crate::sudoku::solve::{Isa, Unusable};
use register::Register;
use search::Search;

/// The canonical form of a puzzle, and how it comes about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Canonical {
    /// The lowest image. If the puzzle is a grid, so is this.
    pub form: Puzzle,
    /// One of the transformations that make the puzzle this image.
    pub transformation: Transformation,
    /// The order of the puzzle's automorphism group: how many of the 3,359,232 geometric symmetries
    /// give back the puzzle when its digits are suitably renamed. As many lead to the form. Digits
    /// that do not occur make no difference, but empty rows or columns do that can change places.
    pub automorphisms: u32,
}

/// Finds canonical forms, one after the other. Making one costs nothing; keeping it spares the
/// search's allocations. The first grid of a process takes 60 ms longer than others, for tables that
/// all share.
#[derive(Clone, Debug)]
pub struct Canonicalizer(Engine);

/// The memory of an instruction set's search. Invariant: the CPU has it.
#[derive(Clone, Debug)]
enum Engine {
    Portable(Box<Search<portable::Portable>>),
    #[cfg(target_arch = "x86_64")]
    Avx2(Box<Search<avx2::Avx2>>),
}

impl Default for Canonicalizer {
    fn default() -> Self {
        Self::new()
    }
}

impl Canonicalizer {
    /// One with the instructions that this process uses.
    #[must_use]
    pub fn new() -> Self {
        Self::on(Isa::current()).unwrap_or_else(|_| Self(Engine::Portable(Search::boxed())))
    }

    /// One with certain instructions, or the best below them that it is written for.
    ///
    /// # Errors
    /// If the CPU lacks them.
    pub fn on(isa: Isa) -> Result<Self, Unusable> {
        isa.check()?;
        Ok(Self(match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 | Isa::Avx512 => Engine::Avx2(Search::boxed()),
            _ => Engine::Portable(Search::boxed()),
        }))
    }

    /// The canonical form of any puzzle, whether it has one solution, many or none.
    ///
    /// With AVX2, about 0.3 us for a grid and 1 to 1.5 us for a puzzle with 17 or 24 givens. Symmetry
    /// does not blow it up: the slowest boards found take 0.2 ms if they keep the rules and 2 ms if
    /// they do not, full ones all of whose rows and columns are as good as any other to start with.
    #[must_use]
    pub fn canonical(&mut self, puzzle: &Puzzle) -> Canonical {
        match &mut self.0 {
            Engine::Portable(search) => canonical(search, puzzle),
            #[cfg(target_arch = "x86_64")]
            Engine::Avx2(search) => canonical(search, puzzle),
        }
    }
}

fn canonical<R: Register>(search: &mut Search<R>, puzzle: &Puzzle) -> Canonical {
    let board = R::board(puzzle.cells());
    R::grid(&board).unwrap_or_else(|| search.canonical(&board))
}

/// The puzzle of these rows, as [strings](Register::string).
#[inline(always)]
fn form(rows: &[u64; 9]) -> Puzzle {
    let mut cells = [0; 81];
    for (cells, row) in cells.as_chunks_mut::<9>().0.iter_mut().zip(rows) {
        let mut digits = row >> 32;
        digits = (digits | digits << 16) & 0x0000_ffff_0000_ffff;
        digits = (digits | digits << 8) & 0x00ff_00ff_00ff_00ff;
        digits = (digits | digits << 4) & 0x0f0f_0f0f_0f0f_0f0f;
        cells[..8].copy_from_slice(&digits.to_be_bytes());
        cells[8] = (row >> 28) as u8 & 15;
    }
    Puzzle::from_checked(cells)
}
