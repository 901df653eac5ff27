//! How fast the two engines solve, on each instruction set of the machine, on puzzles that the bench
//! makes for itself. Every answer is compared with the solution that the puzzle was made from.
//!
//! ```text
//! cargo bench --bench engine
//! ```

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput};
use gridmill::sudoku::packed::BYTES;
use gridmill::sudoku::solve::{Isa, SingleSolver};
use gridmill::sudoku::{
    BatchSolver, Cancel, Finding, Made, MakeOptions, Puzzle, PuzzleMaker, SolveLimits, Symmetry,
    Verdict,
};

/// Puzzles of a set: a few blocks.
const NUMBER: u64 = 4096;

/// Puzzles of a kind, and their solutions.
struct Set {
    name: &'static str,
    puzzles: Vec<Puzzle>,
    packed: Vec<[u8; BYTES]>,
    solutions: Vec<[u8; BYTES]>,
}

impl Set {
    fn make(name: &'static str, options: MakeOptions) -> Self {
        let mut maker = PuzzleMaker::new(1, options);
        let made: Vec<_> = (0..NUMBER)
            .filter_map(|index| match maker.make(index, Cancel::never()) {
                Ok(Made::Puzzle(made)) => Some(made),
                _ => None,
            })
            .collect();
        assert_eq!(made.len() as u64, NUMBER, "{name}");
        Self {
            name,
            puzzles: made.iter().map(|made| made.puzzle).collect(),
            packed: made.iter().map(|made| made.puzzle.to_packed()).collect(),
            solutions: made.iter().map(|made| made.solution.to_packed()).collect(),
        }
    }
}

fn sets() -> [Set; 2] {
    let options = |givens, minimal| MakeOptions::new(Symmetry::None, givens, minimal, 100_000);
    [
        Set::make(
            "34 givens",
            options(Some(34..=34), false).expect("possible"),
        ),
        Set::make("minimal", options(None, true).expect("possible")),
    ]
}

fn single(criterion: &mut Criterion, sets: &[Set]) {
    for set in sets {
        let mut group = criterion.benchmark_group(format!("single, {}", set.name));
        group.throughput(Throughput::Elements(NUMBER));
        for isa in Isa::ALL {
            let Ok(mut solver) = SingleSolver::on(isa) else {
                continue;
            };
            group.bench_function(BenchmarkId::from_parameter(isa), |bencher| {
                bencher.iter(|| {
                    for (puzzle, solution) in set.puzzles.iter().zip(&set.solutions) {
                        let answer = solver.solve(
                            black_box(puzzle),
                            SolveLimits::UNIQUENESS,
                            1,
                            Cancel::never(),
                        );
                        let answer = answer.expect("nobody cancels");
                        assert_eq!(answer.verdict, Verdict::Unique);
                        assert_eq!(answer.solutions[0].to_packed(), *solution);
                    }
                });
            });
        }
    }
}

fn batch(criterion: &mut Criterion, sets: &[Set]) {
    const UNIQUE: Finding = Finding {
        verdict: Verdict::Unique,
        count: 1,
    };
    for set in sets {
        let mut group = criterion.benchmark_group(format!("batch, {}", set.name));
        group.throughput(Throughput::Elements(NUMBER));
        for isa in Isa::ALL {
            let Ok(mut solver) = BatchSolver::on(isa) else {
                continue;
            };
            let mut solutions = vec![[0; BYTES]; set.packed.len()];
            group.bench_function(BenchmarkId::from_parameter(isa), |bencher| {
                bencher.iter(|| {
                    let puzzles = black_box(&set.packed);
                    let found = solver.solve(
                        puzzles,
                        SolveLimits::UNIQUENESS,
                        &mut solutions,
                        Cancel::never(),
                    );
                    assert!(
                        found
                            .expect("nobody cancels")
                            .iter()
                            .all(|&found| found == UNIQUE)
                    );
                    assert!(solutions == set.solutions);
                });
            });
        }
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let sets = sets();
    single(&mut criterion, &sets);
    batch(&mut criterion, &sets);
    criterion.final_summary();
}
