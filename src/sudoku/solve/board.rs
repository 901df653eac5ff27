//! Where a search stands, and what follows from it without a guess.
//!
//! Each digit's candidates are three band words, 27 bits each, drawn in [`tables`](super::tables).
//! Deduction runs to its fixpoint with two rules:
//!
//! - *settle a digit*: the minirows of each band and the minicolumns of each stack are cut down to
//!   those in some permutation that still fits. That one rule is row and column elimination, locked
//!   candidates and contradiction together; a candidate that is then alone in its box is a hidden
//!   single, of its row and column too.
//! - *scan the cells*: adding up the nine digits bit by bit shows empty cells and naked singles for
//!   27 cells at once.
//!
//! Tried and dropped: guessing, among cells with two candidates, at the one that shares them with
//! most of the cells it sees. It saves a third of the guesses on the hardest puzzles and none of
//! the time, and makes finding any one of many solutions a third slower. Guessing at a digit's
//! place in a box where no cell has two candidates was kept: it saves boards whose contradiction
//! lies deep from millions of guesses.

use super::tables::{BAND, CELL, CLOSURE, COLUMNS, LINES, ONE, PLACE, ROWS_KEPT, UNSEEN};
use crate::sudoku::grid::Grid;
use crate::sudoku::rng::Rng;

/// A digit (0..9) in a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// 0..9.
    pub(super) digit: usize,
    /// 0..81.
    pub(super) cell: usize,
}

/// Where a search stands: 31 words, copied whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    /// By digit and band, the cells that may hold the digit.
    candidates: [[u32; 3]; 9],
    /// The cells not yet settled: their digit may be known, but what follows from it may not be
    /// drawn.
    open: [u32; 3],
    /// Bit d: candidates of digit d were lost since it was last settled.
    stale: u16,
}

impl Board {
    /// The board of the givens. Givens that contradict one another leave a cell or house empty,
    /// which deduction finds.
    pub(super) fn new(cells: &[u8; 81]) -> Self {
        let mut givens = [[0; 3]; 9];
        let mut unseen = [[BAND; 3]; 9];
        let mut open = [BAND; 3];
        for (cell, &value) in cells.iter().enumerate() {
            if value != 0 {
                let (digit, (band, bit)) = (usize::from(value - 1), place(cell));
                givens[digit][band] |= bit;
                open[band] &= !bit;
                for (word, mask) in unseen[digit].iter_mut().zip(UNSEEN[cell]) {
                    *word &= mask;
                }
            }
        }
        for (digit, words) in unseen.iter_mut().enumerate() {
            for (band, word) in words.iter_mut().enumerate() {
                *word &= open[band] | givens[digit][band];
            }
        }
        Self {
            candidates: unseen,
            open,
            stale: 0x1ff,
        }
    }

    pub(super) fn is_solved(&self) -> bool {
        self.open == [0; 3]
    }

    pub(super) fn grid(&self) -> Grid {
        let mut cells = [0; 81];
        for (words, value) in self.candidates.iter().zip(1..) {
            for (band, &word) in words.iter().enumerate() {
                for bit in bits(word) {
                    cells[usize::from(CELL[band][bit])] = value;
                }
            }
        }
        Grid::from_checked(cells)
    }

    /// Draws every deduction; `false` if they contradict one another.
    pub(super) fn deduce(&mut self) -> bool {
        loop {
            while self.stale != 0 {
                let digit = self.stale.trailing_zeros() as usize;
                if !self.settle(digit) {
                    return false;
                }
                self.stale &= !(1 << digit);
            }
            match self.scan_cells() {
                Scan::Contradiction => return false,
                Scan::NakedSingles => {}
                Scan::Nothing => return true,
            }
        }
    }

    /// Cuts a digit down to what its minirows and minicolumns allow, and settles its hidden
    /// singles; `false` if it has no place in some house.
    fn settle(&mut self, digit: usize) -> bool {
        let mut words = self.candidates[digit];
        let singles = loop {
            let before = words;
            let lines = words.map(|word| {
                let box_lines = |k: u32| LINES[(word >> (9 * k) & 511) as usize] << (3 * k);
                box_lines(0) | box_lines(1) | box_lines(2)
            });
            let minicolumns = lines.map(|lines| lines >> 16);
            // The matrix of a stack takes three flags from each band.
            let stack = |k: u32| {
                let flags = |band: usize| (minicolumns[band] >> (3 * k) & 7) << (3 * band);
                u32::from(CLOSURE[(flags(0) | flags(1) | flags(2)) as usize & 511])
            };
            let stacks = [stack(0), stack(1), stack(2)];
            for (band, word) in words.iter_mut().enumerate() {
                let kept = |k: usize| (stacks[k] >> (3 * band) & 7) << (3 * k);
                let columns = kept(0) | kept(1) | kept(2);
                *word &= ROWS_KEPT[lines[band] as usize & 511] & COLUMNS[columns as usize & 511];
            }
            if words.contains(&0) {
                return false;
            }
            if words == before {
                break [0, 1, 2].map(|band: usize| {
                    words[band]
                        & ONE[lines[band] as usize & 511]
                        & ONE[minicolumns[band] as usize & 511]
                });
            }
        };
        self.candidates[digit] = words;
        for (band, single) in singles.into_iter().enumerate() {
            let single = single & self.open[band];
            if single != 0 {
                self.open[band] &= !single;
                for (other, words) in self.candidates.iter_mut().enumerate() {
                    if other != digit && words[band] & single != 0 {
                        words[band] &= !single;
                        self.stale |= 1 << other;
                    }
                }
            }
        }
        true
    }

