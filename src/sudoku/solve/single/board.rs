//! Where a search stands, and what follows from it without a guess.
//!
//! Deduction runs in *sweeps* over all nine digits at once, until one changes nothing. The order
//! within a sweep, all of it without a branch:
//!
//! 1. *Lines.* A digit's minirows in a band make a 3x3 matrix (row, box), its minicolumns in a
//!    stack another (band, column), and it must choose one of the six permutations of either. What
//!    none of them uses goes. That one rule is locked candidates, row and column elimination, and
//!    contradiction.
//! 2. *Hidden singles.* A candidate alone in its box; by rule 1 those of rows and columns are, too.
//!    The other candidates of its cell go.
//! 3. *Naked singles.* Adding up the digits shows cells with one candidate; the other places of
//!    their digit in the box go, those in the row and the column with rule 1 of the next sweep.
//! 4. Boxes without a place for a digit, empty cells, and settled cells whose digit is settled
//!    twice in a box end the search below.
//!
//! Rules 2 and 3 start from what rule 1 left, neither from the other. Nothing is lost, as a cell of
//! a hidden single has nothing more to say in rule 3, and the chain of dependent instructions,
//! which bounds what a sweep costs, is shorter.
//!
//! A board that a sweep leaves unchanged is asked once more: a minirow or minicolumn holds exactly
//! three digits. If only three can be in it they are, and leave the rest of the box; if three are
//! certain in it the other digits leave it; less than three possible or more than three certain are
//! a contradiction. This saves a fifth to a quarter of the guesses of the hardest puzzles, and
//! without it an empty board keeps the search busy for ever with too many digits in one minirow. It
//! is dear, so it waits until sweeps are of no use. The idea of such counts is Tom Dillon's, whose
//! solver tdoku names the minirows and minicolumns triads (<https://github.com/t-dillon/tdoku>).
//!
//! Tried and dropped: stopping at a full board only when a sweep changes nothing (a look at the
//! lines of the full board is cheaper than that sweep); the naked singles after the removal of
//! hidden singles' rivals (the longer chain above).

use super::register::{CELLS, COLUMNS, Count, FIRST, GUARDS, ROWS, Register, sum};

/// Candidates, digit by digit, as drawn in [`register`](super::register).
#[derive(Clone, Copy, Debug)]
pub(super) struct Board<V, const N: usize>([V; N]);

/// The minirows and minicolumns in which digits have candidates.
#[derive(Clone, Copy)]
pub(super) struct Lines<V, const N: usize> {
    pub(super) rows: [V; N],
    pub(super) columns: [V; N],
}

/// What deduction came to.
pub(super) enum Deduced<V, const N: usize> {
    Contradiction,
    /// The board has one candidate a cell and keeps every rule.
    Solution,
    /// Nothing more follows; these are the lines to guess at.
    Open(Lines<V, N>),
}

/// What counting the digits of the minirows and minicolumns came to.
enum Triads<V, const N: usize> {
    Contradiction,
    Fewer(Board<V, N>),
    Same(Lines<V, N>),
}

/// A guess: a set of cells, in one box, that hold a digit or do not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guess {
    /// 0..9.
    pub(super) digit: usize,
    /// 0..3.
    pub(super) band: usize,
    /// The candidates that go if the cells hold the digit.
    pub(super) assumed: u32,
    /// Those that go if not.
    pub(super) denied: u32,
}

impl<V: Register<N>, const N: usize> Board<V, N> {
    /// The board of the givens, and the cells that these settle. Givens that contradict one another
    /// are found out by deduction.
    #[inline(always)]
    pub(super) fn new(cells: &[u8; 81]) -> (Self, V) {
        let givens = V::read(cells);
        let settled = V::any(&givens);
        let mut digits = givens;
        for (r, digit) in digits.iter_mut().enumerate() {
            let given = givens[r];
            let all = V::bands(CELLS).without(V::idle(r));
            *digit = all.without((settled | boxes_of(given)) ^ given);
        }
        (Self(digits), settled)
    }

    /// The digits of a solution.
    #[inline(always)]
    pub(super) fn cells(&self) -> [u8; 81] {
        V::write(&self.0)
    }

    /// By digit and band.
    #[inline(always)]
    pub(super) fn words(&self) -> [[u32; 3]; 9] {
        V::words(&self.0)
    }

