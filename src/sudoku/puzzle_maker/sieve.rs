//! Which of the easier levels a puzzle is of, told many times sooner than by rating it.
//!
//! Up to ER 4.4 the scale tries its techniques by what they are worth, and a step that is there stays there
//! until it is taken or a cheaper one says more. So a puzzle is of a level if the techniques up to it solve it,
//! whatever their order, and many of their steps are taken at a time here. The tests hold that against the
//! steps one by one.
//!
//! The candidates stand as one board a digit, so that the singles and locked candidates of all houses at once
//! are a few operations on bits. Pairs, triplets and fish are one thing: nine masks, of which some have
//! together as many bits as they are. The masks are the cells of a house by digits, its digits by cells, or the
//! rows of a digit by columns, and the reverse.
//!
//! After the last step what is left is [open](Sieve::open); every puzzle with the same open cells, and the same
//! solution, that has some of the others for givens beside its own comes to this board too.

use super::board::{ALL, PEERS, ROWS, alone, locked_out, places};
use crate::sudoku::cell::Cell;
use crate::sudoku::house::House;
use crate::sudoku::logic::difficulty::Difficulty;
use crate::sudoku::logic::pencilmarks::bits;
use crate::sudoku::puzzle::Puzzle;
use crate::sudoku::set::CellSet;

/// A board: bit `cell` of the `d - 1`-th is whether digit `d` may stand there, in an empty cell.
type Boards = [u128; 9];

/// A puzzle with one solution, on its way.
pub(super) struct Sieve {
    boards: Boards,
    open: u128,
}

/// The level of a puzzle with one solution, if it is no harder than `hardest`, which is hard at most.
pub(super) fn level(puzzle: &Puzzle, hardest: Difficulty) -> Option<Difficulty> {
    let mut sieve = Sieve::new(puzzle);
    let levels = Difficulty::ALL
        .into_iter()
        .take_while(|&level| level <= hardest);
    { levels }.find(|&level| sieve.solves(level))
}

impl Sieve {
    /// With nothing but the givens filled in.
    pub(super) fn new(puzzle: &Puzzle) -> Self {
        let mut sieve = Self {
            boards: [ALL; 9],
            open: ALL,
        };
        for (cell, &digit) in puzzle.cells().iter().enumerate() {
            if let Some(digit) = usize::from(digit).checked_sub(1) {
                sieve.place(digit, cell);
            }
        }
        sieve
    }

    /// Whether the techniques of this level, hard at most, and those below solve it. What they find stays.
    pub(super) fn solves(&mut self, level: Difficulty) -> bool {
        loop {
            while self.hidden_singles() {}
            if self.open == 0 {
                return true;
            }
            let is_on = level >= Difficulty::Medium
                && (self.naked_singles()
                    || self.locked()
                    || match level {
                        Difficulty::Medium => self.direct_hidden(),
                        _ => self.subsets_and_fish(2) || self.subsets_and_fish(3) || self.wings(),
                    });
            if !is_on {
                return false;
            }
        }
    }

    /// The cells that are empty still.
    pub(super) fn open(&self) -> CellSet {
        let is_open = |cell: &Cell| self.open >> cell.index() & 1 != 0;
        Cell::all().filter(is_open).collect()
    }

    /// Fills in a digit, counted from 0.
    fn place(&mut self, digit: usize, cell: usize) {
        self.open &= !(1 << cell);
        for board in &mut self.boards {
            *board &= !(1 << cell);
        }
        self.boards[digit] &= !PEERS[cell];
    }

    /// Fills in the hidden singles, digit by digit, and says whether there were any.
    fn hidden_singles(&mut self) -> bool {
        let before = self.open;
        for digit in 0..9 {
            for cell in places(alone(self.boards[digit])) {
                self.place(digit, cell);
            }
        }
        self.open != before
    }

    fn naked_singles(&mut self) -> bool {
        let (mut once, mut twice) = (0, 0);
        for board in self.boards {
            twice |= once & board;
            once |= board;
        }
        let singles = once & !twice;
        for digit in 0..9 {
            for cell in places(singles & self.boards[digit]) {
                self.place(digit, cell);
            }
        }
        singles != 0
    }

