//! What is to be done. Zeros that mean "default" are resolved here.

use tonic::Status;

use super::make_puzzle;
use crate::jobs::spec::{
    DEFAULT_COUNT_LIMIT, DEFAULT_RATE_STEPS, DEFAULT_SOLVE_STEPS, Distribution, Generate, Rate,
    Solve, Work,
};
use crate::rpc::pb;
use crate::rpc::pb::generate_options::Distribution as Asked;
use crate::rpc::status::{bad_field, internal};
use crate::sudoku::Digit;

/// The work of a job, for which the client says how many items, or not.
///
/// # Errors
/// BAD_FIELD or IMPOSSIBLE.
pub(super) fn work(work: Option<&pb::job::Work>, count: Option<u64>) -> Result<Work, Status> {
    match work {
        Some(pb::job::Work::Solve(options)) => Ok(Work::Solve(solve(Some(options)))),
        Some(pb::job::Work::Generate(options)) => {
            generate(Some(options), "job.generate").map(Work::Generate)
        }
        Some(pb::job::Work::MakePuzzle(options)) => {
            // Without a count there are as many puzzles as solutions.
            let from_solutions = count.is_none();
            make_puzzle::read(Some(options), "job.make_puzzle", from_solutions)
                .map(Work::MakePuzzle)
        }
        Some(pb::job::Work::Rate(options)) => Ok(Work::Rate(rate(Some(options)))),
        Some(pb::job::Work::Canonicalize(pb::CanonicalizeOptions {})) => Ok(Work::Canonicalize),
        None => Err(bad_field(
            "job.work",
            "expected one of solve, generate, make_puzzle, rate, canonicalize",
        )),
    }
}

/// How to solve.
pub(in crate::rpc) fn solve(options: Option<&pb::SolveOptions>) -> Solve {
    let asked = options.copied().unwrap_or_default();
    Solve {
        count_limit: or_default(asked.count_limit, DEFAULT_COUNT_LIMIT),
        step_limit: or_default(asked.step_limit, DEFAULT_SOLVE_STEPS),
    }
}

/// How to rate.
pub(in crate::rpc) fn rate(options: Option<&pb::RateOptions>) -> Rate {
    let asked = options.copied().unwrap_or_default();
    Rate {
        technique_counts: asked.technique_counts,
        step_limit: or_default(asked.step_limit, DEFAULT_RATE_STEPS),
    }
}

/// Which grids, with a seed drawn if none is given. `path` is the field that holds the options.
///
/// # Errors
/// BAD_FIELD.
pub(in crate::rpc) fn generate(
    options: Option<&pb::GenerateOptions>,
    path: &str,
) -> Result<Generate, Status> {
    let asked = options.copied().unwrap_or_default();
    let field = |name: &str| format!("{path}.{name}");
    let distribution = match Asked::try_from(asked.distribution) {
        Ok(Asked::Unspecified | Asked::Distinct) => Distribution::Distinct,
        Ok(Asked::Uniform) => Distribution::Uniform,
        Err(_) => return Err(bad_field(field("distribution"), "no such distribution")),
    };
    let first_digit = match u8::try_from(asked.first_digit).map(Digit::new) {
        Ok(Some(digit)) => Some(digit),
        _ if asked.first_digit == 0 => None,
        _ => {
            let found = asked.first_digit;
            let description = format!("expected 1 to 9, or 0 to leave it free, found {found}");
            return Err(bad_field(field("first_digit"), description));
        }
    };
    Ok(Generate {
        seed: seed(asked.seed)?,
        distribution,
        first_digit,
    })
}

