//! Puzzles made together are those of the plain way: one try after the other, one orbit after the
//! other; and walks where that is in vain.

use std::ops::Range;

use super::*;
use crate::sudoku::puzzle_maker::minimise::{Minimiser, Stop};
use crate::sudoku::puzzle_maker::sparse::{is_sparse, search};

/// What is made of an index the plain way: one try after the other, one orbit after the other, by
/// counting solutions.
fn plainly(options: &MakeOptions, index: u64, rejections: &mut Rejections) -> Option<Puzzle> {
    let mut rng = Rng::keyed(42, index);
    let mut orbits = options.orbits().to_vec();
    let (min, max) = options.givens().clone().into_inner();
    let before = rejections.givens;
    let is_sparse = is_sparse(options.cells(), &mut Solver::new());
    let mut left = options.step_limit();
    while left > 0 {
        let steps = options.step_limit() - left;
        if !is_sparse && steps == 64 && rejections.givens - before >= 60 {
            return walk::plainly(options, &mut rng, &mut orbits, left, rejections);
        }
        let solution = if is_sparse {
            let (cells, mut solver) = (options.cells(), Solver::new());
            let found = search(cells, left, &mut rng, &mut solver, Cancel::never());
            let found = found.expect("nobody cancels");
            left -= found.tries;
            found.solution
        } else {
            left -= 1;
            draw(&mut rng)
        };
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
        } else if let Some(count) = rated::fault(&made, options, rejections) {
            *count += 1;
        } else {
            return Some(made);
        }
    }
    None
}

pub(super) fn one_by_one(options: &MakeOptions, indices: Range<u64>) -> (Vec<Made>, Rejections) {
    let mut maker = PuzzleMaker::new(42, options.clone());
    let made = indices.map(|index| maker.make(index, Cancel::never()).expect("nobody cancels"));
    (made.collect(), maker.rejections())
}

/// These are the puzzles of the plain way, and as many tries were turned down.
pub(super) fn assert_plain(
    options: &MakeOptions,
    count: u64,
    (made, counted): (Vec<Made>, Rejections),
) {
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

pub(super) fn together(
    options: &MakeOptions,
    indices: Range<u64>,
    size: u64,
) -> (Vec<Made>, Rejections) {
    let mut maker = PuzzleMaker::new(42, options.clone());
    let mut all = Vec::new();
    let mut first = indices.start;
    while first < indices.end {
        let end = indices.end.min(first + size);
        let mut made = Vec::new();
        maker
            .make_all(first..end, Cancel::never(), |Ask { index, .. }, of| {
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
