//! Why wishes are refused before anything is tried.

use std::fmt;

use thiserror::Error;

use super::Symmetry;
use crate::sudoku::house::House;
use crate::sudoku::logic::technique::Technique;

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
    /// No puzzle is worth that: the range is empty, or lies between the values that steps have.
    #[error("er {} to {}: no step is worth that", Tenths(*.min), Tenths(*.max))]
    Er {
        /// The least asked for, in tenths.
        min: u16,
        /// The most asked for.
        max: u16,
    },
    /// So many givens leave at most three empty cells, and every step is the last of a house.
    #[error(
        "{wish} with {givens} givens or more: all steps are Full Houses then, worth 1.0, and a complete grid takes none"
    )]
    FewEmpty {
        /// The wish in the way.
        wish: &'static str,
        /// The fewest givens that there may be.
        givens: u8,
    },
    /// A technique is required that is forbidden too.
    #[error("require_techniques {technique}: it is forbidden too")]
    RequiredAndForbidden {
        /// The technique.
        technique: Technique,
    },
    /// A technique is required that never has its turn.
    #[error("require_techniques {technique}: another technique always comes before it")]
    NeverTaken {
        /// The technique.
        technique: Technique,
    },
    /// A technique is required that makes every puzzle harder than wanted.
    #[error(
        "require_techniques {technique}: it is worth {} at least, and er ends at {}",
        Tenths(*.least),
        Tenths(*.max)
    )]
    RequiredIsHarder {
        /// The technique.
        technique: Technique,
        /// The least that it is worth, in tenths.
        least: u16,
        /// The most asked for.
        max: u16,
    },
    /// A technique is forbidden that every way ends with.
    #[error("forbid_techniques {technique}: the last step of every puzzle is one")]
    LastStep {
        /// The technique.
        technique: Technique,
    },
    /// All that could be the hardest step is forbidden.
    #[error(
        "forbid_techniques: all that is worth er {} to {} is forbidden",
        Tenths(*.min),
        Tenths(*.max)
    )]
    AllForbidden {
        /// The least asked for, in tenths.
        min: u16,
        /// The most asked for.
        max: u16,
    },
}

/// Written with a point.
struct Tenths(u16);

impl fmt::Display for Tenths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0 / 10, self.0 % 10)
    }
}

impl Impossible {
    /// The name of the wish that is in the way.
    #[must_use]
    pub const fn wish(&self) -> &'static str {
        match self {
            Self::Givens { .. } | Self::Complete => "givens",
            Self::Pattern { .. } => "pattern",
            Self::GivensPerHouse { .. } => "givens_per_house",
            Self::Er { .. } => "er",
            Self::RequiredAndForbidden { .. }
            | Self::NeverTaken { .. }
            | Self::RequiredIsHarder { .. } => "require_techniques",
            Self::LastStep { .. } | Self::AllForbidden { .. } => "forbid_techniques",
            Self::Together { wish, .. }
            | Self::Empty { wish, .. }
            | Self::FewEmpty { wish, .. } => wish,
        }
    }
}
