//! AVX2.
#![expect(unsafe_code, reason = "intrinsics")]

use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

use super::lanes::Lanes;

/// Two digits a register.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(super) struct Avx2(pub(super) __m256i);

macro_rules! operator {
    ($trait:ident, $method:ident, $intrinsic:ident) => {
        impl $trait for Avx2 {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
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

/// By output position, where the cell comes from: within the band's 27 bytes loaded from `shift` bytes before.
const fn gather(shift: usize) -> [[u8; 32]; 2] {
    let mut from = [[0x80; 32]; 2];
    let mut bit = 0;
    while bit < 30 {
        let (j, p) = (bit / 10, bit % 10);
        if p < 9 {
            let (k, i) = (p / 3, p % 3);
            let cell = 9 * i + 3 * j + k + shift;
            from[cell / 16][bit] = (cell % 16) as u8;
        }
        bit += 1;
    }
    from
}
static GATHER: [[[u8; 32]; 2]; 2] = [gather(0), gather(5)];

/// For output: by output byte the byte and bit
const fn scatter(first: [usize; 2]) -> ([u8; 32], [u8; 32]) {
    let mut bytes = [0x80; 32];
    let mut bits = [0xff; 32];
    let mut at = 0;
    while at < 32 {
        let cell = first[at / 16] + at % 16;
        if cell < 27 {
            let bit = super::lanes::bit(cell);
            bytes[at] = (bit / 8) as u8;
            bits[at] = 1 << (bit % 8);
        }
        at += 1;
    }
    (bytes, bits)
}
static SCATTER: [([u8; 32], [u8; 32]); 2] = [scatter([0, 16]), scatter([0, 11])];

#[inline(always)]
fn load(bytes: &[u8; 32]) -> __m256i {
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// The halves exchanged. In assembly because the compiler turns the intrinsic into `vpermq`, which
/// takes twice as long on Zen.
#[target_feature(enable = "avx2")]
#[inline]
fn swapped(mut register: __m256i) -> __m256i {
    unsafe {
        std::arch::asm!(
            "vperm2i128 {0}, {0}, {0}, 1",
            inout(ymm_reg) register,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    register
}

#[inline(always)]
fn swap(register: Avx2) -> Avx2 {
    unsafe { Avx2(swapped(register.0)) }
}

impl Lanes<5> for Avx2 {
    const DIGITS: usize = 2;
    #[inline(always)]
    fn splat(word: u32) -> Self {
        unsafe { Self(_mm256_set1_epi32(word as i32)) }
    }
    #[inline(always)]
    fn bands(word: u32) -> Self {
        let w = word as i32;
        unsafe { Self(_mm256_setr_epi32(w, w, w, 0, w, w, w, 0)) }
    }
    #[inline(always)]
    fn single(lane: usize, word: u32) -> Self {
        unsafe {
            let here = _mm256_cmpeq_epi32(
                _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
                _mm256_set1_epi32(lane as i32),
            );
            Self(_mm256_and_si256(here, _mm256_set1_epi32(word as i32)))
        }
    }
    #[inline(always)]
    fn last(word: u32) -> Self {
        let w = word as i32;
        unsafe { Self(_mm256_setr_epi32(w, w, w, 0, 0, 0, 0, 0)) }
    }
    #[inline(always)]
    fn shl<const K: i32>(self) -> Self {
        unsafe { Self(_mm256_slli_epi32::<K>(self.0)) }
    }
    #[inline(always)]
    fn shr<const K: i32>(self) -> Self {
        unsafe { Self(_mm256_srli_epi32::<K>(self.0)) }
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        unsafe { Self(_mm256_andnot_si256(other.0, self.0)) }
    }
    #[inline(always)]
    fn next_band(self) -> Self {
        unsafe { Self(_mm256_shuffle_epi32::<0b11_00_10_01>(self.0)) }
    }
    #[inline(always)]
    fn any_group(self) -> Self {
        self | swap(self)
    }
    #[inline(always)]
    fn any([a, b, c, d, e]: &[Self; 5]) -> Self {
        (*a | *b) | (*c | *d) | *e
    }
    #[inline(always)]
    fn count(&[a, b, c, d, e]: &[Self; 5]) -> (Self, Self) {
        let (ab, cd) = (a | b, c | d);
        let (two_ab, two_cd) = (a & b, c & d);
        let abcd = ab | cd;
        let two = (two_ab | two_cd) | ((ab & cd) | (abcd & e));
        let one = abcd | e;
        let other = swap(one);
        (one | other, (two | swap(two)) | (one & other))
    }
    #[inline(always)]
    fn total(count: [Self; 4]) -> [Self; 4] {
        let [a, b, c, d] = count;
        super::lanes::sum(count, [swap(a), swap(b), swap(c), swap(d)])
    }
    #[inline(always)]
    fn lane(band: usize) -> Self {
        unsafe {
            Self(_mm256_cmpeq_epi32(
                _mm256_setr_epi32(0, 1, 2, 3, 0, 1, 2, 3),
                _mm256_set1_epi32(band as i32),
            ))
        }
    }
    #[inline(always)]
    fn sum_groups(self) -> [u32; 3] {
        unsafe {
            let sum = _mm_add_epi32(
                _mm256_castsi256_si128(self.0),
                _mm256_extracti128_si256::<1>(self.0),
            );
            let words: [u32; 4] = std::mem::transmute(sum);
            [words[0], words[1], words[2]]
        }
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        unsafe { _mm256_testz_si256(self.0, self.0) != 0 }
    }
    #[inline(always)]
    fn read(cells: &[u8; 81]) -> [Self; 5] {
        #[repr(align(32))]
        struct Words([[u32; 4]; 10]);
        let mut words = Words([[0; 4]; 10]);
        for band in 0..3 {
            unsafe {
                let (at, shift) = if band < 2 { (27 * band, 0) } else { (49, 1) };
                let bytes = _mm256_loadu_si256(cells.as_ptr().add(at).cast());
                let low = _mm256_permute2x128_si256::<0x00>(bytes, bytes);
                let high = _mm256_permute2x128_si256::<0x11>(bytes, bytes);
                let placed = _mm256_or_si256(
                    _mm256_shuffle_epi8(low, load(&GATHER[shift][0])),
                    _mm256_shuffle_epi8(high, load(&GATHER[shift][1])),
                );
                for digit in 0..9 {
                    let equal = _mm256_cmpeq_epi8(placed, _mm256_set1_epi8(digit as i8 + 1));
                    words.0[digit][band] = _mm256_movemask_epi8(equal) as u32;
                }
            }
        }
        std::array::from_fn(|r| unsafe {
            Self(_mm256_load_si256(words.0.as_ptr().cast::<__m256i>().add(r)))
        })
    }
    #[inline(always)]
    fn write(digits: &[Self; 5]) -> [u8; 81] {
        unsafe {
            let mut planes = [_mm256_setzero_si256(); 4];
            for (bit, plane) in planes.iter_mut().enumerate() {
                let mut sum = _mm256_setzero_si256();
                for (r, digit) in digits.iter().enumerate() {
                    let (a, b) = (2 * r + 1, 2 * r + 2);
                    let has = |d: usize| if d >> bit & 1 != 0 { -1 } else { 0 };
                    let (a, b) = (has(a), has(b));
                    let mask = _mm256_setr_epi32(a, a, a, a, b, b, b, b);
                    sum = _mm256_or_si256(sum, _mm256_and_si256(digit.0, mask));
                }
                *plane = Self(sum).any_group().0;
            }
            let mut cells = [0u8; 81];
            let mut band_bytes = [_mm256_setzero_si256(); 3];
            macro_rules! band {
                ($band:literal, $shuffle:literal, $scatter:expr) => {{
                    let (bytes, bits) = (load(&$scatter.0), load(&$scatter.1));
                    let mut value = _mm256_setzero_si256();
                    for (bit, plane) in planes.iter().enumerate() {
                        let word = _mm256_shuffle_epi32::<$shuffle>(*plane);
                        let spread = _mm256_shuffle_epi8(word, bytes);
                        let set = _mm256_cmpeq_epi8(_mm256_and_si256(spread, bits), bits);
                        let part = _mm256_and_si256(set, _mm256_set1_epi8(1 << bit));
                        value = _mm256_or_si256(value, part);
                    }
                    band_bytes[$band] = value;
                }};
            }
            band!(0, 0b00_00_00_00, SCATTER[0]);
            band!(1, 0b01_01_01_01, SCATTER[0]);
            band!(2, 0b10_10_10_10, SCATTER[1]);
            let to = cells.as_mut_ptr();
            _mm256_storeu_si256(to.cast(), band_bytes[0]);
            _mm256_storeu_si256(to.add(27).cast(), band_bytes[1]);
            _mm_storeu_si128(to.add(54).cast(), _mm256_castsi256_si128(band_bytes[2]));
            _mm_storeu_si128(
                to.add(65).cast(),
                _mm256_extracti128_si256::<1>(band_bytes[2]),
            );
            cells
        }
    }
    #[inline(always)]
    fn words(digits: &[Self; 5]) -> [[u32; 3]; 9] {
        let words: [[u32; 4]; 10] = unsafe { std::mem::transmute(*digits) };
        std::array::from_fn(|d| [words[d][0], words[d][1], words[d][2]])
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) fn solve(
    stack: &mut Vec<super::board::Board<Avx2, 5>>,
    cells: &[u8; 81],
    limits: crate::sudoku::solve::SolveLimits,
    keep: usize,
    cancel: crate::sudoku::solve::Cancel<'_>,
) -> Result<crate::sudoku::solve::Answer, crate::sudoku::solve::Cancelled> {
    super::search::solve(stack, cells, limits, keep, cancel)
}
