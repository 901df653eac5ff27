//! Solving as people do: every technique of the Sudoku Explainer scale, in its order.

pub mod pencilmarks;
pub mod step;
pub mod technique;
pub mod unit;
