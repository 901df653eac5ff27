//! One item: the tries for it, and which of them is its puzzle.
//!
//! What a try starts from is drawn from the item's own random numbers, in the order of the tries, and
//! does not depend on what became of those before. So several may run side by side; the puzzle is
//! that of the first, by its number, that fits, and those behind it count for nothing.
//!
//! Where the first [`PLAIN`] tries came to nothing and nearly all left too many givens, [`Walker`]s take
//! the steps that are left, one after the other, each on a solution drawn as for a try; where nearly all were
//! too easy or too hard, and givens may be given back, [steered](super::steer) tries do. Else the tries go on, as
//! they do in a sparse pattern. So whatever is common is found the plain way. What comes after
//! depends on all of those tries, so it waits for them, and the item is still its own.

use std::collections::VecDeque;
use std::mem;

use super::fault::Fault;
use super::minimise::{Minimiser, Order, Stop};
use super::proof::proven;
use super::walk::Walker;
use super::{Ask, Made, MadePuzzle, MakeOptions, Rejections, rater, sparse};
use crate::sudoku::generate::draw;
use crate::sudoku::grid::Grid;
use crate::sudoku::logic::rating::Rating;
use crate::sudoku::packed;
use crate::sudoku::puzzle::Puzzle;
use crate::sudoku::rng::Rng;
use crate::sudoku::set::CellSet;
use crate::sudoku::solve::{Cancel, Cancelled, Solver};

/// Tries before a walk or a steered one. With as few as 9 in 100 that fit (22 givens), 3 items in 1,000 get so far.
const PLAIN: u64 = 64;
/// Of these, so many may have come to nothing by another option than the number of givens, or than those of
/// the rating: where they are more, that is not what is rare.
const OTHERWISE: u64 = 4;

/// An item in progress.
pub(super) struct Item {
    pub(super) ask: Ask,
    /// Whether solutions are searched for, since the pattern is sparse.
    searches: bool,
    rng: Rng,
    order: Order,
    /// Tries that may still be begun.
    left: u64,
    /// Tries, or steps of walks, after those.
    later: u64,
    /// Tries that came to nothing, all of them before those of `tries`.
    turned_down: u64,
    /// Those of them that left too many givens.
    too_many: u64,
    /// Those of them whose rating was not as wanted.
    misrated: u64,
    /// Tries begun, by number.
    tries: VecDeque<Try>,
}

/// A try.
pub(super) struct Try {
    pub(super) solution: Grid,
    pub(super) minimiser: Minimiser,
    /// What it comes to, once that is proven.
    made: Option<MadePuzzle>,
    /// Its rating, or the option that stands against it, once that is known.
    rated: Option<Result<Rating, Fault>>,
}

impl Try {
    /// What is left.
    fn puzzle(&self) -> Puzzle {
        Puzzle::from_checked(packed::to_cells(self.minimiser.cells()))
    }

    /// What is left, proven, if it was not before.
    ///
    /// # Errors
    /// If cancelled.
    fn made(&mut self, solver: &mut Solver, cancel: Cancel<'_>) -> Result<MadePuzzle, Cancelled> {
        if let Some(made) = self.made {
            return Ok(made);
        }
        let proven = proven(self.puzzle(), self.solution, solver, cancel)?;
        let rating = self.rated.and_then(Result::ok);
        let made = MadePuzzle { rating, ..proven };
        Ok(*self.made.insert(made))
    }

    /// Rates it, if that was not done.
    ///
    /// # Errors
    /// If cancelled.
    fn rate(&mut self, options: &MakeOptions, cancel: Cancel<'_>) -> Result<(), Cancelled> {
        if self.rated.is_none() {
            let rated = rater::rate(&self.puzzle(), options, cancel)?;
            self.rated = Some(rated);
            if let Some(made) = &mut self.made {
                made.rating = rated.ok();
            }
        }
        Ok(())
    }

