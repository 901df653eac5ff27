//! Making puzzles: exactly one solution each, with the givens and the symmetry asked for.
//!
//! A try takes a random solution and takes givens away in a random order, orbit by orbit, each only
//! if the solution stays the only one. It goes on until nothing more can go, or until the number of
//! givens wanted is met; then the puzzle is looked at, and if it does not fit, the next try starts
//! from another solution. Where nearly all tries leave too many givens, a [`walk`] goes on from puzzle
//! to puzzle with the same solution. Where the cells that may be given are so few that hardly any solution is
//! the only one, one that is must be [searched for](sparse) to begin with. Where nearly all tries are too easy
//! or too hard, further ones are [steered](steer). The number of puzzles looked at is bounded.
//!
//! How hard a puzzle is, is the last thing that is looked at, and by a [`sieve`] first ([`rater`]).
//!
//! Puzzle `i` of a seed depends on the seed, the options and `i` alone, and so does any further puzzle that
//! is made for `i`.
//!
//! Nearly all of the time goes to tests of whether a solution is the only one, and the batch engine
//! answers hundreds of them many times faster than the single engine one. So items are made in
//! lockstep: a *round* collects the questions of all items in progress, asks them in one call, and
//! hands the answers back. An answer is a fact, whoever found it, so company changes nothing.
//!
//! Rejected: no rounds but a stream, in which whoever gets an answer asks on at once. No lane runs empty
//! at the end of a round then, and 320 items in progress do: a fifth fewer sweeps. But the engine and
//! the items drive one another out of the cache: 2 % more minimal puzzles a second, 5 % fewer others.
//!
//! Most questions are about one given: is it needed? Both engines answer that sooner than how many
//! solutions there are, since they look only for one with another digit there. A round of few
//! questions goes to the single engine, which asks likewise about several givens.
//!
//! Where few items are left and each takes many tries, tries of an item run side by side ([`item`]).

mod board;
mod effort;
mod fault;
mod hardness;
mod impossible;
mod item;
mod judge;
mod minimise;
mod options;
mod pattern;
mod proof;
mod rater;
mod sieve;
mod sparse;
mod steer;
mod symmetry;
#[cfg(test)]
mod tests;
mod unavoidable;
mod walk;

pub use impossible::Impossible;
pub use minimise::PerHouse;
pub use options::{MakeOptions, Wishes};
pub use pattern::{Pattern, PatternError};
pub use symmetry::{Symmetry, UnknownSymmetry};

use std::iter;

use super::cell::Cell;
use super::grid::Grid;
use super::logic::rating::Rating;
use super::packed::{self, BYTES};
use super::puzzle::Puzzle;
use super::solve::{Cancel, Cancelled, Solver};
use item::Item;

/// Items in progress at a time, or tries if those are more: enough to keep the batch engine's blocks
/// full, few enough for the cache.
const ROOM: usize = 1024;

/// Makes the puzzles of one seed.
#[derive(Clone, Debug)]
pub struct PuzzleMaker {
    seed: u64,
    options: MakeOptions,
    solver: Solver,
    rejections: Rejections,
    /// Whether the pattern is sparse, once that is known.
    is_sparse: Option<bool>,
}

/// Which puzzle is to be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ask {
    /// Its index.
    pub index: u64,
    /// Which of the puzzles of that index: each is made from random numbers of its own.
    pub remake: u32,
    /// Its solution, if that is not drawn; then the tries differ only in what is taken away.
    pub solution: Option<Grid>,
}

impl From<u64> for Ask {
    /// The first puzzle of this index.
    fn from(index: u64) -> Self {
        Self {
            index,
            remake: 0,
            solution: None,
        }
    }
}

/// What became of one item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all that is made is a puzzle, and is handed over once"
)]
pub enum Made {
    /// A puzzle that is all that was asked for.
    Puzzle(MadePuzzle),
    /// None of the puzzles looked at within the step limit was.
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
    /// How hard it is, if the options [are of that](MakeOptions::is_rated).
    pub rating: Option<Rating>,
}

/// How many puzzles were turned down, by the option that did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Rejections {
    /// More givens than wanted are left, and none can go.
    pub givens: u64,
    /// Taking away all that can go, for the sake of being minimal, leaves fewer givens than wanted.
    pub minimal: u64,
    /// The givens that the pattern allows leave more than one solution.
    pub pattern: u64,
    /// A house has more or fewer givens than wanted.
    pub givens_per_house: u64,
    /// The single engine takes more or fewer guesses than wanted.
    pub guesses: u64,
    /// It is easier or harder than wanted.
    pub er: u64,
    /// A technique that is required is not among those of its way.
    pub require_techniques: u64,
    /// A technique that is forbidden is.
    pub forbid_techniques: u64,
    /// Its rating takes more steps than one puzzle may, or the techniques do not solve it.
    pub rating: u64,
}

impl PuzzleMaker {
    /// The maker of a seed's puzzles.
    #[must_use]
    pub fn new(seed: u64, options: MakeOptions) -> Self {
        Self {
            seed,
            options,
            solver: Solver::new(),
            rejections: Rejections::default(),
            is_sparse: None,
        }
    }