/// The options of the work as resolved, for replies.
pub(super) fn write(work: &Work) -> pb::job::Work {
    match work {
        Work::Solve(solve) => pb::job::Work::Solve(pb::SolveOptions {
            count_limit: solve.count_limit,
            step_limit: solve.step_limit,
        }),
        Work::Generate(generate) => pb::job::Work::Generate(pb::GenerateOptions {
            seed: Some(generate.seed),
            distribution: match generate.distribution {
                Distribution::Distinct => Asked::Distinct.into(),
                Distribution::Uniform => Asked::Uniform.into(),
            },
            first_digit: generate.first_digit.map_or(0, |d| d.value().into()),
        }),
        Work::MakePuzzle(make) => pb::job::Work::MakePuzzle(make_puzzle::write(make)),
        Work::Rate(rate) => pb::job::Work::Rate(pb::RateOptions {
            technique_counts: rate.technique_counts,
            step_limit: rate.step_limit,
        }),
        Work::Canonicalize => pb::job::Work::Canonicalize(pb::CanonicalizeOptions {}),
    }
}

pub(super) const fn or_default(value: u64, default: u64) -> u64 {
    if value == 0 { default } else { value }
}

/// The seed asked for, or one drawn.
pub(super) fn seed(asked: Option<u64>) -> Result<u64, Status> {
    asked.map_or_else(|| getrandom::u64().map_err(|error| internal(&error)), Ok)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rpc::convert::refused;

    #[test]
    fn zeros_are_resolved() {
        assert_eq!(
            solve(None),
            Solve {
                count_limit: DEFAULT_COUNT_LIMIT,
                step_limit: DEFAULT_SOLVE_STEPS
            }
        );
        assert_eq!(
            rate(None),
            Rate {
                technique_counts: false,
                step_limit: DEFAULT_RATE_STEPS
            }
        );
    }

    #[test]
    fn a_seed_is_kept_or_drawn() {
        let seeded = pb::GenerateOptions {
            seed: Some(0),
            ..pb::GenerateOptions::default()
        };
        assert_eq!(generate(Some(&seeded), "options").expect("fine").seed, 0);
        let drawn = [(); 2].map(|()| generate(None, "options").expect("fine").seed);
        assert_ne!(drawn[0], drawn[1]);
    }

    #[test]
    fn a_first_digit_is_1_to_9_or_free() {
        for (asked, expected) in [(0, None), (1, Digit::new(1)), (9, Digit::new(9))] {
            let options = pb::GenerateOptions {
                first_digit: asked,
                ..pb::GenerateOptions::default()
            };
            let read = generate(Some(&options), "options").expect("fine");
            assert_eq!(read.first_digit, expected);
        }
        for asked in [10, 256, 257, u32::MAX] {
            let options = pb::GenerateOptions {
                first_digit: asked,
                ..pb::GenerateOptions::default()
            };
            let refusal = refused(generate(Some(&options), "options"));
            assert_eq!(refusal.1, "options.first_digit");
        }
    }

    #[test]
    fn resolved_work_is_what_the_client_gets_back() {
        let asked = pb::job::Work::MakePuzzle(pb::MakePuzzleOptions {
            seed: Some(7),
            symmetry: pb::Symmetry::Diagonal.into(),
            givens: Some(pb::Range {
                min: Some(24),
                max: Some(26),
            }),
            minimal: true,
            givens_per_house: Some(pb::Range {
                min: Some(1),
                max: Some(9),
            }),
            guesses: Some(pb::Range {
                min: Some(0),
                max: Some(3),
            }),
            pattern: "x".repeat(80) + ".",
            er_tenths: Some(pb::Range {
                min: Some(32),
                max: Some(44),
            }),
            require_techniques: vec!["X-Wing".to_owned()],
            forbid_techniques: vec!["Naked Pair".to_owned(), "Swordfish".to_owned()],
            rate: true,
            step_limit: 5,
            ..pb::MakePuzzleOptions::default()
        });
        let rated = pb::job::Work::Rate(pb::RateOptions {
            technique_counts: true,
            step_limit: 3,
        });
        for asked in [asked, rated] {
            let read = work(Some(&asked), Some(1)).expect("fine");
            assert_eq!(write(&read), asked);
        }
    }
}
