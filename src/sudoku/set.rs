//! Sets of cells and of digits, a bit a member.

use std::fmt;
use std::iter;

use super::cell::Cell;
use super::digit::Digit;

/// A set of cells: bit `i` is the cell numbered `i`, bits 81.. are 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CellSet(u128);

impl CellSet {
    /// No cell.
    pub const EMPTY: Self = Self(0);
    /// All 81.
    pub const ALL: Self = Self((1 << 81) - 1);

    /// This set and one cell more.
    #[must_use]
    pub const fn with(self, cell: Cell) -> Self {
        Self(self.0 | 1 << cell.index())
    }

    /// The cells of either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The cells of both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The cells of this set that are not in the other.
    #[must_use]
    pub const fn difference(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether the cell is in the set.
    #[must_use]
    pub const fn contains(self, cell: Cell) -> bool {
        self.0 >> cell.index() & 1 != 0
    }

    /// How many cells there are.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is no cell.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether there are two cells or more.
    pub(in crate::sudoku) const fn has_two(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The cells that see every cell of this set; all, if it is empty.
    pub(in crate::sudoku) fn seen_by_all(self) -> Self {
        let seen = |seen: Self, cell: Cell| seen.intersection(cell.peers());
        self.iter().fold(Self::ALL, seen)
    }

    /// The cells in the order of their numbers.
    pub fn iter(self) -> impl Iterator<Item = Cell> + Clone {
        let mut rest = self.0;
        iter::from_fn(move || {
            let first = u8::try_from(rest.trailing_zeros()).ok().and_then(Cell::new);
            rest &= rest.wrapping_sub(1);
            first
        })
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        cells.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl fmt::Debug for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(self.iter().map(|cell| cell.to_string()))
            .finish()
    }
}

/// A set of digits: bit `d - 1` is the digit `d`, bits 9.. are 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DigitSet(u16);

impl DigitSet {
    /// No digit.
    pub const EMPTY: Self = Self(0);
    /// All nine.
    pub const ALL: Self = Self(0x1ff);

    /// This set and one digit more.
    #[must_use]
    pub const fn with(self, digit: Digit) -> Self {
        Self(self.0 | 1 << (digit.value() - 1))
    }

    /// This set but for one digit.
    #[must_use]
    pub const fn without(self, digit: Digit) -> Self {
        Self(self.0 & !(1 << (digit.value() - 1)))
    }

    /// Whether the digit is in the set.
    #[must_use]
    pub const fn contains(self, digit: Digit) -> bool {
        self.0 >> (digit.value() - 1) & 1 != 0
    }

    /// How many digits there are.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is no digit.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The digits, smallest first.
    pub fn iter(self) -> impl Iterator<Item = Digit> + Clone {
        Digit::ALL
            .into_iter()
            .filter(move |&digit| self.contains(digit))
    }
}

impl FromIterator<Digit> for DigitSet {
    fn from_iter<I: IntoIterator<Item = Digit>>(digits: I) -> Self {
        digits.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl fmt::Debug for DigitSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(self.iter().map(Digit::value))
            .finish()
    }
}
