//! What is known of certain puzzles, and what was reported to fool other programs.

use super::{Fact, facts, puzzle, solve};
use crate::sudoku::solve::{Cancel, SolveLimits, Solver, Verdict};
use crate::sudoku::symmetry::automorphisms;
use crate::sudoku::{Cell, Conflict, Grid, Puzzle};

#[test]
fn counts_are_those_known() {
    const LIMIT: u64 = 100_000;
    for fact in facts() {
        assert_eq!(fact.puzzle.givens(), fact.givens, "{}", fact.puzzle);
        let answer = solve(&fact.puzzle, LIMIT, 0);
        let expected = u64::try_from(fact.count).unwrap_or(u64::MAX).min(LIMIT);
        assert_eq!(answer.count, expected, "{} {}", fact.kind, fact.puzzle);
        assert_eq!(
            answer.exact,
            fact.exact && fact.count < u128::from(LIMIT),
            "{} {}",
            fact.kind,
            fact.puzzle
        );
    }
}

#[test]
fn killers_of_plain_search_need_few_guesses() {
    // 167 is what the hardest of them takes. The bound leaves room for another choice of guesses,
    // not for another kind of search: without deduction these take up to hundreds of millions.
    const BOUND: u64 = 400;
    let hard = |kind| {
        matches!(
            kind,
            "solver-killer" | "no-solution:search-only" | "unique-17" | "reported"
        )
    };
    for fact in facts().into_iter().filter(|fact| hard(fact.kind)) {
        let answer = solve(&fact.puzzle, 2, 0);
        assert!(
            answer.guesses <= BOUND,
            "{}: {} guesses",
            fact.puzzle,
            answer.guesses
        );
    }
}

#[test]
fn visible_contradictions_are_named() {
    for fact in facts()
        .into_iter()
        .filter(|fact| fact.kind.starts_with("no-solution:"))
    {
        let conflicts = fact.puzzle.conflicts();
        let expected = match fact.kind {
            "no-solution:search-only" => conflicts.is_empty(),
            "no-solution:no-candidate" => conflicts.iter().any(|conflict| {
                matches!(conflict, Conflict::NoCandidate { cell } if fact.puzzle.cells()[cell.index()] == 0)
            }),
            "no-solution:no-place" => conflicts.iter().any(|conflict| matches!(conflict, Conflict::NoPlace { .. })),
            _ => conflicts.iter().any(|conflict| match conflict {
                Conflict::Repeated { digit, house, cells } => {
                    cells.len() > 1
                        && cells.iter().all(|cell| {
                            house.cells().contains(&cell) && fact.puzzle.cells()[cell.index()] == digit.value()
                        })
                }
                _ => false,
            }),
        };
        assert!(expected, "{} {}: {conflicts:?}", fact.kind, fact.puzzle);
    }
    // A puzzle with a solution breaks no rule.
    assert!(
        facts()
            .iter()
            .filter(|fact| fact.count > 0)
            .all(|fact| fact.puzzle.conflicts().is_empty())
    );
}

#[test]
fn no_given_of_a_minimal_puzzle_can_go() {
    let without = |fact: &Fact, cell: Cell| {
        let mut cells = *fact.puzzle.cells();
        cells[cell.index()] = 0;
        Puzzle::from_cells(cells).expect("fewer givens")
    };
    for fact in facts()
        .iter()
        .filter(|fact| fact.remark.contains("minimal"))
    {
        let givens = Cell::all().filter(|cell| fact.puzzle.cells()[cell.index()] != 0);
        let redundant = givens
            .filter(|&cell| solve(&without(fact, cell), 2, 0).verdict == Verdict::Unique)
            .count();
        let expected = match fact.remark.strip_prefix("non-minimal(") {
            Some(number) => number
                .split(' ')
                .next()
                .and_then(|number| number.parse().ok())
                .expect("a number"),
            None => 0,
        };
        assert_eq!(redundant, expected, "{}", fact.puzzle);
    }
}

#[test]
fn automorphisms_are_as_many_as_known() {
    let known = |fact: &Fact| {
        fact.source
            .strip_prefix("aut.c: ")?
            .split(' ')
            .next()?
            .parse::<u32>()
            .ok()
    };
    let mut groups = Vec::new();
    for fact in facts()
        .iter()
        .filter(|fact| fact.kind == "automorphic-grid")
    {
        let grid = Grid::try_from(fact.puzzle).expect("a complete grid");
        assert_eq!(Some(automorphisms(&grid)), known(fact), "{grid}");
        groups.extend(known(fact));
    }
    assert!(groups.contains(&648) && groups.contains(&1));
}

