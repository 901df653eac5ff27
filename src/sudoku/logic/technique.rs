//! The names of the techniques, and sets of them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The enum, its names and the list of all from one table.
macro_rules! techniques {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// A way to draw a conclusion. The order is that in which they are tried, and has nothing to do with
        /// what they are worth.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Technique {
            $($(#[$doc])* $variant,)*
        }

        impl Technique {
            /// All, in order.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// Its name, as people and the API say it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

techniques! {
    /// The last empty cell of a house.
    FullHouse = "Full House",
    /// The only place of a digit in a house.
    HiddenSingle = "Hidden Single",
    /// Pointing that leaves a digit one place in another box.
    DirectPointing = "Direct Pointing",
    /// Claiming that leaves a digit one place in another line.
    DirectClaiming = "Direct Claiming",
    /// A hidden pair that leaves another digit one place.
    DirectHiddenPair = "Direct Hidden Pair",
    /// The only candidate of a cell.
    NakedSingle = "Naked Single",
    /// A hidden triplet that leaves another digit one place.
    DirectHiddenTriplet = "Direct Hidden Triplet",
    /// A digit's places in a box lie on one line.
    Pointing = "Pointing",
    /// A digit's places on a line lie in one box.
    Claiming = "Claiming",
    /// Two cells with two digits.
    NakedPair = "Naked Pair",
    /// A digit on two lines in two places.
    XWing = "X-Wing",
    /// Two digits in two places.
    HiddenPair = "Hidden Pair",
    /// Three cells with three digits.
    NakedTriplet = "Naked Triplet",
    /// A digit on three lines in three places.
    Swordfish = "Swordfish",
    /// Three digits in three places.
    HiddenTriplet = "Hidden Triplet",
    /// Three cells with two digits each.
    XyWing = "XY-Wing",
    /// The same with a third digit in the pivot.
    XyzWing = "XYZ-Wing",
    /// Four cells that would have two solutions.
    UniqueRectangle = "Unique Rectangle",
    /// More cells that would.
    UniqueLoop = "Unique Loop",
    /// Four cells with four digits.
    NakedQuad = "Naked Quad",
    /// A digit on four lines in four places.
    Jellyfish = "Jellyfish",
    /// Four digits in four places.
    HiddenQuad = "Hidden Quad",
    /// A board that would have two solutions.
    BivalueUniversalGrave = "BUG",
    /// Combinations of two cells that leave a third nothing.
    AlignedPairExclusion = "Aligned Pair Exclusion",
    /// A loop of one digit.
    XCycle = "Bidirectional X-Cycle",
    /// A loop through cells of two digits.
    YCycle = "Bidirectional Y-Cycle",
    /// A loop of both kinds.
    Cycle = "Bidirectional Cycle",
    /// A chain of one digit with six nodes.
    TurbotFish = "Turbot Fish",
    /// A chain of one digit.
    ForcingXChain = "Forcing X-Chain",
    /// A chain.
    ForcingChain = "Forcing Chain",
    /// Combinations of three cells that leave a fourth nothing.
    AlignedTripletExclusion = "Aligned Triplet Exclusion",
    /// A digit whose places contradict.
    NishioForcingChains = "Nishio Forcing Chains",
    /// All candidates of a cell come to the same.
    CellForcingChains = "Cell Forcing Chains",
    /// All places of a digit in a house come to the same.
    RegionForcingChains = "Region Forcing Chains",
    /// What contradicts itself, with candidates that fall on the way.
    DynamicContradiction = "Dynamic Contradiction Forcing Chains",
    /// What follows from a candidate and from its absence.
    DynamicDoubleForcing = "Dynamic Double Forcing Chains",
    /// A cell's candidates, with candidates that fall on the way.
    DynamicCellForcing = "Dynamic Cell Forcing Chains",
    /// A digit's places, with candidates that fall on the way.
    DynamicRegionForcing = "Dynamic Region Forcing Chains",
    /// Any of the four, with patterns that come up on the way.
    DynamicForcingPlus = "Dynamic Forcing Chains (+)",
    /// The same with chains that come up on the way.
    NestedForcingChains = "Nested Forcing Chains",
}

impl Technique {
    /// How many there are.
    pub const COUNT: usize = Self::ALL.len();

    /// Whether it proves something only where the puzzle is known to have one solution.
    #[must_use]
    pub const fn supposes_one_solution(self) -> bool {
        matches!(
            self,
            Self::UniqueRectangle | Self::UniqueLoop | Self::BivalueUniversalGrave
        )
    }
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no technique has.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0:?} is no technique; docs/techniques.md lists their names")]
pub struct UnknownTechnique(String);

impl FromStr for Technique {
    type Err = UnknownTechnique;

    /// By its name, in capitals or not, with spaces or hyphens between the words.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let plain = |name: &str| name.to_ascii_lowercase().replace('-', " ");
        let wanted = plain(name.trim());
        let named = |technique: &&Self| plain(technique.name()) == wanted;
        let found = Self::ALL.iter().find(named).copied();
        found.ok_or_else(|| UnknownTechnique(name.to_owned()))
    }
}

/// Some of the techniques. Stored by their names.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(into = "Vec<&'static str>", try_from = "Vec<String>")]
pub struct Techniques(u64);

impl Techniques {
    /// None of them.
    pub const NONE: Self = Self(0);

    /// With this one too.
    #[must_use]
    pub const fn with(self, technique: Technique) -> Self {
        Self(self.0 | 1 << technique as u8)
    }

    /// Whether this is one of them.
    #[must_use]
    pub const fn contains(self, technique: Technique) -> bool {
        self.0 >> technique as u8 & 1 != 0
    }

    /// Those that are in both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// They, in order.
    pub fn iter(self) -> impl Iterator<Item = Technique> {
        let all = Technique::ALL.iter().copied();
        all.filter(move |&technique| self.contains(technique))
    }
}

impl From<Techniques> for Vec<&'static str> {
    fn from(techniques: Techniques) -> Self {
        techniques.iter().map(Technique::name).collect()
    }
}

impl TryFrom<Vec<String>> for Techniques {
    type Error = UnknownTechnique;

    fn try_from(names: Vec<String>) -> Result<Self, UnknownTechnique> {
        names.iter().map(|name| name.parse::<Technique>()).collect()
    }
}

impl FromIterator<Technique> for Techniques {
    fn from_iter<I: IntoIterator<Item = Technique>>(techniques: I) -> Self {
        techniques.into_iter().fold(Self::NONE, Self::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for &technique in Technique::ALL {
            assert_eq!(technique.name().parse(), Ok(technique));
            let loose = technique.name().to_lowercase().replace(' ', "-");
            assert_eq!(loose.parse(), Ok(technique));
        }
        let error = "X-Wings".parse::<Technique>().expect_err("one is no name");
        assert!(error.to_string().starts_with("\"X-Wings\" is no technique"));
    }

    #[test]
    fn the_documents_list_every_name() {
        let text = include_str!("../../../docs/techniques.md");
        let rows = text.lines().filter_map(|line| line.split('|').nth(1));
        let listed: Vec<_> = rows
            .flat_map(|names| names.split(", ").map(str::trim))
            .collect();
        for technique in Technique::ALL {
            assert!(listed.contains(&technique.name()), "{technique}");
        }
    }

    #[test]
    fn a_set_has_what_was_put_into_it() {
        let some = [Technique::NestedForcingChains, Technique::FullHouse];
        let set: Techniques = some.into_iter().collect();
        let listed: Vec<_> = set.iter().collect();
        assert_eq!(
            listed,
            [Technique::FullHouse, Technique::NestedForcingChains]
        );
        assert_eq!(set.and(Techniques::NONE.with(some[0])).iter().count(), 1);
        assert!(set.and(Techniques::NONE).is_empty());
        let names: Vec<&str> = set.into();
        let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        assert_eq!(Techniques::try_from(names), Ok(set));
        assert!(Techniques::try_from(vec!["Magic".to_owned()]).is_err());
    }
}
