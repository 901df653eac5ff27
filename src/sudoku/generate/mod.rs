//! Complete grids.
//!
//! | who makes them | what is promised |
//! |---|---|
//! | [`Distinct`] | no two of a seed are the same |
//! | [`Uniform`] | each is as likely as every other, whatever the others are |
//! | `complete` | nothing exact, and no tables are needed; for what the distinct grids are images of |

#[cfg(test)]
mod chi_square;
mod completion;
mod distinct;
mod uniform;

pub use distinct::Distinct;
pub use uniform::Uniform;
pub(super) use uniform::draw;

/// Which grids a seed and an index stand for. It changes when they do.
pub const GENERATOR_VERSION: u32 = 3;