    /// Takes candidates of a digit away.
    #[inline(always)]
    pub(super) fn cut(&mut self, digit: usize, band: usize, candidates: u32) {
        let register = &mut self.0[digit / V::DIGITS];
        let lane = digit % V::DIGITS * 4 + band;
        *register = register.without(V::only(lane, candidates));
    }

    /// Draws every deduction. `settled` are cells that had a single candidate before; those of the
    /// givens must be among them, or two of a digit in a box go unseen.
    #[inline(always)]
    pub(super) fn deduce(&mut self, mut settled: V) -> Deduced<V, N> {
        loop {
            let before = self.0;
            let mut digits = before;
            let mut hidden = before;
            let mut placed = V::splat(!0);
            for r in 0..N {
                digits[r] = fit_rows(before[r]);
            }
            for r in 0..N {
                digits[r] = digits[r] & fit_columns(before[r]);
            }
            for r in 0..N {
                let digit = digits[r];
                // A guard bit falls where a box is empty; otherwise its lowest candidate does.
                let lowered = (digit | V::splat(GUARDS)) - V::splat(FIRST);
                placed = placed & (lowered | V::idle(r));
                hidden[r] = digit.without(boxes_of(digit & lowered));
            }
            let any_hidden = V::any(&hidden);
            let (once, twice) = V::once_and_twice(&digits);
            let wrong = V::bands(GUARDS).without(placed)
                | V::bands(CELLS).without(once)
                | settled.without(any_hidden);
            if !wrong.is_zero() {
                return Deduced::Contradiction;
            }
            if twice.is_zero() {
                self.0 = digits;
                return if self.fills_lines() {
                    Deduced::Solution
                } else {
                    Deduced::Contradiction
                };
            }
            settled = once.without(twice);
            let mut changed = V::splat(0);
            for r in 0..N {
                let naked = digits[r] & settled;
                let gone = (boxes_of(naked) ^ naked) | (any_hidden ^ hidden[r]);
                self.0[r] = digits[r].without(gone);
                changed = changed | (self.0[r] ^ before[r]);
            }
            if changed.is_zero() {
                match self.count_triads() {
                    Triads::Contradiction => return Deduced::Contradiction,
                    Triads::Same(lines) => return Deduced::Open(lines),
                    Triads::Fewer(board) => *self = board,
                }
            }
        }
    }

    /// Whether every digit has a place in every row and column. On a board with one candidate a
    /// cell and all digits in every box, it then has just one.
    #[inline(always)]
    fn fills_lines(&self) -> bool {
        let (mut rows, mut columns) = (V::splat(!0), V::splat(!0));
        for r in 0..N {
            let digit = self.0[r] | V::idle(r);
            let boxes = digit | digit.shr::<3>() | digit.shr::<6>();
            rows = rows & (boxes | boxes.shr::<10>() | boxes.shr::<20>());
            let band = digit | digit.shr::<1>() | digit.shr::<2>();
            let next = band.next_band();
            columns = columns & (band | next | next.next_band());
        }
        (V::bands(0o7).without(rows) | V::bands(COLUMNS).without(columns)).is_zero()
    }

    /// The cells with more than one candidate, in every group.
    #[inline(always)]
    pub(super) fn open(&self) -> V {
        V::once_and_twice(&self.0).1
    }

    /// Whether no cell has more than two candidates.
    ///
    /// On an open board every digit then has just two places in each house where it has not one:
    /// there are twice as many candidates as cells to fill, and no digit has a single one of them.
    /// So the other candidates of a solution's cells are a solution, too.
    #[inline(always)]
    pub(super) fn has_two_a_cell(&self) -> bool {
        let [_, _, three, _] = count(&self.0);
        three.is_zero()
    }

