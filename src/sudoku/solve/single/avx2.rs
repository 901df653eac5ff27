//! Registers of 256 bits: two digits each, the tenth group empty.
#![expect(unsafe_code, reason = "intrinsics")]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "intrinsics take bits as signed numbers, and lanes are few"
)]
#![allow(
    clippy::wildcard_imports,
    reason = "intrinsics say where they are from"
)]

use std::arch::asm;
use std::arch::x86_64::*;
use std::mem::transmute;
use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

use super::register::{Count, Register, bit, sum};

/// Two digits.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(super) struct Avx2(__m256i);

// SAFETY (of the calls): a stack of these registers is made only where the CPU has the instructions,
// by `SingleSolver::on`.
super::search::entries!(
    Avx2,
    5,
    unsafe,
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
);

macro_rules! operator {
    ($operation:ident, $method:ident, $intrinsic:ident) => {
        impl $operation for Avx2 {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: whoever made a register has AVX2.
                unsafe { Self($intrinsic(self.0, other.0)) }
            }
        }
    };
}

operator!(BitAnd, bitand, _mm256_and_si256);
operator!(BitOr, bitor, _mm256_or_si256);
operator!(BitXor, bitxor, _mm256_xor_si256);
operator!(Add, add, _mm256_add_epi32);
operator!(Sub, sub, _mm256_sub_epi32);

impl Register<5> for Avx2 {
    const DIGITS: usize = 2;

    #[inline(always)]
    fn splat(word: u32) -> Self {
        // SAFETY: the callers are inlined into functions with AVX2 enabled, here and below.
        unsafe { Self(_mm256_set1_epi32(word as i32)) }
    }

    #[inline(always)]
    fn bands(word: u32) -> Self {
        let word = word as i32;
        // SAFETY: as above.
        unsafe { Self(_mm256_setr_epi32(word, word, word, 0, word, word, word, 0)) }
    }

    #[inline(always)]
    fn idle(r: usize) -> Self {
        let ones = if r == 4 { -1 } else { 0 };
        // SAFETY: as above.
        unsafe { Self(_mm256_setr_epi64x(0, 0, ones, ones)) }
    }

    #[inline(always)]
    fn only(lane: usize, word: u32) -> Self {
        // SAFETY: as above.
        let here = unsafe {
            let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
            Self(_mm256_cmpeq_epi32(lanes, Self::splat(lane as u32).0))
        };
        here & Self::splat(word)
    }

    #[inline(always)]
    fn band(band: usize) -> Self {
        // SAFETY: as above.
        unsafe {
            let bands = _mm256_setr_epi32(0, 1, 2, 3, 0, 1, 2, 3);
            Self(_mm256_cmpeq_epi32(bands, Self::splat(band as u32).0))
        }
    }

    #[inline(always)]
    fn shl<const BITS: u32>(self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm256_sllv_epi32(self.0, Self::splat(BITS).0)) }
    }

    #[inline(always)]
    fn shr<const BITS: u32>(self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm256_srlv_epi32(self.0, Self::splat(BITS).0)) }
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm256_andnot_si256(other.0, self.0)) }
    }

    #[inline(always)]
    fn next_band(self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm256_shuffle_epi32::<0b11_00_10_01>(self.0)) }
    }

    #[inline(always)]
    fn any(&[a, b, c, d, e]: &[Self; 5]) -> Self {
        let any = ((a | b) | (c | d)) | e;
        any | swap(any)
    }

    #[inline(always)]
    fn once_and_twice(&[a, b, c, d, e]: &[Self; 5]) -> (Self, Self) {
        let (ab, cd) = (a | b, c | d);
        let abcd = ab | cd;
        let once = abcd | e;
        let twice = ((a & b) | (c & d)) | ((ab & cd) | (abcd & e));
        let other = swap(once);
        (once | other, (twice | swap(twice)) | (once & other))
    }

    #[inline(always)]
    fn sum_groups(count: Count<Self>) -> Count<Self> {
        let [a, b, c, d] = count;
        sum(count, [swap(a), swap(b), swap(c), swap(d)])
    }

    #[inline(always)]
    fn add_groups(self) -> [u32; 3] {
        // SAFETY: as above; four words are 128 bits.
        let [a, b, c, _]: [u32; 4] =
            unsafe { transmute(_mm256_castsi256_si128((self + swap(self)).0)) };
        [a, b, c]
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        // SAFETY: as above.
        unsafe { _mm256_testz_si256(self.0, self.0) != 0 }
    }

    #[inline(always)]
    fn read(cells: &[u8; 81]) -> [Self; 5] {
        let mut words = [[0; 4]; 10];
        for (words, givens) in words.iter_mut().zip(givens(cells)) {
            *words = givens;
        }
        // SAFETY: ten times four words are five registers.
        unsafe { transmute(words) }
    }

    #[inline(always)]
    fn write(digits: &[Self; 5]) -> [u8; 81] {
        // The digits in binary: bit by bit, the cells whose digit has it.
        let mut planes = [Self::splat(0); 4];
        for (place, plane) in planes.iter_mut().enumerate() {
            for (r, digit) in digits.iter().enumerate() {
                let low = -((2 * r as i64 + 1) >> place & 1);
                let high = -((2 * r as i64 + 2) >> place & 1);
                // SAFETY: as above.
                let has = unsafe { Self(_mm256_setr_epi64x(low, low, high, high)) };
                *plane = *plane | (*digit & has);
            }
            *plane = *plane | swap(*plane);
        }
        let mut cells = [0; 81];
        let to = cells.as_mut_ptr();
        // SAFETY: as above; the stores end at bytes 32, 59, 70 and 81.
        unsafe {
            _mm256_storeu_si256(to.cast(), spread::<0b00_00_00_00>(&planes, &SPREAD[0]));
            _mm256_storeu_si256(
                to.add(27).cast(),
                spread::<0b01_01_01_01>(&planes, &SPREAD[0]),
            );
            let last = spread::<0b10_10_10_10>(&planes, &SPREAD[1]);
            _mm_storeu_si128(to.add(54).cast(), _mm256_castsi256_si128(last));
            _mm_storeu_si128(to.add(65).cast(), _mm256_extracti128_si256::<1>(last));
        }
        cells
    }

    #[inline(always)]
    fn words(digits: &[Self; 5]) -> [[u32; 3]; 9] {
        // SAFETY: five registers are ten times four words.
        let words: [[u32; 4]; 10] = unsafe { transmute(*digits) };
        let mut bands = [[0; 3]; 9];
        for (bands, &[a, b, c, _]) in bands.iter_mut().zip(&words) {
            *bands = [a, b, c];
        }
        bands
    }
}

