//! A plane: one bit for each puzzle of a block.

/// A register of bits, of which bit `i` belongs to lane `i`. Lane `i` is bit `i % 64` of word
/// `i / 64`.
///
/// The three-operand functions are single instructions on AVX-512.
pub(super) trait Vector: Copy {
    /// Words of 64 lanes.
    const WORDS: usize;

    /// No lane.
    fn zero() -> Self;
    /// Every lane.
    fn ones() -> Self;
    /// The first `WORDS` of these.
    fn from_words(words: &[u64; 8]) -> Self;
    /// The words, and zeros after them.
    fn to_words(self) -> [u64; 8];

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

    /// Each word shifted to higher lanes.
    fn shl<const N: i32>(self) -> Self;
    /// Each word shifted to lower lanes.
    fn shr<const N: i32>(self) -> Self;
    /// Each word rotated to higher lanes by the count (0..64) in the same word of `by`.
    fn rotate(self, by: Self) -> Self;
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
    const WORDS: usize = 4;

    #[inline(always)]
    fn zero() -> Self {
        Self([0; 4])
    }
    #[inline(always)]
    fn ones() -> Self {
        Self([u64::MAX; 4])
    }
    #[inline(always)]
    fn from_words(words: &[u64; 8]) -> Self {
        each!(a = words => a)
    }
    #[inline(always)]
    fn to_words(self) -> [u64; 8] {
        let [a, b, c, d] = self.0;
        [a, b, c, d, 0, 0, 0, 0]
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
}