    /// Counts the digits that can be and that must be in each minirow and minicolumn.
    #[inline(always)]
    fn count_triads(&self) -> Triads<V, N> {
        let mut lines = Lines {
            rows: self.0,
            columns: self.0,
        };
        // Minirows as they are, minicolumns three bits higher, where both have room.
        let mut possible = self.0;
        let mut certain = self.0;
        for r in 0..N {
            let (rows, columns) = (rows_of(self.0[r]), columns_of(self.0[r]));
            possible[r] = rows | columns.shl::<3>();
            certain[r] = alone(rows) | alone(columns).shl::<3>();
            (lines.rows[r], lines.columns[r]) = (rows, columns);
        }
        let [_, _, enough, more] = count(&possible);
        let [_, _, full, over] = count(&certain);
        if !(V::bands(ROWS | COLUMNS << 3).without(enough) | over).is_zero() {
            return Triads::Contradiction;
        }
        let needed = enough.without(more);
        let mut news = V::splat(0);
        for r in 0..N {
            news = news | (possible[r].without(certain[r]) & (needed | full));
        }
        if news.is_zero() {
            return Triads::Same(lines);
        }
        let needed_rows = needed & V::splat(ROWS);
        let needed_columns = needed.shr::<3>() & V::splat(COLUMNS);
        let mut digits = self.0;
        for r in 0..N {
            let rows = lines.rows[r] & needed_rows;
            let columns = lines.columns[r] & needed_columns;
            let outside =
                (boxes_of(rows) ^ row_cells(rows)) | (boxes_of(columns) ^ column_cells(columns));
            let taken = full.without(certain[r]);
            let taken = row_cells(taken & V::splat(ROWS))
                | column_cells(taken.shr::<3>() & V::splat(COLUMNS));
            digits[r] = digits[r].without(outside | taken);
        }
        Triads::Fewer(Self(digits))
    }
}

/// The candidates in minirows that some permutation of the minirows of the band uses. An entry of a
/// 3x3 matrix is used if the other two rows and columns have either diagonal.
#[inline(always)]
fn fit_rows<V: Register<N>, const N: usize>(digit: V) -> V {
    let rows = rows_of(digit);
    // Twice the rows of a box, for any three in a row; `next` is that of the next box.
    let twofold = rows | rows.shl::<3>();
    let next = twofold.shr::<10>() | twofold.shl::<20>();
    let diagonals = (twofold & next.shr::<1>()) | (twofold.shr::<1>() & next);
    digit & row_cells(rows & (diagonals.shr::<11>() | diagonals.shl::<19>()))
}

/// All cells of minicolumns that some permutation of the minicolumns of the stack uses.
#[inline(always)]
fn fit_columns<V: Register<N>, const N: usize>(digit: V) -> V {
    let columns = columns_of(digit);
    let second = columns.shr::<3>() | columns.shl::<6>();
    let third = columns.shl::<3>() | columns.shr::<6>();
    let diagonals = (second & third.next_band()) | (third & second.next_band());
    column_cells(columns & diagonals.next_band())
}

/// All cells of the boxes that have any; the same for boxes of flags.
#[inline(always)]
fn boxes_of<V: Register<N>, const N: usize>(cells: V) -> V {
    let guards = (cells + V::splat(CELLS)) & V::splat(GUARDS);
    guards - guards.shr::<9>()
}

/// The flags that are alone in their box.
#[inline(always)]
fn alone<V: Register<N>, const N: usize>(flags: V) -> V {
    flags.without(boxes_of(but_one(flags)))
}

/// All but the lowest of each box.
#[inline(always)]
fn but_one<V: Register<N>, const N: usize>(flags: V) -> V {
    flags & ((flags | V::splat(GUARDS)) - V::splat(FIRST))
}

/// The minirows with any.
#[inline(always)]
fn rows_of<V: Register<N>, const N: usize>(cells: V) -> V {
    (cells | cells.shr::<3>() | cells.shr::<6>()) & V::splat(ROWS)
}

/// The minicolumns with any.
#[inline(always)]
fn columns_of<V: Register<N>, const N: usize>(cells: V) -> V {
    (cells | cells.shr::<1>() | cells.shr::<2>()) & V::splat(COLUMNS)
}

/// The cells of minirows.
#[inline(always)]
fn row_cells<V: Register<N>, const N: usize>(rows: V) -> V {
    rows | rows.shl::<3>() | rows.shl::<6>()
}

/// The cells of minicolumns.
#[inline(always)]
fn column_cells<V: Register<N>, const N: usize>(columns: V) -> V {
    columns.shl::<3>() - columns
}

/// How many digits have each flag.
#[inline(always)]
fn count<V: Register<N>, const N: usize>(digits: &[V; N]) -> Count<V> {
    let none = V::splat(0);
    let mut total = [digits[0], none, none, none];
    for digit in &digits[1..] {
        total = sum(total, [*digit, none, none, none]);
    }
    V::sum_groups(total)
}
