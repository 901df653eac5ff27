//! Which puzzles are to be made.

use tonic::Status;

use super::rating;
use super::work::{or_default, seed};
use crate::jobs::spec::{DEFAULT_MAKE_STEPS, MakePuzzle};
use crate::rpc::pb;
use crate::rpc::status::{bad_field, impossible};
use crate::sudoku::logic::difficulty::HARDEST;
use crate::sudoku::logic::technique::{Technique, Techniques};
use crate::sudoku::{Pattern, Symmetry};

/// Which puzzles, with a seed drawn if none is given; of the client's solutions or of drawn ones.
/// `path` is the field that holds the options.
///
/// # Errors
/// BAD_FIELD or IMPOSSIBLE.
pub(in crate::rpc) fn read(
    options: Option<&pb::MakePuzzleOptions>,
    path: &str,
    from_solutions: bool,
) -> Result<MakePuzzle, Status> {
    let unasked = pb::MakePuzzleOptions::default();
    let asked = options.unwrap_or(&unasked);
    let field = |name: &str| format!("{path}.{name}");
    let cells = Bounds {
        most: 81,
        unit: "a puzzle has at most 81 givens",
    };
    let house = Bounds {
        most: 9,
        unit: "a house has at most 9 givens",
    };
    let er = er(asked, &field)?;
    let require_techniques = techniques(&asked.require_techniques, &field("require_techniques"))?;
    let forbid_techniques = techniques(&asked.forbid_techniques, &field("forbid_techniques"))?;
    let made = MakePuzzle {
        seed: seed(asked.seed)?,
        symmetry: symmetry(asked.symmetry)
            .ok_or_else(|| bad_field(field("symmetry"), "no such symmetry"))?,
        givens: cells.range(asked.givens, &field("givens"))?,
        minimal: asked.minimal,
        pattern: match asked.pattern.as_str() {
            "" => Pattern::ALL,
            text => text
                .parse()
                .map_err(|error| bad_field(field("pattern"), format!("{error}")))?,
        },
        givens_per_house: house.range(asked.givens_per_house, &field("givens_per_house"))?,
        guesses: guesses(asked.guesses),
        er,
        require_techniques,
        forbid_techniques,
        rate: asked.rate
            || er.is_some()
            || !require_techniques.is_empty()
            || !forbid_techniques.is_empty(),
        from_solutions,
        distinct_up_to_symmetry: asked.distinct_up_to_symmetry,
        step_limit: or_default(asked.step_limit, DEFAULT_MAKE_STEPS),
    };
    match made.options() {
        Ok(_) => Ok(made),
        Err(cause) => {
            let name = match cause.wish() {
                "er" if asked.difficulty != 0 => "difficulty",
                "er" => "er_tenths",
                wish => wish,
            };
            Err(impossible(&field(name), cause))
        }
    }
}

/// What the hardest step may be worth: as a level, or as a range.
fn er(
    asked: &pb::MakePuzzleOptions,
    field: &impl Fn(&str) -> String,
) -> Result<Option<(u16, u16)>, Status> {
    let tenths = Bounds {
        most: HARDEST,
        unit: "in tenths: no puzzle is harder than 20.0, which is 200",
    };
    let level = rating::read_level(asked.difficulty)
        .map_err(|_| bad_field(field("difficulty"), "no such level"))?;
    let range = tenths.range(asked.er_tenths, &field("er_tenths"))?;
    match (level, range) {
        (Some(_), Some(_)) => {
            let description = "says how hard it is, as difficulty does; send one of them";
            Err(bad_field(field("er_tenths"), description))
        }
        (Some(level), None) => Ok(Some(level.er().into_inner())),
        (None, range) => Ok(range.map(|(min, max)| (min.into(), max.into()))),
    }
}

fn techniques(names: &[String], path: &str) -> Result<Techniques, Status> {
    let read = |(at, name): (usize, &String)| {
        name.parse::<Technique>()
            .map_err(|error| bad_field(format!("{path}[{at}]"), error))
    };
    names.iter().enumerate().map(read).collect()
}

/// The options as resolved, for replies.
pub(super) fn write(make: &MakePuzzle) -> pb::MakePuzzleOptions {
    let small = |(min, max): (u8, u8)| pb::Range {
        min: Some(min.into()),
        max: Some(max.into()),
    };
    pb::MakePuzzleOptions {
        seed: Some(make.seed),
        symmetry: write_symmetry(make.symmetry).into(),
        givens: make.givens.map(small),
        minimal: make.minimal,
        pattern: match make.pattern {
            Pattern::ALL => String::new(),
            pattern => pattern.to_string(),
        },
        givens_per_house: make.givens_per_house.map(small),
        // What is no `u32` was no bound.
        guesses: make.guesses.map(|(min, max)| pb::Range {
            min: u32::try_from(min).ok(),
            max: u32::try_from(max).ok(),
        }),
        difficulty: pb::Difficulty::Unspecified.into(),
        er_tenths: make.er.map(|(min, max)| pb::Range {
            min: Some(min.into()),
            max: Some(max.into()),
        }),
        require_techniques: names(make.require_techniques),
        forbid_techniques: names(make.forbid_techniques),
        rate: make.rate,
        distinct_up_to_symmetry: make.distinct_up_to_symmetry,
        step_limit: make.step_limit,
    }
}

