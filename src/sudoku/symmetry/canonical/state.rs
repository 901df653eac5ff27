//! A partial symmetry: what the first rows of an image leave open.
//!
//! The order of the stacks is chosen from the start; the columns of a stack are kept as *blocks*.
//! Columns of a block look alike in every row placed, so they may still come in any order. The next
//! row sorts each block by its labels and so splits it, as a partition is refined. A choice is due
//! only where a block has two digits without a label: either may get the lower one.

use super::board::Board;
use super::register::Register;
use super::repeats;
use crate::sudoku::symmetry::line_orders::PADDED_ORDERS;

/// What a digit without a label has for one: above every label, and 0 stays that of an empty cell.
pub(super) const UNNAMED: u8 = 10;

/// All symmetries that give the same first rows from the same rows, stacks and digits.
#[derive(Clone, Copy, Debug)]
pub(super) struct State<R> {
    /// By digit, its label.
    pub(super) names: R,
    /// By column, the column it comes from.
    pub(super) columns: R,
    /// By column a byte, which a label completes to a sorting key:
    ///
    /// ```text
    ///    7..6    the first column of its block, 0..3 in the stack
    ///    5..2    0; the label
    ///    1..0    the column, 0..3 in the stack
    /// ```
    pub(super) blocks: R,
    /// The rows placed, four bits each, the last one lowest.
    pub(super) rows: u64,
    /// The rows not yet placed, a bit each.
    unplaced: u32,
    /// Those of them that may come next: the rest of the band, or all.
    scope: u32,
    pub(super) transposed: bool,
    /// How many digits have a label.
    pub(super) named: u8,
    /// In how many ways rows that are alike could have been placed.
    ways: u32,
}

/// What is known of a puzzle besides its cells.
pub(super) struct Lines<'a> {
    pub(super) board: &'a Board,
    /// By side and row, the rows of its band that equal it, a bit each.
    pub(super) alike: [[u32; 9]; 2],
    /// Whether a digit stands twice in a row or column.
    pub(super) repeats: bool,
}

/// The states with one row more, as far as they share the lowest string for it.
///
/// The string of a row has [`UNNAMED`] where a digit gets its label: the next one, so that nothing
/// is lost, and strings compare as rows do.
#[derive(Clone, Debug)]
pub(super) struct Next<R> {
    /// That string, or what it must not exceed.
    pub(super) lowest: u64,
    pub(super) states: Vec<State<R>>,
    /// All rows that could be placed.
    offers: Vec<Offer>,
}

/// A row that may come next in a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer {
    string: u64,
    /// The number of the state.
    state: u32,
    row: u8,
    /// How many rows, with this one, may come in its place.
    alike: u8,
}

impl<R> Next<R> {
    pub(super) const fn new() -> Self {
        Self {
            lowest: 0,
            states: Vec::new(),
            offers: Vec::new(),
        }
    }
}

/// Places each row that may come next, in each state.
#[inline(always)]
pub(super) fn advance<R: Register>(lines: &Lines<'_>, states: &[State<R>], next: &mut Next<R>) {
    next.states.clear();
    next.offers.clear();
    // First all strings and then the few lowest: what is not lowest is not to be foreseen, and the
    // strings are found side by side if nothing depends on them.
    let mut lowest = next.lowest;
    for (number, state) in (0..).zip(states) {
        let side = usize::from(state.transposed);
        let (rows, alike) = (lines.board.sides[side].as_flattened(), &lines.alike[side]);
        let mut scope = state.scope;
        while scope != 0 {
            let row = scope.trailing_zeros();
            // The first of them stands for all.
            let alike = scope & alike[row as usize];
            scope &= !alike;
            let digits = R::new(rows[row as usize]).shuffle(state.columns);
            let string = state.keys(digits).down::<2>().string();
            lowest = lowest.min(string);
            next.offers.push(Offer {
                string,
                state: number,
                row: row as u8,
                alike: alike.count_ones() as u8,
            });
        }
    }
    if lines.repeats {
        let offers = std::mem::take(&mut next.offers);
        for offer in &offers {
            let state = &states[offer.state as usize];
            repeats::place(state, offer, state.digits(offer.row, lines), next);
        }
        next.offers = offers;
        return;
    }
    next.lowest = lowest;
    for offer in &next.offers {
        if offer.string == lowest {
            states[offer.state as usize].place(offer, lines, &mut next.states);
        }
    }
}

