//! `gridmill make`: puzzles with exactly one solution.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::exit::Result;
use super::input::Input;
use super::one_off::{OneOff, Order};
use crate::rpc::pb::{Job, MakePuzzleOptions, Range, Symmetry as PbSymmetry, job};
use crate::sudoku::{self, MakeOptions, Pattern, PerHouse, Symmetry};

/// Which puzzles, and how many.
#[derive(Debug, Clone, Args)]
pub(crate) struct Work {
    /// Number of puzzles
    #[arg(long, value_name = "N", required_unless_present = "solutions")]
    count: Option<u64>,

    /// File of complete grids, a puzzle is made of each; - is standard input [default: they are drawn]
    #[arg(long, value_name = "FILE", conflicts_with = "count")]
    solutions: Option<PathBuf>,

    /// Stop at the first line that is no puzzle at all; otherwise its place stays empty, as that of a grid
    /// with empty cells or wrong digits does
    #[arg(long, requires = "solutions")]
    pub(crate) strict: bool,

    /// Seed: the same one gives the same puzzles [default: one is drawn and told]
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,

    /// No two puzzles are images of one another: by turning, mirroring, exchanging rows or columns within a
    /// band or stack, bands or stacks, and new names for the digits. A place stays empty if 65 puzzles for it
    /// are all alike to others
    #[arg(long)]
    distinct_up_to_symmetry: bool,

    #[command(flatten)]
    wishes: Wishes,
}

/// What is wanted of each puzzle.
#[derive(Debug, Clone, Args)]
pub(crate) struct Wishes {
    /// Symmetry of the pattern of givens
    #[arg(long, value_name = "SYMMETRY", default_value = "none", value_parser = symmetries())]
    pub(crate) symmetry: Symmetry,

    /// How many givens, both ends included: 24..28, 24.., ..28 or 24 [default: as few as are reached]
    #[arg(long, value_name = "A..B")]
    pub(crate) givens: Option<Ends<81>>,

    /// No given (with a symmetry, no group of givens) can be left out
    #[arg(long)]
    pub(crate) minimal: bool,

    /// Cells that may be given: 81 characters, row by row, x for these and . for those that stay empty
    #[arg(long, value_name = "PATTERN")]
    pub(crate) pattern: Option<Pattern>,

    /// How many givens in every row, column and box: 2..4, 2.., ..4 or 3
    #[arg(long, value_name = "A..B")]
    pub(crate) givens_per_house: Option<Ends<9>>,

    /// Guesses that a search takes: 0 for puzzles that need none, 5.. for those that need many
    #[arg(long, value_name = "A..B")]
    pub(crate) guesses: Option<Ends<{ u32::MAX }>>,
}

impl Wishes {
    /// What the core understands, for a bench.
    pub(crate) fn core(&self, step_limit: u64) -> sudoku::Wishes {
        sudoku::Wishes {
            symmetry: self.symmetry,
            givens: self.givens.map(|ends| {
                let (min, max) = ends.small();
                min..=max
            }),
            minimal: self.minimal,
            pattern: self.pattern.unwrap_or_default(),
            givens_per_house: self.givens_per_house.map(|ends| {
                let (min, max) = ends.small();
                PerHouse { min, max }
            }),
            guesses: self.guesses.map_or(MakeOptions::ANY_GUESSES, |ends| {
                ends.min.map_or(0, u64::from)..=ends.max.map_or(u64::MAX, u64::from)
            }),
            step_limit,
        }
    }

    fn options(&self, seed: Option<u64>) -> MakePuzzleOptions {
        MakePuzzleOptions {
            seed,
            symmetry: wire(self.symmetry).into(),
            givens: self.givens.map(Range::from),
            minimal: self.minimal,
            pattern: self.pattern.map_or_else(String::new, String::from),
            givens_per_house: self.givens_per_house.map(Range::from),
            guesses: self.guesses.map(Range::from),
            ..MakePuzzleOptions::default()
        }
    }
}

