//! Making puzzles: exactly one solution each, with the givens and the symmetry asked for.
//!
//! A try takes a random solution and takes givens away in a random order, orbit by orbit, each only
//! if the solution stays the only one. It goes on until nothing more can go, or until the number of
//! givens wanted is met; then the puzzle is looked at, and if it does not fit, the next try starts
//! from another solution. The number of tries is bounded.
//!
//! Puzzle `i` of a seed depends on the seed, the options and `i` alone.

mod minimise;
mod options;
mod symmetry;

pub use options::{Impossible, MakeOptions};
pub use symmetry::{Symmetry, UnknownSymmetry};

use super::generate::complete;
use super::grid::Grid;
use super::puzzle::Puzzle;
use super::rng::Rng;
use super::set::CellSet;
use super::solve::{Cancel, Cancelled, SolveLimits, Solver, Verdict};
use minimise::{Minimiser, Stop};

/// Makes the puzzles of one seed.
#[derive(Clone, Debug)]
pub struct PuzzleMaker {
    seed: u64,
    options: MakeOptions,
    orbits: Vec<CellSet>,
    solver: Solver,
    rejections: Rejections,
}

/// What became of one item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Made {
    /// A puzzle that is all that was asked for.
    Puzzle(MadePuzzle),
    /// No try within the step limit gave one.
    NotFound,
}

/// A puzzle with exactly one solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MadePuzzle {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// Its only solution.
    pub solution: Grid,
    /// Guesses the solver needs to prove that.
    pub guesses: u64,
}

/// How many tries were turned down, by the option that did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Rejections {
    /// More givens than wanted are left, and none can go.
    pub givens: u64,
    /// Taking away all that can go, for the sake of being minimal, leaves fewer givens than wanted.
    pub minimal: u64,
}

impl PuzzleMaker {
    /// The maker of a seed's puzzles.
    #[must_use]
    pub fn new(seed: u64, options: MakeOptions) -> Self {
        let orbits = options.symmetry().orbits();
        Self {
            seed,
            options,
            orbits,
            solver: Solver::new(),
            rejections: Rejections::default(),
        }
    }

    /// The tries turned down since this maker was made.
    #[must_use]
    pub const fn rejections(&self) -> Rejections {
        self.rejections
    }

    /// Makes the puzzle of this index. A try takes a fraction of a millisecond; few givens may take
    /// thousands.
    ///
    /// # Errors
    /// If cancelled.
    pub fn make(&mut self, index: u64, cancel: Cancel<'_>) -> Result<Made, Cancelled> {
        self.make_of(index, cancel, complete)
    }

    /// Makes the puzzle of this index with the given solution, so that the tries differ only in
    /// what is taken away.
    ///
    /// # Errors
    /// If cancelled.
    pub fn make_from(
        &mut self,
        index: u64,
        solution: &Grid,
        cancel: Cancel<'_>,
    ) -> Result<Made, Cancelled> {
        self.make_of(index, cancel, |_, _, _| Ok(*solution))
    }

