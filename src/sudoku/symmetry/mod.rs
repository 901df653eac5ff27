//! The symmetries of Sudoku itself: transposing, and permuting bands, stacks, the rows of a band
//! and the columns of a stack. There are 3,359,232 of them, and with each of the 9! relabellings of
//! the digits they map grids to grids.
//!
//! Not to be confused with the symmetry of a puzzle's pattern of givens, which is
//! [`puzzle_maker::Symmetry`](super::puzzle_maker::Symmetry).

mod automorphisms;
mod canonical;
mod line_orders;
mod transformation;

pub use automorphisms::automorphisms;
pub use canonical::{Canonical, Canonicalizer};
pub(super) use line_orders::{LINE_ORDERS, ORDERS, line_order};
pub use transformation::Transformation;
