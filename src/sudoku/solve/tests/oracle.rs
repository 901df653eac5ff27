//! The single engine against the oracle, on all instruction sets.

use proptest::prelude::*;

use super::{random_puzzle, solve, solvers};
use crate::sudoku::rng::Rng;
use crate::sudoku::solve::{Answer, Cancel, Cancelled, SolveLimits, Solver, Verdict, naive};
use crate::sudoku::{Cell, Grid, Puzzle};

#[test]
fn a_raised_flag_ends_the_search() {
    let flag = std::sync::atomic::AtomicBool::new(true);
    let limits = SolveLimits {
        count: u64::MAX,
        steps: u64::MAX,
    };
    assert_eq!(
        Solver::new().solve(&Puzzle::EMPTY, limits, 0, Cancel(&flag)),
        Err(Cancelled)
    );
    assert_eq!(
        naive::solve(&Puzzle::EMPTY, limits, 0, Cancel(&flag)),
        Err(Cancelled)
    );
}

/// The same count, and the same solutions wherever all of them are returned.
fn assert_agree(puzzle: &Puzzle, count: u64) {
    let answer = solve(puzzle, count, 2_000);
    // A contradiction far from the cells filled first can keep the oracle busy for ever.
    let limits = SolveLimits {
        count,
        steps: 2_000_000,
    };
    let oracle = naive::solve(puzzle, limits, 2_000, Cancel::never()).expect("nobody cancels");
    if oracle.verdict == Verdict::StepLimit {
        return;
    }
    assert_eq!(
        (answer.verdict, answer.count, answer.exact),
        (oracle.verdict, oracle.count, oracle.exact),
        "{puzzle} up to {count}"
    );
    let counted = solve(puzzle, count, 0);
    assert_eq!(
        (counted.verdict, counted.count, counted.exact),
        (oracle.verdict, oracle.count, oracle.exact),
        "{puzzle} up to {count}, none kept"
    );
    let keeps_givens = |grid: &Grid| {
        puzzle
            .cells()
            .iter()
            .zip(grid.cells())
            .all(|(&given, &digit)| given == 0 || given == digit)
    };
    let mut solutions = answer.solutions.to_vec();
    assert!(
        solutions
            .iter()
            .all(|grid| keeps_givens(grid) && Grid::from_cells(*grid.cells()).is_ok()),
        "{puzzle}"
    );
    solutions.sort_unstable();
    assert!(
        solutions.windows(2).all(|pair| pair[0] != pair[1]),
        "{puzzle}: a solution twice"
    );
    if answer.exact {
        let mut expected = oracle.solutions.to_vec();
        expected.sort_unstable();
        assert_eq!(solutions, expected, "{puzzle}");
    }
}

#[test]
fn nearly_empty_boards_have_millions_of_solutions() {
    for givens in [0, 4, 12] {
        let puzzle = random_puzzle(u64::from(givens), givens, 0);
        for count in [1, 2, 1_000, 1_000_000] {
            let answer = solve(&puzzle, count, 1_000);
            assert_eq!((answer.count, answer.exact), (count, false), "{puzzle}");
            let mut kept: Vec<Grid> = answer.solutions.to_vec();
            kept.sort_unstable();
            kept.dedup();
            assert_eq!(kept.len() as u64, count.min(1_000), "{puzzle}");
        }
    }
}

#[test]
fn a_chute_has_as_many_fillings_as_the_oracle_finds() {
    for number in 0..120_usize {
        let seed = number as u64;
        let mut cells = *random_puzzle(seed, 81, 0).cells();
        let (band, at) = (number % 2 == 0, number / 2 % 3);
        let in_chute = |cell: usize| at == if band { cell / 27 } else { cell % 9 / 3 };
        let mut chute: Vec<usize> = (0..81).filter(|&cell| in_chute(cell)).collect();
        Rng::keyed(seed, 3).shuffle(&mut chute);
        for &cell in &chute[number / 6 % 10..] {
            cells[cell] = 0;
        }
        assert_agree(&Puzzle::from_cells(cells).expect("digits"), 10_000);
    }
}

#[test]
fn steps_run_out_alike_on_all_instruction_sets() {
    for (seed, steps) in (0..2_000).zip([0, 1, 2, 5, u64::MAX].into_iter().cycle()) {
        let givens = 17 + u32::try_from(seed % 14).expect("small");
        let puzzle = random_puzzle(seed, givens, 0);
        let limits = SolveLimits { count: 50, steps };
        let answers: Vec<Answer> = solvers()
            .iter_mut()
            .map(|solver| {
                solver
                    .solve(&puzzle, limits, 3, Cancel::never())
                    .expect("nobody cancels")
            })
            .collect();
        assert!(
            answers.iter().all(|answer| *answer == answers[0]),
            "{puzzle}"
        );
    }
}

