//! Solving as people do: every technique of the Sudoku Explainer scale, in its order.

mod aligned;
mod bug;
mod chains;
#[cfg(test)]
mod examples;
mod fish;
mod locked;
mod loops;
pub mod path;
pub mod pencilmarks;
mod singles;
pub mod step;
mod subsets;
pub mod technique;
mod uniqueness;
pub mod unit;
mod wings;