impl<R: Register> State<R> {
    /// No row placed, the stacks in a certain order, and the rows that may come first.
    #[inline(always)]
    pub(super) fn start(transposed: bool, stacks: [u8; 3], scope: u32) -> Self {
        let mut names = [UNNAMED; 16];
        names[0] = 0;
        let mut columns = [15; 16];
        let mut blocks = [0; 16];
        for (stack, &from) in stacks.iter().enumerate() {
            for column in 0..3 {
                columns[3 * stack + usize::from(column)] = 3 * from + column;
                blocks[3 * stack + usize::from(column)] = column;
            }
        }
        Self {
            names: R::new(names),
            columns: R::new(columns),
            blocks: R::new(blocks),
            rows: 0,
            unplaced: 0x1ff,
            scope,
            transposed,
            named: 0,
            ways: 1,
        }
    }

    /// How many symmetries it stands for.
    pub(super) fn symmetries(&self) -> u32 {
        let blocks = self.blocks.bytes();
        let orders = |stack: &[u8]| match (stack[1] >> 6, stack[2] >> 6) {
            (0, 0) => 6,
            (1, 2) => 1,
            _ => 2,
        };
        blocks[..9].chunks_exact(3).map(orders).product::<u32>() * self.ways
    }

    /// The digits of a row, by column, not yet sorted.
    #[inline(always)]
    fn digits(&self, row: u8, lines: &Lines<'_>) -> R {
        let side = &lines.board.sides[usize::from(self.transposed)];
        R::new(side.as_flattened()[usize::from(row)]).shuffle(self.columns)
    }

    /// The keys of digits, sorted.
    #[inline(always)]
    fn keys(&self, digits: R) -> R {
        sort(self.blocks.or(self.names.shuffle(digits).up::<2>()))
    }

    /// Adds the states with this row placed.
    #[inline(always)]
    fn place(&self, offer: &Offer, lines: &Lines<'_>, states: &mut Vec<Self>) {
        let digits = self.digits(offer.row, lines);
        let keys = self.keys(digits);
        let unnamed = keys.down::<2>().equal(R::new([UNNAMED; 16]));
        let ties = ties(keys);
        let digits = digits.shuffle(order(keys));
        let placed = self.with_row(offer, keys, ties.without(unnamed));
        // Digits without a label that are tied may get theirs in any order.
        let ties = ties.and(unnamed).bits() as usize;
        if ties & 0b1_1011_0110 == 0 {
            let mut state = placed;
            state.name(digits, unnamed.bits());
            states.push(state);
            return;
        }
        for first in CHOICES[ties >> 1 & 3] {
            for second in CHOICES[ties >> 4 & 3] {
                for third in CHOICES[ties >> 7 & 3] {
                    let order = R::new(PADDED_ORDERS[first * 36 + second * 6 + third]);
                    let mut state = placed;
                    state.columns = state.columns.shuffle(order);
                    state.name(digits.shuffle(order), unnamed.bits());
                    states.push(state);
                }
            }
        }
    }

    /// Gives labels to the digits in these columns, in their order.
    #[inline(always)]
    fn name(&mut self, digits: R, mut columns: u32) {
        while columns != 0 {
            self.named += 1;
            let column = columns.trailing_zeros() as u8;
            let digit = digits.shuffle(R::new([column; 16]));
            let here = digit.equal(R::new(PLACES));
            self.names = self.names.select(R::new([self.named; 16]), here);
            columns &= columns - 1;
        }
    }

