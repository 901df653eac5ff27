use std::ops::RangeInclusive;

use super::minimise::{Minimiser, Stop};
use super::*;
use crate::sudoku::cell::Cell;
use crate::sudoku::generate::draw;
use crate::sudoku::house::House;
use crate::sudoku::rng::Rng;
use crate::sudoku::set::CellSet;
use crate::sudoku::solve::SolveLimits;

fn options(symmetry: Symmetry, givens: Option<RangeInclusive<u8>>, minimal: bool) -> MakeOptions {
    limited(symmetry, givens, minimal, 10_000)
}

fn limited(
    symmetry: Symmetry,
    givens: Option<RangeInclusive<u8>>,
    minimal: bool,
    step_limit: u64,
) -> MakeOptions {
    possible(Wishes {
        symmetry,
        givens,
        minimal,
        ..Wishes::any(step_limit)
    })
}

fn possible(wishes: Wishes) -> MakeOptions {
    MakeOptions::new(wishes).expect("possible")
}

/// The cells that are `x`; lines and spaces are for the eye.
fn cells(picture: &str) -> CellSet {
    let marks = picture.chars().filter(|mark| "x.".contains(*mark));
    let cells = Cell::all().zip(marks);
    cells
        .filter_map(|(cell, mark)| (mark == 'x').then_some(cell))
        .collect()
}

/// A ring, open in the middle and at the corners.
fn ring() -> CellSet {
    cells(
        "..xxxxx..
         .xxxxxxx.
         xxxxxxxxx
         xxx...xxx
         xxx...xxx
         xxx...xxx
         xxxxxxxxx
         .xxxxxxx.
         ..xxxxx..",
    )
}

/// Wishes of every kind, alone and together.
fn wishes() -> Vec<Wishes> {
    let any = Wishes::any(100);
    let ring = Wishes {
        pattern: ring().into(),
        ..any.clone()
    };
    vec![
        ring.clone(),
        Wishes {
            givens: Some(30..=34),
            symmetry: Symmetry::Rotational90,
            ..ring.clone()
        },
        Wishes {
            minimal: true,
            givens_per_house: Some(PerHouse { min: 1, max: 5 }),
            ..any.clone()
        },
        Wishes {
            givens_per_house: Some(PerHouse { min: 2, max: 4 }),
            ..any.clone()
        },
        Wishes {
            givens: Some(36..=36),
            givens_per_house: Some(PerHouse { min: 4, max: 4 }),
            ..any.clone()
        },
        Wishes {
            givens: Some(27..=30),
            symmetry: Symmetry::Diagonal,
            givens_per_house: Some(PerHouse { min: 2, max: 5 }),
            ..any.clone()
        },
        Wishes {
            guesses: 0..=0,
            ..any.clone()
        },
        Wishes {
            minimal: true,
            guesses: 3..=20,
            ..any
        },
        Wishes {
            guesses: 1..=u64::MAX,
            givens_per_house: Some(PerHouse { min: 0, max: 6 }),
            ..ring
        },
    ]
}

fn make(options: &MakeOptions, indices: Range<u64>) -> Vec<MadePuzzle> {
    let mut maker = PuzzleMaker::new(42, options.clone());
    let made = |index| match maker.make(index, Cancel::never()).expect("nobody cancels") {
        Made::Puzzle(made) => made,
        Made::NotFound => panic!("nothing found for {index}: {options:?}"),
    };
    indices.map(made).collect()
}

fn is_unique(puzzle: &Puzzle) -> bool {
    let answer = Solver::new().solve(puzzle, SolveLimits::UNIQUENESS, 0, Cancel::never());
    answer.expect("nobody cancels").verdict == Verdict::Unique
}

fn guesses(puzzle: &Puzzle) -> u64 {
    let answer = Solver::new().solve(puzzle, SolveLimits::UNIQUENESS, 0, Cancel::never());
    answer.expect("nobody cancels").guesses
}

