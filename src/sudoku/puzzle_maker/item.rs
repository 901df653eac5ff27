//! One item: the tries for it, and which of them is its puzzle.
//!
//! What a try starts from is drawn from the item's own random numbers, in the order of the tries, and
//! does not depend on what became of those before. So several may run side by side; the puzzle is
//! that of the first, by its number, that fits, and those behind it count for nothing.

use std::collections::VecDeque;

use super::minimise::{Minimiser, Order, Stop};
use super::walk::walk;
use super::{MakeOptions, Rejections};
use crate::sudoku::generate::draw;
use crate::sudoku::grid::Grid;
use crate::sudoku::packed;
use crate::sudoku::puzzle::Puzzle;
use crate::sudoku::rng::Rng;
use crate::sudoku::set::CellSet;
use crate::sudoku::solve::{Cancel, Cancelled, SolveLimits, Solver, Verdict};

/// An item in progress.
pub(super) struct Item {
    pub(super) index: u64,
    rng: Rng,
    order: Order,
    source: Source,
    /// Tries that may still be begun.
    left: u64,
    /// Tries that came to nothing, all of them before those of `tries`.
    turned_down: u64,
    /// Tries begun, by number.
    tries: VecDeque<Try>,
}

/// Where the solutions of tries come from.
#[derive(Clone, Copy)]
pub(super) enum Source {
    /// All tries have this one.
    Given(Grid),
    /// A random one each.
    Drawn,
    /// One each that the pattern leaves the only one, if a [`walk`](super::walk) finds it.
    Walked,
}

/// A try.
pub(super) struct Try {
    pub(super) solution: Grid,
    pub(super) minimiser: Minimiser,
    /// Guesses that the single engine takes, once that is known.
    guesses: Option<u64>,
}

impl Try {
    /// What is left.
    pub(super) fn puzzle(&self) -> Puzzle {
        Puzzle::from_checked(packed::to_cells(self.minimiser.cells()))
    }

    /// Has the single engine prove that what is left has one solution, if it has not yet. Returns the
    /// guesses that it takes.
    ///
    /// # Errors
    /// If cancelled.
    pub(super) fn prove(
        &mut self,
        solver: &mut Solver,
        cancel: Cancel<'_>,
    ) -> Result<u64, Cancelled> {
        if let Some(guesses) = self.guesses {
            return Ok(guesses);
        }
        let puzzle = self.puzzle();
        let answer = solver.solve(&puzzle, SolveLimits::UNIQUENESS, 0, cancel)?;
        assert_eq!(
            answer.verdict,
            Verdict::Unique,
            "no puzzle leaves without proof: {puzzle}"
        );
        self.guesses = Some(answer.guesses);
        Ok(answer.guesses)
    }

    /// The option that it does not meet, of those that are known by now; of several the first.
    fn fault(&self, options: &MakeOptions) -> Option<Fault> {
        let given = self.minimiser.given();
        let left = given.len();
        let (min, max) = options.givens().clone().into_inner();
        let per_house = options.givens_per_house();
        if self.minimiser.is_ambiguous() {
            Some(Fault::Pattern)
        } else if left > usize::from(max) {
            Some(Fault::Givens)
        } else if left < usize::from(min) {
            Some(Fault::Minimal)
        } else if per_house.is_some_and(|wanted| !wanted.is_met(given)) {
            Some(Fault::GivensPerHouse)
        } else if self
            .guesses
            .is_some_and(|guesses| !options.guesses().contains(&guesses))
        {
            Some(Fault::Guesses)
        } else {
            None
        }
    }
}

/// The option that turned a try down.
#[derive(Clone, Copy)]
enum Fault {
    Pattern,
    Givens,
    Minimal,
    GivensPerHouse,
    Guesses,
}

/// What became of an item.
#[expect(clippy::large_enum_variant, reason = "taken apart at once")]
pub(super) enum End {
    /// The try that fits.
    Fits(Try),
    /// There is none.
    NotFound,
}

impl Item {
    /// The item of this index, no try begun.
    pub(super) fn new(seed: u64, index: u64, step_limit: u64, source: Source) -> Self {
        let mut order = [0; 81];
        for (number, orbit) in (0..).zip(&mut order) {
            *orbit = number;
        }
        Self {
            index,
            rng: Rng::keyed(seed, index),
            order,
            source,
            left: step_limit,
            turned_down: 0,
            tries: VecDeque::new(),
        }
    }

    /// How many tries may sensibly run at a time: as many as were in vain so far, so that at most
    /// about half of all are superfluous in the end.
    pub(super) fn width(&self) -> u64 {
        (self.turned_down + 1).min(self.tries.len() as u64 + self.left)
    }

    /// Whether the beginning of a try is most of its work.
    pub(super) fn walks(&self) -> bool {
        matches!(self.source, Source::Walked)
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
        let width = if self.walks() { 1 } else { width };
        while (self.tries.len() as u64) < width.min(self.width()) {
            let (solution, tries) = match self.source {
                Source::Given(solution) => (solution, 1),
                Source::Drawn => (draw(&mut self.rng), 1),
                Source::Walked => {
                    let cells = options.cells();
                    let walked = walk(cells, self.left, &mut self.rng, solver, cancel)?;
                    (walked.solution, walked.tries)
                }
            };
            self.left -= tries;
            self.rng.shuffle(&mut self.order[..orbits.len()]);
            let stop = self.stop(options);
            self.tries.push_back(Try {
                solution,
                minimiser: Minimiser::new(&solution, orbits, self.order, stop),
                guesses: None,
            });
        }
        Ok(())
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
        self.tries.is_empty() && self.left == 0
    }

    /// Has the guesses counted of tries that are done and may fit, if that is of interest.
    ///
    /// # Errors
    /// If cancelled.
    pub(super) fn count_guesses(
        &mut self,
        options: &MakeOptions,
        solver: &mut Solver,
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        if *options.guesses() == MakeOptions::ANY_GUESSES {
            return Ok(());
        }
        let done = |attempt: &&mut Try| !attempt.minimiser.is_waiting();
        for attempt in self.tries.iter_mut().filter(done) {
            if attempt.fault(options).is_none() {
                attempt.prove(solver, cancel)?;
            }
        }
        Ok(())
    }

    /// Whether it is over, and how. Counts the tries that came to nothing.
    pub(super) fn end(
        &mut self,
        options: &MakeOptions,
        rejections: &mut Rejections,
    ) -> Option<End> {
        let fits =
            |attempt: &Try| !attempt.minimiser.is_waiting() && attempt.fault(options).is_none();
        if let Some(number) = self.tries.iter().position(fits) {
            self.tries.truncate(number + 1);
            self.left = 0;
        }
        while let Some(first) = self.tries.front() {
            if first.minimiser.is_waiting() {
                return None;
            }
            let Some(fault) = first.fault(options) else {
                return self.tries.pop_front().map(End::Fits);
            };
            *match fault {
                Fault::Pattern => &mut rejections.pattern,
                Fault::Givens => &mut rejections.givens,
                Fault::Minimal => &mut rejections.minimal,
                Fault::GivensPerHouse => &mut rejections.givens_per_house,
                Fault::Guesses => &mut rejections.guesses,
            } += 1;
            self.turned_down += 1;
            self.tries.pop_front();
            if matches!((self.source, fault), (Source::Given(_), Fault::Pattern)) {
                // As it would be at every other try.
                self.tries.clear();
                self.left = 0;
            }
        }
        self.is_over().then_some(End::NotFound)
    }
}
