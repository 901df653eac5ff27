//! Any boards together in a batch, on every instruction set, against the naive oracle.

#![no_main]

use gridmill::sudoku::packed::BYTES;
use gridmill::sudoku::solve::{Isa, naive};
use gridmill::sudoku::{BatchSolver, Cancel, Puzzle, SolveLimits, Verdict};
use libfuzzer_sys::fuzz_target;

const LIMITS: SolveLimits = SolveLimits {
    count: 50,
    steps: 20_000,
};

/// The first byte says how many copies of each board, so that blocks run full; the rest are boards,
/// in which a byte of 128 and more is an empty cell.
fuzz_target!(|input: (u8, Vec<[u8; 81]>)| {
    let (copies, boards) = input;
    let cells = |cell| if cell < 128 { cell % 10 } else { 0 };
    let puzzles: Vec<Puzzle> = boards
        .iter()
        .take(20)
        .filter_map(|board| Puzzle::from_cells(board.map(cells)).ok())
        .collect();
    let packed: Vec<[u8; BYTES]> = (0..=copies % 32)
        .flat_map(|_| puzzles.iter().map(Puzzle::to_packed))
        .collect();
    let oracle: Vec<_> = puzzles
        .iter()
        .map(|puzzle| naive::solve(puzzle, LIMITS, 1, Cancel::never()).expect("nobody cancels"))
        .collect();
    for isa in Isa::ALL {
        let Ok(mut solver) = BatchSolver::on(isa) else {
            continue;
        };
        let mut solutions = vec![[0; BYTES]; packed.len()];
        let found = solver
            .solve(&packed, LIMITS, &mut solutions, Cancel::never())
            .expect("nobody cancels");
        for (i, found) in found.iter().enumerate() {
            let expected = &oracle[i % puzzles.len()];
            if found.verdict == Verdict::StepLimit || expected.verdict == Verdict::StepLimit {
                continue;
            }
            assert_eq!(
                (found.verdict, found.count),
                (expected.verdict, expected.count),
                "{isa}"
            );
            if found.verdict == Verdict::Unique {
                assert_eq!(solutions[i], expected.solutions[0].to_packed(), "{isa}");
            }
        }
    }
});
