//! Boards that nobody meets: digits that contradict one another, any candidates, and boards that keep a
//! solution among candidates that no way through a puzzle would leave.

use proptest::collection::vec;
use proptest::prelude::*;

use super::budget::{Budget, Halt};
use super::explanation::{Event, Explanation};
use super::path::{self, Known};
use super::pencilmarks::{Candidate, Pencilmarks, digits};
use super::unit::Unit;
use crate::sudoku::cell::Cell;
use crate::sudoku::digit::Digit;
use crate::sudoku::generate::Uniform;
use crate::sudoku::puzzle::Puzzle;
use crate::sudoku::solve::Cancel;

/// These digits, and of the candidates that they leave those that are not in the masks.
fn board(cells: &[u8], gone: &[u16]) -> Pencilmarks {
    let cells = cells.try_into().expect("as many as cells");
    let mut marks = Pencilmarks::new(&Puzzle::from_cells(cells).unwrap());
    for (cell, &gone) in Cell::all().zip(gone) {
        for digit in digits(gone & 0x1ff) {
            marks.eliminate(cell, digit);
        }
    }
    marks
}

/// Masks of which some have few bits, others many.
fn masks() -> impl Strategy<Value = Vec<u16>> {
    let any = || vec(0..512_u16, 81);
    (any(), any(), 0..3).prop_map(|(mut one, other, kind)| {
        for (one, other) in one.iter_mut().zip(other) {
            match kind {
                0 => *one &= other,
                1 => *one |= other,
                _ => {}
            }
        }
        one
    })
}

/// Whether a cell has no candidate, or a digit no place in a house that lacks it.
fn is_impossible(marks: &Pencilmarks) -> bool {
    let mut empty = marks.empty_cells().iter();
    empty.any(|cell| marks.candidates(cell) == 0)
        || Unit::all().any(|unit| {
            let has = |digit: Digit| {
                let mut cells = unit.cells().iter();
                cells.any(|&cell| marks.digit(cell) == digit.value())
            };
            Digit::ALL
                .into_iter()
                .any(|digit| !has(digit) && marks.places(unit, digit) == 0)
        })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4_000) })]

    /// Every event does something to what is there, and the end is one that can be seen.
    #[test]
    fn any_board_comes_to_a_clear_end(
        cells in vec(prop_oneof![3 => Just(0), 1 => 0..10_u8], 81),
        gone in masks(),
        max_er in prop_oneof![Just(u16::MAX), 0..120_u16],
        is_known in any::<bool>(),
    ) {
        let known = if is_known { Known::OneSolution } else { Known::Nothing };
        let mut budget = Budget::new(300, Cancel::never());
        let mut explanation = Explanation::new(board(&cells, &gone), max_er, known);
        loop {
            let before = explanation.marks().clone();
            match explanation.next(&mut budget) {
                Ok(Some(event)) => {
                    prop_assert!(!event.to_string().is_empty());
                    match &event {
                        Event::Step(step) => {
                            let mut of_it = step.eliminations.iter().chain(&step.placement);
                            prop_assert!(of_it.all(|&of| before.has(of)), "{step:?}");
                            prop_assert!(step.er_tenths <= max_er);
                            prop_assert!(is_known || !step.technique.supposes_one_solution());
                            prop_assert_ne!(explanation.marks(), &before);
                        }
                        Event::Guess(guess) => prop_assert!(before.has(*guess)),
                        Event::Contradiction { .. } => prop_assert!(is_impossible(&before)),
                    }
                }
                Ok(None) => {
                    prop_assert!(before.is_solved() || is_impossible(&before));
                    break;
                }
                Err(halt) => {
                    prop_assert_eq!((halt, budget.left()), (Halt::StepLimit, 0));
                    break;
                }
            }
        }
    }

    /// What supposes nothing holds on any board that keeps a solution, whatever else it leaves.
    #[test]
    fn no_step_loses_a_solution_among_any_candidates(
        seed: u64,
        kept in vec(any::<bool>(), 81),
        some in vec(any::<bool>(), 81),
        gone in masks(),
    ) {
        let solution = Uniform::new(seed, None).grid(0);
        let all = solution.cells().iter().zip(kept.iter().zip(some));
        let cells: Vec<u8> = all
            .map(|(&digit, (&kept, some))| if kept && some { digit } else { 0 })
            .collect();
        let own = solution.cells().iter().map(|digit| 1 << (digit - 1));
        let gone: Vec<u16> = gone.iter().zip(own).map(|(gone, own)| gone & !own).collect();
        let mut marks = board(&cells, &gone);
        let mut budget = Budget::new(1_000, Cancel::never());
        let is_true = |of: &Candidate| solution.cells()[of.cell().index()] == of.digit().value();
        while let Ok(Some(step)) = path::next(&marks, Known::Nothing, u16::MAX, &mut budget) {
            prop_assert!(step.placement.iter().all(is_true), "{step:?}");
            prop_assert!(!step.eliminations.iter().any(is_true), "{step:?}");
            step.apply(&mut marks);
        }
    }
}
