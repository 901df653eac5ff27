//! What a person has on paper: the digits that are filled in, and the candidates of every other cell.
//!
//! Invariant: a cell has a digit or candidates, never both, and no candidate that a digit rules out in a
//! house of its cell. A cell may be left with neither; then there is no solution.
//!
//! The candidates stand here three times over, since some techniques ask for those of a cell, some for
//! the places of a digit in a house, and some for its cells on the board:
//!
//! ```text
//! cells[cell]            bit d-1   digit d may stand in the cell
//! places[house][d-1]     bit i     digit d may stand in the i-th cell of the house
//! boards[d-1]            bit cell  digit d may stand in the cell
//! ```
//!
//! Houses are numbered as the scale scans them ([`Unit`]).

use std::fmt::{self, Write};

use super::unit::{UNITS_OF, Unit};
use crate::sudoku::cell::Cell;
use crate::sudoku::digit::Digit;
use crate::sudoku::puzzle::Puzzle;
use crate::sudoku::set::CellSet;

/// A board with candidates. Small enough to be copied by the thousand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pencilmarks {
    digits: [u8; 81],
    cells: [u16; 81],
    places: [[u16; 9]; 27],
    boards: [CellSet; 9],
    /// By unit its cells without a digit, as bits.
    empty: [u16; 27],
}

/// A digit in a cell, as something that may be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Candidate {
    cell: Cell,
    digit: Digit,
}

impl Candidate {
    /// This digit in this cell.
    #[must_use]
    pub const fn new(cell: Cell, digit: Digit) -> Self {
        Self { cell, digit }
    }

    /// The candidate with this number, if it is below 729.
    #[must_use]
    pub fn from_index(index: u16) -> Option<Self> {
        let [cell, digit] = [index / 9, index % 9 + 1].map(u8::try_from);
        Some(Self::new(Cell::new(cell.ok()?)?, Digit::new(digit.ok()?)?))
    }

    /// Its number as on the wire: `9 * cell + digit - 1`, 0..729.
    #[must_use]
    pub fn index(self) -> u16 {
        let cell = 9 * self.cell.row() + self.cell.column();
        9 * u16::from(cell) + u16::from(self.digit.value()) - 1
    }

    /// Where it is.
    #[must_use]
    pub const fn cell(self) -> Cell {
        self.cell
    }

    /// What it is.
    #[must_use]
    pub const fn digit(self) -> Digit {
        self.digit
    }
}

impl Pencilmarks {
    /// The digits of a puzzle, and in the other cells all candidates that no digit rules out. Digits that
    /// contradict one another stay.
    #[must_use]
    pub fn new(puzzle: &Puzzle) -> Self {
        let mut marks = Self {
            digits: *puzzle.cells(),
            cells: [0; 81],
            places: [[0; 9]; 27],
            boards: [CellSet::EMPTY; 9],
            empty: [0; 27],
        };
        let mut taken = [0_u16; 27];
        for (units, digit) in UNITS_OF.iter().zip(marks.digits) {
            for (unit, position) in units {
                taken[unit.index()] |= 1 << digit >> 1;
                marks.empty[unit.index()] |= u16::from(digit == 0) << position;
            }
        }
        for cell in Cell::all().filter(|cell| marks.digits[cell.index()] == 0) {
            let units = UNITS_OF[cell.index()];
            let taken = units
                .iter()
                .fold(0, |all, (unit, _)| all | taken[unit.index()]);
            marks.cells[cell.index()] = !taken & 0x1ff;
            for d in bits(!taken & 0x1ff) {
                marks.boards[d] = marks.boards[d].with(cell);
                for (unit, position) in units {
                    marks.places[unit.index()][d] |= 1 << position;
                }
            }
        }
        marks
    }

    /// The digit of a cell, 0 if it is empty.
    #[must_use]
    pub const fn digit(&self, cell: Cell) -> u8 {
        self.digits[cell.index()]
    }

    /// All digits, 0 where a cell is empty.
    #[must_use]
    pub const fn digits(&self) -> &[u8; 81] {
        &self.digits
    }

    /// The candidates of a cell: bit `d - 1` is digit `d`.
    #[must_use]
    pub const fn candidates(&self, cell: Cell) -> u16 {
        self.cells[cell.index()]
    }

    /// All candidates, by cell.
    #[must_use]
    pub const fn all(&self) -> &[u16; 81] {
        &self.cells
    }

    /// Where a digit may stand in a unit: bit `i` is the unit's `i`-th cell.
    #[must_use]
    pub const fn places(&self, unit: Unit, digit: Digit) -> u16 {
        self.places[unit.index()][digit.value() as usize - 1]
    }

    /// Where every digit may stand on the board.
    pub(super) const fn boards(&self) -> &[CellSet; 9] {
        &self.boards
    }

    /// The same for all digits, counted from 0, unit by unit.
    pub(super) const fn all_places(&self) -> &[[u16; 9]; 27] {
        &self.places
    }

    /// The cells of every unit without a digit, as bits.
    pub(super) const fn empty(&self) -> &[u16; 27] {
        &self.empty
    }