/// Everything promised of a made puzzle.
fn check(made: &MadePuzzle, options: &MakeOptions) {
    let puzzle = made.puzzle;
    let answer = Solver::new()
        .solve(&puzzle, SolveLimits::UNIQUENESS, 2, Cancel::never())
        .expect("nobody cancels");
    assert_eq!(
        (answer.verdict, &answer.solutions[..]),
        (Verdict::Unique, &[made.solution][..]),
        "{puzzle}"
    );
    assert_eq!(answer.guesses, made.guesses);
    assert!(options.givens().contains(&puzzle.givens()), "{puzzle}");
    assert!(options.guesses().contains(&made.guesses), "{puzzle}");
    if let Some(PerHouse { min, max }) = options.givens_per_house() {
        for house in House::all() {
            let is_given = |cell: &Cell| puzzle.cells()[cell.index()] != 0;
            let given = house.cells().into_iter().filter(is_given).count();
            assert!(
                (min.into()..=max.into()).contains(&given),
                "{puzzle}: {house}"
            );
        }
    }
    for orbit in options.symmetry().orbits() {
        let given = |cell: Cell| puzzle.cells()[cell.index()] != 0;
        let some = orbit.iter().any(given);
        assert_eq!(some, orbit.iter().all(given), "{puzzle}");
        if options.minimal() && some {
            let mut cells = *puzzle.cells();
            for cell in orbit.iter() {
                cells[cell.index()] = 0;
            }
            assert!(
                !is_unique(&Puzzle::from_checked(cells)),
                "{puzzle} without {orbit:?}"
            );
        }
    }
}

#[test]
fn puzzles_of_every_symmetry_are_unique_symmetric_and_minimal() {
    for symmetry in Symmetry::ALL {
        let options = options(symmetry, None, false);
        for made in make(&options, 0..30) {
            check(&made, &options);
        }
    }
}

#[test]
fn every_wish_is_met() {
    for wishes in wishes() {
        let options = possible(wishes.clone());
        for made in make(&options, 0..10) {
            check(&made, &options);
            let given = Cell::all().filter(|cell| made.puzzle.cells()[cell.index()] != 0);
            let given: CellSet = given.collect();
            assert!(
                given.difference(wishes.pattern.cells()).is_empty(),
                "{}",
                made.puzzle
            );
        }
    }
}

#[test]
fn the_number_of_givens_is_met() {
    for givens in [22..=23, 24..=24, 30..=32, 50..=50, 80..=81] {
        let options = options(Symmetry::None, Some(givens), false);
        for made in make(&options, 0..10) {
            check(&made, &options);
        }
    }
    let options = options(Symmetry::Rotational180, Some(28..=30), false);
    for made in make(&options, 0..20) {
        check(&made, &options);
    }
}

#[test]
fn minimal_puzzles_wait_for_their_number_of_givens() {
    for (symmetry, givens) in [(Symmetry::None, 26..=27), (Symmetry::Diagonal, 25..=26)] {
        let options = options(symmetry, Some(givens), true);
        for made in make(&options, 0..5) {
            check(&made, &options);
        }
    }
}

#[test]
fn the_range_is_spread_over() {
    let options = options(Symmetry::None, Some(30..=33), false);
    let mut seen = [0; 82];
    for made in make(&options, 0..400) {
        seen[usize::from(made.puzzle.givens())] += 1;
    }
    assert!(
        seen[30..=33].iter().all(|&count| count > 50),
        "{:?}",
        &seen[30..=33]
    );
}

#[test]
fn minimal_puzzles_have_as_many_givens_as_others_find() {
    let options = options(Symmetry::None, None, true);
    let givens: u32 = make(&options, 0..2_000)
        .iter()
        .map(|made| u32::from(made.puzzle.givens()))
        .sum();
    // Mean 24.38 by a million puzzles of Denis Berthier's, made the same way; deviation 1.12.
    assert!((48_560..48_960).contains(&givens), "{givens}");
}

#[test]
fn a_puzzle_depends_on_its_seed_and_index_alone() {
    let options = options(Symmetry::None, Some(23..=25), true);
    let forwards = make(&options, 0..20);
    let mut maker = PuzzleMaker::new(42, options.clone());
    for index in (0..20).rev() {
        let made = maker.make(index, Cancel::never()).expect("nobody cancels");
        assert_eq!(
            made,
            Made::Puzzle(forwards[usize::try_from(index).expect("small")])
        );
    }
    let other = PuzzleMaker::new(43, options)
        .make(0, Cancel::never())
        .expect("nobody cancels");
    assert_ne!(other, Made::Puzzle(forwards[0]));
}

