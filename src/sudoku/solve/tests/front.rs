//! Many puzzles at once are answered as each of them alone.

use proptest::prelude::*;

use super::{facts, random_puzzle, solvers};
use crate::sudoku::cell::Cell;
use crate::sudoku::packed::{self, BYTES};
use crate::sudoku::rng::Rng;
use crate::sudoku::solve::{Cancel, Cancelled, Finding, SolveLimits, Solver, Verdict};
use crate::sudoku::{Grid, Puzzle};

/// Puzzles with no, one and many solutions, hard ones among them.
fn mixture(seed: u64, number: usize) -> Vec<[u8; BYTES]> {
    let mut rng = Rng::keyed(seed, 2);
    let mut puzzles: Vec<_> = facts().iter().map(|fact| fact.puzzle.to_packed()).collect();
    while puzzles.len() < number {
        let givens = 18 + rng.below(40);
        let changed = rng.below(6).saturating_sub(4) as usize;
        puzzles.push(random_puzzle(rng.next_u64(), givens, changed).to_packed());
    }
    rng.shuffle(&mut puzzles);
    puzzles.truncate(number);
    puzzles
}

fn solve_all(
    solver: &mut Solver,
    puzzles: &[[u8; BYTES]],
    limits: SolveLimits,
) -> Vec<(Finding, [u8; BYTES])> {
    // What was there before is overwritten.
    let mut solutions = vec![[7; BYTES]; puzzles.len()];
    let findings = solver
        .solve_all(puzzles, limits, &mut solutions, Cancel::never())
        .expect("nobody cancels");
    findings.into_iter().zip(solutions).collect()
}

fn solve_each(puzzles: &[[u8; BYTES]], limits: SolveLimits) -> Vec<(Finding, [u8; BYTES])> {
    let answer = |packed| {
        let puzzle = Puzzle::from_packed(packed).expect("a puzzle");
        let answer = Solver::new()
            .solve(&puzzle, limits, 1, Cancel::never())
            .expect("nobody cancels");
        let first = answer.solutions.first();
        (
            Finding::from(&answer),
            first.map_or([0; BYTES], Grid::to_packed),
        )
    };
    puzzles.iter().map(answer).collect()
}

#[test]
fn company_and_instruction_set_change_no_answer() {
    for (count, steps) in [
        (1, u64::MAX),
        (2, u64::MAX),
        (7, u64::MAX),
        (2, Solver::SAFETY_NET),
        (2, Solver::SAFETY_NET - 1),
        (2, 3),
        (2, 0),
    ] {
        let limits = SolveLimits { count, steps };
        let puzzles = mixture(steps, 700);
        let expected = solve_each(&puzzles, limits);
        for mut solver in solvers() {
            for size in [1, 127, 128, 129, 700] {
                let found: Vec<_> = puzzles
                    .chunks(size)
                    .flat_map(|puzzles| solve_all(&mut solver, puzzles, limits))
                    .collect();
                assert!(
                    found == expected,
                    "{limits:?}, {size} at a time: {solver:?}"
                );
            }
        }
    }
}

#[test]
fn what_is_left_to_the_single_engine_has_several_solutions_or_is_hard() {
    let puzzles = mixture(5, 700);
    let limits = SolveLimits::UNIQUENESS;
    let expected = solve_each(&puzzles, limits);
    for mut solver in solvers() {
        let mut solutions = vec![[0; BYTES]; puzzles.len()];
        let settled = solver
            .settle(&puzzles, limits, &mut solutions, Cancel::never())
            .expect("nobody cancels");
        let mut hard = 0;
        for (i, found) in settled.into_iter().enumerate() {
            match found {
                Some(found) => assert_eq!((found, solutions[i]), expected[i]),
                None if expected[i].0.verdict == Verdict::Multiple => {}
                None => hard += 1,
            }
        }
        // Of all facts, those built to be hard.
        assert!(hard < 3, "{hard} of {}", puzzles.len());
    }
}

#[test]
fn uniqueness_is_asked_in_any_number() {
    for number in [1, 100, 500] {
        let puzzles: Vec<_> = (0..number)
            .map(|seed| random_puzzle(seed, 24 + u32::try_from(seed % 12).expect("small"), 0))
            .map(|puzzle| puzzle.to_packed())
            .collect();
        let expected: Vec<_> = solve_each(&puzzles, SolveLimits::UNIQUENESS)
            .into_iter()
            .map(|(finding, _)| finding.verdict == Verdict::Unique)
            .collect();
        assert!(number == 1 || expected.contains(&true) && expected.contains(&false));
        for mut solver in solvers() {
            let unique = solver.are_unique(&puzzles, &[], Cancel::never());
            assert_eq!(unique, Ok(expected.clone()));
        }
    }
}

#[test]
fn givens_are_asked_about_in_any_number() {
    for number in [1, 100, 500] {
        let mut puzzles = Vec::new();
        let mut asked = Vec::new();
        let mut expected = Vec::new();
        for seed in 0.. {
            let puzzle = random_puzzle(seed, 28 + u32::try_from(seed % 12).expect("small"), 0);
            let is_unique = |puzzle: [u8; BYTES]| {
                solve_each(&[puzzle], SolveLimits::UNIQUENESS)[0].0.verdict == Verdict::Unique
            };
            if puzzles.len() == number {
                break;
            }
            if !is_unique(puzzle.to_packed()) {
                continue;
            }
            let given = Cell::all().filter(|cell| puzzle.cells()[cell.index()] != 0);
            let given = given.last().expect("there are 28");
            let mut without = puzzle.to_packed();
            packed::clear(&mut without, given);
            puzzles.push(puzzle.to_packed());
            asked.push(Some(given));
            expected.push(is_unique(without));
        }
        for mut solver in solvers() {
            let unique = solver.are_unique(&puzzles, &asked, Cancel::never());
            assert_eq!(unique, Ok(expected.clone()));
        }
    }
}

#[test]
fn what_is_no_puzzle_has_no_solution() {
    let nothing = (
        Finding {
            verdict: Verdict::None,
            count: 0,
        },
        [0; BYTES],
    );
    for mut solver in solvers() {
        for number in [1, 200] {
            let found = solve_all(
                &mut solver,
                &vec![[0xff; BYTES]; number],
                SolveLimits::UNIQUENESS,
            );
            assert_eq!(found, vec![nothing; number]);
        }
    }
}

#[test]
fn a_raised_flag_ends_it() {
    let flag = std::sync::atomic::AtomicBool::new(true);
    for number in [1, 200] {
        let puzzles = vec![Puzzle::EMPTY.to_packed(); number];
        let mut solutions = vec![[0; BYTES]; number];
        let limits = SolveLimits::UNIQUENESS;
        let found = Solver::new().solve_all(&puzzles, limits, &mut solutions, Cancel(&flag));
        assert_eq!(found, Err(Cancelled));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(20) })]

    #[test]
    fn any_order_gives_the_same_answers(seed: u64, count in 1u64..5) {
        let limits = SolveLimits { count, steps: u64::MAX };
        let puzzles = mixture(seed, 300);
        let mut order: Vec<usize> = (0..puzzles.len()).collect();
        Rng::keyed(seed, 3).shuffle(&mut order);
        let shuffled: Vec<_> = order.iter().map(|&i| puzzles[i]).collect();
        let found = solve_all(&mut Solver::new(), &puzzles, limits);
        let again = solve_all(&mut Solver::new(), &shuffled, limits);
        prop_assert!(order.iter().zip(&again).all(|(&i, again)| found[i] == *again));
    }
}
