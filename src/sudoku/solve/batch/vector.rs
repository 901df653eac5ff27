//! What the engine needs of a register.

use super::lanes::Lanes;
use super::search::{Search, Task};
use crate::sudoku::solve::{Cancelled, Finding};

/// A plane: a bit for each lane. Lane `i` is bit `i % 64` of word `i / 64`.
///
/// Functions of three planes are one instruction on AVX-512.
pub(super) trait Vector: Copy {
    /// The same as plain words.
    type Words: Copy + AsRef<[u64]> + AsMut<[u64]>;
    /// Words of 64 lanes.
    const WORDS: usize;
    /// No lane, as words.
    const ZEROS: Self::Words;

    /// Runs a search in code that is compiled for these registers.
    fn run(search: &mut Search<Self>, task: Task<'_>) -> Result<Vec<Finding>, Cancelled>;

    /// No lane.
    fn zero() -> Self;
    /// Every lane.
    fn ones() -> Self;
    /// From its words.
    fn from_words(words: &Self::Words) -> Self;
    /// Its words.
    fn to_words(self) -> Self::Words;

    /// `a & b`
    fn and(self, b: Self) -> Self;
    /// `a | b`
    fn or(self, b: Self) -> Self;
    /// `a ^ b`
    fn xor(self, b: Self) -> Self;
    /// `a & !b`
    fn without(self, b: Self) -> Self;

    /// Each word shifted to higher lanes.
    fn shl<const N: i32>(self) -> Self;
    /// Each word shifted to lower lanes.
    fn shr<const N: i32>(self) -> Self;
    /// Each word rotated to higher lanes, by the count (0..64) in the same word of `by`.
    fn rotate(self, by: Self) -> Self;
    /// What [`permute`](Self::permute) is to be told to take word `i` from word `from[i]`.
    fn order(from: &[usize; 8]) -> Self;
    /// The words in another order.
    fn permute(self, order: Self) -> Self;

    /// `!a`
    #[inline(always)]
    fn not(self) -> Self {
        self.xor(Self::ones())
    }
    /// `a & b & c`
    #[inline(always)]
    fn and3(self, b: Self, c: Self) -> Self {
        self.and(b).and(c)
    }
    /// `a | b | c`
    #[inline(always)]
    fn or3(self, b: Self, c: Self) -> Self {
        self.or(b).or(c)
    }
    /// `a ^ b ^ c`
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        self.xor(b).xor(c)
    }
    /// Where two or three of them are set.
    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        self.and(b).or(self.or(b).and(c))
    }
    /// `a | b & c`
    #[inline(always)]
    fn or_and(self, b: Self, c: Self) -> Self {
        self.or(b.and(c))
    }
    /// `a | b & !c`
    #[inline(always)]
    fn or_without(self, b: Self, c: Self) -> Self {
        self.or(b.without(c))
    }
    /// `a | !b`
    #[inline(always)]
    fn or_not(self, b: Self) -> Self {
        self.or(b.not())
    }
    /// `a & b & !c`
    #[inline(always)]
    fn and_without(self, b: Self, c: Self) -> Self {
        self.and(b).without(c)
    }
    /// `a & !(b & !c)`
    #[inline(always)]
    fn unless(self, b: Self, c: Self) -> Self {
        self.without(b.without(c))
    }
    /// `b` where `a` is set, `c` elsewhere.
    #[inline(always)]
    fn select(self, b: Self, c: Self) -> Self {
        c.xor(self.and(b.xor(c)))
    }

    /// Takes the bits of `new` in the lanes `into`.
    #[inline(always)]
    fn replace(&mut self, new: Self, into: Self) {
        *self = into.select(new, *self);
    }
    /// The lanes of a set.
    #[inline(always)]
    fn of(lanes: Lanes) -> Self {
        let mut words = Self::ZEROS;
        words.as_mut().copy_from_slice(&lanes.0[..Self::WORDS]);
        Self::from_words(&words)
    }
    /// The set of lanes.
    #[inline(always)]
    fn lanes(self) -> Lanes {
        let mut lanes = Lanes::NONE;
        lanes.0[..Self::WORDS].copy_from_slice(self.to_words().as_ref());
        lanes
    }
    /// The same word all over.
    #[inline(always)]
    fn splat(word: u64) -> Self {
        let mut words = Self::ZEROS;
        words.as_mut().fill(word);
        Self::from_words(&words)
    }
}