    /// Looks for cells without a candidate, and settles those with one.
    fn scan_cells(&mut self) -> Scan {
        let mut once = [0; 3];
        let mut twice = [0; 3];
        for words in &self.candidates {
            for band in 0..3 {
                twice[band] |= once[band] & words[band];
                once[band] |= words[band];
            }
        }
        if once != [BAND; 3] {
            return Scan::Contradiction;
        }
        let mut found = Scan::Nothing;
        for band in 0..3 {
            let singles = self.open[band] & !twice[band];
            if singles == 0 {
                continue;
            }
            found = Scan::NakedSingles;
            self.open[band] &= !singles;
            for (digit, words) in self.candidates.iter_mut().enumerate() {
                let before = *words;
                for bit in bits(words[band] & singles) {
                    let unseen = &UNSEEN[usize::from(CELL[band][bit])];
                    for (word, mask) in words.iter_mut().zip(unseen) {
                        *word &= mask;
                    }
                }
                if *words != before {
                    self.stale |= 1 << digit;
                }
            }
        }
        found
    }

    /// The candidate to guess at on a board with open cells: the smallest digit of the first cell
    /// with the fewest candidates. Where a cell has two candidates, or else a digit two places in a
    /// box, either outcome of the guess settles something.
    pub(super) fn best_guess(&self) -> Candidate {
        let (cells, count) = self.fewest_cells();
        if count > 2
            && let Some(candidate) = self.one_of_two_places()
        {
            return candidate;
        }
        let band = cells
            .iter()
            .position(|&word| word != 0)
            .expect("an open cell, or the board were solved");
        let bit = cells[band].trailing_zeros();
        let digit = self
            .candidates
            .iter()
            .position(|words| words[band] >> bit & 1 != 0);
        Candidate {
            digit: digit.expect("no cell without a candidate, or the board were given up"),
            cell: usize::from(CELL[band][bit as usize]),
        }
    }

    /// The first place of a digit that has two in some box.
    fn one_of_two_places(&self) -> Option<Candidate> {
        for (digit, words) in self.candidates.iter().enumerate() {
            for (band, word) in words.iter().enumerate() {
                for box_ in 0..3 {
                    let places = word >> (9 * box_) & 0o777;
                    if places.count_ones() == 2 {
                        let bit = 9 * box_ + places.trailing_zeros();
                        return Some(Candidate {
                            digit,
                            cell: usize::from(CELL[band][bit as usize]),
                        });
                    }
                }
            }
        }
        None
    }

    /// A random digit of a random one of the cells with the fewest candidates.
    pub(super) fn random(&self, rng: &mut Rng) -> Candidate {
        let (cells, _) = self.fewest_cells();
        let count = cells.iter().map(|word| word.count_ones()).sum();
        let places = (0..3).flat_map(|band| bits(cells[band]).map(move |bit| (band, bit)));
        let (band, bit) = places
            .clone()
            .nth(rng.below(count) as usize)
            .expect("below their number");
        let mut digits = (0..9).filter(|&digit| self.candidates[digit][band] >> bit & 1 != 0);
        let chosen = rng.below(u32::try_from(digits.clone().count()).expect("at most nine"));
        Candidate {
            digit: digits.nth(chosen as usize).expect("below their number"),
            cell: usize::from(CELL[band][bit]),
        }
    }

    /// Of the open cells, those with the fewest candidates, and how many these have.
    fn fewest_cells(&self) -> ([u32; 3], u32) {
        // planes[i][band]: bit i of each cell's number of candidates.
        let mut planes = [[0; 3]; 4];
        for words in &self.candidates {
            for band in 0..3 {
                let mut carry = words[band];
                for plane in &mut planes {
                    (plane[band], carry) = (plane[band] ^ carry, plane[band] & carry);
                }
            }
        }
        planes
            .iter()
            .rev()
            .fold((self.open, 0), |(cells, count), plane| {
                let without = [0, 1, 2].map(|band: usize| cells[band] & !plane[band]);
                if without == [0; 3] {
                    (cells, 2 * count + 1)
                } else {
                    (without, 2 * count)
                }
            })
    }

    pub(super) fn place(&mut self, candidate: Candidate) {
        let (band, bit) = place(candidate.cell);
        for (digit, words) in self.candidates.iter_mut().enumerate() {
            if digit == candidate.digit {
                for (word, mask) in words.iter_mut().zip(UNSEEN[candidate.cell]) {
                    *word &= mask;
                }
            } else if words[band] & bit != 0 {
                words[band] &= !bit;
            } else {
                continue;
            }
            self.stale |= 1 << digit;
        }
        self.open[band] &= !bit;
    }

    pub(super) fn rule_out(&mut self, candidate: Candidate) {
        let (band, bit) = place(candidate.cell);
        self.candidates[candidate.digit][band] &= !bit;
        self.stale |= 1 << candidate.digit;
    }
}

enum Scan {
    Contradiction,
    NakedSingles,
    Nothing,
}

/// The band of a cell and its bit there.
fn place(cell: usize) -> (usize, u32) {
    let (band, bit) = PLACE[cell];
    (usize::from(band), 1 << bit)
}

/// The numbers of the bits set, lowest first.
fn bits(mut word: u32) -> impl Iterator<Item = usize> + Clone {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros() as usize;
            word &= word - 1;
            bit
        })
    })
}
