//! A step in one sentence for a person.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use super::argument::{Argument, Beside, Uniqueness, UniquenessType};
use super::explanation::{Contradiction, Event};
use super::pencilmarks::Candidate;
use super::step::Step;
use super::technique::Technique;
use super::unit::Unit;
use crate::sudoku::cell::Cell;

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let within = match self.technique {
            Technique::DynamicForcingPlus => "by patterns on the way, ",
            Technique::NestedForcingChains => "by chains within, ",
            _ => "",
        };
        let reason = self.reason();
        let conclusion = match self.placement {
            Some(placed) => is(placed),
            None if self.ends_in_it() => list(self.eliminations.iter().copied().map(is_not)),
            None => loses(&self.eliminations),
        };
        let joint = if self.ends_in_it() { "," } else { ":" };
        write!(f, "{within}{reason}{joint} {conclusion}.")
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step(step) => step.fmt(f),
            Self::Guess(guess) => write!(f, "a guess: {}.", is(*guess)),
            Self::Contradiction { guess, at } => {
                match at {
                    Contradiction::Cell(cell) => write!(f, "{cell} has no candidate left")?,
                    Contradiction::Digit(digit, unit) => {
                        write!(f, "{} has no place for {}", house(*unit), digit.value())?;
                    }
                }
                write!(f, ", so the guess fails: {}.", is_not(*guess))
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
        match (self.technique, &self.argument) {
            (Technique::UniqueLoop, Argument::TwoSolutions(of)) => {
                format!("{name} {} type {}", of.cells.len(), of.kind as u8 + 1)
            }
            (_, Argument::TwoSolutions(of)) => format!("{name} type {}", of.kind as u8 + 1),
            _ => name.to_owned(),
        }
    }

    /// Whether the reason is a clause that ends in the conclusion.
    const fn ends_in_it(&self) -> bool {
        matches!(
            self.argument,
            Argument::Combinations(_)
                | Argument::Either(_)
                | Argument::Cell(_)
                | Argument::Region(..)
        )
    }

    /// Why, without what follows.
    fn reason(&self) -> String {
        match &self.argument {
            Argument::Pattern => self.pattern(),
            Argument::TwoSolutions(of) => self.two_solutions(of),
            Argument::Combinations(of) => {
                let others = cells_of(&self.evidence);
                let others = others.into_iter().filter(|&cell| !of.contains(cell));
                let (all, others) = (list(of.iter()), list(others));
                format!("in every combination of {all} that leaves {others} a digit each")
            }
            Argument::Loop => self.loop_(),
            Argument::OneOf([a, b]) => {
                let digits = [a, b].map(|of| of.digit().value());
                if a.digit() == b.digit() {
                    format!("one of {} and {} is {}", a.cell(), b.cell(), digits[0])
                } else if a.cell() == b.cell() {
                    format!("{} is {} or {}", a.cell(), digits[0], digits[1])
                } else {
                    format!("{} or {}", is(*a), is(*b))
                }
            }
            Argument::Contradiction(assumed, clash) => {
                let (cell, digit) = (assumed.candidate.cell(), assumed.candidate.digit().value());
                let not = |is_not: bool| if is_not { " not" } else { "" };
                let (not, opposite) = (not(!assumed.is_true), not(assumed.is_true));
                if *clash == assumed.candidate {
                    return format!("if {cell} were{not} {digit}, it would{opposite} be");
                }
                let (at, of) = (clash.cell(), clash.digit().value());
                format!("if {cell} were{not} {digit}, {at} would both be {of} and not be {of}")
            }
            Argument::Either(of) => format!("whether {} or not", is(*of)),
            Argument::Cell(cell) => {
                let own = self.evidence.iter().filter(|of| of.cell() == *cell);
                format!("whichever of {} is in {cell}", list(digits_of(own)))
            }
            Argument::Region(digit, unit) => {
                format!("wherever {} goes in {}", digit.value(), house(*unit))
            }
        }
    }

    /// Of a pattern.
    fn pattern(&self) -> String {
        use Technique as T;
        let all = cells_of(&self.evidence);
        let digits = list(digits_of(&self.evidence));
        let unit = |number: usize| {
            self.units
                .get(number)
                .copied()
                .map_or_else(String::new, house)
        };
        match (self.technique, &all[..]) {
            (T::FullHouse, _) => format!("{} has one empty cell", unit(0)),
            (T::HiddenSingle, _) => format!("in {} there is one place for {digits}", unit(0)),
            (T::NakedSingle, _) => format!("{} has no other candidate", list(all)),
            (T::DirectPointing | T::DirectClaiming, _) => format!(
                "{digits} in {} is in {}, which leaves it one place in {}",
                unit(0),
                unit(1),
                unit(2)
            ),
            (T::DirectHiddenPair | T::DirectHiddenTriplet, _) => {
                let left = self.placement.map_or(0, |placed| placed.digit().value());
                let all = list(all);
                format!(
                    "{digits} in {} take {all}, which leaves {left} one place",
                    unit(0)
                )
            }
            (T::HiddenPair | T::HiddenTriplet | T::HiddenQuad, _) => {
                format!("{digits} in {} have no places but {}", unit(0), list(all))
            }
            (T::XWing | T::Swordfish | T::Jellyfish, _) => {
                let (base, across) = self.units.split_at(self.units.len() / 2);
                let (base, across) = (houses(base), houses(across));
                format!("{digits} in {base} is in {across}, so nowhere else there")
            }
            (T::XyWing, [pivot, wings @ ..]) => {
                format!("whatever {pivot} is, {} is {}", either(wings), self.gone())
            }
            (T::XyzWing, [pivot, wings @ ..]) => {
                format!(
                    "whatever {pivot} is, it or {} is {}",
                    either(wings),
                    self.gone()
                )
            }
            (T::NakedPair | T::NakedTriplet | T::NakedQuad, _) => {
                format!("{} in {} share {digits}", list(all), unit(0))
            }
            // Pointing and claiming: no other technique is a pattern.
            _ => format!(
                "{digits} in {} is in {}, so nowhere else there",
                unit(0),
                unit(1)
            ),
        }
    }

    /// Of a loop that holds both ways round.
    fn loop_(&self) -> String {
        let [all, digits] = [
            list(cells_of(&self.evidence)),
            list(digits_of(&self.evidence)),
        ];
        match self.technique {
            Technique::XCycle => {
                format!("around {all}, every second cell is {digits}, one way or the other")
            }
            _ => format!(
                "around {all}, candidates {digits} are true and false in turn, one way or the other"
            ),
        }
    }

    /// Of cells that would have two solutions.
    fn two_solutions(&self, of: &Uniqueness) -> String {
        let with_extras = cells_of(&of.extras);
        let extras = digits_of(&of.extras);
        let own = self
            .evidence
            .iter()
            .filter(|own| of.cells.contains(own.cell()));
        let pair = own.filter(|own| !extras.contains(&own.digit().value()));
        let pair = digits_of(pair);
        let them = match self.technique {
            Technique::BivalueUniversalGrave => "all empty cells with two candidates each".into(),
            _ => format!("{} with {} alone", list(of.cells.iter()), list(&pair)),
        };
        let house = self.units.first().copied().map_or_else(String::new, house);
        let one_of = format!("one of {}", list(&with_extras));
        let why = match &of.beside {
            Beside::Nothing if of.kind == UniquenessType::One => {
                format!(" and only {} can be anything else", list(with_extras))
            }
            Beside::Nothing => format!(" so {one_of} is {}", list(extras)),
            Beside::Naked(set) => {
                let all = digits_of(of.extras.iter().chain(set));
                let (is, all, others) = (either(&extras), list(all), list(cells_of(set)));
                format!(" so {one_of} is {is}, and with {others} in {house} takes {all}")
            }
            Beside::Hidden(set) => {
                let mut all = [&pair[..], &digits_of(set)].concat();
                all.sort_unstable();
                all.dedup();
                let (pair, all) = (joined(pair, "nor"), list(all));
                let others = list(cells_of(set));
                format!(
                    " so {one_of} is neither {pair}, and {all} in {house} take the other and {others}"
                )
            }
            Beside::Strong(digit) => {
                let (digit, cells) = (digit.value(), list(with_extras));
                format!(" and {digit} in {house} has no places but {cells}")
            }
        };
        format!("{them} would have two solutions,{why}")
    }

    /// The digit that goes.
    fn gone(&self) -> u8 {
        self.eliminations.first().map_or(0, |of| of.digit().value())
    }
}

