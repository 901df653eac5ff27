//! What a step argues: as much beside its candidates and houses as it takes to say it in a sentence.
//!
//! A pattern of a few cells is its own argument. Of a chain the evidence holds all nodes, often a hundred,
//! which no person reads; what is told is where it starts and how it ends.

use super::pencilmarks::Candidate;
use super::unit::Unit;
use crate::sudoku::cell::Cell;
use crate::sudoku::digit::Digit;
use crate::sudoku::set::CellSet;

/// How a conclusion follows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// By a pattern: the technique, the evidence and the houses say all.
    Pattern,
    /// Cells would have two solutions.
    TwoSolutions(Uniqueness),
    /// No combination of these cells that leaves the other cells of the evidence a digit has what goes.
    Combinations(CellSet),
    /// The candidates of the evidence are true and false in turn all round a loop, one way or the other.
    Loop,
    /// One of the two is true, and rules out what goes.
    OneOf([Candidate; 2]),
    /// If a candidate were true, or if it were not, this one would be both.
    Contradiction(Assumption, Candidate),
    /// Whether this candidate is true or not.
    Either(Candidate),
    /// Whatever this cell is.
    Cell(Cell),
    /// Wherever this digit goes in this house.
    Region(Digit, Unit),
}

/// What is assumed of a candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// Of this one.
    pub candidate: Candidate,
    /// That it is true, or that it is not.
    pub is_true: bool,
}

/// How it is concluded that a second solution must not be, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Uniqueness {
    /// The argument.
    pub kind: UniquenessType,
    /// Which cells would have two solutions: of a rectangle 4, of a loop 6 to 18, of BUG all that are empty.
    pub cells: CellSet,
    /// What they have more than would give them two. One of these is true.
    pub extras: Vec<Candidate>,
    /// What the argument takes beside.
    pub beside: Beside,
}

/// The arguments against a second solution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UniquenessType {
    /// One cell keeps it from being.
    One,
    /// One digit does.
    Two,
    /// Cells of one house do, which act as one cell of a subset.
    Three,
    /// Two cells of one house do, where a digit of the second solution has no other place.
    Four,
}

/// What else an argument against a second solution takes, in the house of the step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Beside {
    /// Nothing, and no house.
    Nothing,
    /// The other cells of a naked subset, with their candidates.
    Naked(Vec<Candidate>),
    /// The other cells of a hidden subset, with those of its digits that they have.
    Hidden(Vec<Candidate>),
    /// A digit that has no place but the cells with extras.
    Strong(Digit),
}
