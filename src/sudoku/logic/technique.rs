//! The names of the techniques, and what they are worth.

use std::fmt;

/// A way to draw a conclusion. The order is that in which they are tried, and has nothing to do with what
/// they are worth.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Technique {
    /// The last empty cell of a house.
    FullHouse,
    /// The only place of a digit in a house.
    HiddenSingle,
    /// Pointing that leaves a digit one place in another box.
    DirectPointing,
    /// Claiming that leaves a digit one place in another line.
    DirectClaiming,
    /// A hidden pair that leaves another digit one place.
    DirectHiddenPair,
    /// The only candidate of a cell.
    NakedSingle,
    /// A hidden triplet that leaves another digit one place.
    DirectHiddenTriplet,
    /// A digit's places in a box lie on one line.
    Pointing,
    /// A digit's places on a line lie in one box.
    Claiming,
    /// Two cells with two digits.
    NakedPair,
    /// A digit on two lines in two places.
    XWing,
    /// Two digits in two places.
    HiddenPair,
    /// Three cells with three digits.
    NakedTriplet,
    /// A digit on three lines in three places.
    Swordfish,
    /// Three digits in three places.
    HiddenTriplet,
    /// Three cells with two digits each.
    XyWing,
    /// The same with a third digit in the pivot.
    XyzWing,
    /// Four cells that would have two solutions.
    UniqueRectangle(UniquenessType),
    /// More cells that would, and how many they are.
    UniqueLoop(u8, UniquenessType),
    /// Four cells with four digits.
    NakedQuad,
    /// A digit on four lines in four places.
    Jellyfish,
    /// Four digits in four places.
    HiddenQuad,
    /// A board that would have two solutions.
    BivalueUniversalGrave(UniquenessType),
    /// Combinations of two cells that leave a third nothing.
    AlignedPairExclusion,
    /// A loop of one digit.
    XCycle,
    /// A loop through cells of two digits.
    YCycle,
    /// A loop of both kinds.
    Cycle,
    /// A chain of one digit with six nodes.
    TurbotFish,
    /// A chain of one digit.
    ForcingXChain,
    /// A chain.
    ForcingChain,
    /// Combinations of three cells that leave a fourth nothing.
    AlignedTripletExclusion,
    /// A digit whose places contradict.
    NishioForcingChains,
    /// All candidates of a cell come to the same.
    CellForcingChains,
    /// All places of a digit in a house come to the same.
    RegionForcingChains,
    /// What contradicts itself, with candidates that fall on the way.
    DynamicContradiction,
    /// What follows from a candidate and from its absence.
    DynamicDoubleForcing,
    /// A cell's candidates, with candidates that fall on the way.
    DynamicCellForcing,
    /// A digit's places, with candidates that fall on the way.
    DynamicRegionForcing,
    /// Any of the four, with patterns that come up on the way.
    DynamicForcingPlus,
    /// The same with chains that come up on the way.
    NestedForcingChains,
}

/// How it is concluded that a second solution must not be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UniquenessType {
    /// One cell keeps it from being.
    One,
    /// One digit does.
    Two,
    /// Cells of one house do, which act as one cell of a subset.
    Three,
    /// Two cells of one house do, where a digit of the second solution has no other place.
    Four,
}

impl fmt::Display for Technique {
    /// The name, and of those that suppose one solution how long the loop is and the type: "Unique Loop 6
    /// type 2".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match *self {
            Self::UniqueRectangle(kind) | Self::BivalueUniversalGrave(kind) => {
                write!(f, " type {}", kind as u8 + 1)
            }
            Self::UniqueLoop(cells, kind) => write!(f, " {cells} type {}", kind as u8 + 1),
            _ => Ok(()),
        }
    }
}

impl Technique {
    /// Whether it proves something only where the puzzle is known to have one solution.
    #[must_use]
    pub const fn supposes_one_solution(self) -> bool {
        matches!(
            self,
            Self::UniqueRectangle(_) | Self::UniqueLoop(..) | Self::BivalueUniversalGrave(_)
        )
    }

    /// Its name, as people and the API say it, without the type of a uniqueness technique.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::FullHouse => "Full House",
            Self::HiddenSingle => "Hidden Single",
            Self::DirectPointing => "Direct Pointing",
            Self::DirectClaiming => "Direct Claiming",
            Self::DirectHiddenPair => "Direct Hidden Pair",
            Self::NakedSingle => "Naked Single",
            Self::DirectHiddenTriplet => "Direct Hidden Triplet",
            Self::Pointing => "Pointing",
            Self::Claiming => "Claiming",
            Self::NakedPair => "Naked Pair",
            Self::XWing => "X-Wing",
            Self::HiddenPair => "Hidden Pair",
            Self::NakedTriplet => "Naked Triplet",
            Self::Swordfish => "Swordfish",
            Self::HiddenTriplet => "Hidden Triplet",
            Self::XyWing => "XY-Wing",
            Self::XyzWing => "XYZ-Wing",
            Self::UniqueRectangle(_) => "Unique Rectangle",
            Self::UniqueLoop(..) => "Unique Loop",
            Self::NakedQuad => "Naked Quad",
            Self::Jellyfish => "Jellyfish",
            Self::HiddenQuad => "Hidden Quad",
            Self::BivalueUniversalGrave(_) => "BUG",
            Self::AlignedPairExclusion => "Aligned Pair Exclusion",
            Self::XCycle => "Bidirectional X-Cycle",
            Self::YCycle => "Bidirectional Y-Cycle",
            Self::Cycle => "Bidirectional Cycle",
            Self::TurbotFish => "Turbot Fish",
            Self::ForcingXChain => "Forcing X-Chain",
            Self::ForcingChain => "Forcing Chain",
            Self::AlignedTripletExclusion => "Aligned Triplet Exclusion",
            Self::NishioForcingChains => "Nishio Forcing Chains",
            Self::CellForcingChains => "Cell Forcing Chains",
            Self::RegionForcingChains => "Region Forcing Chains",
            Self::DynamicContradiction => "Dynamic Contradiction Forcing Chains",
            Self::DynamicDoubleForcing => "Dynamic Double Forcing Chains",
            Self::DynamicCellForcing => "Dynamic Cell Forcing Chains",
            Self::DynamicRegionForcing => "Dynamic Region Forcing Chains",
            Self::DynamicForcingPlus => "Dynamic Forcing Chains (+)",
            Self::NestedForcingChains => "Nested Forcing Chains",
        }
    }
}
