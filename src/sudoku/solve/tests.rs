//! The engine against known facts and against the oracle.

use proptest::prelude::*;

use super::{Answer, Cancel, Cancelled, Isa, SolveLimits, Solver, Verdict, naive};
use crate::sudoku::rng::Rng;
use crate::sudoku::symmetry::automorphisms;
use crate::sudoku::{Cell, Conflict, Grid, Puzzle};

/// A solver for every instruction set that this machine has.
fn solvers() -> Vec<Solver> {
    let all = Isa::ALL.into_iter();
    all.filter_map(|isa| Solver::on(isa).ok()).collect()
}

/// The answer on every instruction set, which must be the same.
fn solve(puzzle: &Puzzle, count: u64, keep: usize) -> Answer {
    let limits = SolveLimits {
        count,
        steps: u64::MAX,
    };
    let mut answers = solvers().into_iter().map(|mut solver| {
        solver
            .solve(puzzle, limits, keep, Cancel::never())
            .expect("nobody cancels")
    });
    let answer = answers.next().expect("the portable one");
    for other in answers {
        assert_eq!(answer, other, "{puzzle}");
    }
    answer
}

fn puzzle(line: &str) -> Puzzle {
    line.parse()
        .unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// One line of `known_facts.tsv`.
pub(super) struct Fact {
    pub(super) kind: &'static str,
    pub(super) puzzle: Puzzle,
    /// The number of solutions; if not exact, at least so many.
    pub(super) count: u128,
    exact: bool,
    givens: u8,
    remark: &'static str,
    source: &'static str,
}

pub(super) fn facts() -> Vec<Fact> {
    let text = include_str!("../../../tests/data/known_facts.tsv");
    let facts: Vec<Fact> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let [kind, cells, count, givens, remark, source, _note] = fields[..] else {
                panic!("no fact: {line}")
            };
            let bound = count.strip_prefix(">=");
            Fact {
                kind,
                puzzle: puzzle(cells),
                count: bound.unwrap_or(count).parse().expect("a count"),
                exact: bound.is_none(),
                givens: givens.parse().expect("a number of givens"),
                remark,
                source,
            }
        })
        .collect();
    assert!(facts.len() > 150, "the file is whole");
    facts
}

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

/// A puzzle of a random grid with about `givens` givens left, of which `changed` are then
/// overwritten at random.
pub(super) fn random_puzzle(seed: u64, givens: u32, changed: usize) -> Puzzle {
    let mut rng = Rng::keyed(seed, 0);
    let grid = crate::sudoku::generate::complete(&mut rng, &mut Solver::new(), Cancel::never())
        .expect("not cancelled");
    let mut cells = *grid.cells();
    let mut order: Vec<usize> = (0..81).collect();
    rng.shuffle(&mut order);
    for &cell in &order[givens as usize..] {
        cells[cell] = 0;
    }
    for &cell in &order[..changed] {
        cells[cell] = 1 + u8::try_from(rng.below(9)).expect("a digit");
    }
    Puzzle::from_cells(cells).expect("digits")
}

/// The same count, and the same solutions wherever all of them are returned.
fn assert_agree(puzzle: &Puzzle, count: u64) {
    let limits = SolveLimits {
        count,
        steps: u64::MAX,
    };
    let answer = solve(puzzle, count, 2_000);
    let oracle = naive::solve(puzzle, limits, 2_000, Cancel::never()).expect("nobody cancels");
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
    let mut solutions = answer.solutions;
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
        let mut expected = oracle.solutions;
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
