//! A grid: 81 digits that keep every rule.

use std::fmt;

use super::cell::Cell;
use super::error::GridError;
use super::house::House;
use super::puzzle::Puzzle;
use super::{format, packed};

/// A complete, valid grid. Where one is held, the rules need no second check.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Grid([u8; 81]);

impl Grid {
    /// A grid of 81 digits row by row.
    ///
    /// # Errors
    /// The first value above 9, the first empty cell, or the first digit that stands twice in a
    /// house.
    pub fn from_cells(cells: [u8; 81]) -> Result<Self, GridError> {
        let puzzle = Puzzle::from_cells(cells)?;
        if let Some(cell) = Cell::all().find(|cell| cells[cell.index()] == 0) {
            return Err(GridError::Empty(cell));
        }
        let complete = |house: House| {
            house
                .cells()
                .into_iter()
                .fold(0u16, |seen, cell| seen | 1 << cells[cell.index()])
                == 0x3fe
        };
        if House::all().all(complete) {
            return Ok(Self(cells));
        }
        // A full house that lacks a digit repeats another, so there is always a conflict to name.
        let conflict = puzzle.conflicts().into_iter().next();
        conflict.map_or(Ok(Self(cells)), |conflict| {
            Err(GridError::Conflict(conflict))
        })
    }

    /// For cells that are valid by the way they were made.
    pub(super) fn from_checked(cells: [u8; 81]) -> Self {
        debug_assert!(Self::from_cells(cells).is_ok(), "no valid grid: {cells:?}");
        Self(cells)
    }

    /// The digits row by row.
    #[must_use]
    pub const fn cells(&self) -> &[u8; 81] {
        &self.0
    }

    /// 81 characters.
    #[must_use]
    pub fn to_line(&self) -> String {
        self.to_string()
    }

    /// Writes 81 ASCII characters.
    pub fn write_line(&self, out: &mut [u8; 81]) {
        format::write_cells(&self.0, out);
    }

    /// 41 bytes, see [`packed`].
    #[must_use]
    pub fn to_packed(&self) -> [u8; packed::BYTES] {
        packed::from_cells(&self.0)
    }
}

impl TryFrom<Puzzle> for Grid {
    type Error = GridError;

    fn try_from(puzzle: Puzzle) -> Result<Self, GridError> {
        Self::from_cells(*puzzle.cells())
    }
}

impl From<Grid> for Puzzle {
    fn from(grid: Grid) -> Self {
        Self::from_checked(grid.0)
    }
}

impl From<&Grid> for Puzzle {
    fn from(grid: &Grid) -> Self {
        Self::from_checked(grid.0)
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        format::fmt_cells(&self.0, f)
    }
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Grid({self})")
    }
}
