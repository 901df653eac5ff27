//! 512 lanes in a register of AVX-512.

#![expect(unsafe_code, reason = "the intrinsics of AVX-512")]

use std::arch::x86_64::{
    __m512i, _mm512_and_si512, _mm512_andnot_si512, _mm512_loadu_si512, _mm512_or_si512,
    _mm512_permutexvar_epi64, _mm512_rolv_epi64, _mm512_set1_epi64, _mm512_setzero_si512,
    _mm512_sllv_epi64, _mm512_srlv_epi64, _mm512_storeu_si512, _mm512_ternarylogic_epi64,
    _mm512_xor_si512,
};

use super::search::{Search, Task};
use super::vector::Vector;
use crate::sudoku::solve::{Cancelled, Finding};

/// Comes into being only where AVX-512 was detected: in a [`Search`] that
/// [`BatchSolver::on`](super::BatchSolver::on) made.
#[derive(Clone, Copy)]
pub(super) struct Avx512(__m512i);

/// A value made by intrinsics.
macro_rules! avx512 {
    ($intrinsics:expr) => {
        // SAFETY: this module is reached only through `BatchSolver::on`, which has seen AVX-512.
        Self(unsafe { $intrinsics })
    };
}

/// The truth tables of three operands. That of a function of them is the function of these.
const A: i32 = 0b1111_0000;
const B: i32 = 0b1100_1100;
const C: i32 = 0b1010_1010;

/// A function of three vectors.
macro_rules! ternary {
    ($a:expr, $b:expr, $c:expr, $table:expr) => {
        avx512!(_mm512_ternarylogic_epi64::<{ $table & 0xff }>(
            $a.0, $b.0, $c.0
        ))
    };
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run(search: &mut Search<Avx512>, task: Task<'_>) -> Result<Vec<Finding>, Cancelled> {
    search.run(task)
}

impl Vector for Avx512 {
    type Words = [u64; 8];
    const WORDS: usize = 8;
    const ZEROS: [u64; 8] = [0; 8];

    fn run(search: &mut Search<Self>, task: Task<'_>) -> Result<Vec<Finding>, Cancelled> {
        // SAFETY: as above; `Isa` stands for all of these features.
        unsafe { run(search, task) }
    }

    #[inline(always)]
    fn zero() -> Self {
        avx512!(_mm512_setzero_si512())
    }
    #[inline(always)]
    fn ones() -> Self {
        avx512!(_mm512_set1_epi64(-1))
    }
    #[inline(always)]
    fn from_words(words: &[u64; 8]) -> Self {
        // Reads exactly the 64 bytes of the array.
        avx512!(_mm512_loadu_si512(words.as_ptr().cast()))
    }
    #[inline(always)]
    fn to_words(self) -> [u64; 8] {
        let mut words = [0; 8];
        // SAFETY: as above; writes exactly the 64 bytes of the array.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), self.0) };
        words
    }
    #[inline(always)]
    fn and(self, b: Self) -> Self {
        avx512!(_mm512_and_si512(self.0, b.0))
    }
    #[inline(always)]
    fn or(self, b: Self) -> Self {
        avx512!(_mm512_or_si512(self.0, b.0))
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        avx512!(_mm512_xor_si512(self.0, b.0))
    }
    #[inline(always)]
    fn without(self, b: Self) -> Self {
        avx512!(_mm512_andnot_si512(b.0, self.0))
    }
    #[inline(always)]
    fn shl<const N: i32>(self) -> Self {
        avx512!(_mm512_sllv_epi64(self.0, _mm512_set1_epi64(i64::from(N))))
    }
    #[inline(always)]
    fn shr<const N: i32>(self) -> Self {
        avx512!(_mm512_srlv_epi64(self.0, _mm512_set1_epi64(i64::from(N))))
    }
    #[inline(always)]
    fn rotate(self, by: Self) -> Self {
        avx512!(_mm512_rolv_epi64(self.0, by.0))
    }
    #[inline(always)]
    fn order(from: &[usize; 8]) -> Self {
        Self::from_words(&from.map(|word| word as u64))
    }
    #[inline(always)]
    fn permute(self, order: Self) -> Self {
        avx512!(_mm512_permutexvar_epi64(order.0, self.0))
    }

    #[inline(always)]
    fn not(self) -> Self {
        ternary!(self, self, self, !A)
    }
    #[inline(always)]
    fn and3(self, b: Self, c: Self) -> Self {
        ternary!(self, b, c, A & B & C)
    }
    #[inline(always)]
    fn or3(self, b: Self, c: Self) -> Self {
        ternary!(self, b, c, A | B | C)
    }
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        ternary!(self, b, c, A ^ B ^ C)
    }
    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        ternary!(self, b, c, A & B | (A | B) & C)
    }
    #[inline(always)]
    fn or_and(self, b: Self, c: Self) -> Self {
        ternary!(self, b, c, A | B & C)
    }
    #[inline(always)]
    fn or_without(self, b: Self, c: Self) -> Self {
        ternary!(self, b, c, A | B & !C)
    }
    #[inline(always)]
    fn or_not(self, b: Self) -> Self {
        ternary!(self, b, b, A | !B)
    }
    #[inline(always)]
    fn and_without(self, b: Self, c: Self) -> Self {
        ternary!(self, b, c, A & B & !C)
    }
    #[inline(always)]
    fn unless(self, b: Self, c: Self) -> Self {
        ternary!(self, b, c, A & !(B & !C))
    }
    #[inline(always)]
    fn select(self, b: Self, c: Self) -> Self {
        ternary!(self, b, c, A & B | !A & C)
    }
}
