//! `gridmill generate`: complete grids.

use clap::{Args, ValueEnum};

use super::exit::Result;
use super::one_off::{OneOff, Order};
use crate::rpc::pb::generate_options::Distribution as PbDistribution;
use crate::rpc::pb::{GenerateOptions, Job, job};

/// Which grids, and how many.
#[derive(Debug, Clone, Args)]
pub(crate) struct Work {
    /// Number of grids
    #[arg(long, value_name = "N")]
    count: u64,

    /// Seed: the same one gives the same grids [default: one is drawn and told]
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,

    /// How grids are chosen
    #[arg(long, value_name = "DISTRIBUTION", default_value = "distinct")]
    distribution: Distribution,

    /// Digit of the top-left cell
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u8).range(1..=9))]
    first_digit: Option<u8>,
}

/// How grids are chosen.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Distribution {
    /// No grid twice; all are images of one that the seed picks
    Distinct,
    /// Every grid equally likely, each drawn by itself
    Uniform,
}

impl Work {
    /// The job that does it.
    pub(crate) fn job(&self) -> Job {
        let distribution = match self.distribution {
            Distribution::Distinct => PbDistribution::Distinct,
            Distribution::Uniform => PbDistribution::Uniform,
        };
        Job {
            work: Some(job::Work::Generate(GenerateOptions {
                seed: self.seed,
                distribution: distribution.into(),
                first_digit: self.first_digit.map_or(0, u32::from),
            })),
            count: Some(self.count),
            ..Job::default()
        }
    }
}

/// Arguments of `gridmill generate`.
#[derive(Debug, Clone, Args)]
pub(crate) struct Generate {
    #[command(flatten)]
    work: Work,

    #[command(flatten)]
    one_off: OneOff,
}

pub(super) async fn run(generate: Generate) -> Result {
    let order = Order {
        job: generate.work.job(),
        input: None,
    };
    generate.one_off.run(order).await
}
