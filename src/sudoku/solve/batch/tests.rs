//! The batch engine against known facts, the oracle, and itself in other company.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use proptest::prelude::*;

use crate::sudoku::cell::Cell;
use crate::sudoku::packed::{self, BYTES};
use crate::sudoku::rng::Rng;
use crate::sudoku::solve::tests::{facts, random_puzzle};
use crate::sudoku::solve::{
    BatchSolver, Cancel, Cancelled, Finding, Isa, SolveLimits, Verdict, naive,
};
use crate::sudoku::{Grid, Puzzle};

fn all_isas() -> impl Iterator<Item = (Isa, BatchSolver)> {
    let all = Isa::ALL.into_iter();
    all.filter_map(|isa| Some((isa, BatchSolver::on(isa).ok()?)))
}

fn limits(count: u64) -> SolveLimits {
    SolveLimits {
        count,
        steps: u64::MAX,
    }
}

/// Findings and solutions of puzzles in one call.
fn solve(
    solver: &mut BatchSolver,
    puzzles: &[[u8; BYTES]],
    limits: SolveLimits,
) -> (Vec<Finding>, Vec<[u8; BYTES]>) {
    let mut solutions = vec![[0; BYTES]; puzzles.len()];
    let findings = solver
        .solve(puzzles, limits, &mut solutions, Cancel::never())
        .expect("nobody cancels");
    assert_eq!(findings.len(), puzzles.len());
    (findings, solutions)
}

/// The findings are the oracle's, and a solution is one of the puzzle, the only one where it is
/// unique.
fn assert_agree(puzzles: &[Puzzle], count: u64) {
    let packed: Vec<_> = puzzles.iter().map(Puzzle::to_packed).collect();
    let bounded = SolveLimits {
        count,
        steps: 2_000_000,
    };
    let oracle: Vec<_> = puzzles
        .iter()
        .map(|puzzle| naive::solve(puzzle, bounded, 1, Cancel::never()).expect("runs"))
        .collect();
    for (isa, mut solver) in all_isas() {
        let (findings, solutions) = solve(&mut solver, &packed, limits(count));
        for (i, puzzle) in puzzles.iter().enumerate() {
            let (found, expected) = (findings[i], &oracle[i]);
            if expected.verdict == Verdict::StepLimit {
                continue;
            }
            assert_eq!(
                (found.verdict, found.count),
                (expected.verdict, expected.count),
                "{isa}, up to {count}: {puzzle}"
            );
            if found.count == 0 {
                assert_eq!(solutions[i], [0; BYTES], "{isa}: {puzzle}");
            } else {
                assert_solves(&solutions[i], puzzle);
            }
            if expected.exact && found.count == 1 {
                assert_eq!(
                    solutions[i],
                    expected.solutions[0].to_packed(),
                    "{isa}: {puzzle}"
                );
            }
        }
    }
}

fn assert_solves(solution: &[u8; BYTES], puzzle: &Puzzle) {
    let cells = packed::to_cells(solution);
    let given = puzzle.cells().iter().zip(&cells);
    assert!(
        Grid::from_cells(cells).is_ok() && given.clone().all(|(&g, &d)| g == 0 || g == d),
        "{cells:?} is no solution of {puzzle}"
    );
}

/// Puzzles of all kinds, for which the oracle does not take long: easy, unique, with several
/// solutions, with none, full and nearly full.
fn mixture(seed: u64, number: usize) -> Vec<Puzzle> {
    let mut rng = Rng::keyed(seed, 1);
    (0..number as u64)
        .map(|i| {
            let givens = 24 + rng.below(58);
            let changed = rng.below(4).saturating_sub(2);
            random_puzzle(seed.wrapping_add(i), givens, changed as usize)
        })
        .collect()
}

