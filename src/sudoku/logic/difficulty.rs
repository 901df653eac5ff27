//! Five levels of difficulty: what people say, by the hardest step.
//!
//! | level | ER | what it takes |
//! |---|---|---|
//! | easy | 1.0 to 1.5 | a digit's only place in a house |
//! | medium | 1.7 to 2.9 | direct pointing, direct pairs and triplets, a cell's only candidate; pointing and claiming |
//! | hard | 3.0 to 4.4 | pairs, triplets, fish and wings |
//! | fiendish | 4.5 to 6.9 | uniqueness, quads, BUG, loops and the shortest chains |
//! | extreme | 7.0 and up | longer and branching chains |
//!
//! No step is worth what lies between them.

use std::fmt;
use std::ops::RangeInclusive;

/// A level.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Difficulty {
    /// Hidden singles.
    Easy,
    /// Singles, pointing, claiming.
    Medium,
    /// Pairs, triplets, fish, wings.
    Hard,
    /// Uniqueness, quads, simple loops and chains.
    Fiendish,
    /// Longer and branching chains.
    Extreme,
}

impl Difficulty {
    /// All, the easiest first.
    pub const ALL: [Self; 5] = [
        Self::Easy,
        Self::Medium,
        Self::Hard,
        Self::Fiendish,
        Self::Extreme,
    ];

    /// The level of a hardest step of so many tenths.
    #[must_use]
    pub const fn of(er: u16) -> Self {
        match er {
            ..17 => Self::Easy,
            17..30 => Self::Medium,
            30..45 => Self::Hard,
            45..70 => Self::Fiendish,
            70.. => Self::Extreme,
        }
    }

    /// What its hardest steps are worth, in tenths.
    #[must_use]
    pub const fn er(self) -> RangeInclusive<u16> {
        match self {
            Self::Easy => 10..=15,
            Self::Medium => 17..=29,
            Self::Hard => 30..=44,
            Self::Fiendish => 45..=69,
            Self::Extreme => 70..=HARDEST as u16,
        }
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
            Self::Fiendish => "fiendish",
            Self::Extreme => "extreme",
        }
    }
}

/// More than any puzzle is worth; the hardest known are worth 11.9.
pub const HARDEST: u8 = 200;

impl fmt::Display for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::logic::technique::Technique;

    #[test]
    fn a_level_is_that_of_all_its_tenths() {
        for level in Difficulty::ALL {
            assert!(level.er().all(|er| Difficulty::of(er) == level));
        }
    }

    #[test]
    fn no_step_is_worth_what_lies_between_the_levels() {
        for pair in Difficulty::ALL.windows(2) {
            for between in *pair[0].er().end() + 1..*pair[1].er().start() {
                let mut all = Technique::ALL.iter();
                assert!(!all.any(|technique| technique.can_be_worth(between)));
            }
        }
    }
}
