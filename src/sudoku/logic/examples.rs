//! Every technique on a board where it applies, on one where it nearly does, and on images of the first; and
//! what is said of it.
//!
//! The boards are met on the ways through puzzles of our own, some with candidates more or less; a few hard
//! ones keep a puzzle's solution among candidates that were taken away at random. They are chosen so that the
//! technique finds the image of its step on the images, though where several steps are, another may be the
//! first there. On a near miss a technique's search finds nothing, or what has another title.
//!
//! Direct claiming has none: a single or direct pointing in another box of the band always comes first.

use super::budget::Budget;
use super::chains::{Desk, Forcing};
use super::path::{self, Known};
use super::pencilmarks::{Candidate, Pencilmarks};
use super::step::Step;
use super::technique::Technique;
use super::{aligned, bug, chains, fish, locked, singles, subsets, uniqueness, wings};
use crate::sudoku::cell::Cell;
use crate::sudoku::digit::Digit;
use crate::sudoku::puzzle::Puzzle;

/// A board as in the file: of every cell its digit, or its candidates.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Board {
    digits: [u8; 81],
    candidates: [u16; 81],
}

impl Board {
    /// From 81 words: `=5` is a digit, `258` are candidates.
    fn parse(text: &str) -> Self {
        let mut board = Self {
            digits: [0; 81],
            candidates: [0; 81],
        };
        let words: Vec<_> = text.split_whitespace().collect();
        assert_eq!(words.len(), 81, "{text}");
        for (cell, word) in words.into_iter().enumerate() {
            let digit = |c: char| u8::try_from(c.to_digit(10).unwrap()).unwrap();
            match word.strip_prefix('=') {
                Some(word) => board.digits[cell] = digit(word.chars().next().unwrap()),
                None => {
                    board.candidates[cell] =
                        word.chars().fold(0, |mask, c| mask | 1 << (digit(c) - 1));
                }
            }
        }
        board
    }

    /// What the digits alone leave, without what the board has not.
    fn marks(&self) -> Pencilmarks {
        let mut marks = plain(self.digits);
        for cell in Cell::all() {
            for digit in Digit::ALL {
                if self.candidates[cell.index()] >> (digit.value() - 1) & 1 == 0 {
                    marks.eliminate(cell, digit);
                }
            }
        }
        assert_eq!(marks.all(), &self.candidates);
        marks
    }

    /// The board with a candidate more (`+r1c2=3`), or with an empty cell for a digit (`-r1c2`), which gives
    /// the candidates back that it alone took.
    fn but(&self, change: &str) -> Self {
        let at = |n: usize| change.as_bytes()[n] - b'0';
        let cell = 9 * usize::from(at(2) - 1) + usize::from(at(4) - 1);
        let mut other = self.clone();
        if change.starts_with('+') {
            other.candidates[cell] |= 1 << (at(6) - 1);
            return other;
        }
        let before = plain(self.digits);
        other.digits[cell] = 0;
        let after = plain(other.digits);
        for cell in 0..81 {
            other.candidates[cell] |= after.all()[cell] & !before.all()[cell];
        }
        other
    }

    /// The board as it looks when every candidate is taken to its image.
    fn image(&self, of: impl Fn(Candidate) -> Candidate) -> Self {
        let mut image = Self {
            digits: [0; 81],
            candidates: [0; 81],
        };
        for candidate in (0..729).filter_map(Candidate::from_index) {
            let (cell, digit) = (candidate.cell().index(), candidate.digit().value());
            let to = of(candidate);
            if self.digits[cell] == digit {
                image.digits[to.cell().index()] = to.digit().value();
            }
            image.candidates[to.cell().index()] |=
                (self.candidates[cell] >> (digit - 1) & 1) << (to.digit().value() - 1);
        }
        image
    }
}

fn plain(digits: [u8; 81]) -> Pencilmarks {
    Pencilmarks::new(&Puzzle::from_cells(digits).unwrap())
}

impl Example {
    /// What the technique finds on a board, and nothing else does.
    fn find(&self, marks: &Pencilmarks) -> Option<Step> {
        let step = match self.technique {
            "Full House" | "Hidden Single" => singles::hidden_single(marks),
            "Direct Pointing" | "Direct Claiming" => locked::direct(marks),
            "Direct Hidden Pair" => subsets::direct_hidden(marks, 2),
            "Naked Single" => singles::naked_single(marks),
            "Direct Hidden Triplet" => subsets::direct_hidden(marks, 3),
            "Pointing" | "Claiming" => locked::indirect(marks),
            "Naked Pair" => subsets::naked(marks, 2),
            "X-Wing" => fish::find(marks, 2),
            "Hidden Pair" => subsets::hidden(marks, 2),
            "Naked Triplet" => subsets::naked(marks, 3),
            "Swordfish" => fish::find(marks, 3),
            "Hidden Triplet" => subsets::hidden(marks, 3),
            "XY-Wing" => wings::xy(marks),
            "XYZ-Wing" => wings::xyz(marks),
            "Naked Quad" => subsets::naked(marks, 4),
            "Jellyfish" => fish::find(marks, 4),
            "Hidden Quad" => subsets::hidden(marks, 4),
            "Aligned Pair Exclusion" => aligned::pair(marks),
            "Aligned Triplet Exclusion" => aligned::triplet(marks),
            of if of.starts_with("Unique") => uniqueness::find(marks),
            of if of.starts_with("BUG") => bug::find(marks),
            _ => self.chain(marks),
        };
        step.filter(|step| step.title() == self.technique)
    }

