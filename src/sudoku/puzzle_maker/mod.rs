//! Making puzzles: exactly one solution each, with the givens and the symmetry asked for.

mod symmetry;

pub use symmetry::{Symmetry, UnknownSymmetry};
