//! Placeholder.

use super::lanes::{CELLS, FIRST, GUARDS, Lanes as Lanes, each_box};

/// State.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board<V, const N: usize> {
    pub(super) digits: [V; N],
}

pub(super) enum Found {
    Contradiction,
    Solution,
    Open,
}

/// Which candidates go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guess {
    pub(super) digit: usize,
    pub(super) band: usize,
    pub(super) assumed: u32,
    pub(super) denied: u32,
}

const THREE: u32 = each_box(0o7);
const EVERY_THIRD: u32 = each_box(0o111);

impl<V: Lanes<N>, const N: usize> Board<V, N> {
    #[inline(always)]
    pub(super) fn new(cells: &[u8; 81]) -> (Self, V) {
        let givens = V::read(cells);
        let mut all = givens[0];
        for given in &givens[1..] {
            all = all | *given;
        }
        let all = all.any_group();
        let mut digits = givens;
        for (r, digit) in digits.iter_mut().enumerate() {
            let given = *digit;
            let allowed = if r + 1 == N { V::last(CELLS) } else { V::bands(CELLS) };
            *digit = allowed.without((all | box_of(given)) ^ given);
        }
        (Self { digits }, all)
    }

    #[inline(always)]
    pub(super) fn cut(&mut self, digit: usize, band: usize, cells: u32) {
        let register = &mut self.digits[digit / V::DIGITS];
        *register = register.without(V::single(digit % V::DIGITS * 4 + band, cells));
    }

    /// Whether every digit is in every row and column.
    #[inline(always)]
    fn fills_lines(&self) -> bool {
        let (mut rows, mut columns) = (V::splat(!0), V::splat(!0));
        for r in 0..N {
            let cells = self.digits[r];
            let cells = if r + 1 == N { cells | V::splat(!0).without(V::last(!0)) } else { cells };
            let row = cells | cells.shr::<3>() | cells.shr::<6>();
            rows = rows & (row | row.shr::<10>() | row.shr::<20>());
            let column = cells | cells.shr::<1>() | cells.shr::<2>();
            let next = column.next_band();
            columns = columns & (column | next | next.next_band());
        }
        let missing = V::bands(0o7).without(rows) | V::bands(each_box(0o111)).without(columns);
        missing.is_zero()
    }

    /// Counts the digits of each minirow and minicolumn.
    #[inline(always)]
    fn triads(&mut self, lines: &mut Lines<V, N>) -> Triads {
        let mut possible = self.digits;
        let mut sole = self.digits;
        for r in 0..N {
            let (rows, columns) = (rows_of(self.digits[r]), columns_of(self.digits[r]));
            (lines.rows[r], lines.columns[r]) = (rows, columns);
            possible[r] = rows | columns.shl::<3>();
            sole[r] = sole_of(rows) | sole_of(columns).shl::<3>();
        }
        let [_, _, three, four] = count(&possible);
        let [_, _, full, over] = count(&sole);
        let exactly = three.without(four);
        let wrong = V::bands(LINES).without(three) | over;
        if !wrong.is_zero() {
            return Triads::Contradiction;
        }
        let telling = exactly | full;
        let mut news = V::splat(0);
        for r in 0..N {
            news = news | (possible[r].without(sole[r]) & telling);
        }
        if news.is_zero() {
            return Triads::Nothing;
        }
        let exact_columns = exactly.shr::<3>() & V::splat(EVERY_THIRD);
        let exact_rows = exactly & V::splat(THREE);
        for r in 0..N {
            let rows = lines.rows[r] & exact_rows;
            let columns = lines.columns[r] & exact_columns;
            let outside = (box_of(rows) ^ row_cells(rows)) | (box_of(columns) ^ column_cells(columns));
            let crowded = full.without(sole[r]);
            let crowded = row_cells(crowded & V::splat(THREE))
                | column_cells(crowded.shr::<3>() & V::splat(EVERY_THIRD));
            self.digits[r] = self.digits[r].without(outside | crowded);
        }
        Triads::Less
    }

