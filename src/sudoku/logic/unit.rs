//! The 27 houses in the order in which the rating scale scans them: boxes, columns, rows.
//!
//! [`House`] numbers rows first; order decides what a puzzle is rated, so here they have numbers of their
//! own. Cells of a box count row by row, those of a column downwards, those of a row to the right.

use crate::sudoku::cell::Cell;
use crate::sudoku::house::House;

/// A house: boxes 0..9, columns 9..18, rows 18..27.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Unit(u8);

impl Unit {
    /// All of them, as they are scanned.
    pub fn all() -> impl ExactSizeIterator<Item = Self> + Clone {
        (0..27).map(Self)
    }

    /// The boxes.
    #[must_use]
    pub fn boxes() -> [Self; 9] {
        Self::kind(0)
    }

    /// The columns.
    #[must_use]
    pub fn columns() -> [Self; 9] {
        Self::kind(9)
    }

    /// The rows.
    #[must_use]
    pub fn rows() -> [Self; 9] {
        Self::kind(18)
    }

    /// Whether it is a box.
    #[must_use]
    pub const fn is_box(self) -> bool {
        self.0 < 9
    }

    /// All of the same kind.
    pub(super) fn of_its_kind(self) -> [Self; 9] {
        Self::kind(self.0 / 9 * 9)
    }

    fn kind(first: u8) -> [Self; 9] {
        [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|number| Self(first + number))
    }

    /// Which of its cells another unit has too, as bits.
    pub(super) const fn common(self, other: Self) -> u16 {
        COMMON[self.index()][other.index()]
    }

    /// Whether the cell is in it.
    pub(super) const fn has(self, cell: Cell) -> bool {
        UNITS_OF[cell.index()][self.0 as usize / 9].0.0 == self.0
    }

    /// 0..27.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its cells, in their order.
    #[must_use]
    pub const fn cells(self) -> &'static [Cell; 9] {
        &UNITS[self.0 as usize]
    }

    /// The same house under its usual number.
    #[must_use]
    pub const fn house(self) -> House {
        let number = match self.0 {
            0..9 => self.0 + 18,
            _ if self.0 < 18 => self.0,
            _ => self.0 - 18,
        };
        match House::new(number) {
            Some(house) => house,
            None => unreachable!(),
        }
    }
}

/// The cells of every unit.
pub(super) const UNITS: [[Cell; 9]; 27] = {
    let mut units = [[Cell::at(0, 0); 9]; 27];
    let mut unit = 0;
    while unit < 27 {
        units[unit as usize] = Unit(unit).house().cells();
        unit += 1;
    }
    units
};

/// The box, column and row of every cell, and which of their cells it is.
pub(super) const UNITS_OF: [[(Unit, u8); 3]; 81] = {
    let mut all = [[(Unit(0), 0); 3]; 81];
    let mut unit = 0;
    while unit < 27 {
        let mut position = 0;
        while position < 9 {
            let cell = UNITS[unit as usize][position as usize];
            all[cell.index()][unit as usize / 9] = (Unit(unit), position);
            position += 1;
        }
        unit += 1;
    }
    all
};

/// Which cells of the first unit are in the second, as bits.
const COMMON: [[u16; 27]; 27] = {
    let mut common = [[0; 27]; 27];
    let mut first = 0;
    while first < 27 {
        let mut position = 0;
        while position < 9 {
            let of = UNITS_OF[UNITS[first][position].index()];
            let mut kind = 0;
            while kind < 3 {
                common[first][of[kind].0.index()] |= 1 << position;
                kind += 1;
            }
            position += 1;
        }
        first += 1;
    }
    common
};
