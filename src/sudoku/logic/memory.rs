//! Where patterns were sought in vain.
//!
//! A step changes few candidates, and what a house or a digit did not show before it does not show while its
//! candidates stay the same. So a way remembers where there was nothing, and looks elsewhere: what is
//! found, and in what order, is the same. A board without a memory is looked through as a whole.

use super::pencilmarks::Pencilmarks;
use super::unit::Unit;
use crate::sudoku::cell::Cell;
use crate::sudoku::set::CellSet;

/// A kind of pattern that depends on the candidates of a house alone, or on the places of a digit alone.
#[derive(Clone, Copy)]
pub(super) struct Pattern(usize);

impl Pattern {
    /// Kinds that are sought in houses; those after them are sought by digit.
    const IN_UNITS: usize = 9;
    const COUNT: usize = Self::IN_UNITS + 8 + 6;

    /// Naked subsets of two, three or four.
    pub(super) const fn naked(size: u32) -> Self {
        Self(size as usize - 2)
    }

    /// Hidden ones.
    pub(super) const fn hidden(size: u32) -> Self {
        Self(size as usize + 1)
    }

    /// Those that fill in a digit.
    pub(super) const fn direct_hidden(size: u32) -> Self {
        Self(size as usize + 4)
    }

    /// Locked candidates, by which houses lock them (0..4), and whether they fill in a digit.
    pub(super) const fn locked(crossing: usize, is_direct: bool) -> Self {
        Self(Self::IN_UNITS + crossing + if is_direct { 4 } else { 0 })
    }

    /// Fish on columns or on rows.
    pub(super) const fn fish(size: u32, on_rows: bool) -> Self {
        Self(Self::IN_UNITS + 6 + size as usize + if on_rows { 3 } else { 0 })
    }
}

/// A board that is looked at.
pub(super) trait Look {
    /// The board.
    fn marks(&self) -> &Pencilmarks;

    /// Whether a house or a digit, counted from 0, is known to have no such pattern.
    fn is_barren(&self, _: Pattern, _: usize) -> bool {
        false
    }

    /// Notes that it has none.
    fn note_barren(&mut self, _: Pattern, _: usize) {}

    /// The cells that have changed since so many aligned cells were sought in vain.
    fn changed(&self, _: usize) -> CellSet {
        CellSet::ALL
    }

    /// Notes that so many aligned cells were sought in vain.
    fn note_unaligned(&mut self, _: usize) {}

    /// What is first found of the houses.
    fn in_units<T>(
        &mut self,
        pattern: Pattern,
        find: impl Fn(&Pencilmarks, Unit) -> Option<T>,
    ) -> Option<T> {
        Unit::all().find_map(|unit| {
            if self.is_barren(pattern, unit.index()) {
                return None;
            }
            let found = find(self.marks(), unit);
            if found.is_none() {
                self.note_barren(pattern, unit.index());
            }
            found
        })
    }
}

impl Look for &Pencilmarks {
    fn marks(&self) -> &Pencilmarks {
        self
    }
}

impl<B: Look> Look for &mut B {
    fn marks(&self) -> &Pencilmarks {
        (**self).marks()
    }

    fn is_barren(&self, pattern: Pattern, of: usize) -> bool {
        (**self).is_barren(pattern, of)
    }

    fn note_barren(&mut self, pattern: Pattern, of: usize) {
        (**self).note_barren(pattern, of);
    }

    fn changed(&self, aligned: usize) -> CellSet {
        (**self).changed(aligned)
    }

    fn note_unaligned(&mut self, aligned: usize) {
        (**self).note_unaligned(aligned);
    }
}

/// What was found barren on a way.
pub(super) struct Memory {
    /// Of the board that was looked at last.
    places: [[u16; 9]; 27],
    boards: [CellSet; 9],
    /// By kind a bit a house or digit.
    barren: [u32; Pattern::COUNT],
    /// The candidates where two and where three aligned cells were last sought in vain.
    unaligned: [[u16; 81]; 2],
}

impl Memory {
    pub(super) const fn new() -> Self {
        Self {
            places: [[0; 9]; 27],
            boards: [CellSet::EMPTY; 9],
            barren: [0; Pattern::COUNT],
            // No cell has all sixteen.
            unaligned: [[u16::MAX; 81]; 2],
        }
    }

    /// Forgets what a board has changed since the last one, and looks at it.
    pub(super) fn look<'a>(&'a mut self, marks: &'a Pencilmarks) -> Remembered<'a> {
        let changed = |all: &mut dyn Iterator<Item = bool>| {
            all.zip(0..).fold(0, |changed, (is_same, bit)| {
                changed | u32::from(!is_same) << bit
            })
        };
        let places = self.places.iter().zip(marks.all_places());
        let units = changed(&mut places.map(|(before, now)| before == now));
        let boards = self.boards.iter().zip(marks.boards());
        let digits = changed(&mut boards.map(|(before, now)| before == now));
        if units | digits != 0 {
            self.places = *marks.all_places();
            self.boards = *marks.boards();
            let (in_units, by_digit) = self.barren.split_at_mut(Pattern::IN_UNITS);
            for barren in in_units {
                *barren &= !units;
            }
            for barren in by_digit {
                *barren &= !digits;
            }
        }
        Remembered {
            marks,
            memory: self,
        }
    }
}

/// A board with what is remembered of it.
pub(super) struct Remembered<'a> {
    marks: &'a Pencilmarks,
    memory: &'a mut Memory,
}

impl Look for Remembered<'_> {
    fn marks(&self) -> &Pencilmarks {
        self.marks
    }

    fn is_barren(&self, pattern: Pattern, of: usize) -> bool {
        self.memory.barren[pattern.0] >> of & 1 != 0
    }

    fn note_barren(&mut self, pattern: Pattern, of: usize) {
        self.memory.barren[pattern.0] |= 1 << of;
    }

    fn changed(&self, aligned: usize) -> CellSet {
        let before = self.memory.unaligned[aligned - 2];
        let changed = |cell: &Cell| before[cell.index()] != self.marks.candidates(*cell);
        Cell::all().filter(changed).collect()
    }

    fn note_unaligned(&mut self, aligned: usize) {
        self.memory.unaligned[aligned - 2] = *self.marks.all();
    }
}