fn symmetries() -> impl TypedValueParser<Value = Symmetry> {
    PossibleValuesParser::new(Symmetry::ALL.map(Symmetry::name))
        .try_map(|name| name.parse::<Symmetry>())
}

/// The ends of a range of numbers up to `MOST`, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ends<const MOST: u32> {
    min: Option<u32>,
    max: Option<u32>,
}

impl<const MOST: u32> FromStr for Ends<MOST> {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let (min, max) = text.split_once("..").unwrap_or((text, text));
        let end = |end: &str| match end {
            "" => Ok(None),
            number => match number.parse() {
                Ok(number) if number <= MOST => Ok(Some(number)),
                _ => Err(format!("{number:?} is no number from 0 to {MOST}")),
            },
        };
        match (end(min)?, end(max)?) {
            (None, None) => Err("expected A..B with at least one end".to_owned()),
            (Some(min), Some(max)) if min > max => Err(format!("{min} is more than {max}")),
            (min, max) => Ok(Self { min, max }),
        }
    }
}

impl<const MOST: u32> Ends<MOST> {
    /// Both ends, where no number is above 255.
    fn small(self) -> (u8, u8) {
        let small = |number| u8::try_from(number).unwrap_or(u8::MAX);
        (self.min.map_or(0, small), small(self.max.unwrap_or(MOST)))
    }
}

impl<const MOST: u32> From<Ends<MOST>> for Range {
    fn from(Ends { min, max }: Ends<MOST>) -> Self {
        Self { min, max }
    }
}

impl Work {
    /// The job that does it.
    pub(crate) fn job(&self) -> Job {
        let options = MakePuzzleOptions {
            distinct_up_to_symmetry: self.distinct_up_to_symmetry,
            ..self.wishes.options(self.seed)
        };
        Job {
            work: Some(job::Work::MakePuzzle(options)),
            count: self.count,
            ..Job::default()
        }
    }

    /// Opens the file of solutions, if there is one.
    pub(crate) fn input(&self) -> Result<Option<(Input, bool)>> {
        let open = |file: &PathBuf| Ok((Input::open(file)?, self.strict));
        self.solutions.as_ref().map(open).transpose()
    }
}

const fn wire(symmetry: Symmetry) -> PbSymmetry {
    match symmetry {
        Symmetry::None => PbSymmetry::None,
        Symmetry::Rotational180 => PbSymmetry::Rotational180,
        Symmetry::Rotational90 => PbSymmetry::Rotational90,
        Symmetry::MirrorLeftRight => PbSymmetry::MirrorLeftRight,
        Symmetry::MirrorTopBottom => PbSymmetry::MirrorTopBottom,
        Symmetry::BothMirrors => PbSymmetry::BothMirrors,
        Symmetry::Diagonal => PbSymmetry::Diagonal,
        Symmetry::Antidiagonal => PbSymmetry::Antidiagonal,
        Symmetry::BothDiagonals => PbSymmetry::BothDiagonals,
        Symmetry::Full => PbSymmetry::Full,
    }
}

/// Arguments of `gridmill make`.
#[derive(Debug, Clone, Args)]
#[command(
    after_help = "The exit code is 1 if some places are empty: the search found no puzzle there, or the solution \
                  was no complete grid."
)]
pub(crate) struct Make {
    #[command(flatten)]
    work: Work,

    #[command(flatten)]
    one_off: OneOff,
}

pub(super) async fn run(make: Make) -> Result {
    let order = Order {
        job: make.work.job(),
        input: make.work.input()?,
    };
    make.one_off.run(order).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_one_end_or_two() {
        for (text, min, max) in [
            ("24..28", Some(24), Some(28)),
            ("24..", Some(24), None),
            ("..28", None, Some(28)),
            ("30", Some(30), Some(30)),
        ] {
            assert_eq!(text.parse(), Ok(Ends::<81> { min, max }), "{text}");
        }
        for text in [
            "", "..", "28..24", "a..b", "24...28", "24..=28", "82", "-1..3",
        ] {
            assert!(text.parse::<Ends<81>>().is_err(), "{text}");
        }
    }
}
