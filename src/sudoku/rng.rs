//! Random numbers that depend on a seed and an index alone.
//!
//! The generator is xoshiro256++ 1.0 by David Blackman and Sebastiano Vigna
//! (<https://prng.di.unimi.it>, public domain), its state filled by Vigna's `SplitMix64` as its
//! authors advise. What is made from it is promised to be the same for ever, so it is kept here
//! instead of in a crate whose stream may change. It is no source of secrets.

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Rng([u64; 4]);

impl Rng {
    /// The stream of item `index` under `seed`. Streams of different keys have nothing visibly in
    /// common.
    #[must_use]
    pub fn keyed(seed: u64, index: u64) -> Self {
        let mut state =
            mix(seed ^ GOLDEN).wrapping_add(mix(index.wrapping_add(GOLDEN).rotate_left(32)));
        Self(std::array::from_fn(|_| {
            state = state.wrapping_add(GOLDEN);
            mix(state)
        }))
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.0;
        let result = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        result
    }

    /// A number below `bound`, each equally likely. Daniel Lemire, "Fast Random Integer Generation
    /// in an Interval", 2019.
    ///
    /// # Panics
    /// If `bound` is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        assert!(bound > 0, "no number is below 0");
        loop {
            let product = (self.next_u64() >> 32) * u64::from(bound);
            let (high, low) = halves(product);
            // The first test is false almost always and spares the division.
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return high;
            }
        }
    }

    /// As [`below`](Self::below), for wider bounds.
    ///
    /// # Panics
    /// If `bound` is 0.
    pub fn below_u64(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "no number is below 0");
        loop {
            let product = u128::from(self.next_u64()) * u128::from(bound);
            let (high, low) = halves_u128(product);
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return high;
            }
        }
    }

    /// Puts the items in a random order, each order equally likely (Fisher and Yates, as
    /// Durstenfeld wrote it).
    ///
    /// # Panics
    /// If there are more than `u32::MAX` items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let bound = u32::try_from(last + 1).expect("at most u32::MAX items");
            items.swap(last, self.below(bound) as usize);
        }
    }
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// `SplitMix64`'s finaliser: a bijection of 64 bits in which each input bit moves about half the
/// output bits.
pub(super) const fn mix(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

#[expect(clippy::cast_possible_truncation, reason = "the halves are wanted")]
const fn halves(x: u64) -> (u32, u32) {
    ((x >> 32) as u32, x as u32)
}

#[expect(clippy::cast_possible_truncation, reason = "the halves are wanted")]
const fn halves_u128(x: u128) -> (u64, u64) {
    ((x >> 64) as u64, x as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_that_of_the_reference() {
        // First outputs of xoshiro256++ from the state 1, 2, 3, 4.
        let mut rng = Rng([1, 2, 3, 4]);
        let stream: [u64; 3] = std::array::from_fn(|_| rng.next_u64());
        assert_eq!(stream, [41_943_041, 58_720_359, 3_588_806_011_781_223]);
    }

    #[test]
    fn wide_bounds_are_kept_and_every_part_below_them_is_equally_likely() {
        let bound = 3 << 62;
        let mut thirds = [0u32; 3];
        let mut rng = Rng::keyed(3, 4);
        for _ in 0..30_000 {
            thirds[usize::try_from(rng.below_u64(bound) >> 62).unwrap()] += 1;
        }
        // Without drawing again the first would be twice as likely as the others. Six standard
        // deviations around 10,000.
        assert!(
            thirds.iter().all(|count| (9_510..=10_490).contains(count)),
            "{thirds:?}"
        );
        assert_eq!(rng.below_u64(1), 0);
    }

    #[test]
    fn every_order_of_four_is_equally_likely() {
        let mut seen = std::collections::HashMap::new();
        let mut rng = Rng::keyed(1, 2);
        for _ in 0..24_000 {
            let mut items = [0, 1, 2, 3];
            rng.shuffle(&mut items);
            *seen.entry(items).or_insert(0u32) += 1;
        }
        assert_eq!(seen.len(), 24);
        // Six standard deviations of a binomial count around 1,000.
        assert!(
            seen.values().all(|count| (814..=1186).contains(count)),
            "{seen:?}"
        );
    }

    #[test]
    fn neighbouring_keys_give_unlike_streams() {
        let words: std::collections::HashSet<u64> = (0..100)
            .flat_map(|seed| (0..100).map(move |index| Rng::keyed(seed, index).next_u64()))
            .collect();
        assert_eq!(words.len(), 10_000);
    }
}
