//! The renamings of the nine digits, numbered 0..9!.
//!
//! The names are put in order by exchanges: 2 with one of 1..=2, 3 with one of 1..=3, and so on up
//! to 9, which makes every order exactly once. The exchanges up to 6 make 6! = 720 orders and those
//! of 7, 8 and 9 make 504, so that any of the 9! is an entry of the one table shuffled by one of
//! the other.

use super::scramble::{BATCH, Lanes};

/// By a digit, 1 to 9, the digit it becomes. 0 stays 0; what lies above 9 is not used.
pub(super) type Names = [u8; 16];

/// How many orders the exchanges up to 6 make.
const LOW: u32 = 720;

/// Those of all nine digits.
pub(super) const ALL: u32 = 504 * LOW;

/// Those that keep 9 are the first ones.
pub(super) const KEEPING_NINE: u32 = 56 * LOW;

static BY_LOW: [Names; LOW as usize] = orders(2, 6);
static BY_HIGH: [Names; 504] = orders(7, 9);

/// Renamings, a batch of them, in two parts.
pub(super) struct Renamings {
    low: Lanes,
    high: Lanes,
}

impl Renamings {
    /// Those of these numbers, each below [`ALL`].
    #[inline(always)]
    pub(super) fn new(numbers: &Lanes) -> Self {
        let (mut low, mut high) = ([0; BATCH], [0; BATCH]);
        for (lane, &number) in numbers.iter().enumerate() {
            low[lane] = number % LOW;
            high[lane] = number / LOW;
        }
        Self { low, high }
    }

    /// The parts of one: digit `d` becomes `parts.0[parts.1[d]]`.
    #[inline(always)]
    pub(super) fn parts(&self, lane: usize) -> (&'static Names, &'static Names) {
        (
            &BY_LOW[self.low[lane] as usize],
            &BY_HIGH[self.high[lane] as usize],
        )
    }
}

/// By a digit, the names with it and 9 exchanged.
pub(super) static WITH_NINE: [Names; 10] = {
    let mut names = [IDENTITY; 10];
    let mut digit = 1;
    while digit < 10 {
        names[digit].swap(digit, 9);
        digit += 1;
    }
    names
};

const IDENTITY: Names = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 0, 0];

/// All orders by exchanges of the digits from `first` to `last`.
const fn orders<const N: usize>(first: usize, last: usize) -> [Names; N] {
    let mut orders = [IDENTITY; N];
    let mut number = 0;
    while number < N {
        let mut rest = number;
        let mut digit = first;
        while digit <= last {
            orders[number].swap(digit, digit - rest % digit);
            rest /= digit;
            digit += 1;
        }
        number += 1;
    }
    orders
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// A batch of them.
    fn names(first: u32) -> impl Iterator<Item = [u8; 10]> {
        let mut numbers = first..;
        let numbers = std::array::from_fn(|_| numbers.next().expect("endless"));
        let renamings = Renamings::new(&numbers);
        (0..BATCH).map(move |lane| {
            let (low, high) = renamings.parts(lane);
            std::array::from_fn(|digit| low[usize::from(high[digit])])
        })
    }

    #[test]
    fn they_are_all_orders_and_the_first_ones_keep_nine() {
        let orders: Vec<_> = (0..ALL).step_by(BATCH).flat_map(names).collect();
        let (keeping_nine, others) = orders.split_at(KEEPING_NINE as usize);
        assert!(keeping_nine.iter().all(|names| names[9] == 9));
        assert!(others.iter().all(|names| names[9] != 9));
        for names in &orders {
            let mut sorted = *names;
            sorted.sort_unstable();
            assert_eq!(sorted, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        }
        let different: HashSet<_> = orders.into_iter().collect();
        assert_eq!(different.len(), 362_880);
    }
}
