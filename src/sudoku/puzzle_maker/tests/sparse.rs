//! Patterns of so few cells that random solutions do not work.

use super::plain::{assert_plain, together};
use super::*;
use crate::sudoku::puzzle_maker::sparse::{is_sparse, search};
use crate::sudoku::solve::{Isa, naive};

/// 26 cells.
fn heart() -> CellSet {
    cells(
        "..xx.xx..
         .x..x..x.
         x...x...x
         x...x...x
         x...x...x
         .x..x..x.
         ..x.x.x..
         ...xxx...
         ....x....",
    )
}

/// 22 cells, unchanged by half a turn.
fn pinwheel() -> CellSet {
    cells(
        "x.....x..
         .x.x....x
         ..x..x...
         x...x..x.
         ..x...x..
         .x..x...x
         ...x..x..
         x....x.x.
         ..x.....x",
    )
}

fn of(pattern: CellSet) -> Wishes {
    Wishes {
        pattern: pattern.into(),
        ..Wishes::any(20_000)
    }
}

/// Wishes of every kind.
fn wishes() -> Vec<Wishes> {
    let pinwheel = of(pinwheel());
    vec![
        of(heart()),
        pinwheel.clone(),
        Wishes {
            symmetry: Symmetry::Rotational180,
            ..pinwheel.clone()
        },
        Wishes {
            givens: Some(22..=22),
            ..pinwheel.clone()
        },
        Wishes {
            givens: Some(25..=26),
            guesses: 1..=u64::MAX,
            ..of(heart())
        },
        Wishes {
            givens_per_house: Some(PerHouse { min: 2, max: 4 }),
            ..pinwheel
        },
    ]
}

#[test]
fn sparse_is_where_random_solutions_do_not_work() {
    let mut solver = Solver::new();
    for (cells, expected) in [
        (CellSet::ALL, false),
        (ring(), false),
        (heart(), true),
        (pinwheel(), true),
    ] {
        assert_eq!(is_sparse(cells, &mut solver), expected, "{cells:?}");
    }
}

#[test]
fn sparse_patterns_have_puzzles() {
    for wishes in wishes() {
        let options = possible(wishes.clone());
        for made in make(&options, 0..3) {
            check(&made, &options);
            let given = Cell::all().filter(|cell| made.puzzle.cells()[cell.index()] != 0);
            let outside = given
                .collect::<CellSet>()
                .difference(wishes.pattern.cells());
            assert!(outside.is_empty(), "{}", made.puzzle);
            let limits = SolveLimits::UNIQUENESS;
            let answer = naive::solve(&made.puzzle, limits, 2, Cancel::never());
            let answer = answer.expect("nobody cancels");
            assert_eq!(
                (answer.verdict, &answer.solutions[..]),
                (Verdict::Unique, &[made.solution][..])
            );
        }
    }
}

#[test]
fn company_changes_nothing() {
    for wishes in wishes() {
        let options = possible(wishes);
        let all = together(&options, 0..4, 4);
        assert!(all == together(&options, 0..4, 1), "{options:?}");
        assert_plain(&options, 4, all);
    }
}

#[test]
fn a_search_is_the_same_on_every_instruction_set() {
    for cells in [heart(), pinwheel()] {
        let searched = |isa| {
            let mut solver = Solver::on(isa).ok()?;
            let mut rng = Rng::keyed(5, 5);
            let found = search(cells, 1_000, &mut rng, &mut solver, Cancel::never());
            let found = found.expect("nobody cancels");
            Some((found.solution, found.tries, rng.next_u64()))
        };
        let portable = searched(Isa::Portable);
        for isa in Isa::ALL {
            let other = searched(isa);
            assert!(other.is_none() || other == portable, "{isa:?}");
        }
    }
}

#[test]
fn a_search_ends_within_its_tries() {
    // Cells along a diagonal; no solution is known. The search does not even come to an end of
    // thinning with few tries.
    let cells = cells(
        "xx.......
         .xx......
         ..xx.....
         ...xx....
         ....xx...
         .....xx..
         ......xx.
         .......xx
         x.......x",
    );
    let mut solver = Solver::new();
    for tries in [1, 2, 30, 500] {
        let mut rng = Rng::keyed(1, tries);
        let found = search(cells, tries, &mut rng, &mut solver, Cancel::never());
        assert_eq!(found.expect("nobody cancels").tries, tries);
    }
    let options = possible(Wishes {
        step_limit: 4_000,
        ..of(cells)
    });
    let mut maker = PuzzleMaker::new(0, options);
    let made = maker.make(0_u64, Cancel::never());
    // A long search, and what is left.
    assert_eq!((made, maker.rejections().pattern), (Ok(Made::NotFound), 2));
}

#[test]
fn a_raised_flag_ends_a_search() {
    let flag = std::sync::atomic::AtomicBool::new(true);
    let (mut rng, mut solver) = (Rng::keyed(0, 0), Solver::new());
    let found = search(pinwheel(), 10, &mut rng, &mut solver, Cancel(&flag));
    assert!(found.is_err());
}

#[test]
fn a_given_solution_is_kept() {
    let options = possible(of(heart()));
    let solution = make(&options, 3..4)[0].solution;
    let ask = Ask {
        solution: Some(solution),
        ..Ask::from(0)
    };
    let made = PuzzleMaker::new(9, options.clone()).make(ask, Cancel::never());
    let Ok(Made::Puzzle(made)) = made else {
        panic!("{made:?}");
    };
    check(&made, &options);
    assert_eq!(made.solution, solution);
}
