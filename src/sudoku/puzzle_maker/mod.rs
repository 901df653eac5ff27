//! Making puzzles: exactly one solution each, with the givens and the symmetry asked for.
//!
//! A try takes a random solution and takes givens away in a random order, orbit by orbit, each only
//! if the solution stays the only one. It goes on until nothing more can go, or until the number of
//! givens wanted is met; then the puzzle is looked at, and if it does not fit, the next try starts
//! from another solution. The number of tries is bounded.
//!
//! Where the cells that may be given are so few that hardly any solution is the only one, a [`walk`]
//! finds the solution to begin with.
//!
//! Puzzle `i` of a seed depends on the seed, the options and `i` alone.
//!
//! Nearly all of the time goes to tests of whether a solution is the only one, and the batch engine
//! answers hundreds of them many times faster than the single engine one. So items are made in
//! lockstep: a *round* collects the questions of all items in progress, asks them in one call, and
//! hands the answers back. An answer is a fact, whoever found it, so company changes nothing.
//!
//! Most questions are about one given: is it needed? Both engines answer that sooner than how many
//! solutions there are, since they look only for one with another digit there. A round of few
//! questions goes to the single engine, which asks likewise about several givens.
//!
//! Where few items are left and each takes many tries, tries of an item run side by side ([`item`]).

mod impossible;
mod item;
mod minimise;
mod options;
mod pattern;
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
use std::ops::Range;

use super::cell::Cell;
use super::grid::Grid;
use super::packed::{self, BYTES};
use super::puzzle::Puzzle;
use super::solve::{Cancel, Cancelled, Solver};
use item::{End, Item, Source};

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
    /// The givens that the pattern allows leave more than one solution.
    pub pattern: u64,
    /// A house has more or fewer givens than wanted.
    pub givens_per_house: u64,
    /// The single engine takes more or fewer guesses than wanted.
    pub guesses: u64,
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

    /// The tries turned down since this maker was made.
    #[must_use]
    pub const fn rejections(&self) -> Rejections {
        self.rejections
    }

    /// Makes the puzzle of this index. A try takes a fraction of a millisecond; few givens may take
    /// thousands, and so does the search for a solution where the pattern is sparse: some milliseconds
    /// with 24 cells, some tenths of a second with 20.
    ///
    /// # Errors
    /// If cancelled.
    pub fn make(&mut self, index: u64, cancel: Cancel<'_>) -> Result<Made, Cancelled> {
        let source = self.source();
        self.make_one(self.items()(index, source), cancel)
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
        self.make_one(self.items()(index, Source::Given(*solution)), cancel)
    }

    /// Makes the puzzles of these indices, each as [`make`](Self::make) does, and hands them to
    /// `sink` with their indices, in the order in which they are done. From some hundred on it is
    /// several times as fast as one by one.
    ///
    /// # Errors
    /// If cancelled, which is looked for in every round of tests and at every guess.
    pub fn make_all(
        &mut self,
        indices: Range<u64>,
        cancel: Cancel<'_>,
        sink: impl FnMut(u64, Made),
    ) -> Result<(), Cancelled> {
        let source = self.source();
        let item = self.items();
        self.run(indices.map(|index| item(index, source)), cancel, sink)
    }

    /// As [`make_all`](Self::make_all) for indices with given solutions, as
    /// [`make_from`](Self::make_from) makes each.
    ///
    /// # Errors
    /// If cancelled, as there.
    pub fn make_all_from(
        &mut self,
        solutions: impl IntoIterator<Item = (u64, Grid)>,
        cancel: Cancel<'_>,
        sink: impl FnMut(u64, Made),
    ) -> Result<(), Cancelled> {
        let item = self.items();
        let items = solutions.into_iter();
        let items = items.map(|(index, solution)| item(index, Source::Given(solution)));
        self.run(items, cancel, sink)
    }

    /// From an index and where the solutions come from to the item.
    fn items(&self) -> impl Fn(u64, Source) -> Item + use<> {
        let (seed, step_limit) = (self.seed, self.options.step_limit());
        move |index, source| Item::new(seed, index, step_limit, source)
    }

    /// Where solutions come from that are not given.
    fn source(&mut self) -> Source {
        let look = || walk::is_sparse(self.options.cells(), &mut self.solver);
        if *self.is_sparse.get_or_insert_with(look) {
            Source::Walked
        } else {
            Source::Drawn
        }
    }

    fn make_one(&mut self, item: Item, cancel: Cancel<'_>) -> Result<Made, Cancelled> {
        let mut result = Made::NotFound;
        self.run(iter::once(item), cancel, |_, made| result = made)?;
        Ok(result)
    }

    /// One round after the other: answers are taken, questions asked. An item that is over makes room
    /// for a later one.
    fn run(
        &mut self,
        items: impl Iterator<Item = Item>,
        cancel: Cancel<'_>,
        mut sink: impl FnMut(u64, Made),
    ) -> Result<(), Cancelled> {
        let mut later = items.peekable();
        // A walk takes so long that company gains nothing, and the first puzzles would wait for it.
        let room = if later.peek().is_some_and(Item::walks) {
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
                item.count_guesses(&self.options, &mut self.solver, cancel)?;
                while let Some(end) = item.end(&self.options, &mut self.rejections) {
                    sink(item.index, self.proven(end, cancel)?);
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

    /// The outcome, proven by the single engine whoever found it.
    fn proven(&mut self, end: End, cancel: Cancel<'_>) -> Result<Made, Cancelled> {
        let End::Fits(mut found) = end else {
            return Ok(Made::NotFound);
        };
        Ok(Made::Puzzle(MadePuzzle {
            puzzle: found.puzzle(),
            solution: found.solution,
            guesses: found.prove(&mut self.solver, cancel)?,
        }))
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