    /// The option that it does not meet, of those that are known by now; of several the first.
    fn fault(&self, options: &MakeOptions) -> Option<Fault> {
        if self.minimiser.is_ambiguous() {
            return Some(Fault::Pattern);
        }
        let of_guesses = |guesses| Fault::of_guesses(guesses, options);
        let guesses = self.made.map(|made| made.guesses);
        Fault::of_givens(self.minimiser.given(), options)
            .or(guesses.and_then(of_guesses))
            .or(self.rated.and_then(Result::err))
    }
}

impl Item {
    /// No try begun.
    pub(super) fn new(seed: u64, ask: Ask, step_limit: u64, is_sparse: bool) -> Self {
        let mut order = [0; 81];
        for (number, orbit) in (0..).zip(&mut order) {
            *orbit = number;
        }
        let mut rng = Rng::keyed(seed, ask.index);
        if ask.remake > 0 {
            rng = Rng::keyed(rng.next_u64(), ask.remake.into());
        }
        let searches = is_sparse && ask.solution.is_none();
        let first = if searches {
            step_limit
        } else {
            step_limit.min(PLAIN)
        };
        Self {
            ask,
            searches,
            rng,
            order,
            left: first,
            later: step_limit - first,
            turned_down: 0,
            too_many: 0,
            misrated: 0,
            tries: VecDeque::new(),
        }
    }

    /// How many tries may sensibly run at a time: as many as were in vain so far, so that at most
    /// about half of all are superfluous in the end.
    pub(super) fn width(&self) -> u64 {
        (self.turned_down + 1).min(self.tries.len() as u64 + self.left)
    }

    /// Whether solutions are searched for, which is then most of the work.
    pub(super) const fn searches(&self) -> bool {
        self.searches
    }

    /// Begins tries until `width` run, or as many as may sensibly.
    ///
    /// # Errors
    /// If cancelled.
    pub(super) fn begin(
        &mut self,
        width: u64,
        options: &MakeOptions,
        solver: &mut Solver,
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        let orbits = options.orbits();
        let width = if self.searches { 1 } else { width };
        while (self.tries.len() as u64) < width.min(self.width()) {
            let solution = if self.searches {
                let cells = options.cells();
                let found = sparse::search(cells, self.left, &mut self.rng, solver, cancel)?;
                self.left -= found.tries;
                found.solution
            } else {
                self.left -= 1;
                self.draw()
            };
            self.rng.shuffle(&mut self.order[..orbits.len()]);
            let stop = self.stop(options);
            self.tries.push_back(Try {
                solution,
                minimiser: Minimiser::new(&solution, orbits, self.order, stop),
                made: None,
                rated: None,
            });
        }
        Ok(())
    }

    fn draw(&mut self) -> Grid {
        match self.ask.solution {
            Some(solution) => solution,
            None => draw(&mut self.rng),
        }
    }

    fn stop(&mut self, options: &MakeOptions) -> Stop {
        let (min, max) = options.givens().clone().into_inner();
        let per_house = options.givens_per_house();
        if options.minimal() {
            // What goes is not to depend on what the houses need; the puzzle is looked at in the end.
            return Stop {
                at: 0,
                never_below: 0,
                needed_above: max,
                per_house: None,
            };
        }
        let above_min = if options.wants_few() {
            0
        } else {
            self.rng.below(u32::from(max - min) + 1)
        };
        Stop {
            at: min + u8::try_from(above_min).expect("no more than the difference of two u8"),
            never_below: min,
            needed_above: max,
            per_house,
        }
    }

    /// The tries that wait for an answer.
    pub(super) fn waiting(&mut self) -> impl Iterator<Item = &mut Try> {
        let tries = self.tries.iter_mut();
        tries.filter(|attempt| attempt.minimiser.is_waiting())
    }