#[test]
fn puzzles_reported_to_hang_or_fool_other_programs() {
    // Timed out elsewhere, though valid.
    let slow =
        puzzle("000007004000006003860200000509082000640000080000000700000000042010030000703000009");
    assert_eq!(solve(&slow, 2, 0).verdict, Verdict::Unique);
    // Duplicate givens: r1c1 and r1c2; r9c8 and r9c9; two sixes in row 2; two nines in row 1, once
    // "solved".
    let with = |givens: &[(usize, u8)]| {
        let mut cells = [0; 81];
        for &(cell, digit) in givens {
            cells[cell] = digit;
        }
        Puzzle::from_cells(cells).expect("digits")
    };
    let wrong = [
        (
            with(&[(0, 1), (1, 1)]),
            "1 stands more than once in row 1: r1c1 r1c2",
        ),
        (
            with(&[(79, 1), (80, 1)]),
            "1 stands more than once in row 9: r9c8 r9c9",
        ),
        (
            with(&[(11, 6), (17, 6), (9, 3), (13, 2)]),
            "6 stands more than once in row 2: r2c3 r2c9",
        ),
        (
            puzzle(
                ".99..5.1.85.4....2432......1...69.83.9.....6.62.71...9......1945....4.37.4.3..6..",
            ),
            "9 stands more than once in row 1: r1c2 r1c3",
        ),
    ];
    for (puzzle, reason) in wrong {
        let answer = solve(&puzzle, 2, 1);
        assert_eq!(
            (answer.verdict, answer.guesses, answer.exact),
            (Verdict::None, 0, true),
            "{puzzle}"
        );
        assert!(answer.solutions.is_empty());
        assert_eq!(puzzle.conflicts()[0].to_string(), reason);
    }
    // 1 to 8 in row 1 and 9 in column 9, once called "multiple solutions".
    let no_candidate = puzzle(&format!("12345678.{}9", ".".repeat(71)));
    assert_eq!(solve(&no_candidate, 2, 0).verdict, Verdict::None);
    assert_eq!(
        no_candidate.conflicts()[0].to_string(),
        "r1c9 has no candidate"
    );
    // The last cell is read: with it alone, and where it alone makes the solution unique.
    let last = puzzle(&format!("{}7", ".".repeat(80)));
    assert_eq!(solve(&last, 1, 1).solutions[0].cells()[80], 7);
    let tail = "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........";
    let turned: String = tail.chars().rev().collect();
    assert_eq!(solve(&puzzle(&turned), 2, 0).verdict, Verdict::Unique);
    assert_eq!(
        solve(&puzzle(&format!("{}.", &turned[..80])), 2, 0).verdict,
        Verdict::Multiple
    );
}

#[test]
fn each_limit_has_its_verdict() {
    let at = |puzzle: &Puzzle, count, steps| {
        let answer = Solver::new()
            .solve(puzzle, SolveLimits { count, steps }, 10, Cancel::never())
            .expect("not cancelled");
        assert_eq!(answer.solutions.len() as u64, answer.count.min(10));
        (answer.verdict, answer.count, answer.exact)
    };
    let unique =
        puzzle("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..");
    assert_eq!(at(&unique, 1, u64::MAX), (Verdict::Solved, 1, false));
    assert_eq!(at(&unique, 2, u64::MAX), (Verdict::Unique, 1, true));
    assert_eq!(at(&unique, 2, 3), (Verdict::StepLimit, 0, false));
    let four =
        puzzle("...3...1.7......3.1.....6.8..8..1.6.5...9......2...3.7...413...8.42.5....2.......");
    assert_eq!(at(&four, 2, u64::MAX), (Verdict::Multiple, 2, false));
    assert_eq!(at(&four, 4, u64::MAX), (Verdict::Multiple, 4, false));
    assert_eq!(at(&four, 5, u64::MAX), (Verdict::Multiple, 4, true));
    let none =
        puzzle(".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........");
    assert_eq!(at(&none, 1, u64::MAX), (Verdict::None, 0, true));
    // What deduction alone answers is answered without any guess allowed; a limit that is just
    // enough is no limit.
    let needed = solve(&unique, 2, 0).guesses;
    assert_eq!(at(&unique, 2, needed).0, Verdict::Unique);
    assert_eq!(at(&unique, 2, needed - 1).0, Verdict::StepLimit);
    let complete = Puzzle::from(solve(&unique, 1, 1).solutions[0]);
    assert_eq!(at(&complete, 2, 0), (Verdict::Unique, 1, true));
}
