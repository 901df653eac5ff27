//! The cells that may be given, as a caller draws them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::sudoku::cell::Cell;
use crate::sudoku::set::CellSet;

/// A set of cells as 81 characters, row by row: `x` may be given, `.` stays empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pattern(CellSet);

impl Pattern {
    /// Every cell may be given.
    pub const ALL: Self = Self(CellSet::ALL);

    /// The cells that may be given.
    #[must_use]
    pub const fn cells(self) -> CellSet {
        self.0
    }
}

impl Default for Pattern {
    fn default() -> Self {
        Self::ALL
    }
}

impl From<CellSet> for Pattern {
    fn from(cells: CellSet) -> Self {
        Self(cells)
    }
}

/// What makes a text no pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum PatternError {
    /// It has not 81 characters.
    #[error("expected 81 characters, found {0}")]
    Length(usize),
    /// Another character than the two.
    #[error("expected x or . at character {at}, found {found:?}")]
    Character {
        /// 1 to 81.
        at: usize,
        /// What stands there.
        found: char,
    },
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let count = text.chars().count();
        if count != 81 {
            return Err(PatternError::Length(count));
        }
        let mut cells = CellSet::EMPTY;
        for (cell, (at, mark)) in Cell::all().zip((1..).zip(text.chars())) {
            match mark {
                'x' | 'X' => cells = cells.with(cell),
                '.' => {}
                found => return Err(PatternError::Character { at, found }),
            }
        }
        Ok(Self(cells))
    }
}

impl TryFrom<String> for Pattern {
    type Error = PatternError;

    fn try_from(text: String) -> Result<Self, PatternError> {
        text.parse()
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let marks = Cell::all().map(|cell| if self.0.contains(cell) { 'x' } else { '.' });
        f.pad(&marks.collect::<String>())
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pattern({self})")
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> Self {
        pattern.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_reads_back() {
        let text = "x........".to_owned() + &".".repeat(71) + "x";
        let pattern: Pattern = text.parse().expect("a pattern");
        assert!(pattern.cells().iter().map(Cell::index).eq([0, 80]));
        assert_eq!(pattern.to_string(), text);
        assert_eq!(text.to_uppercase().parse(), Ok(pattern));
        assert_eq!("x".repeat(81).parse(), Ok(Pattern::ALL));
    }

    #[test]
    fn what_is_wrong_is_told() {
        assert_eq!("x".parse::<Pattern>(), Err(PatternError::Length(1)));
        assert_eq!(
            "é".repeat(82).parse::<Pattern>(),
            Err(PatternError::Length(82))
        );
        let text = ".".repeat(80) + "1";
        let error = PatternError::Character { at: 81, found: '1' };
        assert_eq!(text.parse::<Pattern>(), Err(error));
    }
}
