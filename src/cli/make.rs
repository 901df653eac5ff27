//! `gridmill make`: puzzles with exactly one solution.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::exit::Result;
use super::input::Input;
use super::one_off::{OneOff, Order};
use super::range::{Ends, Tenths};
use crate::rpc::pb::{
    Difficulty as PbDifficulty, Job, MakePuzzleOptions, Range, Symmetry as PbSymmetry, job,
};
use crate::sudoku::logic::difficulty::Difficulty;
use crate::sudoku::logic::technique::Technique;
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

    /// How hard it is for people, by its hardest step: easy 1.0 to 1.5, medium to 2.9, hard to 4.4, fiendish to
    /// 6.9, extreme from 7.0 on
    #[arg(long, value_name = "LEVEL", conflicts_with = "er", value_parser = levels())]
    pub(crate) difficulty: Option<Difficulty>,

    /// What its hardest step is worth on the Sudoku Explainer scale: 2.6..4.4, 9.0.., ..3.0 or 7.2
    #[arg(long, value_name = "A..B")]
    pub(crate) er: Option<Tenths>,

    /// A technique that solving it takes, by its name, as "X-Wing"; may be given several times
    #[arg(long, value_name = "NAME")]
    pub(crate) require_technique: Vec<Technique>,

    /// A technique that solving it does not take; may be given several times
    #[arg(long, value_name = "NAME")]
    pub(crate) forbid_technique: Vec<Technique>,

    /// Rate what is made, whatever it is: csv and jsonl tell how hard it is
    #[arg(long)]
    pub(crate) rate: bool,
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
            er: match (self.difficulty, self.er) {
                (Some(level), _) => Some(level.er()),
                (None, er) => er.map(|Tenths(ends)| {
                    let (min, max) = ends.small();
                    min.into()..=max.into()
                }),
            },
            require: self.require_technique.iter().copied().collect(),
            forbid: self.forbid_technique.iter().copied().collect(),
            rate: self.rate,
            step_limit,
        }
    }

    /// Whether any of them is about the rating.
    const fn is_rated(&self) -> bool {
        self.rate
            || self.difficulty.is_some()
            || self.er.is_some()
            || !self.require_technique.is_empty()
            || !self.forbid_technique.is_empty()
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
            difficulty: self
                .difficulty
                .map_or(PbDifficulty::Unspecified, PbDifficulty::from)
                .into(),
            er_tenths: self.er.map(|Tenths(ends)| ends.into()),
            require_techniques: names(&self.require_technique),
            forbid_techniques: names(&self.forbid_technique),
            rate: self.is_rated(),
            ..MakePuzzleOptions::default()
        }
    }
}

fn symmetries() -> impl TypedValueParser<Value = Symmetry> {
    PossibleValuesParser::new(Symmetry::ALL.map(Symmetry::name))
        .try_map(|name| name.parse::<Symmetry>())
}

fn levels() -> impl TypedValueParser<Value = Difficulty> {
    PossibleValuesParser::new(Difficulty::ALL.map(Difficulty::name)).try_map(|name| {
        let mut all = Difficulty::ALL.into_iter();
        all.find(|level| level.name() == name)
            .ok_or("no such level")
    })
}

fn names(techniques: &[Technique]) -> Vec<String> {
    techniques.iter().map(ToString::to_string).collect()
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
