//! No step contradicts a solution: on the ways through 100,000 puzzles of all kinds nothing of the solution
//! goes, and nothing else is filled in.
//!
//! What bounds it is time, which the search for chains takes nearly all of. So nine of ten puzzles are followed
//! as far as the techniques before all chains lead, which solve two of three, and each tenth as far as those
//! worth 8.9 do, which solve all but a few of a thousand. The techniques that come late in the order are tried
//! on every board of some ways in [`path`](super::path); chains worth 9.0 and more on the boards of `examples` and
//! `any_board`, and on a hard one in `chains`.

use super::budget::Budget;
use super::path::{self, Known};
use super::pencilmarks::{Candidate, Pencilmarks};
use super::step::Step;
use super::technique::{Technique, Techniques};
use crate::sudoku::grid::Grid;
use crate::sudoku::puzzle::Puzzle;
use crate::sudoku::puzzle_maker::{Made, MadePuzzle, MakeOptions, PuzzleMaker, Wishes};
use crate::sudoku::solve::{Cancel, SolveLimits, Solver};

/// What all steps before chains are worth at the most, in tenths.
const BEFORE_CHAINS: u16 = 64;
/// The most that every tenth puzzle's steps are worth.
const WITH_CHAINS: u16 = 89;

#[test]
fn on_the_ways_through_100_000_puzzles_no_step_contradicts_the_solution() {
    let (mut count, mut solved, mut seen) = (0, [0, 0], Techniques::NONE);
    let mut maker = PuzzleMaker::new(100, MakeOptions::new(Wishes::any(100_000)).unwrap());
    let sink = |_, made| {
        let Made::Puzzle(made) = made else {
            panic!("a puzzle of any kind is easily made");
        };
        let is_tenth = count % 10 == 9;
        let max_er = if is_tenth { WITH_CHAINS } else { BEFORE_CHAINS };
        let (techniques, is_solved) = follow(&made, max_er);
        seen = techniques.iter().chain(seen.iter()).collect();
        solved[usize::from(is_tenth)] += u32::from(is_solved);
        count += 1;
    };
    maker
        .make_all(0..100_000_u64, Cancel::never(), sink)
        .unwrap();
    assert_eq!(count, 100_000);
    // As many come to their end as should.
    assert!(solved[0] > 60_000 && solved[1] > 9_900, "{solved:?}");
    // Every technique had its turn, but for those that the bound leaves out, and direct claiming.
    let late = Technique::DynamicForcingPlus;
    let expected = Technique::ALL.iter().copied();
    let expected = expected.filter(|&of| of < late && of != Technique::DirectClaiming);
    let missing: Vec<_> = expected.filter(|&of| !seen.contains(of)).collect();
    assert_eq!(missing, []);
}

/// Where a puzzle has two solutions, a rectangle may lose one of them: what supposes one solution is left out
/// where that is not known, and the rest keeps both.
#[test]
fn two_solutions_stay_two_where_one_is_not_supposed() {
    let mut solver = Solver::new();
    let limits = SolveLimits {
        count: 3,
        steps: 100_000,
    };
    let (mut lost, mut count) = (0, 0);
    let mut maker = PuzzleMaker::new(101, MakeOptions::new(Wishes::any(100_000)).unwrap());
    let sink = |_, made| {
        let Made::Puzzle(made) = made else {
            panic!("a puzzle of any kind is easily made");
        };
        // A given less, the first that leaves two.
        let two = (0..81).find_map(|given| {
            let mut cells = *made.puzzle.cells();
            cells[given] = 0;
            let puzzle = Puzzle::from_cells(cells).unwrap();
            let answer = solver.solve(&puzzle, limits, 3, Cancel::never());
            let [a, b] = answer.unwrap().solutions[..] else {
                return None;
            };
            Some((puzzle, a, b))
        });
        let Some((puzzle, a, b)) = two else {
            return;
        };
        let is_lost = |step: &Step| {
            let is_in =
                |of: &Candidate, grid: &Grid| grid.cells()[of.cell().index()] == of.digit().value();
            let mut gone = step.eliminations.iter();
            gone.any(|gone| is_in(gone, &a) || is_in(gone, &b))
                || step
                    .placement
                    .iter()
                    .any(|of| !is_in(of, &a) || !is_in(of, &b))
        };
        count += 1;
        for known in [Known::OneSolution, Known::Nothing] {
            let mut marks = Pencilmarks::new(&puzzle);
            while let Some(step) = path::next(&marks, known, 64, &mut Budget::unlimited()).unwrap()
            {
                if is_lost(&step) {
                    assert!(step.technique.supposes_one_solution(), "{puzzle}: {step:?}");
                    assert_eq!(known, Known::OneSolution, "{puzzle}");
                    lost += 1;
                    break;
                }
                step.apply(&mut marks);
            }
        }
    };
    maker.make_all(0..1_000_u64, Cancel::never(), sink).unwrap();
    assert!(count > 200 && lost > 10, "{count} {lost}");
}

/// The techniques of the way through a puzzle as far as it goes, and whether that is to its end.
fn follow(made: &MadePuzzle, max_er: u16) -> (Techniques, bool) {
    let is_true = |of: Candidate| made.solution.cells()[of.cell().index()] == of.digit().value();
    let mut marks = Pencilmarks::new(&made.puzzle);
    let mut techniques = Techniques::NONE;
    let mut budget = Budget::unlimited();
    while let Some(step) = path::next(&marks, Known::OneSolution, max_er, &mut budget).unwrap() {
        let mut gone = step.eliminations.iter();
        let is_sound = step.placement.is_none_or(is_true)
            && gone.all(|&gone| marks.has(gone) && !is_true(gone));
        assert!(is_sound, "{}: {step:?}", made.puzzle);
        assert!(step.placement.is_some() || !step.eliminations.is_empty());
        techniques = techniques.with(step.technique);
        step.apply(&mut marks);
    }
    (techniques, marks.is_solved())
}
