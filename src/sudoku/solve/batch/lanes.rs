//! Sets of lanes.

use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

/// The most words of 64 lanes that a block has.
pub(super) const WORDS: usize = 8;

/// The most lanes that a block has.
pub(super) const MOST: usize = 64 * WORDS;

/// A set of lanes: lane `i` is bit `i % 64` of word `i / 64`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lanes(pub(super) [u64; WORDS]);

impl Lanes {
    pub(super) const NONE: Self = Self([0; WORDS]);

    /// The lanes of so many words.
    #[inline(always)]
    pub(super) fn of_words(words: usize) -> Self {
        let mut all = Self::NONE;
        all.0[..words].fill(u64::MAX);
        all
    }

    #[inline(always)]
    pub(super) fn len(self) -> usize {
        let mut len = 0;
        for word in self.0 {
            len += word.count_ones() as usize;
        }
        len
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
        Iter {
            left: self,
            word: 0,
        }
    }
}

/// The lanes of a set.
pub(super) struct Iter {
    left: Lanes,
    word: usize,
}

impl Iterator for Iter {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while let Some(word) = self.left.0.get_mut(self.word) {
            if *word != 0 {
                let row = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(64 * self.word + row);
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
        for i in 0..WORDS {
            self.0[i] &= other.0[i];
        }
        self
    }
}

impl BitOr for Lanes {
    type Output = Self;

    #[inline(always)]
    fn bitor(mut self, other: Self) -> Self {
        for i in 0..WORDS {
            self.0[i] |= other.0[i];
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
        for i in 0..WORDS {
            self.0[i] = !self.0[i];
        }
        self
    }
}
