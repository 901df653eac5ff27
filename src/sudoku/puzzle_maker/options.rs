//! What is wanted of a puzzle, checked before anything is tried.

use std::ops::RangeInclusive;

use super::hardness::rating_is_possible;
use super::judge::OrbitSet;
use super::{Impossible, Pattern, PerHouse, Symmetry};
use crate::sudoku::house::House;
use crate::sudoku::logic::technique::Techniques;
use crate::sudoku::set::CellSet;

/// What a caller wishes of a puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wishes {
    /// Of the cells that are given.
    pub symmetry: Symmetry,
    /// How many cells are given; without it, as few as are reached, so that the puzzle is minimal
    /// too where no house needs more.
    pub givens: Option<RangeInclusive<u8>>,
    /// No given (with symmetry: no orbit of givens) can be taken away. With `givens` the puzzles that
    /// happen to have so many are waited for: around 24 they are common, above 28 rare. Fewer are
    /// searched for.
    pub minimal: bool,
    /// The cells that may be given.
    pub pattern: Pattern,
    /// How many cells of every row, column and box are given.
    pub givens_per_house: Option<PerHouse>,
    /// How many guesses the single engine takes to prove the solution the only one.
    pub guesses: RangeInclusive<u64>,
    /// What its hardest step is worth, in tenths (ER of [`path::rate`](crate::sudoku::logic::path::rate)).
    pub er: Option<RangeInclusive<u16>>,
    /// Techniques that the way of the rating takes, each at least once.
    pub require: Techniques,
    /// Techniques that it does not take.
    pub forbid: Techniques,
    /// Whether the rating is wanted with the puzzle. It is there too with any of the three before.
    pub rate: bool,
    /// Puzzles looked at before giving up, each what digging, a step of a walk or a steered try ends at; 0
    /// gives up at once. Where the pattern is so sparse that a solution is searched for, a hundred guesses and
    /// changes of that search count as one.
    pub step_limit: u64,
}

impl Wishes {
    /// Any minimal puzzle, in so many steps.
    #[must_use]
    pub const fn any(step_limit: u64) -> Self {
        Self {
            symmetry: Symmetry::None,
            givens: None,
            minimal: false,
            pattern: Pattern::ALL,
            givens_per_house: None,
            guesses: MakeOptions::ANY_GUESSES,
            er: None,
            require: Techniques::NONE,
            forbid: Techniques::NONE,
            rate: false,
            step_limit,
        }
    }
}

/// Wishes that do not plainly contradict one another. Whether a puzzle meets them all is for the
/// tries to find.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MakeOptions {
    wishes: Wishes,
    givens: RangeInclusive<u8>,
    orbits: Vec<CellSet>,
}

/// Fewer givens never have exactly one solution. Gary McGuire and others, "There is no 16-clue
/// Sudoku", 2012.
const FEWEST_GIVENS: u8 = 17;

impl MakeOptions {
    /// Any number of guesses.
    pub const ANY_GUESSES: RangeInclusive<u64> = 0..=u64::MAX;

    /// The options for these wishes.
    ///
    /// # Errors
    /// If it is plain that no pattern of givens can be all that: which wish is in the way, and why.
    pub fn new(mut wishes: Wishes) -> Result<Self, Impossible> {
        let symmetry = wishes.symmetry;
        let per_house = wishes
            .givens_per_house
            .map(|PerHouse { min, max }| min..=max);
        not_empty("givens", wishes.givens.as_ref())?;
        not_empty("givens_per_house", per_house.as_ref())?;
        not_empty("guesses", Some(&wishes.guesses))?;
        let mut orbits = symmetry.orbits();
        orbits.retain(|&orbit| orbit.difference(wishes.pattern.cells()).is_empty());
        let cells = orbits.iter().copied().fold(CellSet::EMPTY, CellSet::union);
        if let Some(lines) = two_empty_lines(cells) {
            return Err(Impossible::Pattern { lines, symmetry });
        }
        if let Some(PerHouse { min, max }) = wishes.givens_per_house {
            let wanted = PerHouse { min, max };
            if max < 2 || !wanted.has_enough(cells) {
                return Err(Impossible::GivensPerHouse { min, max });
            }
        }
        let (min, max) = match &wishes.givens {
            Some(givens) => (*givens.start(), *givens.end()),
            None => (FEWEST_GIVENS, 81),
        };
        if min.max(FEWEST_GIVENS) > max.min(81) {
            return Err(Impossible::Givens { min, max });
        }
        let PerHouse {
            min: fewest,
            max: most,
        } = wishes
            .givens_per_house
            .unwrap_or(PerHouse { min: 0, max: 9 });
        let possible = min.max(FEWEST_GIVENS).max(9 * fewest.min(9))..=max.min(9 * most.min(9));
        // Only numbers that the orbits add up to can be met.
        let sums = sums(&orbits);
        let reachable = || possible.clone().filter(|&number| sums >> number & 1 != 0);
        let (Some(first), Some(last)) = (reachable().min(), reachable().max()) else {
            let wish = match wishes.givens {
                Some(_) => "givens",
                None => "givens_per_house",
            };
            return Err(Impossible::Together {
                givens: (min, max),
                per_house: (fewest, most),
                symmetry,
                wish,
            });
        };
        if first == 81 && (wishes.minimal || *wishes.guesses.start() > 0) {
            return Err(Impossible::Complete);
        }
        if wishes.givens.is_none() {
            wishes.minimal |= wishes.givens_per_house.is_none();
        }
        wishes.rate |=
            wishes.er.is_some() || !wishes.require.is_empty() || !wishes.forbid.is_empty();
        rating_is_possible(&wishes, &(first..=last))?;
        Ok(Self {
            wishes,
            givens: first..=last,
            orbits,
        })
    }

