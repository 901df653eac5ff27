//! The science: grids, puzzles, how they are read, solved and made.
//!
//! This layer is pure. It knows no clock, file, environment, thread or log; randomness is a seed
//! handed in, and the same arguments give the same answer on every machine. Everything above it
//! translates at its own edge.
//!
//! | room | what it holds |
//! |---|---|
//! | [`Digit`], [`Cell`], [`House`], [`CellSet`], [`DigitSet`] | the board's vocabulary, checked where it is built |
//! | [`Puzzle`], [`Grid`] | any 81 cells; 81 cells that keep every rule. A `Grid` is a `Puzzle`, not the other way round |
//! | [`mod@format`], [`packed`], [`mod@file`] | text and bytes in and out |
//! | [`Conflict`] | why a puzzle visibly has no solution |
//! | [`solve`] | count and find solutions: the engine, and the naive oracle it is tested against |
//! | [`symmetry`] | the symmetries that map grids to grids, and canonical forms |
//! | [`generate`] | complete grids |
//! | [`puzzle_maker`] | puzzles with exactly one solution |
//!
//! Cells are numbered 0..81 row by row; people read `r1c1`.

mod cell;
mod conflict;
mod digit;
mod error;
pub mod file;
pub mod format;
pub mod generate;
mod grid;
mod house;
pub mod logic;
pub mod packed;
mod puzzle;
pub mod puzzle_maker;
pub mod rng;
mod set;
pub mod solve;
pub mod symmetry;

pub use cell::Cell;
pub use conflict::Conflict;
pub use digit::Digit;
pub use error::{CellError, DigitError, GridError, ParseError, ParseErrorKind};
pub use file::{FileItem, FileParser};
pub use generate::{Distinct, GENERATOR_VERSION, Uniform};
pub use grid::Grid;
pub use house::{House, HouseKind};
pub use puzzle::Puzzle;
pub use puzzle_maker::{
    Ask, Impossible, Made, MadePuzzle, MakeOptions, Pattern, PatternError, PerHouse, PuzzleMaker,
    Rejections, Symmetry, Wishes,
};
pub use set::{CellSet, DigitSet};
pub use solve::{Answer, BatchSolver, Cancel, Cancelled, Finding, SolveLimits, Solver, Verdict};
