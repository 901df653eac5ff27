//! A plane: one bit for each puzzle of a block.

use super::lanes::Lanes;

/// A register of bits, of which bit `i` belongs to lane `i`. Lane `i` is bit `i % 64` of word
/// `i / 64`.
///
/// The three-operand functions are single instructions on AVX-512.
pub(super) trait Vector: Copy {
    /// The same as plain words.
    type Words: Copy + AsRef<[u64]> + AsMut<[u64]>;

    /// Words of 64 lanes.
    const WORDS: usize;

    /// All words zero.
    const ZEROS: Self::Words;

    /// No lane.
    fn zero() -> Self;
    /// Every lane.
    fn ones() -> Self;
    /// From its words.
    fn from_words(words: &Self::Words) -> Self;
    /// Its words.
    fn to_words(self) -> Self::Words;

    /// The lanes of a set.
    #[inline(always)]
    fn of(lanes: &Lanes) -> Self {
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

    /// `a & b`
    fn and(self, b: Self) -> Self;
    /// `a | b`
    fn or(self, b: Self) -> Self;
    /// `a ^ b`
    fn xor(self, b: Self) -> Self;
    /// `a & !b`
    fn without(self, b: Self) -> Self;

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
    /// `a & (b | c)`
    #[inline(always)]
    fn and_or(self, b: Self, c: Self) -> Self {
        self.and(b.or(c))
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
    /// `a | b & !c`
    #[inline(always)]
    fn or_without(self, b: Self, c: Self) -> Self {
        self.or(b.without(c))
    }
    /// `b` where `self` is set, `c` elsewhere.
    #[inline(always)]
    fn select(self, b: Self, c: Self) -> Self {
        c.xor(self.and(b.xor(c)))
    }

    /// `a | !b`
    #[inline(always)]
    fn or_not(self, b: Self) -> Self {
        self.or(b.not())
    }
    /// Takes the bits of `new` in the lanes `into`.
    #[inline(always)]
    fn replace(&mut self, new: Self, into: Self) {
        *self = into.select(new, *self);
    }

    /// Each word shifted to higher lanes.
    fn shl<const N: i32>(self) -> Self;
    /// Each word shifted to lower lanes.
    fn shr<const N: i32>(self) -> Self;
    /// Each word rotated to higher lanes by the count (0..64) in the same word of `by`.
    fn rotate(self, by: Self) -> Self;
    /// What [`permute`](Self::permute) needs to know to take word `i` from word `from[i]`.
    fn order(from: &[usize; 8]) -> Self;
    /// The words in another order.
    fn permute(self, order: Self) -> Self;
}

/// The words of a vector as an array.
#[derive(Clone, Copy)]
pub(super) struct Portable([u64; 4]);

macro_rules! each {
    ($($name:ident = $from:expr),+ => $body:expr) => {{
        let mut out = [0; 4];
        let mut i = 0;
        while i < 4 {
            $(let $name = $from[i];)+
            out[i] = $body;
            i += 1;
        }
        Self(out)
    }};
}

impl Vector for Portable {
    type Words = [u64; 4];
    const WORDS: usize = 4;
    const ZEROS: [u64; 4] = [0; 4];

    #[inline(always)]
    fn zero() -> Self {
        Self([0; 4])
    }
    #[inline(always)]
    fn ones() -> Self {
        Self([u64::MAX; 4])
    }
    #[inline(always)]
    fn from_words(words: &[u64; 4]) -> Self {
        Self(*words)
    }
    #[inline(always)]
    fn to_words(self) -> [u64; 4] {
        self.0
    }
    #[inline(always)]
    fn and(self, b: Self) -> Self {
        each!(a = self.0, b = b.0 => a & b)
    }
    #[inline(always)]
    fn or(self, b: Self) -> Self {
        each!(a = self.0, b = b.0 => a | b)
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        each!(a = self.0, b = b.0 => a ^ b)
    }
    #[inline(always)]
    fn without(self, b: Self) -> Self {
        each!(a = self.0, b = b.0 => a & !b)
    }
    #[inline(always)]
    fn shl<const N: i32>(self) -> Self {
        each!(a = self.0 => a << N)
    }
    #[inline(always)]
    fn shr<const N: i32>(self) -> Self {
        each!(a = self.0 => a >> N)
    }
    #[inline(always)]
    fn rotate(self, by: Self) -> Self {
        each!(a = self.0, by = by.0 => a.rotate_left(by as u32))
    }
    #[inline(always)]
    fn order(from: &[usize; 8]) -> Self {
        each!(i = from => i as u64)
    }
    #[inline(always)]
    fn permute(self, order: Self) -> Self {
        each!(i = order.0 => self.0[i as usize & 3])
    }
}
