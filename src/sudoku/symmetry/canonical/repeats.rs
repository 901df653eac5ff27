//! Rows in which a digit stands twice, which no puzzle with a solution has.
//!
//! Such a digit may get its label in one stack and be sorted by it in the next, so that sorting all
//! columns at once is not enough. All orders of each stack are tried that keep its blocks sorted;
//! slower, and right for any row.

use super::register::Register;
use super::state::{Next, Offer, State, UNNAMED, ties};
use crate::sudoku::symmetry::line_orders::ORDERS;

/// Adds the states with this row placed, if their string for it is the lowest; the digits are the
/// row's, not yet sorted.
pub(super) fn place<R: Register>(state: &State<R>, offer: &Offer, digits: R, next: &mut Next<R>) {
    let placing = Placing {
        state,
        offer,
        digits: digits.bytes(),
        blocks: state.blocks.bytes(),
        names: state.names.bytes(),
    };
    let start = Placed {
        names: placing.names,
        named: state.named,
        keys: [0; 16],
        string: 0,
    };
    placing.place_stack(0, &start, next);
}

/// A row about to be placed, its columns not yet sorted.
struct Placing<'a, R> {
    state: &'a State<R>,
    offer: &'a Offer,
    digits: [u8; 16],
    blocks: [u8; 16],
    names: [u8; 16],
}

/// Some stacks of it, placed.
#[derive(Clone, Copy)]
struct Placed {
    names: [u8; 16],
    named: u8,
    keys: [u8; 16],
    string: u64,
}

impl<R: Register> Placing<'_, R> {
    fn place_stack(&self, stack: usize, before: &Placed, next: &mut Next<R>) {
        if stack == 3 {
            if before.string < next.lowest {
                next.lowest = before.string;
                next.states.clear();
            }
            if before.string == next.lowest {
                let keys = R::new(before.keys);
                let mut state = self.state.with_row(self.offer, keys, ties(keys));
                state.names = R::new(before.names);
                state.named = before.named;
                next.states.push(state);
            }
            return;
        }
        for order in ORDERS {
            let from = order.map(|column| 3 * stack + usize::from(column));
            if !self.keeps_sorted(from) {
                continue;
            }
            let mut placed = *before;
            for (at, from) in (3 * stack..).zip(from) {
                let name = &mut placed.names[usize::from(self.digits[from])];
                placed.string |= u64::from(*name) << (60 - 4 * at);
                if *name == UNNAMED {
                    placed.named += 1;
                    *name = placed.named;
                }
                placed.keys[at] = self.blocks[from] | *name << 2;
            }
            if placed.string <= next.lowest {
                self.place_stack(stack + 1, &placed, next);
            }
        }
    }

    /// Whether columns in this order are sorted by block and label. Those with the same digit stay
    /// as they are, for they remain a block.
    fn keeps_sorted(&self, [a, b, c]: [usize; 3]) -> bool {
        let rank = |at: usize| {
            (
                self.blocks[at] >> 6,
                self.names[usize::from(self.digits[at])],
            )
        };
        [(a, b), (a, c), (b, c)].into_iter().all(|(left, right)| {
            let alike = self.digits[left] == self.digits[right];
            rank(left) < rank(right) || rank(left) == rank(right) && (!alike || left < right)
        })
    }
}