    /// The symmetry of the pattern of givens.
    #[must_use]
    pub const fn symmetry(&self) -> Symmetry {
        self.wishes.symmetry
    }

    /// How many givens there may be, within 17..=81.
    #[must_use]
    pub const fn givens(&self) -> &RangeInclusive<u8> {
        &self.givens
    }

    /// Whether as few givens as are reached are wanted, not a number in a range.
    pub(super) const fn wants_few(&self) -> bool {
        self.wishes.givens.is_none()
    }

    /// Whether no given (no orbit of givens) may be superfluous.
    #[must_use]
    pub const fn minimal(&self) -> bool {
        self.wishes.minimal
    }

    /// How many givens every house may have, if that matters.
    #[must_use]
    pub const fn givens_per_house(&self) -> Option<PerHouse> {
        self.wishes.givens_per_house
    }

    /// How many guesses the single engine may take.
    #[must_use]
    pub const fn guesses(&self) -> &RangeInclusive<u64> {
        &self.wishes.guesses
    }

    /// What the hardest step may be worth, if that matters.
    #[must_use]
    pub const fn er(&self) -> Option<&RangeInclusive<u16>> {
        self.wishes.er.as_ref()
    }

    /// Techniques that the way must take.
    #[must_use]
    pub const fn require(&self) -> Techniques {
        self.wishes.require
    }

    /// Techniques that it must not take.
    #[must_use]
    pub const fn forbid(&self) -> Techniques {
        self.wishes.forbid
    }

    /// Whether every puzzle comes with its rating.
    #[must_use]
    pub const fn is_rated(&self) -> bool {
        self.wishes.rate
    }

    /// The orbits of the symmetry that may be given.
    pub(super) fn orbits(&self) -> &[CellSet] {
        &self.orbits
    }

    /// The cells of some of these orbits.
    pub(super) fn cells_of(&self, given: OrbitSet) -> CellSet {
        let orbits = self.orbits.iter().enumerate();
        let given = orbits.filter(|&(number, _)| given >> number & 1 != 0);
        given.fold(CellSet::EMPTY, |cells, (_, &orbit)| cells.union(orbit))
    }

    /// The cells of these orbits.
    pub(super) fn cells(&self) -> CellSet {
        let orbits = self.orbits.iter().copied();
        orbits.fold(CellSet::EMPTY, CellSet::union)
    }

    /// Puzzles looked at before giving up.
    #[must_use]
    pub const fn step_limit(&self) -> u64 {
        self.wishes.step_limit
    }
}

fn not_empty<T: Copy + PartialOrd + Into<u64>>(
    wish: &'static str,
    range: Option<&RangeInclusive<T>>,
) -> Result<(), Impossible> {
    match range {
        Some(range) if range.is_empty() => Err(Impossible::Empty {
            wish,
            min: (*range.start()).into(),
            max: (*range.end()).into(),
        }),
        _ => Ok(()),
    }
}

/// Bit n: some of the orbits have n cells together.
fn sums(orbits: &[CellSet]) -> u128 {
    let sums = orbits.iter().map(|orbit| orbit.len());
    sums.fold(1, |sums, len| sums | sums << len)
}

/// Two rows of a band, or columns of a stack, with none of these cells, if there are such: they could
/// be exchanged in every solution.
fn two_empty_lines(cells: CellSet) -> Option<(House, House)> {
    let is_empty = |house: &House| house.cell_set().intersection(cells).is_empty();
    let lines: Vec<House> = House::all().take(18).collect();
    lines.chunks(3).find_map(|chute| {
        let mut empty = chute.iter().copied().filter(is_empty);
        Some((empty.next()?, empty.next()?))
    })
}
