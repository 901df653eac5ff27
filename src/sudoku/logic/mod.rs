//! Solving as people do: every technique of the Sudoku Explainer scale, in its order.
//!
//! The scale is that of Nicolas Juillerat's Sudoku Explainer 1.2.1. What a puzzle is rated depends on which
//! step is taken where several could be, so the order of techniques, houses, digits and cells is part of it,
//! and is kept to the letter; the tables in `docs/techniques.md` list names and values.
//!
//! | room | what it holds |
//! |---|---|
//! | [`mod@unit`], [`pencilmarks`] | houses in the order of the scale, a board with its candidates |
//! | [`technique`], `worth` | names, values |
//! | [`step`], [`argument`], `text` | conclusions, why they hold, a sentence for each |
//! | `singles`, `locked`, `subsets`, `fish`, `wings` | patterns of a few cells |
//! | `loops`, `uniqueness`, `bug` | what would have two solutions |
//! | `aligned` | combinations that leave a cell nothing |
//! | `memory` | where nothing was found, nor need be sought again |
//! | `chains` | what follows from a candidate |
//! | [`path`] | which comes first |
//! | [`rating`], [`difficulty`] | how hard a way is |
//! | [`budget`] | what a search may take |
//! | [`explanation`] | all steps of a puzzle, and guesses |
//!
//! A technique looks and allocates nothing until it has found something, so that most of a rating's
//! time is looking.

mod aligned;
#[cfg(test)]
mod any_board;
pub mod argument;
pub mod budget;
mod bug;
mod chains;
pub mod difficulty;
#[cfg(test)]
mod examples;
pub mod explanation;
mod fish;
#[cfg(test)]
mod images;
mod locked;
mod loops;
mod memory;
pub mod path;
pub mod pencilmarks;
pub mod rating;
mod singles;
#[cfg(test)]
mod soundness;
pub mod step;
mod subsets;
pub mod technique;
mod text;
mod uniqueness;
pub mod unit;
mod wings;
mod worth;

/// Of what [`path::rate`] says of a puzzle: raised when any puzzle's rating changes.
pub const RATER_VERSION: u32 = 1;