    /// The least chain of the technique's kind.
    fn chain(&self, marks: &Pencilmarks) -> Option<Step> {
        let mut budget = Budget::unlimited();
        let mut desk = Desk::new(&mut budget);
        let kind = match self.technique {
            "Nishio Forcing Chains" => Forcing::NISHIO,
            "Cell Forcing Chains" | "Region Forcing Chains" => Forcing::MULTIPLE,
            "Dynamic Forcing Chains (+)" => Forcing::ALL[3],
            "Nested Forcing Chains" => Forcing::ALL[4],
            of if of.starts_with("Dynamic") => Forcing::DYNAMIC,
            _ => return chains::unary(marks, &mut desk).unwrap(),
        };
        chains::forcing(marks, kind, &mut desk).unwrap()
    }
}

/// What it fills in and takes away, as in the file: `r1c2=3 -r4c5=6`.
fn outcome(placement: Option<Candidate>, eliminations: &[Candidate]) -> String {
    let word = |c: &Candidate| format!("{}={}", c.cell(), c.digit().value());
    let mut words: Vec<_> = eliminations
        .iter()
        .map(|c| format!("-{}", word(c)))
        .collect();
    words.sort_unstable();
    words.splice(0..0, placement.iter().map(word));
    words.join(" ")
}

/// A quarter turn.
fn turned(c: Candidate) -> Candidate {
    let cell = c.cell();
    Candidate::new(Cell::at(cell.column(), 8 - cell.row()), c.digit())
}

/// Rows for columns, and every digit one more.
fn transposed(c: Candidate) -> Candidate {
    let cell = c.cell();
    let digit = Digit::new(c.digit().value() % 9 + 1).unwrap();
    Candidate::new(Cell::at(cell.column(), cell.row()), digit)
}

/// A board of the file.
struct Example {
    technique: &'static str,
    er_tenths: u16,
    outcome: &'static str,
    change: &'static str,
    sentence: &'static str,
    board: Board,
}

fn examples() -> Vec<Example> {
    let text = include_str!("../../../tests/data/techniques.txt");
    let blocks = text.split("\n\n").filter(|block| !block.starts_with('#'));
    let example = |block: &'static str| {
        let mut lines = block.trim().splitn(4, '\n');
        let (name, outcome) = lines.next()?.split_once(": ")?;
        let (technique, er_tenths) = name.rsplit_once(' ')?;
        Some(Example {
            technique,
            er_tenths: er_tenths.parse().ok()?,
            outcome,
            change: lines.next()?.strip_prefix("not ")?,
            sentence: lines.next()?,
            board: Board::parse(lines.next()?),
        })
    };
    blocks.map(|block| example(block).unwrap()).collect()
}

#[test]
fn every_technique_finds_what_it_should() {
    for example in examples() {
        let marks = example.board.marks();
        let step = example.find(&marks).expect(example.technique);
        let found = outcome(step.placement, &step.eliminations);
        assert_eq!(found, example.outcome, "{}", example.technique);
        assert_eq!(step.er_tenths, example.er_tenths, "{}", example.technique);
        assert_eq!(step.to_string(), example.sentence);
        let mut budget = Budget::unlimited();
        let next = path::next(&marks, Known::OneSolution, u16::MAX, &mut budget);
        assert_eq!(next, Ok(Some(step)));
    }
}

/// All are there but direct claiming, which never comes first.
#[test]
fn every_technique_has_an_example() {
    let titles: Vec<_> = examples().iter().map(|example| example.technique).collect();
    for technique in Technique::ALL {
        let mut named = titles.iter();
        let is_there = named.any(|title| title.starts_with(technique.name()));
        let is_first_somewhere = *technique != Technique::DirectClaiming;
        assert_eq!(is_there, is_first_somewhere, "{technique}");
    }
}

#[test]
fn no_technique_finds_what_only_nearly_is() {
    for example in examples() {
        let near = example.board.but(example.change);
        assert_ne!(near, example.board);
        let found = example.find(&near.marks());
        assert_eq!(found, None, "{}", example.technique);
    }
}

#[test]
fn images_of_boards_have_images_of_steps() {
    for example in examples() {
        let step = example.find(&example.board.marks()).unwrap();
        for of in [turned, transposed] {
            let image = example.find(&example.board.image(of).marks()).unwrap();
            let gone: Vec<_> = step.eliminations.iter().copied().map(of).collect();
            assert_eq!(
                outcome(image.placement, &image.eliminations),
                outcome(step.placement.map(of), &gone),
                "{}",
                example.technique
            );
            assert_eq!(image.er_tenths, step.er_tenths);
        }
    }
}
