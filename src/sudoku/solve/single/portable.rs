//! Registers of plain words, for any machine: one digit each, lane by lane, in loops that a
//! compiler turns into whatever 128-bit instructions there are.
//!
//! It is the same engine as the others on purpose. The scalar one before it, which looked up the
//! lines of each digit in tables, took up to twice as long, but half as long where most puzzles
//! have many solutions.

use std::array::from_fn;
use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

use super::register::{CELLS, Count, Register, bit};

/// One digit.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub(super) struct Portable([u32; 4]);

super::search::entries!(Portable, 9);

macro_rules! operator {
    ($operation:ident, $method:ident, $word:path) => {
        impl $operation for Portable {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let (Self([a, b, c, d]), Self([e, f, g, h])) = (self, other);
                Self([$word(a, e), $word(b, f), $word(c, g), $word(d, h)])
            }
        }
    };
}

operator!(BitAnd, bitand, BitAnd::bitand);
operator!(BitOr, bitor, BitOr::bitor);
operator!(BitXor, bitxor, BitXor::bitxor);
operator!(Add, add, u32::wrapping_add);
operator!(Sub, sub, u32::wrapping_sub);

impl Register<9> for Portable {
    const DIGITS: usize = 1;

    #[inline(always)]
    fn splat(word: u32) -> Self {
        Self([word; 4])
    }

    #[inline(always)]
    fn bands(word: u32) -> Self {
        Self([word, word, word, 0])
    }

    #[inline(always)]
    fn idle(_: usize) -> Self {
        Self::splat(0)
    }

    #[inline(always)]
    fn only(lane: usize, word: u32) -> Self {
        Self::band(lane) & Self::splat(word)
    }

    #[inline(always)]
    fn band(band: usize) -> Self {
        Self(from_fn(|lane| if lane == band { !0 } else { 0 }))
    }

    #[inline(always)]
    fn shl<const BITS: u32>(self) -> Self {
        let Self([a, b, c, d]) = self;
        Self([a << BITS, b << BITS, c << BITS, d << BITS])
    }

    #[inline(always)]
    fn shr<const BITS: u32>(self) -> Self {
        let Self([a, b, c, d]) = self;
        Self([a >> BITS, b >> BITS, c >> BITS, d >> BITS])
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self & (other ^ Self::splat(!0))
    }

    #[inline(always)]
    fn next_band(self) -> Self {
        let Self([a, b, c, spare]) = self;
        Self([b, c, a, spare])
    }

    #[inline(always)]
    fn any(digits: &[Self; 9]) -> Self {
        let mut any = digits[0];
        for digit in &digits[1..] {
            any = any | *digit;
        }
        any
    }

    #[inline(always)]
    fn once_and_twice(digits: &[Self; 9]) -> (Self, Self) {
        let (mut once, mut twice) = (digits[0], Self::splat(0));
        for digit in &digits[1..] {
            twice = twice | (once & *digit);
            once = once | *digit;
        }
        (once, twice)
    }

    #[inline(always)]
    fn sum_groups(count: Count<Self>) -> Count<Self> {
        count
    }

    #[inline(always)]
    fn add_groups(self) -> [u32; 3] {
        let Self([a, b, c, _]) = self;
        [a, b, c]
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        let Self([a, b, c, d]) = self;
        a | b | c | d == 0
    }

    #[inline(always)]
    fn read(cells: &[u8; 81]) -> [Self; 9] {
        let mut digits = [Self::splat(0); 9];
        for (band, cells) in cells.chunks_exact(27).enumerate() {
            for (&digit, &bit) in cells.iter().zip(&BITS) {
                if digit != 0 {
                    digits[usize::from(digit - 1)].0[band] |= 1 << bit;
                }
            }
        }
        digits
    }

    #[inline(always)]
    fn write(digits: &[Self; 9]) -> [u8; 81] {
        let mut cells = [0; 81];
        for (digit, value) in digits.iter().zip(1..) {
            for band in 0..3 {
                let mut word = digit.0[band] & CELLS;
                while word != 0 {
                    cells[27 * band + usize::from(CELL[word.trailing_zeros() as usize])] = value;
                    word &= word - 1;
                }
            }
        }
        cells
    }

    #[inline(always)]
    fn words(digits: &[Self; 9]) -> [[u32; 3]; 9] {
        digits.map(Self::add_groups)
    }
}

/// The bit of each cell of a band.
static BITS: [u8; 27] = {
    let mut bits = [0; 27];
    let mut cell = 0;
    while cell < 27 {
        bits[cell] = bit(cell);
        cell += 1;
    }
    bits
};

/// The cell behind each bit of a band's word.
static CELL: [u8; 32] = {
    let mut cells = [0; 32];
    let mut cell = 0;
    while cell < 27 {
        cells[bit(cell as usize) as usize] = cell;
        cell += 1;
    }
    cells
};
