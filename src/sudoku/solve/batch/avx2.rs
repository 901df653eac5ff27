//! 256 lanes in a register of AVX2.

#![expect(unsafe_code, reason = "the intrinsics of AVX2")]

use std::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_andnot_si256, _mm256_loadu_si256, _mm256_or_si256,
    _mm256_permutevar8x32_epi32, _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_slli_epi64,
    _mm256_sllv_epi64, _mm256_srli_epi64, _mm256_srlv_epi64, _mm256_storeu_si256, _mm256_sub_epi64,
    _mm256_xor_si256,
};

use super::search::{Search, Task};
use super::vector::Vector;
use crate::sudoku::solve::{Cancelled, Finding};

/// Comes into being only where AVX2 was detected: in a [`Search`] that
/// [`BatchSolver::on`](super::BatchSolver::on) made.
#[derive(Clone, Copy)]
pub(super) struct Avx2(__m256i);

/// A value made by intrinsics.
macro_rules! avx2 {
    ($intrinsics:expr) => {
        // SAFETY: this module is reached only through `BatchSolver::on`, which has seen AVX2.
        Self(unsafe { $intrinsics })
    };
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run(search: &mut Search<Avx2>, task: Task<'_>) -> Result<Vec<Finding>, Cancelled> {
    search.run(task)
}

impl Vector for Avx2 {
    type Words = [u64; 4];
    const WORDS: usize = 4;
    const ZEROS: [u64; 4] = [0; 4];

    fn run(search: &mut Search<Self>, task: Task<'_>) -> Result<Vec<Finding>, Cancelled> {
        // SAFETY: as above; `Isa` stands for all of these features.
        unsafe { run(search, task) }
    }

    #[inline(always)]
    fn zero() -> Self {
        avx2!(_mm256_setzero_si256())
    }
    #[inline(always)]
    fn ones() -> Self {
        avx2!(_mm256_set1_epi64x(-1))
    }
    #[inline(always)]
    fn from_words(words: &[u64; 4]) -> Self {
        // Reads exactly the 32 bytes of the array.
        avx2!(_mm256_loadu_si256(words.as_ptr().cast()))
    }
    #[inline(always)]
    fn to_words(self) -> [u64; 4] {
        let mut words = [0; 4];
        // SAFETY: as above; writes exactly the 32 bytes of the array.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) };
        words
    }
    #[inline(always)]
    fn and(self, b: Self) -> Self {
        avx2!(_mm256_and_si256(self.0, b.0))
    }
    #[inline(always)]
    fn or(self, b: Self) -> Self {
        avx2!(_mm256_or_si256(self.0, b.0))
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        avx2!(_mm256_xor_si256(self.0, b.0))
    }
    #[inline(always)]
    fn without(self, b: Self) -> Self {
        avx2!(_mm256_andnot_si256(b.0, self.0))
    }
    #[inline(always)]
    fn shl<const N: i32>(self) -> Self {
        avx2!(_mm256_slli_epi64::<N>(self.0))
    }
    #[inline(always)]
    fn shr<const N: i32>(self) -> Self {
        avx2!(_mm256_srli_epi64::<N>(self.0))
    }
    #[inline(always)]
    fn rotate(self, by: Self) -> Self {
        // A shift by 64 leaves nothing, so a rotation by 0 is right too.
        avx2!(_mm256_or_si256(
            _mm256_sllv_epi64(self.0, by.0),
            _mm256_srlv_epi64(self.0, _mm256_sub_epi64(_mm256_set1_epi64x(64), by.0)),
        ))
    }
    #[inline(always)]
    fn order(from: &[usize; 8]) -> Self {
        // There is no such permutation of words, but one of their halves.
        let halves = |word: usize| ((2 * word as u64 + 1) << 32) | (2 * word as u64);
        Self::from_words(&[0, 1, 2, 3].map(|i: usize| halves(from[i])))
    }
    #[inline(always)]
    fn permute(self, order: Self) -> Self {
        avx2!(_mm256_permutevar8x32_epi32(self.0, order.0))
    }
}
