//! Sets of lanes.

use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

/// Lanes a block has at most.
pub(super) const MOST: usize = 512;

/// A set of lanes: bit `i % 64` of word `i / 64` is lane `i`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lanes(pub(super) [u64; MOST / 64]);

impl Lanes {
    pub(super) const NONE: Self = Self([0; MOST / 64]);

    /// The first `words` words full.
    pub(super) fn first_words(words: usize) -> Self {
        let mut all = Self::NONE;
        all.0[..words].fill(u64::MAX);
        all
    }

    #[inline(always)]
    pub(super) fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[inline(always)]
    pub(super) fn is_empty(self) -> bool {
        self == Self::NONE
    }

    #[inline(always)]
    pub(super) fn without(self, other: Self) -> Self {
        self & !other
    }

    #[inline(always)]
    pub(super) fn contains(self, lane: usize) -> bool {
        self.0[lane / 64] >> (lane % 64) & 1 != 0
    }

    #[inline(always)]
    pub(super) fn insert(&mut self, lane: usize) {
        self.0[lane / 64] |= 1 << (lane % 64);
    }

    #[inline(always)]
    pub(super) fn remove(&mut self, lane: usize) {
        self.0[lane / 64] &= !(1 << (lane % 64));
    }

    /// The lanes, lowest first.
    #[inline(always)]
    pub(super) fn iter(self) -> Iter {
        Iter { lanes: self, word: 0 }
    }
}

pub(super) struct Iter {
    lanes: Lanes,
    word: usize,
}

impl Iterator for Iter {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.word < MOST / 64 {
            let word = &mut self.lanes.0[self.word];
            if *word != 0 {
                let lane = 64 * self.word + word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(lane);
            }
            self.word += 1;
        }
        None
    }
}

impl BitAnd for Lanes {
    type Output = Self;
    #[inline(always)]
    fn bitand(mut self, other: Self) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word &= other;
        }
        self
    }
}

impl BitOr for Lanes {
    type Output = Self;
    #[inline(always)]
    fn bitor(mut self, other: Self) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
        self
    }
}

impl BitOrAssign for Lanes {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl Not for Lanes {
    type Output = Self;
    #[inline(always)]
    fn not(mut self) -> Self {
        for word in &mut self.0 {
            *word = !*word;
        }
        self
    }
}
