//! 256 lanes in plain words, for every machine; the compiler makes of them what it has.

use super::search::{Search, Task};
use super::vector::Vector;
use crate::sudoku::solve::{Cancelled, Finding};

const WORDS: usize = 4;

#[derive(Clone, Copy)]
pub(super) struct Portable([u64; WORDS]);

/// A vector word by word.
macro_rules! each {
    ($i:ident => $word:expr) => {{
        let mut words = [0; WORDS];
        for $i in 0..WORDS {
            words[$i] = $word;
        }
        Self(words)
    }};
}

impl Vector for Portable {
    type Words = [u64; WORDS];
    const WORDS: usize = WORDS;
    const ZEROS: [u64; WORDS] = [0; WORDS];

    fn run(search: &mut Search<Self>, task: Task<'_>) -> Result<Vec<Finding>, Cancelled> {
        search.run(task)
    }

    #[inline(always)]
    fn zero() -> Self {
        Self([0; WORDS])
    }
    #[inline(always)]
    fn ones() -> Self {
        Self([u64::MAX; WORDS])
    }
    #[inline(always)]
    fn from_words(words: &[u64; WORDS]) -> Self {
        Self(*words)
    }
    #[inline(always)]
    fn to_words(self) -> [u64; WORDS] {
        self.0
    }
    #[inline(always)]
    fn and(self, b: Self) -> Self {
        each!(i => self.0[i] & b.0[i])
    }
    #[inline(always)]
    fn or(self, b: Self) -> Self {
        each!(i => self.0[i] | b.0[i])
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        each!(i => self.0[i] ^ b.0[i])
    }
    #[inline(always)]
    fn without(self, b: Self) -> Self {
        each!(i => self.0[i] & !b.0[i])
    }
    #[inline(always)]
    fn shl<const N: i32>(self) -> Self {
        each!(i => self.0[i] << N)
    }
    #[inline(always)]
    fn shr<const N: i32>(self) -> Self {
        each!(i => self.0[i] >> N)
    }
    #[inline(always)]
    fn rotate(self, by: Self) -> Self {
        each!(i => self.0[i] << by.0[i] | self.0[i] >> (by.0[i].wrapping_neg() & 63))
    }
    #[inline(always)]
    fn order(from: &[usize; 8]) -> Self {
        each!(i => from[i] as u64)
    }
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "below 4")]
    fn permute(self, order: Self) -> Self {
        each!(i => self.0[order.0[i] as usize % WORDS])
    }
}
