//! Solving as people do: every technique of the Sudoku Explainer scale, in its order.

mod aligned;
mod bug;
mod fish;
mod loops;
mod locked;
pub mod path;
pub mod pencilmarks;
mod singles;
pub mod step;
mod subsets;
mod uniqueness;
pub mod technique;
pub mod unit;
mod wings;