    fn make_of(
        &mut self,
        index: u64,
        cancel: Cancel<'_>,
        mut solution: impl FnMut(&mut Rng, &mut Solver, Cancel<'_>) -> Result<Grid, Cancelled>,
    ) -> Result<Made, Cancelled> {
        let mut rng = Rng::keyed(self.seed, index);
        // A copy, or the order of one item would be where the next one's shuffling begins.
        let mut orbits = self.orbits.clone();
        for _ in 0..self.options.step_limit() {
            cancel.check()?;
            let solution = solution(&mut rng, &mut self.solver, cancel)?;
            rng.shuffle(&mut orbits);
            if let Some(puzzle) = self.take_away(&solution, &orbits, &mut rng, cancel)? {
                let answer = self
                    .solver
                    .solve(&puzzle, SolveLimits::UNIQUENESS, 0, cancel)?;
                assert_eq!(
                    answer.verdict,
                    Verdict::Unique,
                    "no puzzle leaves without proof: {puzzle}"
                );
                return Ok(Made::Puzzle(MadePuzzle {
                    puzzle,
                    solution,
                    guesses: answer.guesses,
                }));
            }
        }
        Ok(Made::NotFound)
    }

    /// One try.
    fn take_away(
        &mut self,
        solution: &Grid,
        orbits: &[CellSet],
        rng: &mut Rng,
        cancel: Cancel<'_>,
    ) -> Result<Option<Puzzle>, Cancelled> {
        let givens = self.options.givens();
        let (min, max) = givens.clone().into_inner();
        let stop = if self.options.minimal() {
            Stop {
                at: 0,
                never_below: 0,
                needed_above: max,
            }
        } else {
            let above_min = rng.below(u32::from(max - min) + 1);
            let at = min + u8::try_from(above_min).expect("no more than the difference of two u8");
            Stop {
                at,
                never_below: min,
                needed_above: max,
            }
        };
        let mut minimiser = Minimiser::new(solution, &mut self.solver, cancel);
        minimiser.take_away(orbits, stop)?;
        let puzzle = minimiser.puzzle();
        match puzzle.givens() {
            left if left > max => self.rejections.givens += 1,
            left if left < min => self.rejections.minimal += 1,
            _ => return Ok(Some(puzzle)),
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use std::ops::RangeInclusive;

    use super::*;
    use crate::sudoku::cell::Cell;

    fn options(
        symmetry: Symmetry,
        givens: Option<RangeInclusive<u8>>,
        minimal: bool,
    ) -> MakeOptions {
        MakeOptions::new(symmetry, givens, minimal, 10_000).expect("possible")
    }

    fn make(options: &MakeOptions, indices: std::ops::Range<u64>) -> Vec<MadePuzzle> {
        let mut maker = PuzzleMaker::new(42, options.clone());
        let made = |index| match maker.make(index, Cancel::never()).expect("nobody cancels") {
            Made::Puzzle(made) => made,
            Made::NotFound => panic!("nothing found for {index}: {options:?}"),
        };
        indices.map(made).collect()
    }

    fn is_unique(puzzle: &Puzzle) -> bool {
        let answer = Solver::new().solve(puzzle, SolveLimits::UNIQUENESS, 0, Cancel::never());
        answer.expect("nobody cancels").verdict == Verdict::Unique
    }

    /// Everything promised of a made puzzle.
    fn check(made: &MadePuzzle, options: &MakeOptions) {
        let puzzle = made.puzzle;
        let answer = Solver::new()
            .solve(&puzzle, SolveLimits::UNIQUENESS, 2, Cancel::never())
            .expect("nobody cancels");
        assert_eq!(
            (answer.verdict, &answer.solutions[..]),
            (Verdict::Unique, &[made.solution][..]),
            "{puzzle}"
        );
        assert_eq!(answer.guesses, made.guesses);
        assert!(options.givens().contains(&puzzle.givens()), "{puzzle}");
        for orbit in options.symmetry().orbits() {
            let given = |cell: Cell| puzzle.cells()[cell.index()] != 0;
            let some = orbit.iter().any(given);
            assert_eq!(some, orbit.iter().all(given), "{puzzle}");
            if options.minimal() && some {
                let mut cells = *puzzle.cells();
                for cell in orbit.iter() {
                    cells[cell.index()] = 0;
                }
                assert!(
                    !is_unique(&Puzzle::from_checked(cells)),
                    "{puzzle} without {orbit:?}"
                );
            }
        }
    }

    #[test]
    fn puzzles_of_every_symmetry_are_unique_symmetric_and_minimal() {
        for symmetry in Symmetry::ALL {
            let options = options(symmetry, None, false);
            for made in make(&options, 0..30) {
                check(&made, &options);
            }
        }
    }

    #[test]
    fn the_number_of_givens_is_met() {
        for givens in [22..=23, 24..=24, 30..=32, 50..=50, 80..=81] {
            let options = options(Symmetry::None, Some(givens), false);
            for made in make(&options, 0..10) {
                check(&made, &options);
            }
        }
        let options = options(Symmetry::Rotational180, Some(28..=30), false);
        for made in make(&options, 0..20) {
            check(&made, &options);
        }
    }

    #[test]
    fn minimal_puzzles_wait_for_their_number_of_givens() {
        for (symmetry, givens) in [(Symmetry::None, 26..=27), (Symmetry::Diagonal, 25..=26)] {
            let options = options(symmetry, Some(givens), true);
            for made in make(&options, 0..5) {
                check(&made, &options);
            }
        }
    }

    #[test]
    fn the_range_is_spread_over() {
        let options = options(Symmetry::None, Some(30..=33), false);
        let mut seen = [0; 82];
        for made in make(&options, 0..400) {
            seen[usize::from(made.puzzle.givens())] += 1;
        }
        assert!(
            seen[30..=33].iter().all(|&count| count > 50),
            "{:?}",
            &seen[30..=33]
        );
    }

    #[test]
    fn minimal_puzzles_have_as_many_givens_as_others_find() {
        let options = options(Symmetry::None, None, true);
        let givens: u32 = make(&options, 0..2_000)
            .iter()
            .map(|made| u32::from(made.puzzle.givens()))
            .sum();
        // Mean 24.38 by a million puzzles of Denis Berthier's, made the same way; deviation 1.12.
        assert!((48_560..48_960).contains(&givens), "{givens}");
    }

    #[test]
    fn a_puzzle_depends_on_its_seed_and_index_alone() {
        let options = options(Symmetry::None, Some(23..=25), true);
        let forwards = make(&options, 0..20);
        let mut maker = PuzzleMaker::new(42, options.clone());
        for index in (0..20).rev() {
            let made = maker.make(index, Cancel::never()).expect("nobody cancels");
            assert_eq!(
                made,
                Made::Puzzle(forwards[usize::try_from(index).expect("small")])
            );
        }
        let other = PuzzleMaker::new(43, options)
            .make(0, Cancel::never())
            .expect("nobody cancels");
        assert_ne!(other, Made::Puzzle(forwards[0]));
    }

    #[test]
    fn a_given_solution_is_kept() {
        let solution = make(&options(Symmetry::None, None, false), 5..6)[0].solution;
        let options = options(Symmetry::Full, None, false);
        let mut maker = PuzzleMaker::new(1, options.clone());
        let made = [0, 1].map(
            |index| match maker.make_from(index, &solution, Cancel::never()) {
                Ok(Made::Puzzle(made)) => made,
                other => panic!("{other:?}"),
            },
        );
        for made in &made {
            check(made, &options);
            assert_eq!(made.solution, solution);
        }
        assert_ne!(made[0].puzzle, made[1].puzzle);
    }

    #[test]
    fn what_is_not_found_is_said_and_why_is_counted() {
        let tries = |givens, minimal, step_limit| {
            let options = MakeOptions::new(Symmetry::None, Some(givens), minimal, step_limit)
                .expect("possible");
            let mut maker = PuzzleMaker::new(0, options);
            (maker.make(0, Cancel::never()), maker.rejections())
        };
        let rejections = |givens, minimal| Rejections { givens, minimal };
        assert_eq!(
            tries(17..=17, false, 50),
            (Ok(Made::NotFound), rejections(50, 0))
        );
        assert_eq!(
            tries(60..=81, true, 40),
            (Ok(Made::NotFound), rejections(0, 40))
        );
        assert_eq!(
            tries(30..=40, false, 0),
            (Ok(Made::NotFound), rejections(0, 0))
        );
    }

    #[test]
    fn a_raised_flag_ends_the_tries() {
        let flag = std::sync::atomic::AtomicBool::new(true);
        let mut maker = PuzzleMaker::new(0, options(Symmetry::None, None, false));
        assert_eq!(maker.make(0, Cancel(&flag)), Err(Cancelled));
    }

    #[test]
    fn no_group_of_tests_changes_the_result() {
        // One orbit at a time, by counting solutions: the plain way.
        let mut rng = Rng::keyed(9, 9);
        for symmetry in [Symmetry::None, Symmetry::Rotational180, Symmetry::Full] {
            for stop in [
                Stop {
                    at: 0,
                    never_below: 0,
                    needed_above: 81,
                },
                Stop {
                    at: 30,
                    never_below: 29,
                    needed_above: 81,
                },
            ] {
                let solution = complete(&mut rng, &mut Solver::new(), Cancel::never())
                    .expect("nobody cancels");
                let mut orbits = symmetry.orbits();
                rng.shuffle(&mut orbits);
                let mut expected = Puzzle::from(solution);
                for orbit in &orbits {
                    let left = usize::from(expected.givens());
                    if left <= usize::from(stop.at)
                        || left < usize::from(stop.never_below) + orbit.len()
                    {
                        continue;
                    }
                    let mut cells = *expected.cells();
                    for cell in orbit.iter() {
                        cells[cell.index()] = 0;
                    }
                    let without = Puzzle::from_checked(cells);
                    if is_unique(&without) {
                        expected = without;
                    }
                }
                let mut solver = Solver::new();
                let mut minimiser = Minimiser::new(&solution, &mut solver, Cancel::never());
                minimiser.take_away(&orbits, stop).expect("nobody cancels");
                assert_eq!(minimiser.puzzle(), expected, "{symmetry} {stop:?}");
            }
        }
    }
}