fn names(techniques: Techniques) -> Vec<String> {
    let names = techniques.iter().map(Technique::name);
    names.map(str::to_owned).collect()
}

/// What the ends of a range may be.
struct Bounds {
    most: u8,
    unit: &'static str,
}

impl Bounds {
    /// The ends of a range, if it has any.
    fn range(&self, range: Option<pb::Range>, path: &str) -> Result<Option<(u8, u8)>, Status> {
        let end = |name: &str, asked: Option<u32>, default| match asked.map(u8::try_from) {
            None => Ok(default),
            Some(Ok(number)) if number <= self.most => Ok(number),
            Some(_) => Err(bad_field(format!("{path}.{name}"), self.unit)),
        };
        match range {
            Some(pb::Range {
                min: None,
                max: None,
            })
            | None => Ok(None),
            Some(pb::Range { min, max }) => {
                Ok(Some((end("min", min, 0)?, end("max", max, self.most)?)))
            }
        }
    }
}

fn guesses(range: Option<pb::Range>) -> Option<(u64, u64)> {
    let pb::Range { min, max } = range?;
    (min.is_some() || max.is_some())
        .then(|| (min.map_or(0, u64::from), max.map_or(u64::MAX, u64::from)))
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

    use super::*;
    use crate::rpc::convert::refused;

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
    fn givens_may_have_one_end_and_must_be_possible() {
        let ask = |min, max| {
            let options = pb::MakePuzzleOptions {
                givens: Some(pb::Range { min, max }),
                ..pb::MakePuzzleOptions::default()
            };
            read(Some(&options), "options", false)
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
    fn zeros_are_resolved() {
        let made = read(None, "options", false).expect("defaults");
        assert_eq!(made.step_limit, DEFAULT_MAKE_STEPS);
        assert_eq!(
            (made.givens, made.givens_per_house, made.guesses),
            (None, None, None)
        );
        assert_eq!(made.pattern, Pattern::ALL);
    }

    #[test]
    fn the_wish_in_the_way_is_named() {
        let range = |min, max| Some(pb::Range { min, max });
        let unasked = pb::MakePuzzleOptions::default;
        for (options, code, field) in [
            (
                pb::MakePuzzleOptions {
                    pattern: "x".repeat(80),
                    ..unasked()
                },
                Code::InvalidArgument,
                "options.pattern",
            ),
            (
                pb::MakePuzzleOptions {
                    pattern: ".".repeat(18) + &"x".repeat(63),
                    ..unasked()
                },
                Code::InvalidArgument,
                "options.pattern",
            ),
            (
                pb::MakePuzzleOptions {
                    givens_per_house: range(None, Some(10)),
                    ..unasked()
                },
                Code::InvalidArgument,
                "options.givens_per_house.max",
            ),
            (
                pb::MakePuzzleOptions {
                    givens_per_house: range(Some(3), None),
                    givens: range(None, Some(26)),
                    ..unasked()
                },
                Code::InvalidArgument,
                "options.givens",
            ),
            (
                pb::MakePuzzleOptions {
                    guesses: range(Some(3), Some(2)),
                    ..unasked()
                },
                Code::InvalidArgument,
                "options.guesses",
            ),
        ] {
            let refusal = refused(read(Some(&options), "options", false));
            assert_eq!(refusal, (code, field.to_owned()));
        }
    }

    #[test]
    fn a_level_that_cannot_be_is_named() {
        let range = |min, max| Some(pb::Range { min, max });
        let unasked = pb::MakePuzzleOptions::default;
        for (options, field) in [
            (
                pb::MakePuzzleOptions {
                    difficulty: 6,
                    ..unasked()
                },
                "options.difficulty",
            ),
            (
                pb::MakePuzzleOptions {
                    difficulty: pb::Difficulty::Hard.into(),
                    er_tenths: range(Some(30), None),
                    ..unasked()
                },
                "options.er_tenths",
            ),
            (
                pb::MakePuzzleOptions {
                    er_tenths: range(Some(16), Some(16)),
                    ..unasked()
                },
                "options.er_tenths",
            ),
            (
                pb::MakePuzzleOptions {
                    er_tenths: range(None, Some(201)),
                    ..unasked()
                },
                "options.er_tenths.max",
            ),
            (
                pb::MakePuzzleOptions {
                    difficulty: pb::Difficulty::Extreme.into(),
                    givens: range(Some(79), Some(80)),
                    ..unasked()
                },
                "options.difficulty",
            ),
            (
                pb::MakePuzzleOptions {
                    require_techniques: vec!["X-Wing".to_owned(), "Guess".to_owned()],
                    ..unasked()
                },
                "options.require_techniques[1]",
            ),
            (
                pb::MakePuzzleOptions {
                    difficulty: pb::Difficulty::Easy.into(),
                    require_techniques: vec!["x-wing".to_owned()],
                    ..unasked()
                },
                "options.require_techniques",
            ),
            (
                pb::MakePuzzleOptions {
                    forbid_techniques: vec!["Full House".to_owned()],
                    ..unasked()
                },
                "options.forbid_techniques",
            ),
        ] {
            let refusal = refused(read(Some(&options), "options", false));
            assert_eq!(refusal, (Code::InvalidArgument, field.to_owned()));
        }
    }
}
