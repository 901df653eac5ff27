//! Registers of 512 bits: three digits each, the fourth group empty. Logic of three operands comes
//! from the compiler, which joins pairs of operations.
#![expect(unsafe_code, reason = "intrinsics")]
#![expect(
    clippy::cast_possible_wrap,
    reason = "intrinsics take bits as signed numbers"
)]
#![allow(
    clippy::wildcard_imports,
    reason = "intrinsics say where they are from"
)]

use std::arch::x86_64::*;
use std::mem::transmute;
use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

use super::avx2::{Avx2, givens};
use super::register::{Count, Register, sum};

/// Three digits.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(super) struct Avx512(__m512i);

// SAFETY (of the calls): a stack of these registers is made only where the CPU has the instructions,
// by `SingleSolver::on`.
super::search::entries!(
    Avx512,
    3,
    unsafe,
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
);

macro_rules! operator {
    ($operation:ident, $method:ident, $intrinsic:ident) => {
        impl $operation for Avx512 {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: whoever made a register has AVX-512.
                unsafe { Self($intrinsic(self.0, other.0)) }
            }
        }
    };
}

operator!(BitAnd, bitand, _mm512_and_si512);
operator!(BitOr, bitor, _mm512_or_si512);
operator!(BitXor, bitxor, _mm512_xor_si512);
operator!(Add, add, _mm512_add_epi32);
operator!(Sub, sub, _mm512_sub_epi32);

impl Register<3> for Avx512 {
    const DIGITS: usize = 3;

    #[inline(always)]
    fn splat(word: u32) -> Self {
        // SAFETY: the callers are inlined into functions with AVX-512 enabled, here and below.
        unsafe { Self(_mm512_set1_epi32(word as i32)) }
    }

    #[inline(always)]
    fn bands(word: u32) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm512_maskz_set1_epi32(0x7777, word as i32)) }
    }

    #[inline(always)]
    fn idle(_: usize) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm512_maskz_set1_epi32(0xf000, -1)) }
    }

    #[inline(always)]
    fn only(lane: usize, word: u32) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm512_maskz_set1_epi32(1 << lane, word as i32)) }
    }

    #[inline(always)]
    fn band(band: usize) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm512_maskz_set1_epi32(0x1111 << band, -1)) }
    }

    #[inline(always)]
    fn shl<const BITS: u32>(self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm512_slli_epi32::<BITS>(self.0)) }
    }

    #[inline(always)]
    fn shr<const BITS: u32>(self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm512_srli_epi32::<BITS>(self.0)) }
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm512_andnot_si512(other.0, self.0)) }
    }

    #[inline(always)]
    fn next_band(self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm512_shuffle_epi32::<0b11_00_10_01>(self.0)) }
    }

    #[inline(always)]
    fn any(&[a, b, c]: &[Self; 3]) -> Self {
        let any = a | b | c;
        let any = any | swap_halves(any);
        any | swap_quarters(any)
    }

    #[inline(always)]
    fn once_and_twice(&[a, b, c]: &[Self; 3]) -> (Self, Self) {
        let ab = a | b;
        let (once, twice) = (ab | c, (a & b) | (ab & c));
        let other = swap_halves(once);
        let (once, twice) = (once | other, twice | swap_halves(twice) | (once & other));
        let other = swap_quarters(once);
        (once | other, twice | swap_quarters(twice) | (once & other))
    }

    #[inline(always)]
    fn sum_groups(count: Count<Self>) -> Count<Self> {
        let [a, b, c, d] = count;
        let count = sum(
            count,
            [
                swap_halves(a),
                swap_halves(b),
                swap_halves(c),
                swap_halves(d),
            ],
        );
        let [a, b, c, d] = count;
        sum(
            count,
            [
                swap_quarters(a),
                swap_quarters(b),
                swap_quarters(c),
                swap_quarters(d),
            ],
        )
    }

    #[inline(always)]
    fn add_groups(self) -> [u32; 3] {
        let halves = self + swap_halves(self);
        let total = halves + swap_quarters(halves);
        // SAFETY: as above; four words are 128 bits.
        let [a, b, c, _]: [u32; 4] = unsafe { transmute(_mm512_castsi512_si128(total.0)) };
        [a, b, c]
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        // SAFETY: as above.
        unsafe { _mm512_test_epi32_mask(self.0, self.0) == 0 }
    }

    #[inline(always)]
    fn read(cells: &[u8; 81]) -> [Self; 3] {
        let mut words = [[[0; 4]; 4]; 3];
        for (digit, givens) in givens(cells).into_iter().enumerate() {
            words[digit / 3][digit % 3] = givens;
        }
        // SAFETY: three times sixteen words are three registers.
        unsafe { transmute(words) }
    }

    #[inline(always)]
    fn write(digits: &[Self; 3]) -> [u8; 81] {
        // SAFETY: three registers are three times sixteen words.
        let words: [[[u32; 4]; 4]; 3] = unsafe { transmute(*digits) };
        let [[a, b, c, _], [d, e, f, _], [g, h, i, spare]] = words;
        let words = [a, b, c, d, e, f, g, h, i, spare];
        // SAFETY: ten times four words are five registers of 256 bits.
        let digits: [Avx2; 5] = unsafe { transmute(words) };
        Avx2::write(&digits)
    }

    #[inline(always)]
    fn words(digits: &[Self; 3]) -> [[u32; 3]; 9] {
        // SAFETY: three registers are three times sixteen words.
        let words: [[[u32; 4]; 4]; 3] = unsafe { transmute(*digits) };
        let mut bands = [[0; 3]; 9];
        for (digit, bands) in bands.iter_mut().enumerate() {
            let [a, b, c, _] = words[digit / 3][digit % 3];
            *bands = [a, b, c];
        }
        bands
    }
}

/// The groups exchanged two by two.
#[inline(always)]
fn swap_halves(register: Avx512) -> Avx512 {
    // SAFETY: whoever made a register has AVX-512.
    unsafe {
        Avx512(_mm512_shuffle_i64x2::<0b01_00_11_10>(
            register.0, register.0,
        ))
    }
}

/// The groups exchanged one by one within the halves.
#[inline(always)]
fn swap_quarters(register: Avx512) -> Avx512 {
    // SAFETY: whoever made a register has AVX-512.
    unsafe {
        Avx512(_mm512_shuffle_i64x2::<0b10_11_00_01>(
            register.0, register.0,
        ))
    }
}
