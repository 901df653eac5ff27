//! Any board with any candidates, solved as a person would.

#![no_main]

use gridmill::sudoku::logic::budget::{Budget, Halt};
use gridmill::sudoku::logic::explanation::{Event, Explanation};
use gridmill::sudoku::logic::path::Known;
use gridmill::sudoku::logic::pencilmarks::{Candidate, Pencilmarks};
use gridmill::sudoku::{Cancel, Puzzle};
use libfuzzer_sys::fuzz_target;

/// A byte of 128 and more is an empty cell; the masks say which candidates are not there.
fuzz_target!(|input: ([u8; 81], [u16; 81], u16, bool)| {
    let (cells, gone, max_er, is_known) = input;
    let Ok(puzzle) = Puzzle::from_cells(cells.map(|cell| if cell < 128 { cell % 10 } else { 0 })) else {
        return;
    };
    let mut marks = Pencilmarks::new(&puzzle);
    for candidate in (0..729).filter_map(Candidate::from_index) {
        let (cell, digit) = (candidate.cell(), candidate.digit());
        if gone[cell.index()] >> (digit.value() - 1) & 1 != 0 {
            marks.eliminate(cell, digit);
        }
    }
    let known = if is_known { Known::OneSolution } else { Known::Nothing };
    let mut budget = Budget::new(500, Cancel::never());
    let mut explanation = Explanation::new(marks, max_er, known);
    loop {
        let before = explanation.marks().clone();
        match explanation.next(&mut budget) {
            Ok(Some(event)) => {
                assert!(!event.to_string().is_empty());
                match &event {
                    Event::Step(step) => {
                        let mut of_it = step.eliminations.iter().chain(&step.placement);
                        assert!(of_it.all(|&of| before.has(of)), "{step:?}");
                        assert!(step.er_tenths <= max_er);
                        assert!(is_known || !step.technique.supposes_one_solution());
                        assert_ne!(explanation.marks(), &before);
                    }
                    Event::Guess(guess) => assert!(before.has(*guess)),
                    Event::Contradiction { .. } => assert!(!before.is_solved()),
                }
            }
            Ok(None) => return,
            Err(halt) => {
                assert_eq!((halt, budget.left()), (Halt::StepLimit, 0));
                return;
            }
        }
    }
});