fn is(of: Candidate) -> String {
    format!("{} is {}", of.cell(), of.digit().value())
}

fn is_not(of: Candidate) -> String {
    format!("{} is not {}", of.cell(), of.digit().value())
}

/// "r1c1 and r1c2 lose 3, r4c4 loses 5 and 6".
fn loses(eliminations: &[Candidate]) -> String {
    // Digits that the same cells lose are named together.
    let mut clauses: Vec<(Vec<Cell>, Vec<u8>)> = Vec::new();
    for digit in digits_of(eliminations) {
        let of_digit = eliminations.iter().filter(|of| of.digit().value() == digit);
        let cells = cells_of(of_digit);
        match clauses.iter_mut().find(|(others, _)| *others == cells) {
            Some((_, digits)) => digits.push(digit),
            None => clauses.push((cells, vec![digit])),
        }
    }
    let clause = |(cells, digits): (Vec<Cell>, Vec<u8>)| {
        let verb = if cells.len() == 1 { "loses" } else { "lose" };
        format!("{} {verb} {}", list(cells), list(digits))
    };
    list(clauses.into_iter().map(clause))
}

fn house(unit: Unit) -> String {
    unit.house().to_string()
}

/// "rows 1 and 4", all being of one kind.
fn houses(units: &[Unit]) -> String {
    let numbers = units.iter().map(|unit| unit.house().number());
    match units {
        [unit, _, ..] => {
            let one = house(*unit);
            let kind = one.split(' ').next().unwrap_or_default();
            format!("{kind}s {}", list(numbers))
        }
        _ => list(units.iter().copied().map(house)),
    }
}

