//! What is wanted of a puzzle, checked before anything is tried.

use std::ops::RangeInclusive;

use thiserror::Error;

use super::Symmetry;

/// What is wanted of a puzzle. At least one pattern of givens fits it; whether a puzzle does is for
/// the tries to find.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MakeOptions {
    symmetry: Symmetry,
    givens: RangeInclusive<u8>,
    minimal: bool,
    step_limit: u64,
}

/// Fewer givens never have exactly one solution. Gary McGuire and others, "There is no 16-clue
/// Sudoku", 2012.
const FEWEST_GIVENS: u8 = 17;

impl MakeOptions {
    /// Wishes that do not contradict one another.
    ///
    /// - `symmetry`: of the pattern of givens.
    /// - `givens`: how many there may be; without it, as few as can be reached, so the puzzle is
    ///   minimal too.
    /// - `minimal`: no given (with symmetry: no orbit of givens) can be taken away. With `givens`
    ///   the puzzles that happen to have so many are waited for: around 24 they are common, below
    ///   21 and above 27 rare.
    /// - `step_limit`: solutions tried before giving up; 0 gives up at once.
    ///
    /// # Errors
    /// If no pattern of givens can be all that, which and why.
    pub fn new(
        symmetry: Symmetry,
        givens: Option<RangeInclusive<u8>>,
        minimal: bool,
        step_limit: u64,
    ) -> Result<Self, Impossible> {
        let Some(givens) = givens else {
            return Ok(Self {
                symmetry,
                givens: FEWEST_GIVENS..=81,
                minimal: true,
                step_limit,
            });
        };
        let (min, max) = (*givens.start(), *givens.end());
        let possible = min.max(FEWEST_GIVENS)..=max.min(81);
        if possible.is_empty() {
            return Err(Impossible::Givens { min, max });
        }
        // Only numbers that the orbits add up to can be met.
        let sums = sums(symmetry);
        let reachable = || possible.clone().filter(|&number| sums >> number & 1 != 0);
        match (reachable().min(), reachable().max()) {
            (Some(min), Some(max)) => Ok(Self {
                symmetry,
                givens: min..=max,
                minimal,
                step_limit,
            }),
            _ => Err(Impossible::Symmetry { symmetry, min, max }),
        }
    }

    /// The symmetry of the pattern of givens.
    #[must_use]
    pub const fn symmetry(&self) -> Symmetry {
        self.symmetry
    }

    /// How many givens there may be, within 17..=81.
    #[must_use]
    pub const fn givens(&self) -> &RangeInclusive<u8> {
        &self.givens
    }

    /// Whether no given (no orbit of givens) may be superfluous.
    #[must_use]
    pub const fn minimal(&self) -> bool {
        self.minimal
    }

    /// Solutions tried before giving up.
    #[must_use]
    pub const fn step_limit(&self) -> u64 {
        self.step_limit
    }
}

/// Bit n: some of the orbits have n cells together.
fn sums(symmetry: Symmetry) -> u128 {
    symmetry
        .orbits()
        .iter()
        .fold(1, |sums, orbit| sums | sums << orbit.len())
}

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
    /// No pattern of this symmetry has so many givens.
    #[error(
        "givens {min} to {max} with symmetry {symmetry}: no such pattern has a number of givens in that range"
    )]
    Symmetry {
        /// The symmetry asked for.
        symmetry: Symmetry,
        /// The fewest givens asked for.
        min: u8,
        /// The most asked for.
        max: u8,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn givens(
        symmetry: Symmetry,
        range: RangeInclusive<u8>,
    ) -> Result<RangeInclusive<u8>, Impossible> {
        MakeOptions::new(symmetry, Some(range), false, 1).map(|options| options.givens().clone())
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
            "givens 30 to 25: a puzzle with exactly one solution has 17 to 81"
        );
        assert_eq!(givens(Symmetry::None, 0..=255), Ok(17..=81));
    }

    #[test]
    fn numbers_that_the_orbits_do_not_add_up_to_are_refused() {
        // A quarter turn moves four cells at a time, but for the one in the middle.
        let error = givens(Symmetry::Rotational90, 22..=23).expect_err("neither 4k nor 4k + 1");
        assert_eq!(
            error,
            Impossible::Symmetry {
                symmetry: Symmetry::Rotational90,
                min: 22,
                max: 23
            }
        );
        assert!(error.to_string().contains("rotational-90"));
        assert_eq!(givens(Symmetry::Rotational90, 22..=27), Ok(24..=25));
        assert_eq!(givens(Symmetry::Rotational180, 22..=23), Ok(22..=23));
    }

    #[test]
    fn without_a_number_the_puzzle_is_minimal() {
        let options = MakeOptions::new(Symmetry::None, None, false, 1).expect("no wish at all");
        assert!(options.minimal());
    }
}
