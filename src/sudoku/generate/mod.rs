//! Complete grids.

mod completion;
mod distinct;

pub(super) use completion::complete;
pub use distinct::Distinct;

/// Which grids a seed and an index stand for. It changes when they do.
pub const GENERATOR_VERSION: u32 = 3;
