//! 256 lanes in a register of AVX2.

#![expect(unsafe_code, reason = "intrinsics")]

use std::arch::x86_64::*;

use super::vector::Vector;

#[derive(Clone, Copy)]
pub(super) struct Avx2(__m256i);

macro_rules! op {
    ($e:expr) => {
        // SAFETY: code that uses this type runs only where AVX2 was detected.
        Self(unsafe { $e })
    };
}

impl Vector for Avx2 {
    type Words = [u64; 4];
    const WORDS: usize = 4;
    const ZEROS: [u64; 4] = [0; 4];

    #[inline(always)]
    fn zero() -> Self {
        op!(_mm256_setzero_si256())
    }
    #[inline(always)]
    fn ones() -> Self {
        op!(_mm256_set1_epi64x(-1))
    }
    #[inline(always)]
    fn from_words(words: &[u64; 4]) -> Self {
        op!(_mm256_loadu_si256(words.as_ptr().cast()))
    }
    #[inline(always)]
    fn to_words(self) -> [u64; 4] {
        let mut words = [0; 4];
        // SAFETY: as above; the words are more than a register's.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) };
        words
    }
    #[inline(always)]
    fn and(self, b: Self) -> Self {
        op!(_mm256_and_si256(self.0, b.0))
    }
    #[inline(always)]
    fn or(self, b: Self) -> Self {
        op!(_mm256_or_si256(self.0, b.0))
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        op!(_mm256_xor_si256(self.0, b.0))
    }
    #[inline(always)]
    fn without(self, b: Self) -> Self {
        op!(_mm256_andnot_si256(b.0, self.0))
    }
    #[inline(always)]
    fn shl<const N: i32>(self) -> Self {
        op!(_mm256_slli_epi64::<N>(self.0))
    }
    #[inline(always)]
    fn shr<const N: i32>(self) -> Self {
        op!(_mm256_srli_epi64::<N>(self.0))
    }
    #[inline(always)]
    fn rotate(self, by: Self) -> Self {
        op!(_mm256_or_si256(
            _mm256_sllv_epi64(self.0, by.0),
            _mm256_srlv_epi64(self.0, _mm256_sub_epi64(_mm256_set1_epi64x(64), by.0)),
        ))
    }
    #[inline(always)]
    fn order(from: &[usize; 8]) -> Self {
        // In halves of words.
        let mut words = [0; 4];
        for (word, &from) in words.iter_mut().zip(from) {
            let low = 2 * from as u64;
            *word = (low + 1) << 32 | low;
        }
        Self::from_words(&words)
    }
    #[inline(always)]
    fn permute(self, order: Self) -> Self {
        op!(_mm256_permutevar8x32_epi32(self.0, order.0))
    }
}