    /// The state with a row placed, given its sorting keys and which columns they leave in the block
    /// of the one before.
    #[inline(always)]
    pub(super) fn with_row(&self, offer: &Offer, keys: R, ties: R) -> Self {
        let unplaced = self.unplaced & !(1 << offer.row);
        let rest = unplaced & BAND[usize::from(offer.row)];
        Self {
            columns: self.columns.shuffle(order(keys)),
            blocks: blocks(ties),
            rows: self.rows << 4 | u64::from(offer.row),
            unplaced,
            scope: if rest == 0 { unplaced } else { rest },
            ways: self.ways * u32::from(offer.alike),
            ..*self
        }
    }
}

/// The orders of a stack in which tied columns come, by whether its second and its third are tied to
/// the one before.
const CHOICES: [&[usize]; 4] = [&[0], &[0, 2], &[0, 1], &[0, 1, 2, 3, 4, 5]];

/// By row, the rows of its band, a bit each.
const BAND: [u32; 9] = [0o7, 0o7, 0o7, 0o70, 0o70, 0o70, 0o700, 0o700, 0o700];

/// Sorts the bytes of each stack.
#[inline(always)]
pub(super) fn sort<R: Register>(keys: R) -> R {
    let keys = sort_two(keys, FIRST_TWO, UPPER_OF_FIRST_TWO);
    let keys = sort_two(keys, LAST_TWO, UPPER_OF_LAST_TWO);
    sort_two(keys, FIRST_TWO, UPPER_OF_FIRST_TWO)
}

#[inline(always)]
fn sort_two<R: Register>(keys: R, partners: [u8; 16], upper: [u8; 16]) -> R {
    let others = keys.shuffle(R::new(partners));
    keys.min(others).select(keys.max(others), R::new(upper))
}

/// By column, the one that it was before the keys were sorted.
#[inline(always)]
fn order<R: Register>(keys: R) -> R {
    keys.and(R::new([3; 16])).add(R::new(STACKS))
}

/// The columns, all ones, that look like the one before; of a stack's first column it says nothing.
#[inline(always)]
pub(super) fn ties<R: Register>(keys: R) -> R {
    let looks = keys.without(R::new([3; 16]));
    looks.equal(looks.shuffle(R::new(BEFORE)))
}

/// The blocks when these columns are in the block of the one before.
#[inline(always)]
fn blocks<R: Register>(ties: R) -> R {
    let starts = R::new(STARTS).without(ties);
    let starts = starts.max(starts.shuffle(R::new(BEFORE)).and(ties));
    starts.or(R::new(COLUMNS))
}

/// By column, the one that it is compared with, and whether it gets the upper of the two.
const FIRST_TWO: [u8; 16] = [1, 0, 2, 4, 3, 5, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];
const UPPER_OF_FIRST_TWO: [u8; 16] = [0, 0xff, 0, 0, 0xff, 0, 0, 0xff, 0, 0, 0, 0, 0, 0, 0, 0];
const LAST_TWO: [u8; 16] = [0, 2, 1, 3, 5, 4, 6, 8, 7, 9, 10, 11, 12, 13, 14, 15];
const UPPER_OF_LAST_TWO: [u8; 16] = [0, 0, 0xff, 0, 0, 0xff, 0, 0, 0xff, 0, 0, 0, 0, 0, 0, 0];
/// By column, the first of its stack; beyond the ninth, a byte that is always 0.
const STACKS: [u8; 16] = [0, 0, 0, 3, 3, 3, 6, 6, 6, 15, 15, 15, 15, 15, 15, 15];
/// By column, the one before in its stack.
const BEFORE: [u8; 16] = [15, 0, 1, 15, 3, 4, 15, 6, 7, 15, 15, 15, 15, 15, 15, 15];
/// Each byte's own place.
pub(super) const PLACES: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
/// By column, its place in the stack.
const COLUMNS: [u8; 16] = [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0];
/// The same where a block's first column is written.
const STARTS: [u8; 16] = [0, 64, 128, 0, 64, 128, 0, 64, 128, 0, 0, 0, 0, 0, 0, 0];