/// The groups exchanged.
#[inline(always)]
fn swap(register: Avx2) -> Avx2 {
    // SAFETY: whoever made a register has AVX2.
    unsafe { Avx2(swap_halves(register.0)) }
}

/// The halves exchanged. In assembly, as the compiler makes of the intrinsic a `vpermq`, which on
/// Zen takes six cycles instead of three, twice in the chain of each sweep.
#[target_feature(enable = "avx2")]
#[inline]
fn swap_halves(mut register: __m256i) -> __m256i {
    // SAFETY: one instruction that touches nothing else.
    unsafe {
        asm!(
            "vperm2i128 {0}, {0}, {0}, 1",
            inout(ymm_reg) register,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    register
}

/// The givens, by digit and lane: a band's bytes are put in the order of its bits and compared with
/// each digit.
#[inline(always)]
pub(super) fn givens(cells: &[u8; 81]) -> [[u32; 4]; 9] {
    let mut words = [[0; 4]; 9];
    for band in 0..3 {
        // The last band is loaded from five bytes before, so as to end with it.
        let (from, order) = if band < 2 {
            (27 * band, &GATHER[0])
        } else {
            (49, &GATHER[1])
        };
        // SAFETY: as above; the loads end at bytes 32, 59 and 81.
        unsafe {
            let bytes = _mm256_loadu_si256(cells.as_ptr().add(from).cast());
            let low = _mm256_permute2x128_si256::<0x00>(bytes, bytes);
            let high = _mm256_permute2x128_si256::<0x11>(bytes, bytes);
            let bytes = _mm256_or_si256(
                _mm256_shuffle_epi8(low, load(&order[0])),
                _mm256_shuffle_epi8(high, load(&order[1])),
            );
            for (words, digit) in words.iter_mut().zip(1..) {
                let equal = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(digit));
                words[band] = _mm256_movemask_epi8(equal) as u32;
            }
        }
    }
    words
}

/// The digits of a band, lane `LANE` (four times, as a shuffle takes it) of the binary planes.
#[inline(always)]
fn spread<const LANE: i32>(planes: &[Avx2; 4], (bytes, bits): &([u8; 32], [u8; 32])) -> __m256i {
    // SAFETY: as above.
    unsafe {
        let (bytes, bits) = (load(bytes), load(bits));
        let mut digits = _mm256_setzero_si256();
        for (plane, value) in planes.iter().zip([1, 2, 4, 8]) {
            let word = _mm256_shuffle_epi32::<LANE>(plane.0);
            let set = _mm256_and_si256(_mm256_shuffle_epi8(word, bytes), bits);
            let set = _mm256_cmpeq_epi8(set, bits);
            let part = _mm256_and_si256(set, _mm256_set1_epi8(value));
            digits = _mm256_or_si256(digits, part);
        }
        digits
    }
}

#[inline(always)]
fn load(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: as above; 32 bytes are read.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// By bit of a band's word, the byte it comes from in the lower half and in the upper half of what
/// is loaded for the band (0x80: not from there).
static GATHER: [[[u8; 32]; 2]; 2] = [gather(0), gather(5)];

const fn gather(first: u8) -> [[u8; 32]; 2] {
    let mut from = [[0x80; 32]; 2];
    let mut cell = 0;
    while cell < 27 {
        let byte = cell + first;
        from[byte as usize / 16][bit(cell as usize) as usize] = byte % 16;
        cell += 1;
    }
    from
}

/// By byte to be stored for a band, the byte of the band's word and the bit in it. Of the last band
/// the upper half is stored so as to end with it.
static SPREAD: [([u8; 32], [u8; 32]); 2] = [spread_order(16), spread_order(11)];

const fn spread_order(second: usize) -> ([u8; 32], [u8; 32]) {
    let mut order = ([0x80; 32], [0xff; 32]);
    let mut byte = 0;
    while byte < 32 {
        let cell = if byte < 16 { byte } else { second + byte - 16 };
        if cell < 27 {
            order.0[byte] = bit(cell) / 8;
            order.1[byte] = 1 << (bit(cell) % 8);
        }
        byte += 1;
    }
    order
}
