//! Placeholder docs.

use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

/// All 27 cells of a band.
pub(super) const CELLS: u32 = each_box(0o777);

/// The bit above each box.
pub(super) const GUARDS: u32 = each_box(1 << 9);

/// The first cell of each box.
pub(super) const FIRST: u32 = each_box(1);

/// Nine bits of a box, in all three boxes of a band.
pub(super) const fn each_box(bits: u32) -> u32 {
    bits | bits << 10 | bits << 20
}

/// A register.
pub(super) trait Lanes<const N: usize>:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
{
    /// Digits a register.
    const DIGITS: usize;
    /// All lanes the same.
    fn splat(word: u32) -> Self;
    /// The bands' lanes of all groups the same, the spare lanes 0.
    fn bands(word: u32) -> Self;
    /// A word in one lane, 0 in the others.
    fn single(lane: usize, word: u32) -> Self;
    /// The groups that hold a digit in the last register.
    fn last(word: u32) -> Self;
    fn shl<const K: i32>(self) -> Self;
    fn shr<const K: i32>(self) -> Self;
    /// What is in `self` and not in `other`.
    fn without(self, other: Self) -> Self;
    /// In the lane of each band what the next band holds.
    fn next_band(self) -> Self;
    /// The union over the groups, in each of them.
    fn any_group(self) -> Self;
    fn any(digits: &[Self; N]) -> Self;
    fn count(digits: &[Self; N]) -> (Self, Self);
    /// Sum over the groups: at least 1, 2, 3, 4.
    fn total(count: [Self; 4]) -> [Self; 4];
    fn lane(band: usize) -> Self;
    fn sum_groups(self) -> [u32; 3];
    fn is_zero(self) -> bool;
    fn read(cells: &[u8; 81]) -> [Self; N];
    fn write(digits: &[Self; N]) -> [u8; 81];
    fn words(digits: &[Self; N]) -> [[u32; 3]; 9];
}

/// The bit of a band's cell, row by row.
pub(super) const fn bit(cell: usize) -> usize {
    let (i, j, k) = (cell / 9, cell % 9 / 3, cell % 3);
    10 * j + 3 * k + i
}

/// The sum of two counts, as which bits are in at least 1, 2, 3, 4.
#[inline(always)]
pub(super) fn sum<V: Lanes<N>, const N: usize>([a1, a2, a3, a4]: [V; 4], [b1, b2, b3, b4]: [V; 4]) -> [V; 4] {
    [
        a1 | b1,
        a2 | b2 | (a1 & b1),
        a3 | b3 | (a2 & b1) | (a1 & b2),
        a4 | b4 | (a3 & b1) | (a2 & b2) | (a1 & b3),
    ]
}