#[test]
fn a_given_solution_is_kept() {
    let solution = make(&options(Symmetry::None, None, false), 5..6)[0].solution;
    let options = options(Symmetry::Full, None, false);
    let mut maker = PuzzleMaker::new(1, options.clone());
    let made = [0, 1].map(
        |index| match maker.make_from(index, &solution, Cancel::never()) {
            Ok(Made::Puzzle(made)) => made,
            other => panic!("{other:?}"),
        },
    );
    for made in &made {
        check(made, &options);
        assert_eq!(made.solution, solution);
    }
    assert_ne!(made[0].puzzle, made[1].puzzle);
}

#[test]
fn what_is_not_found_is_said_and_why_is_counted() {
    let tries = |givens, minimal, step_limit| {
        let options = limited(Symmetry::None, Some(givens), minimal, step_limit);
        let mut maker = PuzzleMaker::new(0, options);
        (maker.make(0, Cancel::never()), maker.rejections())
    };
    let rejections = |givens, minimal| Rejections {
        givens,
        minimal,
        ..Rejections::default()
    };
    assert_eq!(
        tries(17..=17, false, 50),
        (Ok(Made::NotFound), rejections(50, 0))
    );
    assert_eq!(
        tries(60..=81, true, 40),
        (Ok(Made::NotFound), rejections(0, 40))
    );
    assert_eq!(
        tries(30..=40, false, 0),
        (Ok(Made::NotFound), rejections(0, 0))
    );
}

#[test]
fn a_range_that_says_nothing_leaves_as_few_givens_as_none() {
    let any = Wishes::any(1);
    let nothing = Wishes {
        givens_per_house: Some(PerHouse { min: 0, max: 9 }),
        ..any.clone()
    };
    assert_eq!(make(&possible(nothing), 0..50), make(&possible(any), 0..50));
}

#[test]
fn a_solution_that_the_pattern_leaves_ambiguous_is_tried_once() {
    let solution = draw(&mut Rng::keyed(0, 0));
    let options = possible(Wishes {
        pattern: cells(
            "xx.......
             ..xx.....
             ....xx...
             ......xx.
             x.......x
             .xx......
             ...xx....
             .....xx..
             .......xx",
        )
        .into(),
        ..Wishes::any(1_000)
    });
    let mut maker = PuzzleMaker::new(0, options);
    let made = maker.make_from(0, &solution, Cancel::never());
    assert_eq!((made, maker.rejections().pattern), (Ok(Made::NotFound), 1));
}

#[test]
fn a_raised_flag_ends_the_tries() {
    let flag = std::sync::atomic::AtomicBool::new(true);
    let mut maker = PuzzleMaker::new(0, options(Symmetry::None, None, false));
    assert_eq!(maker.make(0, Cancel(&flag)), Err(Cancelled));
}

/// What is made of an index the plain way: one try after the other, one orbit after the other, by
/// counting solutions.
fn plainly(options: &MakeOptions, index: u64, rejections: &mut Rejections) -> Option<Puzzle> {
    let mut rng = Rng::keyed(42, index);
    let mut orbits = options.orbits().to_vec();
    let (min, max) = options.givens().clone().into_inner();
    for _ in 0..options.step_limit() {
        let solution = draw(&mut rng);
        rng.shuffle(&mut orbits);
        let (at, never_below, per_house) = if options.minimal() {
            (0, 0, None)
        } else {
            let above = if options.wants_few() {
                0
            } else {
                rng.below(u32::from(max - min) + 1)
            };
            (
                u32::from(min) + above,
                usize::from(min),
                options.givens_per_house(),
            )
        };
        let mut given = orbits.iter().copied().fold(CellSet::EMPTY, CellSet::union);
        let puzzle = |given: CellSet| {
            let mut cells = [0; 81];
            for cell in given.iter() {
                cells[cell.index()] = solution.cells()[cell.index()];
            }
            Puzzle::from_checked(cells)
        };
        if !is_unique(&puzzle(given)) {
            rejections.pattern += 1;
            continue;
        }
        for &orbit in &orbits {
            let without = given.difference(orbit);
            let crowded = per_house.map_or(CellSet::EMPTY, |wanted| wanted.crowded(given));
            let is_too_much = given.len() > at as usize || !orbit.intersection(crowded).is_empty();
            if is_too_much
                && without.len() >= never_below
                && per_house.is_none_or(|wanted| wanted.has_enough(without))
                && is_unique(&puzzle(without))
            {
                given = without;
            }
        }
        let made = puzzle(given);
        let wanted = options.givens_per_house();
        if given.len() > usize::from(max) {
            rejections.givens += 1;
        } else if given.len() < usize::from(min) {
            rejections.minimal += 1;
        } else if wanted.is_some_and(|wanted| !wanted.is_met(given)) {
            rejections.givens_per_house += 1;
        } else if !options.guesses().contains(&guesses(&made)) {
            rejections.guesses += 1;
        } else {
            return Some(made);
        }
    }
    None
}

