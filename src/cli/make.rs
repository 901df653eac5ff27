//! `gridmill make`: puzzles with exactly one solution.

use std::str::FromStr;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::exit::Result;
use super::one_off::{OneOff, Order};
use crate::rpc::pb::{Job, MakePuzzleOptions, Range, Symmetry as PbSymmetry, job};
use crate::sudoku::Symmetry;

/// Which puzzles, and how many.
#[derive(Debug, Clone, Args)]
pub(crate) struct Work {
    /// Number of puzzles
    #[arg(long, value_name = "N")]
    count: u64,

    /// Seed: the same one gives the same puzzles [default: one is drawn and told]
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,

    #[command(flatten)]
    wishes: Wishes,
}

/// What is wanted of each puzzle.
#[derive(Debug, Clone, Args)]
pub(crate) struct Wishes {
    /// Symmetry of the pattern of givens
    #[arg(long, value_name = "SYMMETRY", default_value = "none", value_parser = symmetries())]
    pub(crate) symmetry: Symmetry,

    /// How many givens, both ends included: 24..28, 24.., ..28 or 24 [default: as few as can be reached]
    #[arg(long, value_name = "A..B")]
    pub(crate) givens: Option<Givens>,

    /// No given (with a symmetry, no group of givens) can be left out
    #[arg(long)]
    pub(crate) minimal: bool,
}

fn symmetries() -> impl TypedValueParser<Value = Symmetry> {
    PossibleValuesParser::new(Symmetry::ALL.map(Symmetry::name))
        .try_map(|name| name.parse::<Symmetry>())
}

/// Least and most givens, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Givens {
    pub(crate) min: Option<u8>,
    pub(crate) max: Option<u8>,
}

impl FromStr for Givens {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let (min, max) = text.split_once("..").unwrap_or((text, text));
        let end = |end: &str| match end {
            "" => Ok(None),
            number => match number.parse() {
                Ok(number @ 0..=81) => Ok(Some(number)),
                _ => Err(format!("{number:?} is no number of givens")),
            },
        };
        match (end(min)?, end(max)?) {
            (None, None) => Err("expected A..B with at least one end".to_owned()),
            (Some(min), Some(max)) if min > max => Err(format!("{min} is more than {max}")),
            (min, max) => Ok(Self { min, max }),
        }
    }
}

impl Work {
    /// The job that does it.
    pub(crate) fn job(&self) -> Job {
        let Wishes {
            symmetry,
            givens,
            minimal,
        } = self.wishes;
        Job {
            work: Some(job::Work::MakePuzzle(MakePuzzleOptions {
                seed: self.seed,
                symmetry: wire(symmetry).into(),
                givens: givens.map(|Givens { min, max }| Range {
                    min: min.map(u32::from),
                    max: max.map(u32::from),
                }),
                minimal,
                ..MakePuzzleOptions::default()
            })),
            count: Some(self.count),
            ..Job::default()
        }
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
    after_help = "The exit code is 1 if the search found no puzzle for some places; they are empty."
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
        input: None,
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
            assert_eq!(text.parse(), Ok(Givens { min, max }), "{text}");
        }
        for text in [
            "", "..", "28..24", "a..b", "24...28", "24..=28", "82", "-1..3",
        ] {
            assert!(text.parse::<Givens>().is_err(), "{text}");
        }
    }
}
