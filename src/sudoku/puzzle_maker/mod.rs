//! Making puzzles: exactly one solution each, with the givens and the symmetry asked for.
//!
//! A try takes a random solution and takes givens away in a random order, orbit by orbit, each only if the solution stays
//! the only one. It goes on until nothing more can go, or until the number of givens wanted is met; then the puzzle is
//! looked at, and if it does not fit, the next try starts from another solution. The number of tries is bounded.
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

    /// Makes the puzzle of this index. A try takes a fraction of a millisecond; few givens may take thousands.
    ///
    /// # Errors
    /// If cancelled.
    pub fn make(&mut self, index: u64, cancel: Cancel<'_>) -> Result<Made, Cancelled> {
        self.make_of(index, cancel, complete)
    }

    /// Makes the puzzle of this index with the given solution, so that the tries differ only in what is taken away.
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
        for _ in 0..self.options.step_limit() {
            cancel.check()?;
            let solution = solution(&mut rng, &mut self.solver, cancel)?;
            if let Some(puzzle) = self.take_away(&solution, &mut rng, cancel)? {
                let answer = self
                    .solver
                    .solve(&puzzle, SolveLimits::UNIQUENESS, 0, cancel)?;
                debug_assert_eq!(answer.verdict, Verdict::Unique, "{puzzle}");
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
        // A fresh copy: an order left over from the item before would tie this one to it.
        let mut orbits = self.orbits.clone();
        rng.shuffle(&mut orbits);
        let mut minimiser = Minimiser::new(solution, &mut self.solver, cancel);
        minimiser.take_away(&orbits, stop)?;
        let puzzle = minimiser.puzzle();
        match puzzle.givens() {
            left if left > max => self.rejections.givens += 1,
            left if left < min => self.rejections.minimal += 1,
            _ => return Ok(Some(puzzle)),
        }
        Ok(None)
    }
}
