//! The 81 cells of the board.

use std::fmt;

use super::set::CellSet;

/// A cell, numbered 0..81 row by row. Rows, columns and boxes are numbered 0..9 in code; people
/// read `r1c1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell(u8);

impl Cell {
    /// The cell of this number, if it is 0..81.
    #[must_use]
    pub const fn new(index: u8) -> Option<Self> {
        if index < 81 { Some(Self(index)) } else { None }
    }

    /// Every cell, row by row.
    pub fn all() -> impl ExactSizeIterator<Item = Self> + Clone {
        (0..81).map(Self)
    }

    /// The cell at this row and column, both counted from 0 and taken modulo 9.
    pub(super) const fn at(row: u8, column: u8) -> Self {
        Self(row % 9 * 9 + column % 9)
    }

    /// 0..81.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0..9, top to bottom.
    #[must_use]
    pub const fn row(self) -> u8 {
        self.0 / 9
    }

    /// 0..9, left to right.
    #[must_use]
    pub const fn column(self) -> u8 {
        self.0 % 9
    }

    /// 0..9, row by row.
    #[must_use]
    pub const fn box_(self) -> u8 {
        self.row() / 3 * 3 + self.column() / 3
    }

    /// The 20 other cells that share a house with this one.
    #[must_use]
    pub const fn peers(self) -> CellSet {
        PEERS[self.index()]
    }

    const fn sees(self, other: Self) -> bool {
        self.0 != other.0
            && (self.row() == other.row()
                || self.column() == other.column()
                || self.box_() == other.box_())
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}c{}", self.row() + 1, self.column() + 1)
    }
}

const PEERS: [CellSet; 81] = {
    let mut peers = [CellSet::EMPTY; 81];
    let mut i = 0;
    while i < 81 {
        let mut j = 0;
        while j < 81 {
            if Cell(i).sees(Cell(j)) {
                peers[i as usize] = peers[i as usize].with(Cell(j));
            }
            j += 1;
        }
        i += 1;
    }
    peers
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_has_twenty_peers_and_peerage_is_mutual() {
        for cell in Cell::all() {
            assert_eq!(cell.peers().len(), 20);
            assert!(!cell.peers().contains(cell));
            assert!(cell.peers().iter().all(|peer| peer.peers().contains(cell)));
        }
    }

    #[test]
    fn numbers_end_at_the_last_cell() {
        assert_eq!(
            Cell::new(80).map(|cell| cell.to_string()).as_deref(),
            Some("r9c9")
        );
        assert_eq!(Cell::new(81), None);
    }
}
