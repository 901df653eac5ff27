//! What a client asks for: the work, how much of it, and on what terms.
//! Everything here is resolved — no zero means "default" — so that a stored job never changes its
//! meaning when a default does.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::clock::Timestamp;
use crate::sudoku::logic::RATER_VERSION;
use crate::sudoku::logic::technique::Techniques;
use crate::sudoku::{
    Digit, Distinct, Impossible, MakeOptions, Pattern, PerHouse, Symmetry, Wishes,
};

/// The most items that one job may have.
pub const MAX_JOB_ITEMS: u64 = 1_000_000_000_000;

/// How long results are kept when the client does not say.
pub const DEFAULT_TTL: Duration = Duration::from_hours(72);

/// How long results may be kept.
pub const MAX_TTL: Duration = Duration::from_hours(30 * 24);

/// The most labels on a job.
pub const MAX_LABELS: usize = 64;

/// The longest label key or value, in characters.
pub const MAX_LABEL_CHARS: usize = 63;

/// Solutions to stop at when the client does not say: enough to tell unique from multiple.
pub const DEFAULT_COUNT_LIMIT: u64 = 2;

/// Guesses a puzzle when the client does not say: some seconds.
pub const DEFAULT_SOLVE_STEPS: u64 = 10_000_000;

/// Candidates for a made puzzle when the client does not say: some seconds.
pub const DEFAULT_MAKE_STEPS: u64 = 100_000;

/// Steps of the search for deductions a puzzle when the client does not say: a minute or so, and five times what
/// the hardest puzzles known need.
pub const DEFAULT_RATE_STEPS: u64 = 100_000_000;

/// The work of a job, with all that its bytes depend on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// Solve the inputs.
    Solve(Solve),
    /// Fill grids.
    Generate(Generate),
    /// Make puzzles.
    MakePuzzle(MakePuzzle),
    /// Rate the inputs.
    Rate(Rate),
    /// Bring the inputs to their canonical form.
    Canonicalize,
}

impl Work {
    /// Whether items come from the client.
    #[must_use]
    pub const fn takes_inputs(&self) -> bool {
        match self {
            Self::Solve(_) | Self::Rate(_) | Self::Canonicalize => true,
            Self::Generate(_) => false,
            Self::MakePuzzle(make) => make.from_solutions,
        }
    }

    /// Whether no two results may be [`alike`](super::alike), so that chunks are sealed in order.
    #[must_use]
    pub const fn is_sealed(&self) -> bool {
        match self {
            Self::MakePuzzle(make) => make.distinct_up_to_symmetry,
            _ => false,
        }
    }

    /// Of the ratings in its results, 0 if there are none.
    #[must_use]
    pub const fn rater_version(&self) -> u32 {
        match self {
            Self::Rate(_) => RATER_VERSION,
            Self::MakePuzzle(make) if make.rate => RATER_VERSION,
            _ => 0,
        }
    }
}

/// How to solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Solve {
    /// Stop after this many solutions; at least 1.
    pub count_limit: u64,
    /// Guesses a puzzle; at least 1.
    pub step_limit: u64,
}

/// How to rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rate {
    /// Whether to say how often each technique is used.
    pub technique_counts: bool,
    /// Steps of the search for deductions a puzzle, and guesses to prove its solution the only one; at least 1.
    pub step_limit: u64,
}

/// Which grids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generate {
    /// Grid `i` depends on the seed and `i` alone.
    pub seed: u64,
    /// How they are drawn.
    #[serde(default)]
    pub distribution: Distribution,
    /// The digit of the top-left cell, if it is to be fixed.
    pub first_digit: Option<Digit>,
}

/// How grids are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Distribution {
    /// No grid twice.
    #[default]
    Distinct,
    /// Each grid equally likely, whatever the others are.
    Uniform,
}

impl Generate {
    /// How many grids the sequence has.
    #[must_use]
    pub const fn capacity(&self) -> u64 {
        match self.distribution {
            Distribution::Distinct => Distinct::capacity_of(self.first_digit),
            Distribution::Uniform => u64::MAX,
        }
    }
}

/// How long a puzzle takes to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rarity {
    /// Microseconds.
    Common,
    /// Candidates may be turned down.
    Wished,
    /// Milliseconds.
    Rare,
    /// A tenth of a second, or the whole step limit.
    Extreme,
}