    /// Takes as many answers as tries wait, in their order.
    pub(super) fn answer(&mut self, answers: &mut impl Iterator<Item = bool>, orbits: &[CellSet]) {
        for (attempt, is_unique) in self.waiting().zip(answers) {
            attempt.minimiser.answer(is_unique, orbits);
        }
    }

    /// Whether nothing runs and nothing will.
    pub(super) fn is_over(&self) -> bool {
        self.tries.is_empty() && self.left == 0 && self.later == 0
    }

    /// Looks at the tries that are done and may fit: counts guesses and rates, where that is of interest.
    /// Behind one that fits no other matters.
    ///
    /// # Errors
    /// If cancelled.
    pub(super) fn look(
        &mut self,
        options: &MakeOptions,
        solver: &mut Solver,
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        let counts = *options.guesses() != MakeOptions::ANY_GUESSES;
        if !counts && !options.is_rated() {
            return Ok(());
        }
        let done = |attempt: &&mut Try| !attempt.minimiser.is_waiting();
        for attempt in self.tries.iter_mut().filter(done) {
            if counts && attempt.fault(options).is_none() {
                attempt.made(solver, cancel)?;
            }
            if options.is_rated() && attempt.fault(options).is_none() {
                attempt.rate(options, cancel)?;
            }
            if attempt.fault(options).is_none() {
                break;
            }
        }
        Ok(())
    }

    /// What became of it, once it is over. Counts the tries that came to nothing, and walks or steers if nearly
    /// all did for one reason.
    ///
    /// # Errors
    /// If cancelled.
    pub(super) fn end(
        &mut self,
        options: &MakeOptions,
        rejections: &mut Rejections,
        solver: &mut Solver,
        cancel: Cancel<'_>,
    ) -> Result<Option<Made>, Cancelled> {
        let fits =
            |attempt: &Try| !attempt.minimiser.is_waiting() && attempt.fault(options).is_none();
        if let Some(number) = self.tries.iter().position(fits) {
            self.tries.truncate(number + 1);
            (self.left, self.later) = (0, 0);
        }
        while let Some(first) = self.tries.front_mut() {
            if first.minimiser.is_waiting() {
                return Ok(None);
            }
            let Some(fault) = first.fault(options) else {
                let made = first.made(solver, cancel)?;
                self.tries.clear();
                return Ok(Some(Made::Puzzle(made)));
            };
            rejections.count(fault);
            self.turned_down += 1;
            self.too_many += u64::from(fault == Fault::Givens);
            self.misrated += u64::from(fault.is_of_rating());
            self.tries.pop_front();
            if self.ask.solution.is_some() && fault == Fault::Pattern {
                // As it would be at every other try.
                self.tries.clear();
                (self.left, self.later) = (0, 0);
            }
        }
        if self.left == 0 && self.later > 0 {
            let of_givens = self.turned_down - self.too_many <= OTHERWISE;
            let of_rating = self.turned_down - self.misrated <= OTHERWISE;
            if of_givens || of_rating && options.may_steer() {
                return self
                    .search_on(of_rating, options, rejections, solver, cancel)
                    .map(Some);
            }
            self.left = mem::take(&mut self.later);
        }
        Ok(self.is_over().then_some(Made::NotFound))
    }

    /// Walks with all steps that are left, or steers as many tries.
    fn search_on(
        &mut self,
        steers: bool,
        options: &MakeOptions,
        rejections: &mut Rejections,
        solver: &mut Solver,
        cancel: Cancel<'_>,
    ) -> Result<Made, Cancelled> {
        let mut steps = mem::take(&mut self.later);
        while steps > 0 {
            let mut walker = Walker {
                options,
                solution: self.draw(),
                rng: &mut self.rng,
                order: &mut self.order,
                rejections,
                solver,
                cancel,
            };
            let found = if steers {
                steps -= 1;
                walker.steer()?
            } else {
                walker.walk(&mut steps)?
            };
            if let Some(made) = found {
                return Ok(Made::Puzzle(made));
            }
        }
        Ok(Made::NotFound)
    }
}
