//! Unavoidable sets of a grid: cells that can be filled in another way if none of them is given.
//!
//! Every puzzle with one solution has a given in each. So the last orbit of a set, when all others
//! of the set are gone, has to stay, and no test is needed to know it. The sets listed here are those
//! that are found at once, in a microsecond or two:
//!
//! - two digits, in some of their rows, such that exchanging them keeps every column and box
//! - two rows of a band, or columns of a stack, in some of their columns (rows), such that exchanging
//!   the two keeps the rows
//!
//! They tell of half of the orbits that have to stay in a minimal puzzle. Most others have a set that
//! is as good as only found by solving.
//!
//! Unavoidable sets are Gary McGuire's ("There is no 16-clue Sudoku", 2012), who uses them to find
//! puzzles with few givens.

use super::minimise::Order;
use crate::sudoku::grid::Grid;
use crate::sudoku::set::CellSet;

/// Unavoidable sets as sets of places: bit `i` is the orbit that is number `i` in an order.
#[derive(Clone, Debug)]
pub(super) struct Unavoidable {
    /// By their last places.
    sets: Vec<u128>,
    /// Where the sets with a last place begin.
    begin: [u8; 82],
}

impl Unavoidable {
    /// The sets of a grid.
    pub(super) fn new(solution: &Grid, orbits: &[CellSet], order: &Order) -> Self {
        let mut places = [0; 81];
        for (place, &orbit) in order[..orbits.len()].iter().enumerate() {
            for cell in orbits[usize::from(orbit)].iter() {
                places[cell.index()] = 1 << place;
            }
        }
        let mut found = Found::default();
        found.digits(solution.cells(), &places);
        found.lines(solution.cells(), &places, |row, column| 9 * row + column);
        found.lines(solution.cells(), &places, |column, row| 9 * row + column);
        found.sorted()
    }

    /// Whether a set says that the orbit at this place has to stay, given that those in `kept` are
    /// all that stay of those before it.
    pub(super) fn holds(&self, place: u8, kept: u128) -> bool {
        let [begin, end] = [place, place + 1].map(|at| usize::from(self.begin[usize::from(at)]));
        self.sets[begin..end].iter().any(|set| set & kept == 0)
    }
}

/// Sets in the order in which they are found.
struct Found {
    sets: [u128; Self::MOST],
    len: usize,
}

impl Default for Found {
    fn default() -> Self {
        Self {
            sets: [0; Self::MOST],
            len: 0,
        }
    }
}

impl Found {
    /// 36 pairs of digits and 18 of lines, each of at most 4 sets.
    const MOST: usize = 4 * (36 + 18);

    fn add(&mut self, set: u128) {
        self.sets[self.len] = set;
        self.len += 1;
    }

    /// Two digits: from a row to the rows where the second digit is in the first one's column and
    /// box, until no new row comes.
    fn digits(&mut self, cells: &[u8; 81], places: &[u128; 81]) {
        let mut at = [[0; 9]; 9];
        let mut columns = [[0; 9]; 9];
        let mut by_column = [[0; 9]; 9];
        let mut by_box = [[0; 9]; 9];
        for (cell, &value) in cells.iter().enumerate() {
            let (digit, row, column) = (usize::from(value - 1), cell / 9, cell % 9);
            at[digit][row] = places[cell];
            columns[digit][row] = column;
            by_column[digit][column] = row;
            by_box[digit][row / 3 * 3 + column / 3] = row;
        }
        for first in 0..9 {
            for second in first + 1..9 {
                let mut rows = 0x1ff_u16;
                while rows != 0 {
                    let mut new = rows & rows.wrapping_neg();
                    let mut set = 0;
                    while new != 0 {
                        let row = new.trailing_zeros() as usize;
                        let column = columns[first][row];
                        rows &= !(1 << row);
                        set |= at[first][row] | at[second][row];
                        new |= 1 << by_column[second][column]
                            | 1 << by_box[second][row / 3 * 3 + column / 3];
                        new &= rows;
                    }
                    self.add(set);
                }
            }
        }
    }

    /// Two lines: from a crossing line to that where the first has the second's digit, until the
    /// circle closes.
    fn lines(
        &mut self,
        cells: &[u8; 81],
        places: &[u128; 81],
        cell: impl Fn(usize, usize) -> usize,
    ) {
        for [first, second] in [[0, 1], [0, 2], [1, 2]] {
            for band in [0, 3, 6] {
                let [first, second] = [band + first, band + second];
                let mut crossing = [0; 9];
                for line in 0..9 {
                    crossing[usize::from(cells[cell(first, line)] - 1)] = line;
                }
                let mut left = 0x1ff_u16;
                while left != 0 {
                    let mut line = left.trailing_zeros() as usize;
                    let mut set = 0;
                    while left >> line & 1 != 0 {
                        left &= !(1 << line);
                        set |= places[cell(first, line)] | places[cell(second, line)];
                        line = crossing[usize::from(cells[cell(second, line)] - 1)];
                    }
                    self.add(set);
                }
            }
        }
    }

    fn sorted(&self) -> Unavoidable {
        let last = |set: u128| 127 - set.leading_zeros() as usize;
        let found = &self.sets[..self.len];
        let mut begin = [0; 82];
        for &set in found {
            begin[last(set) + 1] += 1;
        }
        for place in 0..81 {
            begin[place + 1] += begin[place];
        }
        let mut next = begin;
        let mut sets = vec![0; found.len()];
        for &set in found {
            let next = &mut next[last(set)];
            sets[usize::from(*next)] = set;
            *next += 1;
        }
        Unavoidable { sets, begin }
    }
}
