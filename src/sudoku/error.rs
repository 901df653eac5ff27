//! What can be wrong with text, bytes and cells.

use std::fmt;

use thiserror::Error;

use super::cell::Cell;
use super::conflict::Conflict;

/// A number that is no digit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("{value} is no digit, expected 1 to 9")]
pub struct DigitError {
    /// What stood there.
    pub value: u8,
}

/// A cell that holds neither a digit nor nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum CellError {
    /// A value above 9.
    #[error("{cell} holds {value}, expected 1 to 9, or 0 for an empty cell")]
    Value {
        /// Where.
        cell: Cell,
        /// What stood there.
        value: u8,
    },
    /// The 82nd nibble of a packed puzzle, which stands for no cell.
    #[error("the last nibble of a packed grid is {value}, expected 0")]
    Padding {
        /// What stood there.
        value: u8,
    },
}

/// Why 81 cells are no complete valid grid.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum GridError {
    /// A cell holds no digit at all.
    #[error(transparent)]
    Cell(#[from] CellError),
    /// A cell is empty.
    #[error("{0} is empty")]
    Empty(Cell),
    /// A rule is broken.
    #[error("{0}")]
    Conflict(Conflict),
}

/// Why text is no puzzle, and where. Nothing is ever padded, cut or guessed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub struct ParseError {
    /// The line, counted from 1.
    pub line: u64,
    /// The column in characters, counted from 1. Where cells are missing it points just past the
    /// last one.
    pub column: u64,
    /// What is wrong there.
    pub kind: ParseErrorKind,
}

/// What is wrong with text that is no puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParseErrorKind {
    /// A character that is no cell, blank, separator or border.
    Character(char),
    /// The text holds this many cells instead of 81.
    Cells(usize),
    /// One of several lines holds this many cells instead of 9.
    RowCells(usize),
    /// A block of lines of nine cells ends after this many.
    Rows(usize),
    /// There is nothing but blanks and borders.
    Empty,
    /// The text is longer than any written grid. How long is not told: what is read from a file is cut first.
    TooLong,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.line;
        match self.kind {
            ParseErrorKind::Character(found) => {
                write!(
                    f,
                    "line {line}, column {}: found {found:?}, expected a digit 1-9 or one of . 0 _ * for an empty cell",
                    self.column
                )?;
                match found {
                    '-' | '+' | '=' => {
                        f.write_str(" ('-', '+' and '=' may only stand in a border line)")
                    }
                    ':' => f.write_str(" (strings with candidate lists are not supported)"),
                    _ => Ok(()),
                }
            }
            ParseErrorKind::Cells(found) => write!(f, "line {line}: {found} cells, expected 81"),
            ParseErrorKind::RowCells(found) => {
                write!(f, "line {line}: {found} cells in a row, expected 9")
            }
            ParseErrorKind::Rows(found) => {
                write!(f, "line {line}: block of {found} rows, expected 9")
            }
            ParseErrorKind::Empty => write!(f, "line {line}: no cells, expected 81"),
            ParseErrorKind::TooLong => {
                let most = super::format::MAX_BYTES;
                write!(f, "line {line}: more than {most} bytes for one puzzle")
            }
        }
    }
}
