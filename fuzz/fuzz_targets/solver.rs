//! Any board, against the naive oracle.

#![no_main]

use gridmill::sudoku::solve::naive;
use gridmill::sudoku::{Cancel, Puzzle, SolveLimits, Solver, Verdict};
use libfuzzer_sys::fuzz_target;

const LIMITS: SolveLimits = SolveLimits {
    count: 50,
    steps: 20_000,
};

fuzz_target!(|cells: [u8; 81]| {
    let Ok(puzzle) = Puzzle::from_cells(cells.map(|cell| if cell < 128 { cell % 10 } else { 0 })) else {
        return;
    };
    let fast = Solver::new().solve(&puzzle, LIMITS, 1, Cancel::never());
    let slow = naive::solve(&puzzle, LIMITS, 1, Cancel::never());
    let (Ok(fast), Ok(slow)) = (fast, slow) else {
        panic!("nobody cancels");
    };
    // Their steps are not the same, so only what both finished can be compared.
    if fast.verdict != Verdict::StepLimit && slow.verdict != Verdict::StepLimit {
        assert_eq!((fast.verdict, fast.count), (slow.verdict, slow.count));
    }
});