    /// The same for all digits.
    pub(super) const fn places_in(&self, unit: Unit) -> &[u16; 9] {
        &self.places[unit.index()]
    }

    /// The same for a digit counted from 0.
    pub(super) const fn places_of(&self, unit: Unit, digit: usize) -> u16 {
        self.places[unit.index()][digit]
    }

    /// Where a digit may stand on the board.
    #[must_use]
    pub const fn cells_with(&self, digit: Digit) -> CellSet {
        self.boards[digit.value() as usize - 1]
    }

    /// Whether a digit is a candidate of a cell.
    #[must_use]
    pub const fn has(&self, candidate: Candidate) -> bool {
        let digit = candidate.digit().value();
        self.cells[candidate.cell().index()] >> (digit - 1) & 1 != 0
    }

    /// The cells without a digit.
    #[must_use]
    pub fn empty_cells(&self) -> CellSet {
        Cell::all().filter(|&cell| self.digit(cell) == 0).collect()
    }

    /// How often each digit is filled in; at 0, how many cells are empty.
    pub(super) fn times_placed(&self) -> [usize; 10] {
        let mut times = [0; 10];
        for &digit in &self.digits {
            times[usize::from(digit)] += 1;
        }
        times
    }

    /// How often a digit is filled in.
    pub(super) fn times_placed_of(&self, digit: Digit) -> usize {
        let placed = self.digits.iter().filter(|&&of| of == digit.value());
        placed.count()
    }

    /// The first of the empty cells with the fewest candidates.
    #[must_use]
    pub fn narrowest(&self) -> Option<Cell> {
        let cells = self.empty_cells();
        cells
            .iter()
            .min_by_key(|&cell| self.candidates(cell).count_ones())
    }

    /// Whether every cell has a digit.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.empty[..9].iter().all(|&cells| cells == 0)
    }

    /// Takes a candidate away, if it is there.
    pub fn eliminate(&mut self, cell: Cell, digit: Digit) {
        let bit = 1 << (digit.value() - 1);
        if self.cells[cell.index()] & bit == 0 {
            return;
        }
        let d = usize::from(digit.value()) - 1;
        self.cells[cell.index()] &= !bit;
        self.boards[d] = self.boards[d].difference(CellSet::EMPTY.with(cell));
        for (unit, position) in UNITS_OF[cell.index()] {
            self.places[unit.index()][d] &= !(1 << position);
        }
    }

    /// Fills in a digit: the cell loses its candidates, and its peers lose the digit.
    pub fn place(&mut self, cell: Cell, digit: Digit) {
        let (units, d) = (UNITS_OF[cell.index()], usize::from(digit.value()) - 1);
        for other in bits(self.cells[cell.index()]) {
            self.boards[other] = self.boards[other].difference(CellSet::EMPTY.with(cell));
            for (unit, position) in units {
                self.places[unit.index()][other] &= !(1 << position);
            }
        }
        self.cells[cell.index()] = 0;
        self.digits[cell.index()] = digit.value();
        self.boards[d] = self.boards[d].difference(cell.peers());
        for (unit, position) in units {
            self.empty[unit.index()] &= !(1 << position);
            for place in bits(self.places[unit.index()][d]) {
                let peer = unit.cells()[place].index();
                self.cells[peer] &= !(1 << d);
                for (unit, position) in UNITS_OF[peer] {
                    self.places[unit.index()][d] &= !(1 << position);
                }
            }
        }
    }

    /// The cells of a unit without a digit.
    #[must_use]
    pub fn empty_in(&self, unit: Unit) -> usize {
        count(self.empty[unit.index()]) as usize
    }
}

impl fmt::Display for Pencilmarks {
    /// 81 characters, `.` where a cell is empty.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for &digit in &self.digits {
            let digit = char::from_digit(digit.into(), 10).filter(|&digit| digit != '0');
            f.write_char(digit.unwrap_or('.'))?;
        }
        Ok(())
    }
}

/// These digits in a cell.
pub(super) fn candidates_of(cell: Cell, digits: u16) -> impl Iterator<Item = Candidate> + Clone {
    self::digits(digits).map(move |digit| Candidate::new(cell, digit))
}

/// The digits of a mask, smallest first.
pub(super) fn digits(mask: u16) -> impl Iterator<Item = Digit> + Clone {
    bits(mask).map(|bit| Digit::ALL[bit])
}

/// How many of its nine bits a mask has. Not every processor that the program is built for counts bits.
pub(super) fn count(mask: u16) -> u32 {
    const COUNTS: [u32; 512] = {
        let mut counts = [0; 512];
        let mut mask = 0_u16;
        while mask < 512 {
            counts[mask as usize] = mask.count_ones();
            mask += 1;
        }
        counts
    };
    COUNTS[usize::from(mask & 0x1ff)]
}

/// The bits of a mask, lowest first.
pub(in crate::sudoku) fn bits(mut mask: u16) -> impl Iterator<Item = usize> + Clone {
    std::iter::from_fn(move || {
        let first = mask.trailing_zeros() as usize;
        mask &= mask.wrapping_sub(1);
        (first < 9).then_some(first)
    })
}
