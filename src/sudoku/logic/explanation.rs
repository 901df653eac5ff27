//! A puzzle solved as a person would, step by step; and by guessing where deductions are to stay easy.
//!
//! Where the next step of the way is worth more than the bound, or there is none, a guess is made: the first of
//! the cells with the fewest candidates gets its smallest. A guess that fails is taken back with all that followed, and its
//! candidate goes. So any board comes to an end: one with a solution to one, another to a contradiction
//! that no guess is left to answer for.

use super::budget::{Budget, Halt};
use super::path::{self, Known};
use super::pencilmarks::{Candidate, Pencilmarks, digits};
use super::step::Step;
use super::unit::Unit;
use crate::sudoku::cell::Cell;
use crate::sudoku::digit::Digit;

/// A solution on its way.
#[derive(Clone, Debug)]
pub struct Explanation {
    marks: Pencilmarks,
    max_er: u16,
    known: Known,
    /// The boards before the guesses that stand, and the guesses.
    guesses: Vec<(Pencilmarks, Candidate)>,
}

/// What happens on the way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A deduction.
    Step(Step),
    /// Nothing but a guess is left.
    Guess(Candidate),
    /// The last guess fails, and is taken back.
    Contradiction {
        /// The guess.
        guess: Candidate,
        /// Where it is seen.
        at: Contradiction,
    },
}

/// Why a board has no solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contradiction {
    /// A cell has no candidate left.
    Cell(Cell),
    /// A digit has no place left in a house.
    Digit(Digit, Unit),
}

impl Event {
    /// Does it to a board. What a contradiction takes back is not on the board that it is seen on.
    pub fn apply(&self, marks: &mut Pencilmarks) {
        match self {
            Self::Step(step) => step.apply(marks),
            Self::Guess(guess) => marks.place(guess.cell(), guess.digit()),
            Self::Contradiction { guess, .. } => marks.eliminate(guess.cell(), guess.digit()),
        }
    }

    /// The step, if it is one.
    #[must_use]
    pub const fn step(&self) -> Option<&Step> {
        match self {
            Self::Step(step) => Some(step),
            _ => None,
        }
    }
}

impl Explanation {
    /// From this board on, with deductions up to `max_er` tenths. What is known of the board's puzzle holds
    /// under guesses too: whatever else would solve it there would be a second solution of the puzzle.
    #[must_use]
    pub const fn new(marks: Pencilmarks, max_er: u16, known: Known) -> Self {
        Self {
            marks,
            max_er,
            known,
            guesses: Vec::new(),
        }
    }

    /// The board as it stands.
    #[must_use]
    pub const fn marks(&self) -> &Pencilmarks {
        &self.marks
    }

    /// How many guesses stand.
    #[must_use]
    pub const fn level(&self) -> usize {
        self.guesses.len()
    }

    /// The next event; `None` if every cell has a digit, or if there is no solution.
    ///
    /// # Errors
    /// If it was cancelled, or the budget was spent.
    pub fn next(&mut self, budget: &mut Budget<'_>) -> Result<Option<Event>, Halt> {
        let event = if let Some(at) = contradiction(&self.marks) {
            let Some((before, guess)) = self.guesses.pop() else {
                return Ok(None);
            };
            self.marks = before;
            Event::Contradiction { guess, at }
        } else if self.marks.is_solved() {
            return Ok(None);
        } else if let Some(step) = path::next(&self.marks, self.known, self.max_er, budget)? {
            Event::Step(step)
        } else {
            let guess = first_guess(&self.marks);
            self.guesses.push((self.marks.clone(), guess));
            Event::Guess(guess)
        };
        event.apply(&mut self.marks);
        Ok(Some(event))
    }
}

/// The smallest candidate of the narrowest cell. The board has no contradiction and is not solved.
fn first_guess(marks: &Pencilmarks) -> Candidate {
    let cell = marks.narrowest().expect("a cell is empty");
    let digit = digits(marks.candidates(cell)).next();
    Candidate::new(cell, digit.expect("it has a candidate"))
}

/// A cell without candidates, or a digit without a place in a house that lacks it.
fn contradiction(marks: &Pencilmarks) -> Option<Contradiction> {
    let mut empty = marks.empty_cells().iter();
    if let Some(cell) = empty.find(|&cell| marks.candidates(cell) == 0) {
        return Some(Contradiction::Cell(cell));
    }
    Unit::all().find_map(|unit| {
        let mut seen = 0_u16;
        for cell in unit.cells() {
            seen |= 1 << marks.digit(*cell);
        }
        let lacks =
            |&digit: &Digit| seen >> digit.value() & 1 == 0 && marks.places(unit, digit) == 0;
        let digit = Digit::ALL.into_iter().find(lacks)?;
        Some(Contradiction::Digit(digit, unit))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said is kept to the letter.
    #[test]
    fn explanations_are_those_of_the_file() {
        let text = include_str!("../../../tests/data/explanations.txt");
        let blocks = text.split("\n\n").filter(|block| !block.starts_with('#'));
        for block in blocks {
            let mut lines = block.lines();
            let (puzzle, max_er) = lines.next().unwrap().split_once(' ').unwrap();
            let marks = Pencilmarks::new(&puzzle.parse().unwrap());
            let mut explanation =
                Explanation::new(marks, max_er.parse().unwrap(), Known::OneSolution);
            while let Some(event) = explanation.next(&mut Budget::unlimited()).unwrap() {
                let said = match &event {
                    Event::Step(step) => {
                        let (whole, tenth) = (step.er_tenths / 10, step.er_tenths % 10);
                        format!("{} {whole}.{tenth}: {step}", step.title())
                    }
                    _ => event.to_string(),
                };
                assert_eq!(lines.next(), Some(&said[..]), "{puzzle}");
            }
            assert!(explanation.marks().is_solved());
            assert_eq!(lines.next(), None, "{puzzle}");
        }
    }
}