    /// What was turned down since this maker was made.
    #[must_use]
    pub const fn rejections(&self) -> Rejections {
        self.rejections
    }

    /// Makes a puzzle. A step takes a fraction of a millisecond. Without symmetry 20 givens take about a
    /// hundred, 19 a thousand and 18 half a million. In a sparse pattern a solution takes some
    /// milliseconds with 24 cells, some tenths of a second with 20.
    ///
    /// # Errors
    /// If cancelled.
    pub fn make(&mut self, ask: impl Into<Ask>, cancel: Cancel<'_>) -> Result<Made, Cancelled> {
        let mut result = Made::NotFound;
        self.make_all(iter::once(ask), cancel, |_, made| result = made)?;
        Ok(result)
    }

    /// Makes puzzles, each as [`make`](Self::make) does, and hands them to `sink` in the order in which
    /// they are done. From some hundred on it is several times as fast as one by one.
    ///
    /// # Errors
    /// If cancelled, which is looked for in every round of tests and at every guess.
    pub fn make_all(
        &mut self,
        asks: impl IntoIterator<Item = impl Into<Ask>>,
        cancel: Cancel<'_>,
        sink: impl FnMut(Ask, Made),
    ) -> Result<(), Cancelled> {
        let (seed, step_limit) = (self.seed, self.options.step_limit());
        let is_sparse = self.is_sparse();
        let asks = asks.into_iter();
        let items = asks.map(|ask| Item::new(seed, ask.into(), step_limit, is_sparse));
        self.run(items, cancel, sink)
    }

    fn is_sparse(&mut self) -> bool {
        let look = || sparse::is_sparse(self.options.cells(), &mut self.solver);
        *self.is_sparse.get_or_insert_with(look)
    }

    /// One round after the other: answers are taken, questions asked. An item that is over makes room
    /// for a later one.
    fn run(
        &mut self,
        items: impl Iterator<Item = Item>,
        cancel: Cancel<'_>,
        mut sink: impl FnMut(Ask, Made),
    ) -> Result<(), Cancelled> {
        let mut later = items.peekable();
        // A search takes so long that company gains nothing, and the first puzzles would wait for it.
        let room = if later.peek().is_some_and(Item::searches) {
            1
        } else {
            ROOM
        };
        let mut items: Vec<_> = later.by_ref().take(room).collect();
        let mut questions = Vec::with_capacity(items.len());
        let mut asked = Vec::with_capacity(items.len());
        let mut answers = Vec::new();
        while !items.is_empty() {
            cancel.check()?;
            let width = width(&items, later.peek().is_none());
            let mut given = answers.into_iter();
            questions.clear();
            asked.clear();
            for item in &mut items {
                item.answer(&mut given, self.options.orbits());
                item.look(&self.options, &mut self.solver, cancel)?;
                while let Some(made) = item.end(
                    &self.options,
                    &mut self.rejections,
                    &mut self.solver,
                    cancel,
                )? {
                    sink(item.ask, made);
                    let Some(next) = later.next() else { break };
                    *item = next;
                }
                item.begin(width, &self.options, &mut self.solver, cancel)?;
                for attempt in item.waiting() {
                    let minimiser = &attempt.minimiser;
                    let given = minimiser.asked(self.options.orbits());
                    questions.push(match given {
                        Some(_) => *minimiser.cells(),
                        None => minimiser.question(self.options.orbits()),
                    });
                    asked.push(given);
                }
            }
            items.retain(|item| !item.is_over());
            answers = self.ask(&questions, &asked, &mut items, cancel)?;
        }
        Ok(())
    }

    /// Answers the questions of all tries that wait: whether the solution is the only one.
    fn ask(
        &mut self,
        questions: &[[u8; BYTES]],
        asked: &[Option<Cell>],
        items: &mut [Item],
        cancel: Cancel<'_>,
    ) -> Result<Vec<bool>, Cancelled> {
        if questions.len() >= Solver::FEWEST_IN_BATCH {
            return self.solver.are_unique(questions, asked, cancel);
        }
        let waiting = items.iter_mut().flat_map(Item::waiting);
        let mut answers = Vec::with_capacity(questions.len());
        for attempt in waiting {
            let question = attempt.minimiser.question(self.options.orbits());
            let puzzle = Puzzle::from_checked(packed::to_cells(&question));
            let open = attempt.minimiser.open(self.options.orbits());
            let solution = &attempt.solution;
            answers.push(!self.solver.has_other(&puzzle, solution, open, cancel)?);
        }
        Ok(answers)
    }
}

/// How many tries of an item may run side by side: more than one if there is no other work for
/// the batch engine. With the single engine, tries that turn out superfluous cost time.
fn width(items: &[Item], all_begun: bool) -> u64 {
    if !all_begun {
        return 1;
    }
    let widths: u64 = items.iter().map(Item::width).sum();
    if widths < Solver::FEWEST_IN_BATCH as u64 {
        1
    } else {
        (ROOM / items.len()) as u64
    }
}
