//! The 27 houses: rows, columns and boxes.

use std::fmt;

use super::cell::Cell;
use super::set::CellSet;

/// A house, numbered 0..27: rows top to bottom, columns left to right, boxes row by row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct House(u8);

/// The three kinds of house.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum HouseKind {
    /// Nine cells side by side.
    Row,
    /// Nine cells one above the other.
    Column,
    /// Three by three cells.
    Box,
}

impl House {
    /// The house of this number, if it is 0..27.
    #[must_use]
    pub const fn new(index: u8) -> Option<Self> {
        if index < 27 { Some(Self(index)) } else { None }
    }

    /// Every house: rows, columns, boxes.
    pub fn all() -> impl ExactSizeIterator<Item = Self> + Clone {
        (0..27).map(Self)
    }

    /// Row, column or box.
    #[must_use]
    pub const fn kind(self) -> HouseKind {
        match self.0 / 9 {
            0 => HouseKind::Row,
            1 => HouseKind::Column,
            _ => HouseKind::Box,
        }
    }

    /// 1 to 9 among its kind.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0 % 9 + 1
    }

    /// Its nine cells, as a set.
    pub(in crate::sudoku) const fn cell_set(self) -> CellSet {
        const SETS: [CellSet; 27] = {
            let mut sets = [CellSet::EMPTY; 27];
            let mut house = 0;
            while house < 27 {
                let cells = House(house).cells();
                let mut i = 0;
                while i < 9 {
                    sets[house as usize] = sets[house as usize].with(cells[i]);
                    i += 1;
                }
                house += 1;
            }
            sets
        };
        SETS[self.0 as usize]
    }

    /// Its nine cells, in the order of their numbers.
    #[must_use]
    pub const fn cells(self) -> [Cell; 9] {
        let house = self.0 % 9;
        let mut cells = [Cell::at(0, 0); 9];
        let mut i = 0;
        while i < 9 {
            cells[i as usize] = match self.kind() {
                HouseKind::Row => Cell::at(house, i),
                HouseKind::Column => Cell::at(i, house),
                HouseKind::Box => Cell::at(house / 3 * 3 + i / 3, house % 3 * 3 + i % 3),
            };
            i += 1;
        }
        cells
    }
}

impl fmt::Display for House {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind() {
            HouseKind::Row => "row",
            HouseKind::Column => "column",
            HouseKind::Box => "box",
        };
        write!(f, "{kind} {}", self.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_is_in_one_house_of_each_kind() {
        for kind in [HouseKind::Row, HouseKind::Column, HouseKind::Box] {
            let mut cells: Vec<Cell> = House::all()
                .filter(|house| house.kind() == kind)
                .flat_map(House::cells)
                .collect();
            cells.sort_unstable();
            assert!(cells.into_iter().eq(Cell::all()));
        }
    }

    #[test]
    fn the_cells_of_a_house_see_each_other() {
        for house in House::all() {
            for cell in house.cells() {
                assert!(
                    house
                        .cells()
                        .into_iter()
                        .all(|other| other == cell || cell.peers().contains(other))
                );
            }
        }
    }
}