#[test]
fn any_size_agrees_with_the_oracle() {
    for (seed, size) in [1, 7, 63, 64, 65, 255, 256, 257, 511, 512, 513, 1500]
        .into_iter()
        .enumerate()
    {
        assert_agree(&mixture(seed as u64, size), 2);
    }
    for (_, mut solver) in all_isas() {
        assert_eq!(solve(&mut solver, &[], limits(2)), (vec![], vec![]));
    }
}

#[test]
fn limits_of_all_sizes_are_met_exactly() {
    let puzzles = mixture(77, 100);
    for count in [1, 2, 3, 10, 1_000] {
        assert_agree(&puzzles, count);
    }
    // 0 is read as 1.
    let packed: Vec<_> = puzzles.iter().map(Puzzle::to_packed).collect();
    for (_, mut solver) in all_isas() {
        let none = solve(&mut solver, &packed, limits(0)).0;
        assert_eq!(none, solve(&mut solver, &packed, limits(1)).0);
    }
}

#[test]
fn boards_nearly_empty_are_counted_up_to_a_million() {
    let mut puzzles = vec![Puzzle::EMPTY.to_packed()];
    puzzles.extend((0..5).map(|givens| random_puzzle(5, givens, 0).to_packed()));
    for (isa, mut solver) in all_isas() {
        for count in [1, 2, 1_000, 1_000_000] {
            // A million on one board: on several they wait for the stack.
            let puzzles = if count == 1_000_000 {
                &puzzles[..1]
            } else {
                &puzzles
            };
            let (findings, solutions) = solve(&mut solver, puzzles, limits(count));
            for (finding, solution) in findings.iter().zip(&solutions) {
                assert_eq!(finding.count, count, "{isa}");
                assert!(Grid::from_cells(packed::to_cells(solution)).is_ok());
            }
        }
    }
}

#[test]
fn known_facts_hold_in_any_company() {
    let facts: Vec<_> = facts()
        .into_iter()
        .map(|fact| (fact.puzzle, fact.count))
        .collect();
    let easy: Vec<_> = mixture(3, 600).iter().map(Puzzle::to_packed).collect();
    let hard: Vec<_> = facts.iter().map(|(puzzle, _)| puzzle.to_packed()).collect();
    let expected: Vec<_> = facts.iter().map(|&(_, count)| count.min(2)).collect();
    let counts = |findings: &[Finding]| -> Vec<u128> {
        findings
            .iter()
            .map(|finding| u128::from(finding.count))
            .collect()
    };
    for (isa, mut solver) in all_isas() {
        let alone = solve(&mut solver, &hard, limits(2));
        assert_eq!(counts(&alone.0), expected, "{isa}");
        // Among easy ones, and backwards.
        let mut mixed = easy.clone();
        mixed.splice(300..300, hard.iter().rev().copied());
        let (findings, solutions) = solve(&mut solver, &mixed, limits(2));
        let mut again: Vec<_> = findings[300..300 + hard.len()].to_vec();
        again.reverse();
        assert_eq!(again, alone.0, "{isa}");
        for (i, finding) in alone.0.iter().enumerate() {
            if finding.verdict == Verdict::Unique {
                assert_eq!(solutions[300 + hard.len() - 1 - i], alone.1[i], "{isa}");
            }
        }
    }
}

#[test]
fn guesses_of_what_is_exhausted_are_the_same_in_any_company() {
    let hard: Vec<_> = facts()
        .into_iter()
        .filter(|fact| fact.count <= 1 && matches!(fact.kind, "solver-killer" | "unique-17"))
        .map(|fact| fact.puzzle.to_packed())
        .collect();
    for (isa, mut solver) in all_isas() {
        for steps in [0, 1, 3, 10, 30, 100] {
            let limits = SolveLimits { count: 2, steps };
            let together = solve(&mut solver, &hard, limits).0;
            for (puzzle, found) in hard.iter().zip(together) {
                let alone = solve(&mut solver, &[*puzzle], limits).0[0];
                assert_eq!(found.verdict, alone.verdict, "{isa}, {steps}");
            }
        }
        let limit = SolveLimits { count: 2, steps: 1 };
        let given_up = solve(&mut solver, &hard, limit).0;
        assert!(
            given_up
                .iter()
                .any(|finding| finding.verdict == Verdict::StepLimit)
        );
    }
}