    /// Pointing and claiming.
    fn locked(&mut self) -> bool {
        let mut is_on = false;
        for board in &mut self.boards {
            let left = *board & !locked_out(*board);
            is_on |= left != *board;
            *board = left;
        }
        is_on
    }

    /// Fills in what hidden pairs and triplets leave one place.
    fn direct_hidden(&mut self) -> bool {
        let before = self.open;
        let cells = self.cells();
        for house in House::all() {
            let house = house.cells();
            let places = across(&house.map(|cell| cells[cell.index()]));
            for size in [2, 3] {
                tuples(&places, size, |digits, taken| {
                    for (digit, &of_digit) in places.iter().enumerate() {
                        let left = of_digit & !taken;
                        if digits >> digit & 1 == 0 && left.is_power_of_two() {
                            self.place(digit, house[left.trailing_zeros() as usize].index());
                        }
                    }
                });
            }
            if self.open != before {
                return true;
            }
        }
        false
    }

    /// Naked and hidden subsets, X-wings, swordfish.
    fn subsets_and_fish(&mut self, size: u32) -> bool {
        let mut gone = [0; 9];
        let cells = self.cells();
        for house in House::all() {
            let house = house.cells();
            let by_cell = house.map(|cell| cells[cell.index()]);
            let left = reduced(&by_cell, size);
            for ((cell, was), left) in house.iter().zip(by_cell).zip(left) {
                for digit in bits(was & !left) {
                    gone[digit] |= 1 << cell.index();
                }
            }
        }
        for (board, gone) in self.boards.iter().zip(&mut gone) {
            let by_row = ROWS.map(|row| (board >> row & 0x1ff) as u16);
            let left = reduced(&by_row, size);
            for ((row, was), left) in ROWS.into_iter().zip(by_row).zip(left) {
                *gone |= u128::from(was & !left) << row;
            }
        }
        self.take(&gone)
    }

    /// XY-wings and XYZ-wings.
    fn wings(&mut self) -> bool {
        let mut gone = [0; 9];
        let cells = self.cells();
        let with = |count| places(self.open).filter(move |&cell| cells[cell].count_ones() == count);
        for pivot in with(2).chain(with(3)) {
            let of_pivot = cells[pivot];
            let wings = || with(2).filter(|&cell| PEERS[pivot] >> cell & 1 != 0);
            for first in wings() {
                let rest = of_pivot & !cells[first];
                if !rest.is_power_of_two() {
                    continue;
                }
                for second in wings().filter(|&second| second > first) {
                    let shared = cells[first] & cells[second];
                    let is_in_pivot = shared & of_pivot != 0;
                    if shared.is_power_of_two()
                        && cells[second] == shared | rest
                        && is_in_pivot == (of_pivot.count_ones() == 3)
                    {
                        let of_pivot = if is_in_pivot { PEERS[pivot] } else { ALL };
                        gone[shared.trailing_zeros() as usize] |=
                            PEERS[first] & PEERS[second] & of_pivot;
                    }
                }
            }
        }
        self.take(&gone)
    }

    /// Takes candidates away, and says whether any was there.
    fn take(&mut self, gone: &Boards) -> bool {
        let mut is_on = false;
        for (board, gone) in self.boards.iter_mut().zip(gone) {
            is_on |= *board & gone != 0;
            *board &= !gone;
        }
        is_on
    }

    /// The candidates of every cell.
    fn cells(&self) -> [u16; 81] {
        let mut cells = [0; 81];
        for (digit, &board) in self.boards.iter().enumerate() {
            for cell in places(board) {
                cells[cell] |= 1 << digit;
            }
        }
        cells
    }
}