fn one_by_one(options: &MakeOptions, indices: Range<u64>) -> (Vec<Made>, Rejections) {
    let mut maker = PuzzleMaker::new(42, options.clone());
    let made = indices.map(|index| maker.make(index, Cancel::never()).expect("nobody cancels"));
    (made.collect(), maker.rejections())
}

/// These are the puzzles of the plain way, and as many tries were turned down.
fn assert_plain(options: &MakeOptions, count: u64, (made, counted): (Vec<Made>, Rejections)) {
    let mut rejections = Rejections::default();
    let plain: Vec<_> = (0..count)
        .map(|index| plainly(options, index, &mut rejections))
        .collect();
    let made = made.into_iter().map(|made| match made {
        Made::Puzzle(made) => Some(made.puzzle),
        Made::NotFound => None,
    });
    assert!(made.eq(plain), "{options:?}");
    assert_eq!(counted, rejections, "{options:?}");
}

fn together(options: &MakeOptions, indices: Range<u64>, size: u64) -> (Vec<Made>, Rejections) {
    let mut maker = PuzzleMaker::new(42, options.clone());
    let mut all = Vec::new();
    let mut first = indices.start;
    while first < indices.end {
        let end = indices.end.min(first + size);
        let mut made = Vec::new();
        maker
            .make_all(first..end, Cancel::never(), |index, of| {
                made.push((index, of));
            })
            .expect("nobody cancels");
        made.sort_unstable_by_key(|&(index, _)| index);
        assert!(made.iter().map(|&(index, _)| index).eq(first..end));
        all.extend(made.into_iter().map(|(_, made)| made));
        first = end;
    }
    (all, maker.rejections())
}

#[test]
fn what_is_made_is_what_the_plain_way_makes() {
    let of_all = |symmetry| options(symmetry, None, false);
    let mut all: Vec<_> = Symmetry::ALL.into_iter().map(of_all).collect();
    all.extend(wishes().into_iter().map(possible));
    for (symmetry, givens, minimal, step_limit) in [
        (Symmetry::None, 23..=23, false, 100),
        (Symmetry::None, 22..=23, true, 10),
        (Symmetry::None, 26..=81, true, 100),
        (Symmetry::None, 30..=33, false, 100),
        (Symmetry::None, 80..=81, false, 1),
        (Symmetry::Full, 24..=29, false, 20),
        (Symmetry::BothMirrors, 28..=28, true, 20),
        (Symmetry::None, 30..=33, false, 0),
    ] {
        all.push(limited(symmetry, Some(givens), minimal, step_limit));
    }
    for options in all {
        assert_plain(&options, 20, one_by_one(&options, 0..20));
    }
}

#[test]
fn company_changes_nothing() {
    for symmetry in Symmetry::ALL {
        let options = options(symmetry, None, false);
        let alone = one_by_one(&options, 0..300);
        for size in [7, 300] {
            assert!(
                together(&options, 0..300, size) == alone,
                "{symmetry} {size}"
            );
        }
    }
    for wishes in wishes() {
        let options = possible(wishes);
        let alone = one_by_one(&options, 0..300);
        assert!(together(&options, 0..300, 300) == alone, "{options:?}");
    }
    for (givens, minimal, count) in [
        (None, true, 3000),
        (Some(27..=31), false, 3000),
        (Some(25..=26), true, 400),
    ] {
        let options = options(Symmetry::None, givens, minimal);
        let alone = one_by_one(&options, 0..count);
        for size in [1, 7, 300, 3000] {
            assert!(
                together(&options, 0..count, size) == alone,
                "{options:?} {size}"
            );
        }
    }
}

#[test]
fn tries_side_by_side_change_nothing() {
    // So few items with so many tries that each has several in progress; some find nothing.
    for (givens, step_limit, count) in [(22..=22, 40, 30), (22..=22, 40, 1), (17..=18, 150, 5)] {
        let options = limited(Symmetry::None, Some(givens), false, step_limit);
        assert_plain(&options, count, together(&options, 0..count, count));
    }
}

