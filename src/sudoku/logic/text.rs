//! A step in one sentence for a person.

use std::fmt::{self, Write};

use super::explanation::{Contradiction, Event};
use super::pencilmarks::Candidate;
use super::step::Step;
use super::technique::Technique;
use super::unit::Unit;
use crate::sudoku::cell::Cell;
use crate::sudoku::digit::Digit;

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason())?;
        match self.placement {
            Some(placed) => write!(f, ": {} is {}.", placed.cell(), placed.digit().value()),
            None => write!(f, ": {}.", loses(&self.eliminations)),
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is = |of: &Candidate| format!("{} is {}", of.cell(), of.digit().value());
        match self {
            Self::Step(step) => step.fmt(f),
            Self::Guess(guess) => write!(f, "a guess: {}.", is(guess)),
            Self::Contradiction { guess, at } => {
                match at {
                    Contradiction::Cell(cell) => write!(f, "{cell} has no candidate left")?,
                    Contradiction::Digit(digit, unit) => {
                        write!(f, "{} has no place for {}", house(*unit), digit.value())?;
                    }
                }
                let (cell, digit) = (guess.cell(), guess.digit().value());
                write!(f, ", so the guess fails: {cell} is not {digit}.")
            }
        }
    }
}

impl Step {
    /// The technique's name; of those that suppose one solution with the length of the loop and the type:
    /// "Unique Loop 6 type 2".
    #[must_use]
    pub fn title(&self) -> String {
        let name = self.technique.name();
        match (self.technique, self.uniqueness) {
            (_, None) => name.to_owned(),
            (Technique::UniqueLoop, Some(of)) => {
                format!("{name} {} type {}", of.cells, of.kind as u8 + 1)
            }
            (_, Some(of)) => format!("{name} type {}", of.kind as u8 + 1),
        }
    }

    /// Why, without what follows.
    fn reason(&self) -> String {
        use Technique as T;
        let cells = list(distinct(self.evidence.iter().map(|of| of.cell())));
        let digits = list(distinct(self.evidence.iter().map(|of| of.digit().value())));
        let unit = |number: usize| {
            self.units
                .get(number)
                .map_or(String::new(), |&unit| house(unit))
        };
        match self.technique {
            T::FullHouse => format!("{} has one empty cell", unit(0)),
            T::HiddenSingle => format!("in {} there is one place for {digits}", unit(0)),
            T::NakedSingle => format!("{cells} has no other candidate"),
            T::DirectPointing | T::DirectClaiming => format!(
                "{digits} in {} is on {}, which leaves it one place in {}",
                unit(0),
                unit(1),
                unit(2)
            ),
            T::Pointing | T::Claiming => {
                format!(
                    "{digits} in {} is in {}, so nowhere else there",
                    unit(0),
                    unit(1)
                )
            }
            T::DirectHiddenPair | T::DirectHiddenTriplet => format!(
                "{digits} in {} take {cells}, which leaves one place",
                unit(0)
            ),
            T::NakedPair | T::NakedTriplet | T::NakedQuad => {
                format!("{cells} in {} share {digits}", unit(0))
            }
            T::HiddenPair | T::HiddenTriplet | T::HiddenQuad => {
                format!("{digits} in {} have {cells} alone", unit(0))
            }
            T::XWing | T::Swordfish | T::Jellyfish => {
                let lines = list(self.units.iter().copied().map(house));
                format!("{digits} in {lines} is on as many lines across")
            }
            T::XyWing | T::XyzWing => {
                let gone = self.eliminations.first().map_or(0, |of| of.digit().value());
                format!("one of {cells} is {gone}, whatever the first of them is")
            }
            _ => format!("{} in {cells}", self.title()),
        }
    }
}

/// "r1c1 and r1c2 lose 3, r4c4 loses 5".
fn loses(eliminations: &[Candidate]) -> String {
    let digits = distinct(eliminations.iter().map(|of| of.digit()));
    let clause = |digit: Digit| {
        let of_digit = eliminations.iter().filter(|of| of.digit() == digit);
        let cells: Vec<Cell> = of_digit.map(|of| of.cell()).collect();
        let verb = if cells.len() == 1 { "loses" } else { "lose" };
        format!("{} {verb} {}", list(cells), digit.value())
    };
    list(digits.into_iter().map(clause))
}

fn house(unit: Unit) -> String {
    unit.house().to_string()
}

fn distinct<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut all = Vec::new();
    for item in items {
        if !all.contains(&item) {
            all.push(item);
        }
    }
    all
}

/// "a, b and c".
fn list<T: fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<T> = items.into_iter().collect();
    let mut text = String::new();
    for (number, item) in items.iter().enumerate() {
        let before = match number {
            0 => "",
            _ if number + 1 == items.len() => " and ",
            _ => ", ",
        };
        write!(text, "{before}{item}").expect("a string takes all");
    }
    text
}
