//! Solving as people do: every technique of the Sudoku Explainer scale, in its order.

mod chains;
mod fish;
mod locked;
pub mod path;
pub mod pencilmarks;
mod singles;
pub mod step;
mod subsets;
pub mod technique;
pub mod unit;
mod wings;
