//! The engines against known facts, against the oracle, and against each other.

mod facts;
mod front;
mod oracle;

use super::{Answer, Cancel, Isa, SolveLimits, Solver};
use crate::sudoku::Puzzle;
use crate::sudoku::generate::draw;
use crate::sudoku::rng::Rng;

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
pub(in crate::sudoku::solve) struct Fact {
    pub(in crate::sudoku::solve) kind: &'static str,
    pub(in crate::sudoku::solve) puzzle: Puzzle,
    /// The number of solutions; if not exact, at least so many.
    pub(in crate::sudoku::solve) count: u128,
    exact: bool,
    givens: u8,
    remark: &'static str,
    source: &'static str,
}

pub(in crate::sudoku::solve) fn facts() -> Vec<Fact> {
    let text = include_str!("../../../../tests/data/known_facts.tsv");
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

/// A puzzle of a random grid with about `givens` givens left, of which `changed` are then
/// overwritten at random.
pub(in crate::sudoku::solve) fn random_puzzle(seed: u64, givens: u32, changed: usize) -> Puzzle {
    let mut rng = Rng::keyed(seed, 0);
    let grid = draw(&mut rng);
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
