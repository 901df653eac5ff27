//! What is wanted of a puzzle, checked before anything is tried.

use std::ops::RangeInclusive;

use super::hardness::rating_is_possible;
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
        let Wishes {
            er,
            require,
            forbid,
            rate,
            ..
        } = &self.wishes;
        *rate || er.is_some() || !require.is_empty() || !forbid.is_empty()
    }

    /// The orbits of the symmetry that may be given.
    pub(super) fn orbits(&self) -> &[CellSet] {
        &self.orbits
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::cell::Cell;

    fn givens(
        symmetry: Symmetry,
        range: RangeInclusive<u8>,
    ) -> Result<RangeInclusive<u8>, Impossible> {
        let wishes = Wishes {
            symmetry,
            givens: Some(range),
            ..Wishes::any(1)
        };
        MakeOptions::new(wishes).map(|options| options.givens().clone())
    }

    #[test]
    fn numbers_that_no_puzzle_has_are_refused() {
        assert_eq!(
            givens(Symmetry::None, 0..=16),
            Err(Impossible::Givens { min: 0, max: 16 })
        );
        assert_eq!(
            givens(Symmetry::None, 82..=200),
            Err(Impossible::Givens { min: 82, max: 200 })
        );
        #[expect(clippy::reversed_empty_ranges, reason = "what a client may send")]
        let reversed = givens(Symmetry::None, 30..=25);
        let error = reversed.expect_err("an empty range");
        assert_eq!(
            error.to_string(),
            "givens 30 to 25: no number is in that range"
        );
        assert_eq!(givens(Symmetry::None, 0..=255), Ok(17..=81));
    }

    #[test]
    fn numbers_that_the_orbits_do_not_add_up_to_are_refused() {
        // A quarter turn moves four cells at a time, but for the one in the middle.
        let error = givens(Symmetry::Rotational90, 22..=23).expect_err("neither 4k nor 4k + 1");
        assert_eq!(
            error,
            Impossible::Together {
                givens: (22, 23),
                per_house: (0, 9),
                symmetry: Symmetry::Rotational90,
                wish: "givens"
            }
        );
        assert!(error.to_string().contains("rotational-90"));
        assert_eq!(givens(Symmetry::Rotational90, 22..=27), Ok(24..=25));
        assert_eq!(givens(Symmetry::Rotational180, 22..=23), Ok(22..=23));
    }

    #[test]
    fn without_a_number_the_puzzle_is_minimal() {
        let options = MakeOptions::new(Wishes::any(1)).expect("no wish at all");
        assert!(options.minimal());
    }

    #[test]
    fn a_pattern_must_leave_no_two_lines_to_exchange() {
        let without_rows = |rows: [u8; 2]| {
            let cells = Cell::all().filter(|cell| !rows.contains(&cell.row()));
            MakeOptions::new(Wishes {
                pattern: Pattern::from(cells.collect::<CellSet>()),
                ..Wishes::any(1)
            })
        };
        let error = without_rows([3, 5]).expect_err("rows 4 and 6 can be exchanged");
        assert_eq!(error.wish(), "pattern");
        assert!(error.to_string().contains("row 4 and row 6"), "{error}");
        let options = without_rows([2, 3]).expect("rows of two bands");
        assert_eq!(*options.givens(), 17..=63);
        // With a mirror, what must stay empty is as much again.
        let rows = [0, 7].map(|row| House::all().nth(row).expect("a row").cell_set());
        let error = MakeOptions::new(Wishes {
            pattern: CellSet::ALL.difference(rows[0].union(rows[1])).into(),
            symmetry: Symmetry::MirrorTopBottom,
            ..Wishes::any(1)
        });
        assert_eq!(error.expect_err("rows 1, 2, 8, 9").wish(), "pattern");
    }

    #[test]
    fn houses_and_the_number_of_givens_must_fit() {
        let ask = |givens, min, max| {
            let wishes = Wishes {
                givens,
                givens_per_house: Some(PerHouse { min, max }),
                ..Wishes::any(1)
            };
            MakeOptions::new(wishes).map(|options| options.givens().clone())
        };
        assert_eq!(ask(None, 0, 9), Ok(17..=81));
        assert_eq!(ask(None, 2, 4), Ok(18..=36));
        assert_eq!(ask(Some(20..=30), 3, 9), Ok(27..=30));
        for (givens, min, max) in [(Some(20..=26), 3, 9), (Some(40..=50), 0, 4)] {
            assert_eq!(ask(givens, min, max).expect_err("too few").wish(), "givens");
        }
        let error = MakeOptions::new(Wishes {
            symmetry: Symmetry::Rotational90,
            givens_per_house: Some(PerHouse { min: 2, max: 2 }),
            ..Wishes::any(1)
        });
        let error = error.expect_err("18 is neither 4k nor 4k + 1");
        assert_eq!(error.wish(), "givens_per_house");
        assert!(
            error.to_string().contains("2 to 2 givens in a house"),
            "{error}"
        );
        for (min, max) in [(4, 3), (0, 1), (10, 20)] {
            let error = ask(None, min, max).expect_err("no house is so");
            assert_eq!(error.wish(), "givens_per_house");
        }
    }

    #[test]
    fn a_complete_grid_is_no_puzzle_to_speak_of() {
        let complete = Wishes {
            givens: Some(81..=81),
            ..Wishes::any(1)
        };
        assert!(MakeOptions::new(complete.clone()).is_ok());
        let minimal = Wishes {
            minimal: true,
            ..complete.clone()
        };
        assert_eq!(MakeOptions::new(minimal), Err(Impossible::Complete));
        let hard = Wishes {
            guesses: 1..=2,
            ..complete
        };
        assert_eq!(MakeOptions::new(hard), Err(Impossible::Complete));
    }

    #[test]
    fn a_range_of_guesses_has_a_number() {
        let ask = |guesses| {
            let wishes = Wishes {
                guesses,
                ..Wishes::any(1)
            };
            MakeOptions::new(wishes)
        };
        assert!(ask(3..=3).is_ok());
        #[expect(clippy::reversed_empty_ranges, reason = "what a client may send")]
        let error = ask(4..=3).expect_err("an empty range");
        assert_eq!(error.wish(), "guesses");
    }
}