/// The cells, in the order in which they are met.
fn cells_of<'a>(candidates: impl IntoIterator<Item = &'a Candidate>) -> Vec<Cell> {
    let mut all = Vec::new();
    for of in candidates {
        if !all.contains(&of.cell()) {
            all.push(of.cell());
        }
    }
    all
}

/// The digits, the smallest first.
fn digits_of<'a>(candidates: impl IntoIterator<Item = &'a Candidate>) -> Vec<u8> {
    let digits = candidates.into_iter().map(|of| of.digit().value());
    let digits: BTreeSet<u8> = digits.collect();
    digits.into_iter().collect()
}

/// "a, b and c".
fn list(items: impl IntoIterator<Item = impl fmt::Display>) -> String {
    joined(items, "and")
}

/// "a, b or c".
fn either(items: impl IntoIterator<Item = impl fmt::Display>) -> String {
    joined(items, "or")
}

fn joined(items: impl IntoIterator<Item = impl fmt::Display>, last: &str) -> String {
    let items: Vec<_> = items.into_iter().collect();
    let mut text = String::new();
    for (number, item) in items.iter().enumerate() {
        match number {
            0 => write!(text, "{item}"),
            _ if number + 1 == items.len() => write!(text, " {last} {item}"),
            _ => write!(text, ", {item}"),
        }
        .expect("a string takes all");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::digit::Digit;
    use crate::sudoku::logic::argument::Assumption;

    fn candidate(row: u8, column: u8, digit: u8) -> Candidate {
        let cell = Cell::at(row - 1, column - 1);
        Candidate::new(cell, Digit::new(digit).unwrap())
    }

    /// What no example happens to say.
    #[test]
    fn every_form_of_an_argument_is_a_sentence() {
        let (start, clash) = (candidate(1, 1, 5), candidate(3, 3, 7));
        let assumed = |is_true| Assumption {
            candidate: start,
            is_true,
        };
        let nested = Technique::NestedForcingChains;
        let chain = Technique::ForcingChain;
        let either = Argument::OneOf([candidate(1, 1, 2), candidate(1, 1, 4)]);
        let taking = |technique, argument| {
            let step = Step::taking(technique, 70, [start]).unwrap();
            step.by(argument).to_string()
        };
        let placing = |technique, argument| {
            let step = Step::placing(technique, 70, start);
            step.by(argument).to_string()
        };
        assert_eq!(
            taking(nested, Argument::Contradiction(assumed(true), clash)),
            "by chains within, if r1c1 were 5, r3c3 would both be 7 and not be 7: r1c1 loses 5."
        );
        assert_eq!(
            placing(nested, Argument::Contradiction(assumed(false), clash)),
            "by chains within, if r1c1 were not 5, r3c3 would both be 7 and not be 7: r1c1 is 5."
        );
        assert_eq!(
            taking(chain, Argument::Contradiction(assumed(true), start)),
            "if r1c1 were 5, it would not be: r1c1 loses 5."
        );
        assert_eq!(
            placing(chain, Argument::Contradiction(assumed(false), start)),
            "if r1c1 were not 5, it would be: r1c1 is 5."
        );
        assert_eq!(taking(chain, either), "r1c1 is 2 or 4: r1c1 loses 5.");
        assert_eq!(
            placing(nested, Argument::Either(clash)),
            "by chains within, whether r3c3 is 7 or not, r1c1 is 5."
        );
    }
}