#[test]
fn what_is_no_puzzle_has_no_solution() {
    let easy = random_puzzle(1, 50, 0).to_packed();
    let mut wrong = vec![[0xff; BYTES], [0xaa; BYTES]];
    // A nibble that is no digit, at every place, the one after the last cell among them.
    for nibble in 0..2 * BYTES {
        for value in 1..16 {
            let mut packed = easy;
            let shift = if nibble % 2 == 0 { 4 } else { 0 };
            packed[nibble / 2] = packed[nibble / 2] & !(15 << shift) | value << shift;
            if Puzzle::from_packed(&packed).is_err() {
                wrong.push(packed);
            }
        }
    }
    assert_eq!(wrong.len(), 2 + 81 * 6 + 15);
    for (_, mut solver) in all_isas() {
        let (findings, solutions) = solve(&mut solver, &wrong, limits(2));
        let none = |finding: &Finding| finding.verdict == Verdict::None;
        assert!(findings.iter().all(none));
        assert!(solutions.iter().all(|solution| *solution == [0; BYTES]));
    }
}

/// Whether a puzzle without this given has a solution with another digit there, if the oracle can
/// tell.
fn has_other(puzzle: &Puzzle, given: Cell) -> Option<bool> {
    let limits = SolveLimits {
        count: 1,
        steps: 20_000,
    };
    let known = puzzle.cells()[given.index()];
    for digit in (1..=9).filter(|&digit| digit != known) {
        let mut cells = *puzzle.cells();
        cells[given.index()] = digit;
        let answer = naive::solve(&Puzzle::from_checked(cells), limits, 0, Cancel::never());
        match answer.expect("runs").verdict {
            Verdict::None => {}
            Verdict::StepLimit => return None,
            _ => return Some(true),
        }
    }
    Some(false)
}

#[test]
fn a_given_asked_about_is_needed_where_the_oracle_says_so() {
    let mut puzzles = Vec::new();
    let mut asked = Vec::new();
    let mut expected = Vec::new();
    let mut rng = Rng::keyed(12, 1);
    // Some with one solution and some with many, each asked about every given, and once as it is.
    for seed in 0..60 {
        let puzzle = random_puzzle(seed, 22 + rng.below(24), 0);
        let givens = Cell::all().filter(|cell| puzzle.cells()[cell.index()] != 0);
        for given in givens {
            if let Some(has_other) = has_other(&puzzle, given) {
                puzzles.push(puzzle.to_packed());
                asked.push(Some(given));
                expected.push(has_other);
            }
        }
        let count = naive::solve(&puzzle, limits(2), 0, Cancel::never());
        puzzles.push(puzzle.to_packed());
        asked.push(None);
        expected.push(count.expect("runs").count == 2);
    }
    assert!(puzzles.len() > 1_500, "{}", puzzles.len());
    for (isa, mut solver) in all_isas() {
        for size in [1, 100, puzzles.len()] {
            let calls = puzzles.chunks(size).zip(asked.chunks(size));
            // One by one a call is a block's work for each.
            let calls = calls.zip(expected.chunks(size)).take(300);
            for ((puzzles, asked), expected) in calls {
                let found = solver
                    .are_unique(puzzles, asked, u64::MAX, Cancel::never())
                    .expect("nobody cancels");
                let multiple = found.iter().map(|found| found.verdict == Verdict::Multiple);
                assert!(multiple.eq(expected.iter().copied()), "{isa}, {size}");
                let unique = |found: &Finding| found.verdict == Verdict::Unique;
                assert!(
                    found
                        .iter()
                        .zip(expected)
                        .all(|(f, &other)| unique(f) != other)
                );
            }
        }
    }
}

