//! Why wishes are refused before anything is tried.

use thiserror::Error;

use super::Symmetry;
use crate::sudoku::house::House;

/// Why no puzzle can be what is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Impossible {
    /// No puzzle has so many or so few givens.
    #[error("givens {min} to {max}: a puzzle with exactly one solution has 17 to 81")]
    Givens {
        /// The fewest asked for.
        min: u8,
        /// The most asked for.
        max: u8,
    },
    /// No pattern has so many givens and what else is wanted.
    #[error(
        "givens {} to {}: with {} to {} givens in a house and symmetry {symmetry}, no pattern allowed has a number \
         of givens in that range",
        givens.0, givens.1, per_house.0, per_house.1
    )]
    Together {
        /// The fewest and most givens asked for.
        givens: (u8, u8),
        /// The fewest and most givens of a house.
        per_house: (u8, u8),
        /// The symmetry asked for.
        symmetry: Symmetry,
        /// The wish in the way.
        wish: &'static str,
    },
    /// The cells that may be given leave two lines empty.
    #[error(
        "pattern with symmetry {symmetry}: {} and {} have no givens, so that no solution is the only one",
        lines.0,
        lines.1
    )]
    Pattern {
        /// The lines, which can be exchanged.
        lines: (House, House),
        /// The symmetry asked for.
        symmetry: Symmetry,
    },
    /// No pattern allowed has so many or so few givens in every house.
    #[error(
        "givens per house {min} to {max}: no pattern allowed has that in every row, column and box"
    )]
    GivensPerHouse {
        /// The fewest asked for.
        min: u8,
        /// The most asked for.
        max: u8,
    },
    /// A range without a number.
    #[error("{wish} {min} to {max}: no number is in that range")]
    Empty {
        /// The wish in the way.
        wish: &'static str,
        /// The fewest asked for.
        min: u64,
        /// The most asked for.
        max: u64,
    },
    /// A complete grid is not minimal and takes no guesses.
    #[error("givens 81: a complete grid is not minimal and takes no guesses")]
    Complete,
}

impl Impossible {
    /// The name of the wish that is in the way.
    #[must_use]
    pub const fn wish(&self) -> &'static str {
        match self {
            Self::Givens { .. } | Self::Complete => "givens",
            Self::Pattern { .. } => "pattern",
            Self::GivensPerHouse { .. } => "givens_per_house",
            Self::Together { wish, .. } | Self::Empty { wish, .. } => wish,
        }
    }
}
