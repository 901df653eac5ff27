//! The symmetry of the pattern of givens: the ten groups of the square.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::sudoku::cell::Cell;
use crate::sudoku::set::CellSet;

/// A symmetry of the pattern of givens. An orbit of cells is given as a whole or not at all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum Symmetry {
    /// Any pattern.
    #[default]
    None,
    /// Unchanged by half a turn.
    Rotational180,
    /// Unchanged by a quarter turn.
    Rotational90,
    /// Left and right mirror each other.
    MirrorLeftRight,
    /// Top and bottom mirror each other.
    MirrorTopBottom,
    /// Both mirrors, hence half a turn too.
    BothMirrors,
    /// Mirrored in the diagonal from top left to bottom right.
    Diagonal,
    /// Mirrored in the diagonal from top right to bottom left.
    Antidiagonal,
    /// Both diagonals, hence half a turn too.
    BothDiagonals,
    /// All eight symmetries of the square.
    Full,
}

impl Symmetry {
    /// All ten, as they are declared.
    pub const ALL: [Self; 10] = [
        Self::None,
        Self::Rotational180,
        Self::Rotational90,
        Self::MirrorLeftRight,
        Self::MirrorTopBottom,
        Self::BothMirrors,
        Self::Diagonal,
        Self::Antidiagonal,
        Self::BothDiagonals,
        Self::Full,
    ];

    /// Its name, as it is written and read.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Rotational180 => "rotational-180",
            Self::Rotational90 => "rotational-90",
            Self::MirrorLeftRight => "mirror-left-right",
            Self::MirrorTopBottom => "mirror-top-bottom",
            Self::BothMirrors => "both-mirrors",
            Self::Diagonal => "diagonal",
            Self::Antidiagonal => "antidiagonal",
            Self::BothDiagonals => "both-diagonals",
            Self::Full => "full",
        }
    }

    /// The orbits, which part the 81 cells, in the order of their first cells.
    #[must_use]
    pub fn orbits(self) -> Vec<CellSet> {
        let mut seen = CellSet::EMPTY;
        let mut orbits = Vec::new();
        for cell in Cell::all() {
            if !seen.contains(cell) {
                let orbit = self.orbit(cell);
                seen = seen.union(orbit);
                orbits.push(orbit);
            }
        }
        orbits
    }

    /// The cell and all its images: the generators applied until nothing new appears.
    fn orbit(self, cell: Cell) -> CellSet {
        let mut orbit = CellSet::EMPTY.with(cell);
        loop {
            let images = orbit
                .iter()
                .flat_map(|cell| self.generators().iter().map(move |image| image(cell)));
            let grown = orbit.union(images.collect());
            if grown == orbit {
                return orbit;
            }
            orbit = grown;
        }
    }

    fn generators(self) -> &'static [fn(Cell) -> Cell] {
        const HALF_TURN: fn(Cell) -> Cell = |cell| Cell::at(8 - cell.row(), 8 - cell.column());
        const QUARTER_TURN: fn(Cell) -> Cell = |cell| Cell::at(cell.column(), 8 - cell.row());
        const LEFT_RIGHT: fn(Cell) -> Cell = |cell| Cell::at(cell.row(), 8 - cell.column());
        const TOP_BOTTOM: fn(Cell) -> Cell = |cell| Cell::at(8 - cell.row(), cell.column());
        const DIAGONAL: fn(Cell) -> Cell = |cell| Cell::at(cell.column(), cell.row());
        const ANTIDIAGONAL: fn(Cell) -> Cell = |cell| Cell::at(8 - cell.column(), 8 - cell.row());
        match self {
            Self::None => &[],
            Self::Rotational180 => &[HALF_TURN],
            Self::Rotational90 => &[QUARTER_TURN],
            Self::MirrorLeftRight => &[LEFT_RIGHT],
            Self::MirrorTopBottom => &[TOP_BOTTOM],
            Self::BothMirrors => &[LEFT_RIGHT, TOP_BOTTOM],
            Self::Diagonal => &[DIAGONAL],
            Self::Antidiagonal => &[ANTIDIAGONAL],
            Self::BothDiagonals => &[DIAGONAL, ANTIDIAGONAL],
            Self::Full => &[QUARTER_TURN, DIAGONAL],
        }
    }
}

impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is no symmetry's.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown symmetry, expected one of: {}", Symmetry::ALL.map(Symmetry::name).join(", "))]
pub struct UnknownSymmetry;

impl FromStr for Symmetry {
    type Err = UnknownSymmetry;

    fn from_str(name: &str) -> Result<Self, UnknownSymmetry> {
        Self::ALL
            .into_iter()
            .find(|symmetry| symmetry.name() == name)
            .ok_or(UnknownSymmetry)
    }
}

impl TryFrom<String> for Symmetry {
    type Error = UnknownSymmetry;

    fn try_from(name: String) -> Result<Self, UnknownSymmetry> {
        name.parse()
    }
}

impl From<Symmetry> for &'static str {
    fn from(symmetry: Symmetry) -> Self {
        symmetry.name()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orbits_part_the_board() {
        // The number of orbits, by Burnside's lemma: the mean number of cells that the group's
        // members leave in place.
        let expected = [81, 41, 21, 45, 45, 25, 45, 45, 25, 15];
        for (symmetry, expected) in Symmetry::ALL.into_iter().zip(expected) {
            let orbits = symmetry.orbits();
            assert_eq!(orbits.len(), expected, "{symmetry}");
            let mut cells: Vec<Cell> = orbits.iter().flat_map(|orbit| orbit.iter()).collect();
            cells.sort_unstable();
            assert!(cells.into_iter().eq(Cell::all()), "{symmetry}");
        }
    }

    #[test]
    fn a_name_reads_back() {
        for symmetry in Symmetry::ALL {
            assert_eq!(symmetry.to_string().parse(), Ok(symmetry));
        }
        assert_eq!(
            serde_json::to_string(&Symmetry::BothMirrors)
                .ok()
                .as_deref(),
            Some("\"both-mirrors\"")
        );
        let read = serde_json::from_str::<Symmetry>("\"rotational-90\"");
        assert_eq!(read.ok(), Some(Symmetry::Rotational90));
        let error = "round".parse::<Symmetry>().expect_err("no such symmetry");
        assert!(error.to_string().contains("rotational-180"));
    }
}
