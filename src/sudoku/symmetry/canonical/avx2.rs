//! Registers of 128 bits, with the instructions of AVX2, whose three operands spare many copies.
#![expect(unsafe_code, reason = "intrinsics")]
#![expect(
    clippy::cast_sign_loss,
    reason = "intrinsics give bits as signed numbers"
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

/// Sixteen bytes. Invariant: where one is made, the CPU has AVX2, as
/// [`Canonicalizer::on`](super::Canonicalizer::on) asks.
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
    fn board(cells: &[u8; 81]) -> Board {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn enabled(cells: &[u8; 81]) -> Board {
            Board::new::<Avx2>(cells)
        }
        // SAFETY: called by a canonicalizer on AVX2 only, which was made where the CPU has it.
        unsafe { enabled(cells) }
    }

    fn lines<'a>(board: &'a Board, states: &mut Vec<State<Self>>) -> Lines<'a> {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn enabled<'a>(board: &'a Board, states: &mut Vec<State<Avx2>>) -> Lines<'a> {
            search::lines(board, states)
        }
        // SAFETY: as above.
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
    fn transposed(rows: [Self; 9]) -> [Self; 9] {
        let [a, b, c, d, e, f, g, h, ninth] = rows;
        let mut columns = [ninth; 9];
        // SAFETY: whoever made a register has AVX2.
        unsafe {
            // Two rows, four rows, eight rows of each column side by side.
            let (ab, cd) = (_mm_unpacklo_epi8(a.0, b.0), _mm_unpacklo_epi8(c.0, d.0));
            let (ef, gh) = (_mm_unpacklo_epi8(e.0, f.0), _mm_unpacklo_epi8(g.0, h.0));
            let (low, high) = (_mm_unpacklo_epi16(ab, cd), _mm_unpackhi_epi16(ab, cd));
            let (low_2, high_2) = (_mm_unpacklo_epi16(ef, gh), _mm_unpackhi_epi16(ef, gh));
            let pairs = [
                _mm_unpacklo_epi32(low, low_2),
                _mm_unpackhi_epi32(low, low_2),
                _mm_unpacklo_epi32(high, high_2),
                _mm_unpackhi_epi32(high, high_2),
            ];
            // The ninth row, a byte for each pair of columns in turn.
            let mut rest = ninth.0;
            for (columns, pair) in columns.chunks_exact_mut(2).zip(pairs) {
                columns[0].0 =
                    _mm_unpacklo_epi64(pair, _mm_and_si128(rest, _mm_cvtsi32_si128(0xff)));
                rest = _mm_srli_si128::<1>(rest);
                columns[1].0 = _mm_unpackhi_epi64(
                    pair,
                    _mm_slli_si128::<8>(_mm_and_si128(rest, _mm_cvtsi32_si128(0xff))),
                );
                rest = _mm_srli_si128::<1>(rest);
            }
            // The ninth column.
            let (ab, cd) = (_mm_unpackhi_epi8(a.0, b.0), _mm_unpackhi_epi8(c.0, d.0));
            let (ef, gh) = (_mm_unpackhi_epi8(e.0, f.0), _mm_unpackhi_epi8(g.0, h.0));
            let (low, high) = (_mm_unpacklo_epi16(ab, cd), _mm_unpacklo_epi16(ef, gh));
            columns[8].0 = _mm_unpacklo_epi64(_mm_unpacklo_epi32(low, high), rest);
        }
        columns
    }

    #[inline(always)]
    fn select(self, other: Self, others: Self) -> Self {
        // SAFETY: whoever made a register has AVX2.
        unsafe { Self(_mm_blendv_epi8(self.0, other.0, others.0)) }
    }

    #[inline(always)]
    fn new(bytes: [u8; 16]) -> Self {
        // SAFETY: 16 bytes are 128 bits. That the CPU has AVX2 is not asked here: only a search made by
        // `Canonicalizer::on` names this type.
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
