//! What is to be done. Zeros that mean "default" are resolved here; what is not served yet is named.

use tonic::Status;

use crate::jobs::spec::{
    DEFAULT_COUNT_LIMIT, DEFAULT_MAKE_STEPS, DEFAULT_SOLVE_STEPS, Generate, MakePuzzle, Solve, Work,
};
use crate::rpc::pb;
use crate::rpc::pb::generate_options::Distribution;
use crate::rpc::status::{bad_field, impossible, internal, not_implemented};
use crate::sudoku::{Digit, Symmetry};

/// The work of a job.
///
/// # Errors
/// BAD_FIELD, IMPOSSIBLE or NOT_IMPLEMENTED.
pub(super) fn work(work: Option<&pb::job::Work>) -> Result<Work, Status> {
    use pb::job::Work as Asked;
    match work {
        Some(Asked::Solve(options)) => Ok(Work::Solve(solve(Some(options)))),
        Some(Asked::Generate(options)) => {
            generate(Some(options), "job.generate").map(Work::Generate)
        }
        Some(Asked::MakePuzzle(options)) => {
            make_puzzle(Some(options), "job.make_puzzle").map(Work::MakePuzzle)
        }
        Some(Asked::Rate(_)) => Err(not_implemented("job.rate")),
        Some(Asked::Canonicalize(_)) => Err(not_implemented("job.canonicalize")),
        None => Err(bad_field(
            "job.work",
            "expected one of solve, generate, make_puzzle",
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

/// Which grids, with a seed drawn if none is given. `path` is the field that holds the options.
///
/// # Errors
/// BAD_FIELD or NOT_IMPLEMENTED.
pub(in crate::rpc) fn generate(
    options: Option<&pb::GenerateOptions>,
    path: &str,
) -> Result<Generate, Status> {
    let asked = options.copied().unwrap_or_default();
    let field = |name: &str| format!("{path}.{name}");
    match Distribution::try_from(asked.distribution) {
        Ok(Distribution::Unspecified | Distribution::Distinct) => {}
        Ok(Distribution::Uniform) => return Err(not_implemented(&field("distribution"))),
        Err(_) => return Err(bad_field(field("distribution"), "no such distribution")),
    }
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
        first_digit,
    })
}

/// Which puzzles, with a seed drawn if none is given. `path` is the field that holds the options.
///
/// # Errors
/// BAD_FIELD, IMPOSSIBLE or NOT_IMPLEMENTED.
pub(in crate::rpc) fn make_puzzle(
    options: Option<&pb::MakePuzzleOptions>,
    path: &str,
) -> Result<MakePuzzle, Status> {
    let unasked = pb::MakePuzzleOptions::default();
    let asked = options.unwrap_or(&unasked);
    let later = [
        ("difficulty", asked.difficulty != 0),
        ("er_tenths", asked.er_tenths.is_some()),
        ("require_techniques", !asked.require_techniques.is_empty()),
        ("forbid_techniques", !asked.forbid_techniques.is_empty()),
        ("guesses", asked.guesses.is_some()),
        ("givens_per_house", asked.givens_per_house.is_some()),
        ("pattern", !asked.pattern.is_empty()),
        ("distinct_up_to_symmetry", asked.distinct_up_to_symmetry),
        ("rate", asked.rate),
    ];
    if let Some((name, _)) = later.iter().find(|(_, is_set)| *is_set) {
        return Err(not_implemented(&format!("{path}.{name}")));
    }
    let made = MakePuzzle {
        seed: seed(asked.seed)?,
        symmetry: symmetry(asked.symmetry)
            .ok_or_else(|| bad_field(format!("{path}.symmetry"), "no such symmetry"))?,
        givens: givens(asked.givens.as_ref(), path)?,
        minimal: asked.minimal,
        step_limit: or_default(asked.step_limit, DEFAULT_MAKE_STEPS),
    };
    match made.options() {
        Ok(_) => Ok(made),
        Err(cause) => Err(impossible(&format!("{path}.givens"), cause)),
    }
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
            distribution: Distribution::Distinct.into(),
            first_digit: generate.first_digit.map_or(0, |d| d.value().into()),
        }),
        Work::MakePuzzle(make) => pb::job::Work::MakePuzzle(pb::MakePuzzleOptions {
            seed: Some(make.seed),
            symmetry: write_symmetry(make.symmetry).into(),
            givens: make.givens.map(|(min, max)| pb::Range {
                min: Some(min.into()),
                max: Some(max.into()),
            }),
            minimal: make.minimal,
            step_limit: make.step_limit,
            ..pb::MakePuzzleOptions::default()
        }),
    }
}

const fn or_default(value: u64, default: u64) -> u64 {
    if value == 0 { default } else { value }
}

fn seed(asked: Option<u64>) -> Result<u64, Status> {
    asked.map_or_else(|| getrandom::u64().map_err(|error| internal(&error)), Ok)
}

fn givens(range: Option<&pb::Range>, path: &str) -> Result<Option<(u8, u8)>, Status> {
    let bound = |name: &str, asked: Option<u32>, default: u8| match asked.map(u8::try_from) {
        None => Ok(default),
        Some(Ok(cells)) if cells <= 81 => Ok(cells),
        Some(_) => Err(bad_field(
            format!("{path}.givens.{name}"),
            "a puzzle has at most 81 givens",
        )),
    };
    match range {
        Some(range) if range.min.is_some() || range.max.is_some() => {
            let (min, max) = (bound("min", range.min, 0)?, bound("max", range.max, 81)?);
            Ok(Some((min, max)))
        }
        _ => Ok(None),
    }
}