#[test]
fn hard_puzzles_among_questions_are_answered_within_their_guesses() {
    let hard: Vec<_> = facts()
        .into_iter()
        .filter(|fact| fact.count == 1 && matches!(fact.kind, "solver-killer" | "unique-17"))
        .map(|fact| fact.puzzle)
        .collect();
    // Each many times over, so that blocks pile up.
    let puzzles: Vec<_> = hard.iter().cycle().take(3_000).collect();
    let given = |puzzle: &Puzzle| Cell::all().find(|cell| puzzle.cells()[cell.index()] != 0);
    let asked: Vec<_> = puzzles.iter().map(|puzzle| given(puzzle)).collect();
    let packed: Vec<_> = puzzles.iter().map(|puzzle| puzzle.to_packed()).collect();
    for (isa, mut solver) in all_isas() {
        let mut ask = |of: Range<usize>, steps| {
            let asked = &asked[of.clone()];
            let found = solver.are_unique(&packed[of], asked, steps, Cancel::never());
            found.expect("nobody cancels")
        };
        let alone: Vec<_> = (0..hard.len())
            .map(|i| ask(i..i + 1, 2_000)[0].verdict)
            .collect();
        let together = ask(0..packed.len(), 2_000);
        for (found, alone) in together.iter().zip(alone.iter().cycle()) {
            // Where there is another solution, how soon it is found depends on the company.
            assert!(
                found.verdict == *alone
                    || *alone != Verdict::Unique && found.verdict != Verdict::Unique,
                "{isa}"
            );
        }
        let given_up = ask(0..packed.len(), 0);
        assert!(
            given_up
                .iter()
                .any(|found| found.verdict == Verdict::StepLimit)
        );
    }
}

#[test]
fn a_cancelled_search_leaves_nothing_behind() {
    let puzzles: Vec<_> = mixture(8, 700).iter().map(Puzzle::to_packed).collect();
    let mut endless = puzzles.clone();
    endless.resize(800, Puzzle::EMPTY.to_packed());
    for (_, mut solver) in all_isas() {
        // Raised in the middle, while lanes are parked and solutions unread.
        let flag = AtomicBool::new(false);
        let cancelled = thread::scope(|scope| {
            scope.spawn(|| {
                for _ in 0..50_000 {
                    thread::yield_now();
                }
                flag.store(true, Ordering::Relaxed);
            });
            let mut solutions = vec![[0; BYTES]; endless.len()];
            solver.solve(&endless, limits(u64::MAX), &mut solutions, Cancel(&flag))
        });
        assert_eq!(cancelled, Err(Cancelled));
        let fresh = solve(&mut BatchSolver::new(), &puzzles, limits(2)).0;
        assert_eq!(solve(&mut solver, &puzzles, limits(2)).0, fresh);
    }
}

#[test]
fn a_place_too_few_for_solutions_is_no_harm() {
    let puzzles: Vec<_> = mixture(9, 20).iter().map(Puzzle::to_packed).collect();
    let mut few = vec![[0; BYTES]; 3];
    let found = BatchSolver::new().solve(&puzzles, limits(2), &mut few, Cancel::never());
    assert_eq!(
        found,
        Ok(solve(&mut BatchSolver::new(), &puzzles, limits(2)).0)
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn agrees_with_the_oracle_on_any_mixture(seed: u64, size in 1usize..80, count in 1u64..100) {
        assert_agree(&mixture(seed, size), count);
    }

    #[test]
    fn agrees_with_the_oracle_on_any_cells(cells in prop::collection::vec(prop_oneof![9 => Just(0u8), 1 => 1u8..=9], 81)) {
        let cells: [u8; 81] = cells.try_into().expect("81 cells");
        let puzzle = Puzzle::from_cells(cells).expect("digits");
        assert_agree(&[puzzle], 2);
    }
}