#[test]
fn steps_bound_the_time_where_solutions_are_counted_at_once() {
    for mut solver in solvers() {
        let limits = SolveLimits {
            count: u64::MAX,
            steps: 1_000,
        };
        let answer = solver
            .solve(&Puzzle::EMPTY, limits, 1, Cancel::never())
            .expect("nobody cancels");
        assert_eq!(
            (answer.verdict, answer.guesses),
            (Verdict::StepLimit, 1_000)
        );
        // A last chute has 1,728 fillings at most, for some 16 steps.
        assert!((1_728..200_000).contains(&answer.count), "{}", answer.count);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn agrees_with_the_oracle_on_one_to_many_solutions(seed: u64, givens in 22u32..50, count in 1u64..1_000) {
        assert_agree(&random_puzzle(seed, givens, 0), count);
    }

    #[test]
    fn agrees_with_the_oracle_on_wrong_givens(seed: u64, givens in 24u32..60, changed in 1usize..4) {
        assert_agree(&random_puzzle(seed, givens, changed), 2);
    }

    #[test]
    fn agrees_with_the_oracle_on_boards_nearly_empty(
        seed: u64,
        givens in 0u32..10,
        count in prop::sample::select(vec![1u64, 2, 1_000]),
    ) {
        assert_agree(&random_puzzle(seed, givens, 0), count);
    }

    #[test]
    fn agrees_with_the_oracle_on_any_cells(cells in prop::collection::vec(prop_oneof![9 => Just(0u8), 1 => 1u8..=9], 81)) {
        let cells: [u8; 81] = cells.try_into().expect("81 cells");
        let puzzle = Puzzle::from_cells(cells).expect("digits");
        if !puzzle.conflicts().is_empty() {
            prop_assert_eq!(solve(&puzzle, 2, 0).verdict, Verdict::None);
        }
        // A contradiction far from the cells filled first can keep the oracle busy for ever.
        let limits = SolveLimits { count: 2, steps: 20_000 };
        let oracle = naive::solve(&puzzle, limits, 0, Cancel::never()).expect("nobody cancels");
        if oracle.verdict != Verdict::StepLimit {
            prop_assert_eq!(solve(&puzzle, 2, 0).verdict, oracle.verdict);
        }
    }

    #[test]
    fn another_solution_is_seen_exactly_where_there_is_one(seed: u64, givens in 25u32..40, size in 1usize..9) {
        // A unique puzzle: random givens, then more until there is one solution.
        let full = random_puzzle(seed, 81, 0);
        let solution = Grid::try_from(full).expect("a grid");
        let mut cells = *random_puzzle(seed, givens, 0).cells();
        let mut left: Vec<Cell> = Cell::all().filter(|cell| cells[cell.index()] == 0).collect();
        while solve(&Puzzle::from_cells(cells).expect("digits"), 2, 0).verdict != Verdict::Unique {
            let cell = left.pop().expect("a full grid is unique");
            cells[cell.index()] = solution.cells()[cell.index()];
        }
        let mut given: Vec<Cell> = Cell::all().filter(|cell| cells[cell.index()] != 0).collect();
        Rng::keyed(seed, 1).shuffle(&mut given);
        for cell in &given[..size] {
            cells[cell.index()] = 0;
        }
        let puzzle = Puzzle::from_cells(cells).expect("digits");
        let open = given[..size].iter().copied().collect();
        let multiple = solve(&puzzle, 2, 0).verdict == Verdict::Multiple;
        for mut solver in solvers() {
            let other = solver.has_other(&puzzle, &solution, open, Cancel::never());
            prop_assert_eq!(other.expect("nobody cancels"), multiple);
        }
    }

    #[test]
    fn random_solutions_do_not_depend_on_the_instruction_set(seed: u64, givens in 0u32..40) {
        let puzzle = random_puzzle(seed, givens, 0);
        let mut drawn = Vec::new();
        for mut solver in solvers() {
            let mut rng = Rng::keyed(seed, 2);
            let grid = solver.random_solution(&puzzle, &mut rng, Cancel::never()).expect("nobody cancels");
            drawn.push((grid.expect("it has one"), rng.next_u64()));
        }
        let (grid, _) = drawn[0];
        prop_assert!(puzzle.cells().iter().zip(grid.cells()).all(|(&given, &digit)| given == 0 || given == digit));
        prop_assert!(drawn.iter().all(|other| *other == drawn[0]));
    }
}