fn symmetry(number: i32) -> Option<Symmetry> {
    Some(match pb::Symmetry::try_from(number).ok()? {
        pb::Symmetry::Unspecified | pb::Symmetry::None => Symmetry::None,
        pb::Symmetry::Rotational180 => Symmetry::Rotational180,
        pb::Symmetry::Rotational90 => Symmetry::Rotational90,
        pb::Symmetry::MirrorLeftRight => Symmetry::MirrorLeftRight,
        pb::Symmetry::MirrorTopBottom => Symmetry::MirrorTopBottom,
        pb::Symmetry::BothMirrors => Symmetry::BothMirrors,
        pb::Symmetry::Diagonal => Symmetry::Diagonal,
        pb::Symmetry::Antidiagonal => Symmetry::Antidiagonal,
        pb::Symmetry::BothDiagonals => Symmetry::BothDiagonals,
        pb::Symmetry::Full => Symmetry::Full,
    })
}

const fn write_symmetry(symmetry: Symmetry) -> pb::Symmetry {
    match symmetry {
        Symmetry::None => pb::Symmetry::None,
        Symmetry::Rotational180 => pb::Symmetry::Rotational180,
        Symmetry::Rotational90 => pb::Symmetry::Rotational90,
        Symmetry::MirrorLeftRight => pb::Symmetry::MirrorLeftRight,
        Symmetry::MirrorTopBottom => pb::Symmetry::MirrorTopBottom,
        Symmetry::BothMirrors => pb::Symmetry::BothMirrors,
        Symmetry::Diagonal => pb::Symmetry::Diagonal,
        Symmetry::Antidiagonal => pb::Symmetry::Antidiagonal,
        Symmetry::BothDiagonals => pb::Symmetry::BothDiagonals,
        Symmetry::Full => pb::Symmetry::Full,
    }
}

#[cfg(test)]
mod tests {
    use tonic::Code;
    use tonic_types::StatusExt;

    use super::*;

    fn refused<T: std::fmt::Debug>(result: Result<T, Status>) -> (Code, String) {
        let status = result.expect_err("refused");
        let info = status.get_details_error_info().expect("an ErrorInfo");
        let request = status.get_details_bad_request();
        let field = request.map(|request| request.field_violations[0].field.clone());
        let named = info.metadata.get("field").cloned();
        (status.code(), field.or(named).expect("a field is named"))
    }

    #[test]
    fn zeros_are_resolved() {
        assert_eq!(
            solve(None),
            Solve {
                count_limit: DEFAULT_COUNT_LIMIT,
                step_limit: DEFAULT_SOLVE_STEPS
            }
        );
        let made = make_puzzle(None, "options").expect("defaults");
        assert_eq!(made.step_limit, DEFAULT_MAKE_STEPS);
        assert_eq!(made.givens, None);
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
    fn every_symmetry_comes_back() {
        for number in 1..=10 {
            let read = symmetry(number).expect("a symmetry");
            assert_eq!(i32::from(write_symmetry(read)), number);
        }
        assert_eq!(symmetry(11), None);
        assert_eq!(symmetry(-1), None);
    }

    #[test]
    fn what_comes_later_is_named() {
        let options = pb::MakePuzzleOptions {
            pattern: "x".repeat(81),
            ..pb::MakePuzzleOptions::default()
        };
        let refusal = refused(make_puzzle(Some(&options), "options"));
        assert_eq!(refusal, (Code::Unimplemented, "options.pattern".to_owned()));
        let options = pb::GenerateOptions {
            distribution: Distribution::Uniform.into(),
            ..pb::GenerateOptions::default()
        };
        let refusal = refused(generate(Some(&options), "job.generate"));
        let field = "job.generate.distribution".to_owned();
        assert_eq!(refusal, (Code::Unimplemented, field));
        let rate = pb::job::Work::Rate(pb::RateOptions::default());
        assert_eq!(refused(work(Some(&rate))).0, Code::Unimplemented);
    }

    #[test]
    fn givens_may_have_one_end_and_must_be_possible() {
        let ask = |min, max| {
            let options = pb::MakePuzzleOptions {
                givens: Some(pb::Range { min, max }),
                ..pb::MakePuzzleOptions::default()
            };
            make_puzzle(Some(&options), "options")
        };
        assert_eq!(ask(None, None).expect("any").givens, None);
        assert_eq!(ask(Some(30), None).expect("one end").givens, Some((30, 81)));
        assert_eq!(ask(None, Some(30)).expect("one end").givens, Some((0, 30)));
        assert_eq!(refused(ask(None, Some(300))).1, "options.givens.max");
        for (min, max) in [(Some(3), Some(16)), (Some(40), Some(30))] {
            let (code, field) = refused(ask(min, max));
            assert_eq!(
                (code, field.as_str()),
                (Code::InvalidArgument, "options.givens")
            );
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
            step_limit: 5,
            ..pb::MakePuzzleOptions::default()
        });
        let read = work(Some(&asked)).expect("fine");
        assert_eq!(write(&read), asked);
    }
}
