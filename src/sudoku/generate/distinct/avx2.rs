//! Tables in registers of 256 bits, looked up by byte shuffles.
#![expect(unsafe_code, reason = "intrinsics")]

use std::arch::x86_64::{
    __m256i, _mm_loadu_si128, _mm256_blend_epi32, _mm256_broadcastsi128_si256, _mm256_loadu_si256,
    _mm256_maddubs_epi16, _mm256_mul_epu32, _mm256_or_si256, _mm256_packus_epi16,
    _mm256_permute4x64_epi64, _mm256_set1_epi16, _mm256_set1_epi32, _mm256_shuffle_epi8,
    _mm256_srli_epi64,
};
use std::mem::transmute;

use super::Orbit;
use super::geometry::Band;
use super::scramble::{BATCH, Lanes};
use super::writer::{self, Table};
use crate::sudoku::packed;

/// The same table in both halves, as a shuffle takes bytes from its own half only.
#[derive(Clone, Copy)]
struct Avx2(__m256i);

// SAFETY (of the calls): `Distinct` calls these only where the CPU has the instructions.

pub(super) fn lines(orbit: &Orbit, first: u64, out: &mut [[u8; packed::LINE]]) {
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn enabled(orbit: &Orbit, first: u64, out: &mut [[u8; packed::LINE]]) {
        writer::lines::<Avx2>(orbit, first, out);
    }
    // SAFETY: as above.
    unsafe { enabled(orbit, first, out) }
}

pub(super) fn packed(orbit: &Orbit, first: u64, out: &mut [[u8; packed::BYTES]]) {
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn enabled(orbit: &Orbit, first: u64, out: &mut [[u8; packed::BYTES]]) {
        writer::packed::<Avx2>(orbit, first, out);
    }
    // SAFETY: as above.
    unsafe { enabled(orbit, first, out) }
}

impl Table for Avx2 {
    #[inline(always)]
    fn load(bytes: &[u8; 16]) -> Self {
        // SAFETY: the callers are inlined into functions with AVX2 enabled, here and below; 16
        // bytes are read.
        unsafe {
            Self(_mm256_broadcastsi128_si256(_mm_loadu_si128(
                bytes.as_ptr().cast(),
            )))
        }
    }

    #[inline(always)]
    fn of(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm256_shuffle_epi8(self.0, other.0)) }
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm256_or_si256(self.0, other.0)) }
    }

    #[inline(always)]
    fn write(self, band: &Band, columns: &Band, out: &mut [u8; 28]) {
        // SAFETY: as above; 32 bytes are read, twice, and two halves are 32 bytes.
        let [low, high]: [[u8; 16]; 2] = unsafe {
            let columns = _mm256_loadu_si256(columns.as_ptr().cast());
            let band = _mm256_loadu_si256(band.as_ptr().cast());
            transmute(_mm256_shuffle_epi8(
                self.0,
                _mm256_shuffle_epi8(band, columns),
            ))
        };
        out[..16].copy_from_slice(&low);
        out[12..].copy_from_slice(&high);
    }

    #[inline(always)]
    fn upper_products(numbers: &Lanes, factor: u32) -> Lanes {
        // SAFETY: as above; eight lanes are a register.
        unsafe {
            let mut registers: [__m256i; BATCH / 8] = transmute(*numbers);
            let factor = _mm256_set1_epi32(factor.cast_signed());
            for register in &mut registers {
                let even = _mm256_srli_epi64::<32>(_mm256_mul_epu32(*register, factor));
                let odd = _mm256_mul_epu32(_mm256_srli_epi64::<32>(*register), factor);
                *register = _mm256_blend_epi32::<0b1010_1010>(even, odd);
            }
            transmute(registers)
        }
    }

    #[inline(always)]
    fn pack(cells: &[u8; 64]) -> [u8; 32] {
        // SAFETY: as above; 64 bytes are two registers.
        unsafe {
            let [low, high]: [__m256i; 2] = transmute(*cells);
            // The first of two times 16, and the second.
            let weights = _mm256_set1_epi16(0x01_10);
            let low = _mm256_maddubs_epi16(low, weights);
            let high = _mm256_maddubs_epi16(high, weights);
            // Packed half by half, so that the quarters come out as 0, 2, 1, 3.
            let bytes = _mm256_packus_epi16(low, high);
            transmute(_mm256_permute4x64_epi64::<0b11_01_10_00>(bytes))
        }
    }
}
