//! What is promised of puzzles that are made by their rating.

use super::plain::{assert_plain, one_by_one, together};
use super::*;
use crate::sudoku::logic::budget::Budget;
use crate::sudoku::logic::difficulty::Difficulty;
use crate::sudoku::logic::path::{self, Known};
use crate::sudoku::logic::pencilmarks::Pencilmarks;
use crate::sudoku::logic::technique::{Technique, Techniques};

fn rating(puzzle: &Puzzle) -> Rating {
    let marks = Pencilmarks::new(puzzle);
    let rating = path::rate(marks, &mut Budget::unlimited()).expect("nobody cancels");
    rating.expect("all techniques together solve it")
}

/// What counts a puzzle that is not as hard as wanted, told from all of its steps.
pub(super) fn fault<'a>(
    puzzle: &Puzzle,
    options: &MakeOptions,
    rejections: &'a mut Rejections,
) -> Option<&'a mut u64> {
    let wanted = options.er().cloned().unwrap_or(0..=u16::MAX);
    let found = rating(puzzle);
    let level = found.difficulty();
    let least = |technique: Technique| *technique.worth().expect("it is taken").start();
    let required = options.require().iter().map(least).max().unwrap_or(0);
    let end = Difficulty::of(*wanted.end());
    if end <= Difficulty::Hard && level > end {
        return Some(&mut rejections.er);
    }
    if level <= Difficulty::Hard && level < Difficulty::of(*wanted.start()) {
        return Some(&mut rejections.er);
    }
    if level <= Difficulty::Hard && level < Difficulty::of(required) {
        return Some(&mut rejections.require_techniques);
    }
    let mut marks = Pencilmarks::new(puzzle);
    let mut budget = Budget::unlimited();
    while let Some(step) =
        path::next(&marks, Known::OneSolution, u16::MAX, &mut budget).expect("nobody cancels")
    {
        if step.er_tenths > *wanted.end() {
            return Some(&mut rejections.er);
        }
        if options.forbid().contains(step.technique) {
            return Some(&mut rejections.forbid_techniques);
        }
        step.apply(&mut marks);
    }
    let mut missing = options.require().iter();
    if !wanted.contains(&found.er) {
        Some(&mut rejections.er)
    } else if missing.any(|technique| !found.techniques().contains(technique)) {
        Some(&mut rejections.require_techniques)
    } else {
        None
    }
}

fn of_level(level: Difficulty) -> Wishes {
    Wishes {
        er: Some(level.er()),
        ..Wishes::any(1_000)
    }
}

pub(super) fn set(techniques: &[Technique]) -> Techniques {
    techniques.iter().copied().collect()
}

/// Wishes of the rating, alone and with others.
fn wishes() -> Vec<Wishes> {
    let any = Wishes::any(1_000);
    let mut all: Vec<_> = Difficulty::ALL.into_iter().map(of_level).collect();
    all.extend([
        Wishes {
            rate: true,
            ..any.clone()
        },
        Wishes {
            er: Some(26..=36),
            symmetry: Symmetry::Rotational180,
            ..any.clone()
        },
        Wishes {
            er: Some(12..=20),
            minimal: true,
            givens: Some(24..=25),
            guesses: 0..=3,
            ..any.clone()
        },
        Wishes {
            require: set(&[Technique::NakedPair]),
            ..any.clone()
        },
        Wishes {
            require: set(&[Technique::XyWing]),
            forbid: set(&[Technique::Pointing, Technique::UniqueRectangle]),
            ..any.clone()
        },
        Wishes {
            forbid: set(&[Technique::NakedSingle]),
            er: Some(17..=69),
            givens_per_house: Some(PerHouse { min: 1, max: 6 }),
            ..any.clone()
        },
        Wishes {
            er: Some(66..=71),
            pattern: ring().into(),
            ..any
        },
    ]);
    all
}

/// Wishes that plain tries hardly ever meet.
fn steered() -> Vec<Wishes> {
    let any = Wishes::any(1_000);
    vec![
        Wishes {
            givens: Some(35..=36),
            er: Some(70..=79),
            ..any.clone()
        },
        Wishes {
            givens: Some(34..=38),
            er: Some(30..=44),
            symmetry: Symmetry::Rotational180,
            ..any.clone()
        },
        Wishes {
            givens: Some(36..=38),
            require: set(&[Technique::NakedTriplet]),
            ..any
        },
    ]
}

/// That the rating is what was wanted, by all of its steps.
fn check_rating(made: &MadePuzzle, options: &MakeOptions) {
    check(made, options);
    let puzzle = &made.puzzle;
    let expected = rating(puzzle);
    assert_eq!(made.rating, Some(expected), "{puzzle}");
    let hardest = expected.hardest.expect("it takes steps");
    assert!(hardest.can_be_worth(expected.er), "{puzzle} {expected:?}");
    let wanted = options.er().cloned().unwrap_or(0..=u16::MAX);
    assert!(wanted.contains(&expected.er), "{puzzle} {expected:?}");
    let taken = expected.techniques();
    assert_eq!(taken.and(options.require()), options.require(), "{puzzle}");
    assert!(taken.and(options.forbid()).is_empty(), "{puzzle}");
}