#[test]
fn a_flag_raised_in_the_middle_ends_them_all() {
    let flag = std::sync::atomic::AtomicBool::new(false);
    let mut maker = PuzzleMaker::new(0, options(Symmetry::None, None, false));
    let mut made = 0;
    let end = maker.make_all(0..100_000, Cancel(&flag), |_, _| {
        made += 1;
        flag.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    assert_eq!(end, Err(Cancelled));
    assert!(made < 2048, "{made}");
}

#[test]
fn no_group_of_tests_changes_the_result() {
    // One orbit at a time, by counting solutions: the plain way.
    let mut rng = Rng::keyed(9, 9);
    for symmetry in [Symmetry::None, Symmetry::Rotational180, Symmetry::Full] {
        for stop in [
            Stop {
                at: 0,
                never_below: 0,
                needed_above: 81,
                per_house: None,
            },
            Stop {
                at: 30,
                never_below: 29,
                needed_above: 81,
                per_house: None,
            },
        ] {
            let solution = draw(&mut rng);
            let mut orbits = symmetry.orbits();
            rng.shuffle(&mut orbits);
            let mut expected = Puzzle::from(solution);
            for orbit in &orbits {
                let left = usize::from(expected.givens());
                if left <= usize::from(stop.at)
                    || left < usize::from(stop.never_below) + orbit.len()
                {
                    continue;
                }
                let mut cells = *expected.cells();
                for cell in orbit.iter() {
                    cells[cell.index()] = 0;
                }
                let without = Puzzle::from_checked(cells);
                if is_unique(&without) {
                    expected = without;
                }
            }
            let order = std::array::from_fn(|at| u8::try_from(at).expect("below 81"));
            let mut minimiser = Minimiser::new(&solution, &orbits, order, stop);
            while minimiser.is_waiting() {
                let question = minimiser.question(&orbits);
                let question = Puzzle::from_packed(&question).expect("a puzzle");
                minimiser.answer(is_unique(&question), &orbits);
            }
            assert_eq!(
                *minimiser.cells(),
                expected.to_packed(),
                "{symmetry} {stop:?}"
            );
        }
    }
}

#[test]
fn a_seed_and_an_index_stand_for_one_puzzle_for_ever() {
    // If this fails, what clients were promised to be the same is not: raise
    // `GENERATOR_VERSION`.
    let any = Wishes::any(100_000);
    for (wishes, expected) in [
        (
            any.clone(),
            [
                "....3.7243..4........98.63..678..2...32......1.........7.6..89..5...937........45",
                "1......6..3.1.4...9....874...1...........2..8....4.5.28.5...2.3..74........5..4..",
            ],
        ),
        (
            Wishes {
                givens: Some(30..=32),
                ..any.clone()
            },
            [
                "....3.7243..4....9...98.63.5678..2...32.....81.........7.6..89..5...937........45",
                "1...7..6..3.1.48.59..6.8741..1...........2..8....4.5728.5...293..748.......5.94..",
            ],
        ),
        (
            Wishes {
                symmetry: Symmetry::Rotational180,
                ..any.clone()
            },
            [
                "...5...2.32.4.7..9.45........78..21..3.7.1.5..84..59........89.2..1.9.76.9...8...",
                ".....53697.......5..2.3..4....86.9..47.....18..8.41....4..1.2..2.......66135.....",
            ],
        ),
        (
            Wishes {
                givens_per_house: Some(PerHouse { min: 2, max: 4 }),
                guesses: 1..=u64::MAX,
                ..any
            },
            [
                "..9.3..8..2.8......35.....7.....52...7..2.1....8..6.7.98..5...4...9...3.7....1.6.",
                ".6..9..4.2.....8...8..437.....9..4.........973.5..4..1.......78..675.9..8....1...",
            ],
        ),
    ] {
        let mut maker = PuzzleMaker::new(1, possible(wishes.clone()));
        let made = [0, 1].map(|index| match maker.make(index, Cancel::never()) {
            Ok(Made::Puzzle(made)) => made.puzzle.to_string(),
            other => panic!("{other:?}"),
        });
        assert_eq!(made, expected, "{wishes:?}");
    }
}
