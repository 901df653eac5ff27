//! Unavoidable sets of a grid: cells that can be filled in another way if none of them is given.
//!
//! Every puzzle with one solution has a given in each. So the last orbit of a set, when all others
//! of the set are gone, has to stay, and no test is needed to know it. The sets listed here are those
//! that are found without a search, all in a few microseconds:
//!
//! - two digits, in some of their rows, such that exchanging them keeps every column and box
//! - two rows of a band, or columns of a stack, in some of their columns (rows), such that exchanging
//!   the two keeps the rows
//!
//! Of the tests that would fail in making a minimal puzzle, they foretell half. What is left to a test
//! rests on larger sets: of 2,000 such tests a fourth on sets of three digits, an eighth on sets within
//! a band or stack, and a third had one other solution alone. Looking for those in the second solution
//! that a failing test comes by is no use: it holds, of the cells given then, none but those just tested.
//!
//! Rejected: no list, but a walk through the sets of a cell when it is asked about, which ends at the
//! first given. It spares the list's room, and takes longer than to make the list and look it up.
//!
//! Gary McGuire and others, "There is no 16-clue Sudoku", 2012, search for puzzles with few givens by
//! unavoidable sets.

use std::iter;

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
    /// The sets of a grid; `None` if one has no cell in any orbit, so that a puzzle with givens in the
    /// orbits alone has another solution.
    pub(super) fn new(solution: &Grid, orbits: &[CellSet], order: &Order) -> Option<Self> {
        let mut places = [0; 81];
        for (place, &orbit) in order[..orbits.len()].iter().enumerate() {
            for cell in orbits[usize::from(orbit)].iter() {
                places[cell.index()] = 1 << place;
            }
        }
        let mut found = Found {
            sets: [0; Found::MOST],
            len: 0,
        };
        let lines = Lines::new(solution.cells(), &places);
        let mut pairs = lines.pairs();
        pairs.close();
        for (pair, &two) in pairs.of[..pairs.len].iter().enumerate() {
            found.add(&lines, two, pairs.along.each_ref().map(|along| along[pair]));
        }
        found.sorted()
    }

    /// No set, where they are not worth the search for them.
    pub(super) const fn none() -> Self {
        Self {
            sets: Vec::new(),
            begin: [0; 82],
        }
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

impl Found {
    /// 36 pairs of digits and 18 of lines, each of at most 4 sets.
    const MOST: usize = 4 * (36 + 18);

    /// Rows (or whatever two digits or lines are exchanged in) of a set, at most; the set has twice
    /// as many cells. Without the larger ones 1 in 70 more tests fail, and items in progress fit the
    /// cache better.
    const LARGEST: u32 = 5;

    /// Adds what can be exchanged of two lines.
    fn add(&mut self, lines: &Lines, two: [usize; 2], along: [u16; 9]) {
        let [first, second] = two.map(|line| &lines.places[line]);
        let mut left = ALL;
        while left != 0 {
            let part = along[left.trailing_zeros() as usize];
            left &= !part;
            if part.count_ones() <= Self::LARGEST {
                self.sets[self.len] = bits(part).fold(0, |set, at| set | first[at] | second[at]);
                self.len += 1;
            }
        }
    }

    fn sorted(&self) -> Option<Unavoidable> {
        let last = |set: u128| 127 - set.leading_zeros() as usize;
        let found = &self.sets[..self.len];
        if found.contains(&0) {
            return None;
        }
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
        Some(Unavoidable { sets, begin })
    }
}

/// All nine cells of a line, as bits.
const ALL: u16 = 0x1ff;

/// What may be exchanged: 27 lines of nine cells, the nine of each digit by row, the rows by column
/// and the columns by row.
struct Lines {
    /// The places of the cells.
    places: [[u128; 9]; 27],
    /// The digits of the rows and the columns.
    digits: [[u8; 9]; 18],
    /// The column of each digit in each row.
    columns: [[u8; 9]; 9],
    /// The row, as a bit, of each digit in each column.
    in_column: [[u16; 9]; 9],
    /// And in each box.
    in_box: [[u16; 9]; 9],
}

impl Lines {
    fn new(cells: &[u8; 81], places: &[u128; 81]) -> Self {
        let mut lines = Self {
            places: [[0; 9]; 27],
            digits: [[0; 9]; 18],
            columns: [[0; 9]; 9],
            in_column: [[0; 9]; 9],
            in_box: [[0; 9]; 9],
        };
        let mut cell = 0;
        for row in 0..9 {
            for column in 0..9_u8 {
                let (place, digit) = (places[cell], cells[cell]);
                let (at, d) = (usize::from(column), usize::from(digit - 1));
                lines.places[d][row] = place;
                lines.places[9 + row][at] = place;
                lines.places[18 + at][row] = place;
                lines.digits[row][at] = digit;
                lines.digits[9 + at][row] = digit;
                lines.columns[d][row] = column;
                lines.in_column[d][at] = 1 << row;
                lines.in_box[d][row / 3 * 3 + at / 3] = 1 << row;
                cell += 1;
            }
        }
        lines
    }

    /// All pairs: two digits, two rows of a band, two columns of a stack.
    fn pairs(&self) -> Pairs {
        let mut pairs = Pairs {
            of: [[0; 2]; 54],
            along: [[0; 56]; 9],
            len: 0,
        };
        for first in 0..9 {
            for second in 0..first {
                // A row takes along those where the second digit is in the first one's column or box.
                let (in_column, in_box) = (&self.in_column[second], &self.in_box[second]);
                pairs.add([first, second], |row| {
                    let column = usize::from(self.columns[first][row]);
                    in_column[column] | in_box[row / 3 * 3 + column / 3]
                });
            }
        }
        for band in [0, 3, 6, 9, 12, 15] {
            for [first, second] in [[0, 1], [0, 2], [1, 2]].map(|two| two.map(|line| band + line)) {
                // A cell takes along that where the first line has the second one's digit.
                let mut has = [0; 10];
                for (at, &digit) in self.digits[first].iter().enumerate() {
                    has[usize::from(digit)] = 1 << at;
                }
                let digits = &self.digits[second];
                pairs.add([9 + first, 9 + second], |at| has[usize::from(digits[at])]);
            }
        }
        pairs
    }
}

/// Pairs of lines side by side, so that registers hold several: 54, and two for the last register.
struct Pairs {
    of: [[usize; 2]; 54],
    /// What each of the nine cells takes along if the two lines are exchanged there, as bits.
    along: [[u16; 56]; 9],
    len: usize,
}

impl Pairs {
    fn add(&mut self, two: [usize; 2], takes: impl Fn(usize) -> u16) {
        for (at, along) in self.along.iter_mut().enumerate() {
            along[self.len] = takes(at) | 1 << at;
        }
        self.of[self.len] = two;
        self.len += 1;
    }

    /// Adds what those taken along take along, and so on (Stephen Warshall, "A Theorem on Boolean
    /// Matrices", 1962). As each is taken by as many as it takes, all of a part get the whole part.
    fn close(&mut self) {
        for through in 0..9 {
            let further = self.along[through];
            for along in &mut self.along {
                for (along, further) in along.iter_mut().zip(further) {
                    *along |= further & (*along >> through & 1).wrapping_neg();
                }
            }
        }
    }
}

fn bits(mut set: u16) -> impl Iterator<Item = usize> {
    iter::from_fn(move || {
        let first = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (first < 9).then_some(first)
    })
}
