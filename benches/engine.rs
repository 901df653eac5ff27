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
    BatchSolver, Cancel, Finding, Made, MakeOptions, Puzzle, PuzzleMaker, SolveLimits, Verdict,
    Wishes,
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
    let options = |givens, minimal| {
        MakeOptions::new(Wishes {
            givens,
            minimal,
            ..Wishes::any(100_000)
        })
    };
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

/// Boards with many solutions: a few rows of a grid, and how many solutions they are known to have.
const COUNTED: [(&str, u64); 2] = [
    (
        "175248396986713245324956871452169783.............................................",
        554_520,
    ),
    (
        "721849653354162897968753412849375261.............................................",
        630_912,
    ),
];

fn counting(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("counting");
    group.throughput(Throughput::Elements(
        COUNTED.iter().map(|(_, count)| count).sum(),
    ));
    let boards = COUNTED.map(|(board, count)| {
        let board: Puzzle = board.parse().expect("81 cells");
        (board, count)
    });
    let limits = SolveLimits {
        count: 1_000_000,
        steps: u64::MAX,
    };
    for isa in Isa::ALL {
        let Ok(mut solver) = SingleSolver::on(isa) else {
            continue;
        };
        group.bench_function(BenchmarkId::from_parameter(isa), |bencher| {
            bencher.iter(|| {
                for (board, count) in &boards {
                    let answer = solver.solve(black_box(board), limits, 1, Cancel::never());
                    let answer = answer.expect("nobody cancels");
                    assert_eq!((answer.count, answer.exact), (*count, true));
                }
            });
        });
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let sets = sets();
    single(&mut criterion, &sets);
    batch(&mut criterion, &sets);
    counting(&mut criterion);
    criterion.final_summary();
}
