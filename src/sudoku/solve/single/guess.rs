//! Placeholder.

use super::board::{Board, Guess, Lines as Lines_};
use super::lanes::{FIRST, GUARDS, Lanes, each_box};

impl<V: Lanes<N>, const N: usize> Board<V, N> {
    #[inline(always)]
    pub(super) fn best_guess(lines: &Lines_<V, N>) -> Guess {
        // By digit, the minirows and the minicolumns that it may be in.
        let (rows, columns) = (lines.rows, lines.columns);
        let (mut row_counts, mut column_counts) = (V::splat(0), V::splat(0));
        for r in 0..N {
            let (row, column) = (rows[r], columns[r]);
            row_counts = row_counts
                + (row - (row.shr::<1>() & V::splat(each_box(3))) - (row.shr::<2>() & V::splat(FIRST)));
            column_counts = column_counts
                + ((column + column.shr::<3>() + column.shr::<6>()) & V::splat(each_box(3)));
        }
        let row_counts = V::sum_groups(row_counts);
        let column_counts = V::sum_groups(column_counts);
        let [a, b, c] = column_counts;
        let column_counts = a + b + c;
        let mut best = u32::MAX;
        for at in 0..3 {
            let counts = row_counts[at];
            let bands = (counts + (counts >> 10) + (counts >> 20)) & 1023;
            best = best.min(bands.wrapping_sub(28) << 3 | at as u32);
            let stacks = column_counts >> (10 * at) & 1023;
            best = best.min(stacks.wrapping_sub(28) << 3 | (4 + at as u32));
        }
        let at = best & 3;
        let vertical = best & 4 != 0;
        let flags = if vertical {
            let stack = V::splat(0o777 << (10 * at));
            columns.map(#[inline(always)] |column| column & stack)
        } else {
            let band = V::lane(at as usize);
            rows.map(#[inline(always)] |row| row & band)
        };
        let flags = V::words(&flags);
        let mut best = u32::MAX;
        for (digit, flags) in flags.iter().enumerate() {
            let count = flags[0].count_ones() + flags[1].count_ones() + flags[2].count_ones();
            best = best.min(count.wrapping_sub(4) << 4 | digit as u32);
        }
        let digit = (best & 15) as usize;
        let flags = flags[digit];
        let others = flags.map(|flags| flags & ((flags | GUARDS) - FIRST));
        let band = if others[0] != 0 { 0 } else if others[1] != 0 { 1 } else { 2 };
        let bit = others[band].trailing_zeros();
        let line = if vertical { 7 << bit } else { 0o111 << bit };
        Guess { digit, band, assumed: BOX[bit as usize] & !line, denied: line }
    }
}

static BOX: [u32; 33] = {
    let mut boxes = [0; 33];
    let mut bit = 0;
    while bit < 30 {
        boxes[bit] = 0o777 << (bit / 10 * 10);
        bit += 1;
    }
    boxes
};