/// What is left of nine masks when every tuple has taken its bits from the others, and every tuple of the
/// masks across.
fn reduced(masks: &[u16; 9], size: u32) -> [u16; 9] {
    let mut left = *masks;
    let take = |masks: &[u16; 9], left: &mut [u16; 9]| {
        tuples(masks, size, |members, taken| {
            for (number, left) in left.iter_mut().enumerate() {
                if members >> number & 1 == 0 {
                    *left &= !taken;
                }
            }
        });
    };
    take(masks, &mut left);
    let across_before = across(masks);
    let mut across_left = across_before;
    take(&across_before, &mut across_left);
    let back = across(&across_left);
    std::array::from_fn(|number| left[number] & back[number])
}

/// The masks across: bit `i` of the `j`-th is bit `j` of the `i`-th.
fn across(masks: &[u16; 9]) -> [u16; 9] {
    let mut across = [0; 9];
    for (number, &mask) in masks.iter().enumerate() {
        for bit in bits(mask) {
            across[bit] |= 1 << number;
        }
    }
    across
}

/// The tuples of `size` masks, two or three, that have at least two bits each and together as many as they are:
/// which, and their bits.
fn tuples(masks: &[u16; 9], size: u32, mut found: impl FnMut(u16, u16)) {
    let fit = |&number: &usize| (2..=size).contains(&masks[number].count_ones());
    let mut fitting = [0; 9];
    let mut len = 0;
    for number in (0..9).filter(fit) {
        fitting[len] = number;
        len += 1;
    }
    let fitting = &fitting[..len];
    for (at, &first) in fitting.iter().enumerate() {
        for (after, &second) in fitting.iter().enumerate().skip(at + 1) {
            let (members, of_both) = (1 << first | 1 << second, masks[first] | masks[second]);
            if of_both.count_ones() > size {
                continue;
            }
            if size == 2 {
                found(members, of_both);
                continue;
            }
            for &third in &fitting[after + 1..] {
                let of_all = of_both | masks[third];
                if of_all.count_ones() == size {
                    found(members | 1 << third, of_all);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::logic::budget::{Budget, Halt};
    use crate::sudoku::logic::path::Way;
    use crate::sudoku::logic::pencilmarks::Pencilmarks;
    use crate::sudoku::puzzle_maker::{Made, MakeOptions, PuzzleMaker, Symmetry, Wishes};
    use crate::sudoku::solve::Cancel;

    /// The level up to hard by the steps of the scale.
    fn plainly(puzzle: &Puzzle) -> Result<Option<Difficulty>, Halt> {
        let mut budget = Budget::unlimited();
        let mut way = Way::new(Pencilmarks::new(puzzle), 44, &mut budget);
        while let Some((_, er)) = way.step()? {
            if er > 44 {
                return Ok(None);
            }
        }
        Ok(way.rating().map(|rating| rating.difficulty()))
    }

    fn assert_plain(wishes: Wishes, count: u64) -> [u64; 6] {
        let mut maker = PuzzleMaker::new(77, MakeOptions::new(wishes).unwrap());
        let mut seen = [0; 6];
        let sink = |_, made| {
            let Made::Puzzle(made) = made else { return };
            let plain = plainly(&made.puzzle).unwrap();
            let puzzle = &made.puzzle;
            assert_eq!(level(puzzle, Difficulty::Hard), plain, "{puzzle}");
            for hardest in [Difficulty::Easy, Difficulty::Medium] {
                let expected = plain.filter(|&plain| plain <= hardest);
                assert_eq!(level(puzzle, hardest), expected, "{puzzle} {hardest}");
            }
            seen[plain.map_or(5, |plain| plain as usize)] += 1;
        };
        maker.make_all(0..count, Cancel::never(), sink).unwrap();
        seen
    }

    #[test]
    fn levels_are_those_of_the_steps_one_by_one() {
        let any = Wishes::any(1_000);
        let seen = assert_plain(any.clone(), 20_000);
        assert!(
            [0, 1, 2, 5].iter().all(|&level| seen[level] > 1_000),
            "{seen:?}"
        );
        let many = Wishes {
            givens: Some(27..=40),
            ..any.clone()
        };
        assert_plain(many, 5_000);
        let symmetric = Wishes {
            symmetry: Symmetry::Full,
            ..any
        };
        assert_plain(symmetric, 5_000);
    }
}
