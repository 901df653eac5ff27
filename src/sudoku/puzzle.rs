//! A puzzle: 81 cells, each a given or empty.

use std::fmt;
use std::str::FromStr;

use super::cell::Cell;
use super::conflict::Conflict;
use super::error::{CellError, ParseError};
use super::{format, packed};

/// Any 81 cells, each a digit or empty. Givens may contradict one another: such a puzzle has no
/// solution, which is an answer and not an error.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Puzzle([u8; 81]);

impl Puzzle {
    /// No given at all.
    pub const EMPTY: Self = Self([0; 81]);

    /// A puzzle of 81 values row by row, 0 for empty.
    ///
    /// # Errors
    /// The first value above 9.
    pub fn from_cells(cells: [u8; 81]) -> Result<Self, CellError> {
        match Cell::all().find(|cell| cells[cell.index()] > 9) {
            Some(cell) => Err(CellError::Value {
                cell,
                value: cells[cell.index()],
            }),
            None => Ok(Self(cells)),
        }
    }

    /// For cells that are known to be 0..=9.
    pub(super) const fn from_checked(cells: [u8; 81]) -> Self {
        Self(cells)
    }

    /// A puzzle of 41 packed bytes, see [`packed`].
    ///
    /// # Errors
    /// The first nibble above 9, or a last nibble that is not 0.
    pub fn from_packed(bytes: &[u8; packed::BYTES]) -> Result<Self, CellError> {
        let padding = bytes[packed::BYTES - 1] & 15;
        if padding != 0 {
            return Err(CellError::Padding { value: padding });
        }
        Self::from_cells(packed::to_cells(bytes))
    }

    /// The cells row by row, 0 for empty.
    #[must_use]
    pub const fn cells(&self) -> &[u8; 81] {
        &self.0
    }

    /// How many cells are given.
    #[must_use]
    pub fn givens(&self) -> u8 {
        self.0.iter().map(|&cell| u8::from(cell != 0)).sum()
    }

    /// Every rule that is visibly broken; empty when nothing is seen at once, which is no proof of
    /// a solution.
    #[must_use]
    pub fn conflicts(&self) -> Vec<Conflict> {
        Conflict::all(self)
    }

    /// 81 characters, `.` for empty.
    #[must_use]
    pub fn to_line(&self) -> String {
        self.to_string()
    }

    /// Writes 81 ASCII characters, `.` for empty.
    pub fn write_line(&self, out: &mut [u8; 81]) {
        format::write_cells(&self.0, out);
    }

    /// 41 bytes, see [`packed`].
    #[must_use]
    pub fn to_packed(&self) -> [u8; packed::BYTES] {
        packed::from_cells(&self.0)
    }
}

impl FromStr for Puzzle {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        format::parse(text)
    }
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        format::fmt_cells(&self.0, f)
    }
}

impl fmt::Debug for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Puzzle({self})")
    }
}