    #[inline(always)]
    pub(super) fn deduce(&mut self, mut settled: V, lines: &mut Lines<V, N>) -> Found {
        loop {
            #[cfg(feature = "count")]
            #[allow(unsafe_code)]
            unsafe {
                SWEEPS += 1;
            }
            let before = self.digits;
            let mut digits = self.digits;
            let mut hidden = self.digits;
            let mut some = V::splat(!0);
            for r in 0..N {
                let digit = cut_lines(before[r]);
                let guarded = (digit | V::splat(GUARDS)) - V::splat(FIRST);
                some = some & if r + 1 == N { guarded | V::splat(!0).without(V::last(!0)) } else { guarded };
                hidden[r] = digit.without(box_of(digit & guarded));
                digits[r] = digit;
            }
            let any = V::any(&hidden).any_group();
            let (once, twice) = V::count(&digits);
            let wrong = V::bands(GUARDS).without(some) | settled.without(any) | V::bands(CELLS).without(once);
            if !wrong.is_zero() {
                return Found::Contradiction;
            }
            if twice.is_zero() {
                self.digits = digits;
                return if self.fills_lines() { Found::Solution } else { Found::Contradiction };
            }
            settled = once.without(twice);
            let mut changed = V::splat(0);
            for r in 0..N {
                let naked = digits[r] & settled;
                let digit = digits[r].without((box_of(naked) ^ naked) | (any ^ hidden[r]));
                self.digits[r] = digit;
                changed = changed | (digit ^ before[r]);
            }
            if changed.is_zero() {
                match self.triads(lines) {
                    Triads::Contradiction => return Found::Contradiction,
                    Triads::Nothing => return Found::Open,
                    Triads::Less => {}
                }
            }
        }
    }
}

/// The minirows and minicolumns.
#[derive(Clone, Copy)]
pub(super) struct Lines<V, const N: usize> {
    pub(super) rows: [V; N],
    pub(super) columns: [V; N],
}

enum Triads {
    Contradiction,
    Less,
    Nothing,
}

const LINES: u32 = THREE | EVERY_THIRD << 3;

#[inline(always)]
pub(super) fn rows_of<V: Lanes<N>, const N: usize>(cells: V) -> V {
    (cells | cells.shr::<3>() | cells.shr::<6>()) & V::splat(THREE)
}

#[inline(always)]
pub(super) fn columns_of<V: Lanes<N>, const N: usize>(cells: V) -> V {
    (cells | cells.shr::<1>() | cells.shr::<2>()) & V::splat(EVERY_THIRD)
}

#[inline(always)]
fn row_cells<V: Lanes<N>, const N: usize>(rows: V) -> V {
    rows | rows.shl::<3>() | rows.shl::<6>()
}

#[inline(always)]
fn column_cells<V: Lanes<N>, const N: usize>(columns: V) -> V {
    columns.shl::<3>() - columns
}

/// Those alone in their box.
#[inline(always)]
fn sole_of<V: Lanes<N>, const N: usize>(flags: V) -> V {
    flags.without(box_of(flags & ((flags | V::splat(GUARDS)) - V::splat(FIRST))))
}

#[inline(always)]
fn count<V: Lanes<N>, const N: usize>(digits: &[V; N]) -> [V; 4] {
    let none = V::splat(0);
    let mut total = [digits[0], none, none, none];
    for &digit in &digits[1..] {
        let [one, two, three, four] = total;
        total = [one | digit, two | (one & digit), three | (two & digit), four | (three & digit)];
    }
    V::total(total)
}

/// All cells of the boxes with any.
#[inline(always)]
fn box_of<V: Lanes<N>, const N: usize>(cells: V) -> V {
    let guards = (cells + V::splat(CELLS)) & V::splat(GUARDS);
    guards - guards.shr::<9>()
}

#[inline(always)]
fn cut_lines<V: Lanes<N>, const N: usize>(cells: V) -> V {
    // rows
    let rows = (cells | cells.shr::<3>() | cells.shr::<6>()) & V::splat(THREE);
    let twofold = rows | rows.shl::<3>();
    let next = twofold.shr::<10>() | twofold.shl::<20>();
    let pairs = (twofold & next.shr::<1>()) | (twofold.shr::<1>() & next);
    let rows = rows & (pairs.shr::<11>() | pairs.shl::<19>());
    let rows = rows | rows.shl::<3>() | rows.shl::<6>();
    // columns
    let columns = (cells | cells.shr::<1>() | cells.shr::<2>()) & V::splat(EVERY_THIRD);
    let second = columns.shr::<3>() | columns.shl::<6>();
    let third = columns.shl::<3>() | columns.shr::<6>();
    let pairs = (second & third.next_band()) | (third & second.next_band());
    let columns = columns & pairs.next_band();
    let columns = columns.shl::<3>() - columns;
    cells & rows & columns
}

#[cfg(feature = "count")]
pub static mut SWEEPS: u64 = 0;
