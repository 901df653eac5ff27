//! Registers of 128 bits, with the instructions of AVX2, whose three operands spare many copies.
#![expect(unsafe_code, reason = "intrinsics")]
#![expect(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "intrinsics take bits as signed numbers"
)]
#![allow(
    clippy::wildcard_imports,
    reason = "intrinsics say where they are from"
)]

use std::arch::x86_64::*;
use std::mem::transmute;

use super::board::Board;
use super::register::Register;
use super::state::{Lines, Next, State};
use super::{Canonical, grid, search, state};

/// Sixteen bytes. Invariant: where one is made, the CPU has AVX2, see [`Canonicalizer::on`](super::Canonicalizer::on).
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(super) struct Avx2(__m128i);

/// Methods of one instruction on two registers.
macro_rules! operations {
    ($($method:ident $intrinsic:ident;)*) => {
        $(
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: whoever made a register has AVX2.
                unsafe { Self($intrinsic(self.0, other.0)) }
            }
        )*
    };
}

impl Register for Avx2 {
    fn lines<'a>(board: &'a Board, states: &mut Vec<State<Self>>) -> Lines<'a> {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn enabled<'a>(board: &'a Board, states: &mut Vec<State<Avx2>>) -> Lines<'a> {
            search::lines(board, states)
        }
        // SAFETY: called by a canonicalizer on AVX2 only, which was made where the CPU has it.
        unsafe { enabled(board, states) }
    }

    fn advance(lines: &Lines<'_>, states: &[State<Self>], next: &mut Next<Self>) {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn enabled(lines: &Lines<'_>, states: &[State<Avx2>], next: &mut Next<Avx2>) {
            state::advance(lines, states, next);
        }
        // SAFETY: as above.
        unsafe { enabled(lines, states, next) }
    }

    fn grid(board: &Board) -> Option<Canonical> {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn enabled(board: &Board) -> Option<Canonical> {
            grid::canonical::<Avx2>(board)
        }
        // SAFETY: as above.
        unsafe { enabled(board) }
    }

    #[inline(always)]
    fn new(bytes: [u8; 16]) -> Self {
        // SAFETY: 16 bytes are 128 bits.
        Self(unsafe { transmute::<[u8; 16], __m128i>(bytes) })
    }

    #[inline(always)]
    fn bytes(self) -> [u8; 16] {
        // SAFETY: as above.
        unsafe { transmute(self.0) }
    }

    operations! {
        shuffle _mm_shuffle_epi8;
        add _mm_add_epi8;
        and _mm_and_si128;
        or _mm_or_si128;
        min _mm_min_epu8;
        max _mm_max_epu8;
        equal _mm_cmpeq_epi8;
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        // SAFETY: whoever made a register has AVX2.
        unsafe { Self(_mm_andnot_si128(other.0, self.0)) }
    }

    #[inline(always)]
    fn up<const BITS: i32>(self) -> Self {
        // SAFETY: as above.
        unsafe { Self(_mm_slli_epi16::<BITS>(self.0)) }
    }

    #[inline(always)]
    fn down<const BITS: i32>(self) -> Self {
        // SAFETY: as above.
        let down = unsafe { Self(_mm_srli_epi16::<BITS>(self.0)) };
        down.and(Self::new([15; 16]))
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        // SAFETY: as above.
        unsafe { _mm_movemask_epi8(self.0) as u32 }
    }

    #[inline(always)]
    fn string(self) -> u64 {
        // SAFETY: as above.
        let pairs = unsafe {
            let pairs = _mm_maddubs_epi16(self.0, _mm_set1_epi16(0x0110));
            _mm_cvtsi128_si64(_mm_packus_epi16(pairs, pairs))
        };
        (pairs as u64).swap_bytes()
    }
}