/// Which puzzles.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a wish of its own, and any of them go together"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MakePuzzle {
    /// Puzzle `i` depends on the seed, these options and `i` alone; where no two may be alike, on those before
    /// it too.
    pub seed: u64,
    /// The pattern of givens is unchanged by this group.
    pub symmetry: Symmetry,
    /// Least and most givens.
    pub givens: Option<(u8, u8)>,
    /// No given (with a symmetry, no orbit of givens) can go.
    pub minimal: bool,
    /// The cells that may be given.
    #[serde(default)]
    pub pattern: Pattern,
    /// Least and most givens of every row, column and box.
    #[serde(default)]
    pub givens_per_house: Option<(u8, u8)>,
    /// Least and most guesses of the single engine.
    #[serde(default)]
    pub guesses: Option<(u64, u64)>,
    /// Least and most that its hardest step is worth, in tenths.
    #[serde(default)]
    pub er: Option<(u16, u16)>,
    /// Techniques that its way takes.
    #[serde(default)]
    pub require_techniques: Techniques,
    /// Techniques that it does not take.
    #[serde(default)]
    pub forbid_techniques: Techniques,
    /// Whether to tell how hard it is; so it is with any of the three before.
    #[serde(default)]
    pub rate: bool,
    /// Whether the inputs are the puzzles' solutions; otherwise these are drawn.
    #[serde(default)]
    pub from_solutions: bool,
    /// No two puzzles are images of one another; see [`alike`](super::alike).
    #[serde(default)]
    pub distinct_up_to_symmetry: bool,
    /// Candidates looked at for a puzzle; at least 1.
    pub step_limit: u64,
}

impl MakePuzzle {
    /// Any minimal puzzles of this seed, each in so many steps.
    #[must_use]
    pub const fn any(seed: u64, step_limit: u64) -> Self {
        Self {
            seed,
            symmetry: Symmetry::None,
            givens: None,
            minimal: false,
            pattern: Pattern::ALL,
            givens_per_house: None,
            guesses: None,
            er: None,
            require_techniques: Techniques::NONE,
            forbid_techniques: Techniques::NONE,
            rate: false,
            from_solutions: false,
            distinct_up_to_symmetry: false,
            step_limit,
        }
    }

    /// How many times as long a puzzle takes for the sake of its rating; at least 1.
    #[must_use]
    pub fn effort(&self) -> u64 {
        self.options().map_or(1, |options| options.effort())
    }

    /// How long a puzzle takes, its rating aside, by rough measure: puzzles are made together, so many at a time, where they
    /// take microseconds, and one by one where each takes a tenth of a second.
    #[must_use]
    pub fn rarity(&self) -> Rarity {
        let most = self.givens.map_or(81, |(_, max)| max);
        let cells = self.pattern.cells().len();
        // 21 givens take sixty times as long as 24, 19 a thousand times; whole orbits are harder to spare.
        let (extreme, rare) = match self.symmetry {
            Symmetry::None => (19, 22),
            Symmetry::Rotational180
            | Symmetry::MirrorLeftRight
            | Symmetry::MirrorTopBottom
            | Symmetry::Diagonal
            | Symmetry::Antidiagonal => (21, 24),
            Symmetry::Rotational90
            | Symmetry::BothMirrors
            | Symmetry::BothDiagonals
            | Symmetry::Full => (24, 28),
        };
        if most <= extreme || cells <= 24 {
            Rarity::Extreme
        } else if most <= rare || cells <= 28 {
            Rarity::Rare
        } else if self.minimal && self.givens.is_some()
            || self.pattern != Pattern::ALL
            || self.givens_per_house.is_some()
            || self.guesses.is_some()
        {
            Rarity::Wished
        } else {
            Rarity::Common
        }
    }

    /// The core's form of the options.
    ///
    /// # Errors
    /// When no puzzle can satisfy them.
    pub fn options(&self) -> Result<MakeOptions, Impossible> {
        MakeOptions::new(Wishes {
            symmetry: self.symmetry,
            givens: self.givens.map(|(min, max)| min..=max),
            minimal: self.minimal,
            pattern: self.pattern,
            givens_per_house: self
                .givens_per_house
                .map(|(min, max)| PerHouse { min, max }),
            guesses: self
                .guesses
                .map_or(MakeOptions::ANY_GUESSES, |(min, max)| min..=max),
            er: self.er.map(|(min, max)| min..=max),
            require: self.require_techniques,
            forbid: self.forbid_techniques,
            rate: self.rate,
            step_limit: self.step_limit,
        })
    }
}

/// A job's place in the queue, -100..=100, higher first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Priority(i32);

impl Priority {
    /// `None` outside -100..=100.
    #[must_use]
    pub fn new(value: i32) -> Option<Self> {
        (-100..=100).contains(&value).then_some(Self(value))
    }

    /// The number.
    #[must_use]
    pub const fn value(self) -> i32 {
        self.0
    }
}

/// A client's own words on a job, in key order.
pub type Labels = BTreeMap<String, String>;

/// A whole request for a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobSpec {
    /// What to do.
    pub work: Work,
    /// How many items; `None` until the inputs are committed.
    pub count: Option<u64>,
    /// Higher first.
    pub priority: Priority,
    /// Chunks that may run at once; `None` is no limit of its own.
    pub max_parallelism: Option<u32>,
    /// Not claimed before this.
    pub not_before: Option<Timestamp>,
    /// Expires when not ended by this.
    pub deadline: Option<Timestamp>,
    /// Results are kept this long after the end.
    pub ttl: Duration,
    /// The client's own words.
    pub labels: Labels,
}
