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
//! rests on larger sets. Looking for those in the second solution that a failing test comes by is no
//! use: it holds, of the cells given then, none but those just tested.
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
        found.digits(solution.cells(), &places);
        found.lines(solution.cells(), &places, |row, column| 9 * row + column);
        found.lines(solution.cells(), &places, |column, row| 9 * row + column);
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

    /// Adds the cells that two digits, or two lines, have in the lines of `part`.
    fn add(&mut self, part: u16, first: &[u128; 9], second: &[u128; 9]) {
        if part.count_ones() > Self::LARGEST {
            return;
        }
        let set = bits(part).fold(0, |set, line| set | first[line] | second[line]);
        self.sets[self.len] = set;
        self.len += 1;
    }

    /// Two digits: from a row to the rows where the second digit is in the first one's column and
    /// box, until no new row comes.
    fn digits(&mut self, cells: &[u8; 81], places: &[u128; 81]) {
        let mut digits = [Digit::default(); 9];
        for (cell, &value) in cells.iter().enumerate() {
            let digit = &mut digits[usize::from(value - 1)];
            let (row, column) = (cell / 9, cell % 9);
            let box_ = row / 3 * 3 + column / 3;
            digit.places[row] = places[cell];
            digit.columns[row] = column;
            digit.boxes[row] = box_;
            digit.in_column[column] = 1 << row;
            digit.in_box[box_] = 1 << row;
        }
        for (number, first) in digits.iter().enumerate() {
            for second in &digits[..number] {
                let met: [u16; 9] = std::array::from_fn(|row| {
                    second.in_column[first.columns[row]] | second.in_box[first.boxes[row]]
                });
                let mut left = 0x1ff_u16;
                while left != 0 {
                    let mut part = left & left.wrapping_neg();
                    let mut new = part;
                    while new != 0 {
                        new = bits(new).fold(0, |new, row| new | met[row]) & !part;
                        part |= new;
                    }
                    left &= !part;
                    self.add(part, &first.places, &second.places);
                }
            }
        }
    }

    /// Two lines: from a crossing line to that where the first has the second's digit, until the
    /// circle closes. `cell` is where two lines cross.
    fn lines(
        &mut self,
        cells: &[u8; 81],
        places: &[u128; 81],
        cell: impl Fn(usize, usize) -> usize,
    ) {
        let line = |line| -> [usize; 9] { std::array::from_fn(|crossing| cell(line, crossing)) };
        for [first, second] in [[0, 1], [0, 2], [1, 2]] {
            for band in [0, 3, 6] {
                let [first, second] = [line(band + first), line(band + second)];
                let mut crossing = [0; 10];
                for (line, &cell) in first.iter().enumerate() {
                    crossing[usize::from(cells[cell])] = line;
                }
                let mut left = 0x1ff_u16;
                while left != 0 {
                    let mut line = left.trailing_zeros() as usize;
                    let mut part = 0;
                    while part >> line & 1 == 0 {
                        part |= 1 << line;
                        line = crossing[usize::from(cells[second[line]])];
                    }
                    left &= !part;
                    self.add(
                        part,
                        &first.map(|cell| places[cell]),
                        &second.map(|cell| places[cell]),
                    );
                }
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

/// Where a digit is.
#[derive(Clone, Copy, Default)]
struct Digit {
    /// Its place in each row.
    places: [u128; 9],
    columns: [usize; 9],
    boxes: [usize; 9],
    /// Its row in each column, as a bit.
    in_column: [u16; 9],
    in_box: [u16; 9],
}

fn bits(mut set: u16) -> impl Iterator<Item = usize> {
    iter::from_fn(move || {
        let first = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (first < 9).then_some(first)
    })
}
