//! Whether givens leave one solution, told by one who learns: of many puzzles with the same solution,
//! most that leave more than one are known for that by what was seen before.
//!
//! The cells where another solution differs from the known one are an *unavoidable set*: every puzzle
//! with one solution has a given there. So each "no" of the engine brings sets, and a puzzle without a
//! given in one of them need not be asked about. After some hundred puzzles the engine is asked about
//! few but those that it says yes to. What is known changes how soon an answer comes, never which.
//!
//! That pays only for many puzzles of one solution. In taking givens away once no set is met twice,
//! and those that are found [without a search](super::unavoidable) are all that helps.

use super::fault::Fault;
use super::proof::proven;
use super::{MadePuzzle, MakeOptions, rater};
use crate::sudoku::cell::Cell;
use crate::sudoku::grid::Grid;
use crate::sudoku::puzzle::Puzzle;
use crate::sudoku::set::CellSet;
use crate::sudoku::solve::{Cancel, Cancelled, SolveLimits, Solver, Verdict};

/// Orbits by their numbers, a bit each.
pub(super) type OrbitSet = u128;

/// What is known of the puzzles with one solution, and who is asked about the rest.
pub(super) struct Judge<'a> {
    solution: Grid,
    solver: &'a mut Solver,
    cancel: Cancel<'a>,
    /// The orbit of each cell; nothing for a cell that is never given.
    orbit_of: [OrbitSet; 81],
    /// Unavoidable sets.
    sets: Vec<OrbitSet>,
}

impl<'a> Judge<'a> {
    /// Solutions looked for, at most. With 2 a walk asks 1.4 times as often, with 16 two thirds as
    /// often; either takes as long.
    const SOLUTIONS: u64 = 4;

    /// One who knows nothing yet.
    pub(super) fn new(
        solution: Grid,
        orbits: &[CellSet],
        solver: &'a mut Solver,
        cancel: Cancel<'a>,
    ) -> Self {
        let mut orbit_of = [0; 81];
        for (number, orbit) in orbits.iter().enumerate() {
            for cell in orbit.iter() {
                orbit_of[cell.index()] = 1 << number;
            }
        }
        Self {
            solution,
            solver,
            cancel,
            orbit_of,
            sets: Vec::new(),
        }
    }

    /// The unavoidable sets met so far.
    pub(super) fn sets(&self) -> &[OrbitSet] {
        &self.sets
    }

    /// Whether these givens leave one solution: a microsecond, or some if the engine is asked.
    ///
    /// # Errors
    /// If cancelled.
    pub(super) fn is_unique(&mut self, given: OrbitSet) -> Result<bool, Cancelled> {
        // The latest were met by puzzles like this one.
        if self.sets.iter().rev().any(|set| set & given == 0) {
            return Ok(false);
        }
        let limits = SolveLimits {
            count: Self::SOLUTIONS,
            ..SolveLimits::UNIQUENESS
        };
        let puzzle = self.puzzle(given);
        let keep = usize::try_from(Self::SOLUTIONS).expect("a few");
        let answer = self.solver.solve(&puzzle, limits, keep, self.cancel)?;
        for other in answer.solutions.iter() {
            if *other != self.solution {
                self.sets.push(self.difference(other));
            }
        }
        Ok(answer.verdict == Verdict::Unique)
    }

    /// The puzzle with these givens, proven by the single engine, or the option that it does not meet.
    ///
    /// # Errors
    /// If cancelled.
    ///
    /// # Panics
    /// If the givens leave more than one solution.
    pub(super) fn look(
        &mut self,
        given: OrbitSet,
        options: &MakeOptions,
    ) -> Result<Result<MadePuzzle, Fault>, Cancelled> {
        let is_given = |cell: &Cell| self.orbit_of[cell.index()] & given != 0;
        let cells = Cell::all().filter(is_given).collect();
        if let Some(fault) = Fault::of_givens(cells, options) {
            return Ok(Err(fault));
        }
        let puzzle = self.puzzle(given);
        let mut made = proven(puzzle, self.solution, self.solver, self.cancel)?;
        if let Some(fault) = Fault::of_guesses(made.guesses, options) {
            return Ok(Err(fault));
        }
        if options.is_rated() {
            match rater::rate(&puzzle, options, self.cancel)? {
                Ok(rating) => made.rating = Some(rating),
                Err(fault) => return Ok(Err(fault)),
            }
        }
        Ok(Ok(made))
    }

    /// The puzzle with these givens.
    pub(super) fn puzzle(&self, given: OrbitSet) -> Puzzle {
        let mut cells = *self.solution.cells();
        for (cell, orbit) in cells.iter_mut().zip(self.orbit_of) {
            if orbit & given == 0 {
                *cell = 0;
            }
        }
        Puzzle::from_checked(cells)
    }

    /// The orbits where another solution differs; cells that are never given do not count.
    fn difference(&self, other: &Grid) -> OrbitSet {
        let pairs = self.solution.cells().iter().zip(other.cells());
        let cells = pairs.zip(self.orbit_of);
        cells.fold(
            0,
            |set, ((ours, theirs), orbit)| {
                if ours == theirs { set } else { set | orbit }
            },
        )
    }
}
