//! What a step of a technique can be worth.
//!
//! Wide where the scale adds for length: a value that is named here may be so rare that nobody has seen it,
//! but one that is not named never comes up.

use std::ops::RangeInclusive;

use super::technique::Technique;

/// The most that length adds to a chain.
pub(super) const LONGEST: u16 = 24;

impl Technique {
    /// The least and the most, in tenths; nothing lies outside. `None` for the one that never has its turn:
    /// where Direct Claiming holds, a single or Direct Pointing in the same band does too.
    #[must_use]
    pub const fn worth(self) -> Option<RangeInclusive<u16>> {
        let (least, added) = match self {
            Self::DirectClaiming => return None,
            Self::FullHouse => (10, 0),
            Self::HiddenSingle => (12, 3),
            Self::DirectPointing => (17, 0),
            Self::DirectHiddenPair => (20, 0),
            Self::NakedSingle => (23, 0),
            Self::DirectHiddenTriplet => (25, 0),
            Self::Pointing => (26, 0),
            Self::Claiming => (28, 0),
            Self::NakedPair => (30, 0),
            Self::XWing => (32, 0),
            Self::HiddenPair => (34, 0),
            Self::NakedTriplet => (36, 0),
            Self::Swordfish => (38, 0),
            Self::HiddenTriplet => (40, 0),
            Self::XyWing => (42, 0),
            Self::XyzWing => (44, 0),
            Self::UniqueRectangle => (45, 3),
            Self::UniqueLoop => (46, 7),
            Self::NakedQuad => (50, 0),
            Self::Jellyfish => (52, 0),
            Self::HiddenQuad => (54, 0),
            Self::BivalueUniversalGrave => (56, 6),
            Self::AlignedPairExclusion => (62, 0),
            Self::XCycle | Self::YCycle => (65, LONGEST),
            Self::TurbotFish => (66, 0),
            Self::ForcingXChain => (66, LONGEST),
            Self::Cycle | Self::ForcingChain => (70, LONGEST),
            Self::AlignedTripletExclusion => (75, 0),
            Self::NishioForcingChains => (75, LONGEST),
            Self::CellForcingChains | Self::RegionForcingChains => (80, LONGEST),
            Self::DynamicContradiction
            | Self::DynamicDoubleForcing
            | Self::DynamicCellForcing
            | Self::DynamicRegionForcing => (85, LONGEST),
            Self::DynamicForcingPlus => (90, LONGEST),
            Self::NestedForcingChains => (95, 10 + LONGEST),
        };
        Some(least..=least + added)
    }

    /// Whether a step of it can be worth so many tenths.
    #[must_use]
    pub fn can_be_worth(self, er: u16) -> bool {
        match self {
            Self::HiddenSingle => matches!(er, 12 | 15),
            _ => self.worth().is_some_and(|worth| worth.contains(&er)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::logic::budget::Budget;
    use crate::sudoku::logic::path::{self, Known};
    use crate::sudoku::logic::pencilmarks::Pencilmarks;
    use crate::sudoku::logic::technique::Techniques;

    #[test]
    fn no_step_is_worth_anything_else() {
        let rows = include_str!("../../../tests/data/ratings.tsv").lines();
        let mut seen = Techniques::NONE;
        for row in rows.filter(|row| !row.starts_with('#')) {
            let puzzle = row.split('\t').next().unwrap().parse().unwrap();
            let mut marks = Pencilmarks::new(&puzzle);
            let mut budget = Budget::unlimited();
            while let Some(step) =
                path::next(&marks, Known::OneSolution, u16::MAX, &mut budget).unwrap()
            {
                assert!(step.technique.can_be_worth(step.er_tenths), "{step:?}");
                seen = seen.with(step.technique);
                step.apply(&mut marks);
            }
        }
        assert!(seen.iter().count() >= 20, "{seen:?}");
    }

    #[test]
    fn some_values_no_step_has() {
        for er in [0, 11, 13, 14, 16, 18, 19, 29, 55, 63, 64, 130] {
            let mut all = Technique::ALL.iter();
            assert!(!all.any(|technique| technique.can_be_worth(er)), "{er}");
        }
    }
}
