//! The order in which indices visit the orbit: a keyed bijection between 0..left x right and the
//! pairs of a number below `left` and one below `right`.
//!
//! A Feistel network whose halves are these two numbers, added to modulo their own bounds instead
//! of by exclusive or. So it fits the range exactly, and needs no second try as a network over
//! powers of two would. It has four rounds, with which such a network passes for a random bijection
//! if its function passes for random (Luby and Rackoff, "How to Construct Pseudorandom Permutations
//! from Pseudorandom Functions", 1988). The function here is a mere hash: the order looks random
//! and keeps no secret.
//!
//! A batch of indices is scrambled at once, step by step, in 32 bits: independent chains for the
//! CPU, eight of them in a register of AVX2. Rejected: a hash of 64 bits, for whose multiplication
//! there is no instruction before AVX-512.

use super::writer::Table;
use crate::sudoku::rng::Rng;

/// How many indices are scrambled at once.
pub(super) const BATCH: usize = 32;

/// A number for each index of a batch.
pub(super) type Lanes = [u32; BATCH];

/// Invariant: `left` is at least a batch, and both are at most 2^31.
#[derive(Clone, Debug)]
pub(super) struct Scramble {
    left: u32,
    right: u32,
    /// Two rounds each, first of the left half and then of the right.
    keys: [[u32; 2]; 2],
}

impl Scramble {
    pub(super) fn new(seed: u64, left: u32, right: u32) -> Self {
        debug_assert!(BATCH as u64 <= u64::from(left) && left.max(right) <= 1 << 31);
        // Not the stream of any base grid's attempt.
        let mut rng = Rng::keyed(seed, u64::MAX);
        Self {
            left,
            right,
            keys: std::array::from_fn(|_| std::array::from_fn(|_| (rng.next_u64() >> 32) as u32)),
        }
    }

    pub(super) fn size(&self) -> u64 {
        u64::from(self.left) * u64::from(self.right)
    }

    /// The pairs of the index `first`, which is below the size, and of those that follow. Beyond
    /// the size there are pairs too, within the bounds, but not new ones.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "quotient and remainder of an index below left x right; lanes are few"
    )]
    #[inline(always)]
    pub(super) fn split<T: Table>(&self, first: u64) -> (Lanes, Lanes) {
        let bound = u64::from(self.left);
        let (quotient, remainder) = ((first / bound) as u32, (first % bound) as u32);
        let (mut left, mut right) = ([0; BATCH], [0; BATCH]);
        for (lane, (left, right)) in left.iter_mut().zip(&mut right).enumerate() {
            let number = remainder + lane as u32;
            *left = wrapped(number, self.left);
            *right = quotient + u32::from(number >= self.left);
        }
        for [left_key, right_key] in self.keys {
            advance::<T>(&mut left, &right, left_key, self.left);
            advance::<T>(&mut right, &left, right_key, self.right);
        }
        (left, right)
    }
}

/// A number below twice the bound, modulo it.
#[inline(always)]
fn wrapped(number: u32, bound: u32) -> u32 {
    number.min(number.wrapping_sub(bound))
}

/// Adds to the numbers of one half others below their bound, by a hash of the other half: the first
/// two multiplications and the shift between them of Chris Wellons's lowbias32
/// (<https://nullprogram.com/blog/2018/07/31/>), of which the upper bits count.
#[inline(always)]
fn advance<T: Table>(half: &mut Lanes, other: &Lanes, key: u32, bound: u32) {
    let mut hashes = [0; BATCH];
    for (hash, x) in hashes.iter_mut().zip(other) {
        let x = (x ^ key).wrapping_mul(0x7feb_352d);
        *hash = (x ^ x >> 15).wrapping_mul(0x846c_a68b);
    }
    let steps = T::upper_products(&hashes, bound);
    for (number, step) in half.iter_mut().zip(&steps) {
        *number = wrapped(*number + step, bound);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::portable::Portable;
    use super::*;
    use crate::sudoku::generate::chi_square::chi_square;

    fn pairs(scramble: &Scramble, first: u64) -> impl Iterator<Item = (u32, u32)> {
        let (left, right) = scramble.split::<Portable>(first);
        left.into_iter().zip(right)
    }

    #[test]
    fn it_is_a_bijection() {
        for (left, right) in [(32, 1), (33, 2), (72, 24), (120, 1000), (1000, 7)] {
            for seed in 0..3 {
                let scramble = Scramble::new(seed, left, right);
                let size = usize::try_from(scramble.size()).expect("small");
                let pairs: Vec<_> = (0..scramble.size())
                    .step_by(BATCH)
                    .flat_map(|first| pairs(&scramble, first))
                    .collect();
                assert!(pairs.iter().all(|&(l, r)| l < left && r < right));
                let different: HashSet<_> = pairs[..size].iter().collect();
                assert_eq!(different.len(), size, "{left} x {right}, seed {seed}");
            }
        }
    }

    #[test]
    fn a_batch_may_start_anywhere() {
        let scramble = Scramble::new(4, 1000, 77);
        for first in [0, 1, 968, 969, 999, 1000, 76_000, 76_968, 76_999] {
            for (index, pair) in (first..scramble.size()).zip(pairs(&scramble, first)) {
                assert_eq!(Some(pair), pairs(&scramble, index).next(), "{index}");
            }
        }
    }

    #[test]
    fn the_differences_of_neighbours_are_even() {
        const BOUNDS: [u32; 2] = [362_880, 3_359_232];
        const PAIRS: u32 = 72_000;
        for seed in 0..2 {
            let scramble = Scramble::new(seed, BOUNDS[0], BOUNDS[1]);
            for step in [1, 2, 3, 9, 720, 1_296, 362_880, 362_881, 3_359_232] {
                // By the half, and by its coarse and its fine part.
                let mut counts = [[[0u32; 72]; 2]; 2];
                for first in (0..u64::from(PAIRS)).step_by(BATCH) {
                    let others = pairs(&scramble, first + step);
                    for (a, b) in pairs(&scramble, first).zip(others) {
                        for (half, (a, b)) in [(a.0, b.0), (a.1, b.1)].into_iter().enumerate() {
                            let difference = wrapped(b + BOUNDS[half] - a, BOUNDS[half]);
                            counts[half][0][(difference / (BOUNDS[half] / 72)) as usize] += 1;
                            counts[half][1][(difference % 72) as usize] += 1;
                        }
                    }
                }
                for counts in counts.as_flattened() {
                    let pairs = counts.iter().map(|&count| (f64::from(count), 1_000.0));
                    let chi_square = chi_square(pairs);
                    // Mean 71 and standard deviation 12.
                    assert!(
                        (10.0..150.0).contains(&chi_square),
                        "seed {seed}, step {step}: {chi_square}, {counts:?}"
                    );
                }
            }
        }
    }
}
