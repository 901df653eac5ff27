//! Registers of 256 bits.
#![expect(unsafe_code, reason = "intrinsics")]

use std::arch::x86_64::{
    __m256i, _mm_loadu_si128, _mm256_blend_epi32, _mm256_broadcastsi128_si256, _mm256_loadu_si256,
    _mm256_mul_epu32, _mm256_or_si256, _mm256_set1_epi32, _mm256_shuffle_epi8, _mm256_srli_epi64,
};
use std::mem::transmute;

use super::Orbit;
use super::geometry::Band;
use super::scramble::{BATCH, Lanes};
use super::writer::{self, Register};
use crate::sudoku::packed;

/// Made only by the functions here, which the caller calls only where the CPU has AVX2.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Avx2(__m256i);

#[target_feature(enable = "avx2")]
pub(super) fn lines(orbit: &Orbit, first: u64, out: &mut [[u8; packed::LINE]]) {
    writer::lines::<Avx2>(orbit, first, out);
}

#[target_feature(enable = "avx2")]
pub(super) fn packed(orbit: &Orbit, first: u64, out: &mut [[u8; packed::BYTES]]) {
    writer::packed::<Avx2>(orbit, first, out);
}

impl Register for Avx2 {
    #[inline(always)]
    fn load(bytes: &Band) -> Self {
        // SAFETY: the callers are inlined into functions with AVX2 enabled, here and below; 32
        // bytes are read.
        unsafe { Self(_mm256_loadu_si256(bytes.as_ptr().cast())) }
    }

    #[inline(always)]
    fn twice(bytes: &[u8; 16]) -> Self {
        // SAFETY: as above; 16 bytes are read.
        unsafe {
            Self(_mm256_broadcastsi128_si256(_mm_loadu_si128(
                bytes.as_ptr().cast(),
            )))
        }
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm256_or_si256(self.0, other.0)) }
    }

    #[inline(always)]
    fn shuffle(self, places: Self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm256_shuffle_epi8(self.0, places.0)) }
    }

    #[inline(always)]
    fn upper_products(numbers: &Lanes, factor: u32) -> Lanes {
        // SAFETY: as above; four registers are 32 lanes.
        unsafe {
            let mut registers: [__m256i; BATCH / 8] = transmute(*numbers);
            let factor = _mm256_set1_epi32(factor as i32);
            for register in &mut registers {
                let even = _mm256_srli_epi64::<32>(_mm256_mul_epu32(*register, factor));
                let odd = _mm256_mul_epu32(_mm256_srli_epi64::<32>(*register), factor);
                *register = _mm256_blend_epi32::<0b1010_1010>(even, odd);
            }
            transmute(registers)
        }
    }

    #[inline(always)]
    fn halves(self) -> [[u8; 16]; 2] {
        // SAFETY: both are 32 bytes.
        unsafe { transmute(self.0) }
    }
}