#[test]
fn every_puzzle_is_as_hard_as_wanted() {
    for wishes in wishes() {
        let options = possible(wishes);
        for made in make(&options, 0..10) {
            check_rating(&made, &options);
        }
    }
    for level in Difficulty::ALL {
        let (symmetry, minimal) = (Symmetry::Rotational180, true);
        let of_level = of_level(level);
        for wishes in [
            Wishes {
                symmetry,
                ..of_level.clone()
            },
            Wishes {
                givens: Some(26..=28),
                ..of_level.clone()
            },
            Wishes {
                givens: Some(24..=25),
                minimal,
                ..of_level
            },
        ] {
            let options = possible(wishes);
            for made in make(&options, 0..4) {
                check_rating(&made, &options);
            }
        }
    }
}

#[test]
fn puzzles_are_those_that_the_steps_one_by_one_let_through() {
    for wishes in wishes() {
        // No more than are plain tries.
        for step_limit in [64, 5] {
            let options = possible(Wishes {
                step_limit,
                ..wishes.clone()
            });
            assert_plain(&options, 8, one_by_one(&options, 0..8));
        }
    }
}

#[test]
fn company_changes_no_rating() {
    for wishes in wishes().into_iter().chain(steered()) {
        let options = possible(wishes);
        let alone = one_by_one(&options, 0..24);
        for size in [5, 24] {
            assert!(
                together(&options, 0..24, size) == alone,
                "{options:?} {size}"
            );
        }
    }
}

#[test]
fn what_is_seldom_is_steered_to() {
    for wishes in steered() {
        // Plain tries alone come to nothing as a rule.
        let plain = possible(Wishes {
            step_limit: 64,
            ..wishes.clone()
        });
        let (made, _) = one_by_one(&plain, 0..8);
        let found = made.iter().filter(|&&made| made != Made::NotFound);
        assert!(found.count() < 7, "{plain:?}");
        let options = possible(wishes);
        for made in make(&options, 0..8) {
            check_rating(&made, &options);
        }
    }
}

#[test]
fn to_be_rated_makes_no_other_puzzle() {
    let any = Wishes::any(100);
    let rated = Wishes {
        rate: true,
        ..any.clone()
    };
    let rated = make(&possible(rated), 0..30);
    let unrated = rated.iter().map(|&made| MadePuzzle {
        rating: None,
        ..made
    });
    assert!(unrated.eq(make(&possible(any), 0..30)));
}

#[test]
fn what_is_not_as_hard_as_wanted_is_counted() {
    let count = |wishes| {
        let mut maker = PuzzleMaker::new(0, possible(wishes));
        let made = maker.make(0_u64, Cancel::never());
        assert_eq!(made, Ok(Made::NotFound));
        maker.rejections()
    };
    let none = Rejections::default();
    let wishes = Wishes {
        er: Some(95..=129),
        ..Wishes::any(10)
    };
    assert_eq!(count(wishes.clone()), Rejections { er: 10, ..none });
    let steered = Wishes {
        givens: Some(30..=32),
        step_limit: 100,
        ..wishes
    };
    assert_eq!(count(steered), Rejections { er: 100, ..none });
    let required = Wishes {
        require: set(&[Technique::Jellyfish]),
        ..Wishes::any(10)
    };
    let require_techniques = 10;
    assert_eq!(
        count(required),
        Rejections {
            require_techniques,
            ..none
        }
    );
    let forbidden = Wishes {
        forbid: set(&[Technique::HiddenSingle]),
        ..Wishes::any(10)
    };
    let forbid_techniques = 10;
    assert_eq!(
        count(forbidden),
        Rejections {
            forbid_techniques,
            ..none
        }
    );
}

#[test]
fn harder_puzzles_take_longer() {
    let effort = |er| {
        let wishes = Wishes {
            er,
            ..Wishes::any(1)
        };
        possible(wishes).effort()
    };
    assert_eq!(effort(None), 1);
    let levels = Difficulty::ALL.map(|level| effort(Some(level.er())));
    assert!(levels[0] < levels[2] && levels[2] < levels[4], "{levels:?}");
    assert!(effort(Some(90..=99)) > 10_000);
    assert!(effort(Some(100..=109)) > effort(Some(90..=99)));
}

#[test]
fn rated_puzzles_stay_what_they_are() {
    // As for other golden puzzles: if this fails, raise `GENERATOR_VERSION`.
    let mut all: Vec<_> = Difficulty::ALL.into_iter().map(of_level).collect();
    all.extend(steered());
    let made: Vec<_> = all
        .into_iter()
        .map(|wishes| {
            let mut maker = PuzzleMaker::new(1, possible(wishes));
            match maker.make(0_u64, Cancel::never()) {
                Ok(Made::Puzzle(made)) => made.puzzle.to_string(),
                other => panic!("{other:?}"),
            }
        })
        .collect();
    let expected = [
        ".432..........587....6....3.17....6.4...8...9..63..12................61267...9.5.",
        "....3.7243..4........98.63..678..2...32......1.........7.6..89..5...937........45",
        ".4.........64.71......2...6.......2.....4..57.24..93..6.....5....3.91....9.8.32..",
        "6.....9...9.7.2.6.7.58.......96.8.............1.34.2......25....6....1.93.......5",
        "..9.3..8..2.8......35.....7.....52...7..2.1....8..6.7..8..5...4...9...3.7....1.6.",
        "61..3..4..4.7...8......4..11.3476..8.8.35...2...821....31.6..7.869147325.7.......",
        "8...9.....2.3..9.7....186..2.59.3461..4...3..3964.15.8..913....5.8..9.3.....4...9",
        "87....4..2.4.8..31.1.2...85..28..9....8.....31....62....19..8469.6415.2.427..8.59",
    ];
    assert_eq!(made, expected);
}
