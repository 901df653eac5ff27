//! What the engine asks of a machine's registers.
//!
//! A register is made of *groups* of 128 bits, each the candidates of one digit; a group is made of
//! four *lanes* of 32 bits, one a band and a spare one, which stays 0:
//!
//! ```text
//! register   | digit d                           | digit d + 1                       | ...
//! lane       | band 0 | band 1 | band 2 | spare  | band 0 | band 1 | band 2 | spare  |
//!
//! lane, bit  0..9      9      10..19        19     20..29       29
//!            left box  guard  middle box    guard  right box    guard
//!            within a box: column * 3 + row
//! ```
//!
//! The guard bits are 0 in a board. They stop carries, so that one addition or subtraction tells of
//! each box whether it is empty, has one candidate, or more. Columns are the slow direction, so
//! that a band's minirows are adjacent bits once the columns are joined; the minicolumns are then
//! every third bit.
//!
//! A digit and band a register of its own, digits as lanes, was rejected: nine lanes fill neither
//! eight nor sixteen. So were cells as lanes with digits as bits, tdoku's layout: rotations are
//! free there, but a board takes nine registers of 256 bits, not five.

use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

/// A word with the same bits in each of its three boxes, guard bits being bit 9.
pub(super) const fn each_box(bits: u32) -> u32 {
    bits | bits << 10 | bits << 20
}

/// All cells of a band.
pub(super) const CELLS: u32 = each_box(0o777);

/// The first cell of each box.
pub(super) const FIRST: u32 = each_box(1);

/// The bit above each box.
pub(super) const GUARDS: u32 = each_box(1 << 9);

/// The flags of a band's minirows: those of box j and row i of the band are bit `10 * j + i`.
pub(super) const ROWS: u32 = each_box(0o7);

/// The flags of a band's minicolumns: those of box j and column k of it are bit `10 * j + 3 * k`.
pub(super) const COLUMNS: u32 = each_box(0o111);

/// The bit of a cell in its band's word; `cell` is 0..27, row by row.
#[expect(clippy::cast_possible_truncation, reason = "below 30")]
pub(super) const fn bit(cell: usize) -> u8 {
    let (row, column) = (cell / 9, cell % 9);
    (10 * (column / 3) + 3 * (column % 3) + row) as u8
}

/// How often something is in a number of words: what bits are in at least 1, 2, 3 and 4 of them.
pub(super) type Count<V> = [V; 4];

/// A register; a board takes `N`. All of it is meant to be inlined into a function that has the
/// instructions enabled.
///
/// Every method that puts out a register leaves the spare lanes of a board's registers 0, provided
/// that they were.
pub(super) trait Register<const N: usize>:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
{
    /// How many digits a register holds. Digit d is in register `d / DIGITS`, group `d % DIGITS`.
    const DIGITS: usize;

    /// The word in every lane.
    fn splat(word: u32) -> Self;

    /// The word in every band's lane, 0 in the spare ones.
    fn bands(word: u32) -> Self;

    /// Ones in the groups of a board's register `r` that hold no digit.
    fn idle(r: usize) -> Self;

    /// The word in one lane, 0 in the others.
    fn only(lane: usize, word: u32) -> Self;

    /// Ones in a band's lanes.
    fn band(band: usize) -> Self;

    /// Each lane shifted up.
    fn shl<const BITS: u32>(self) -> Self;

    /// Each lane shifted down.
    fn shr<const BITS: u32>(self) -> Self;

    /// What is in `self` and not in `other`.
    fn without(self, other: Self) -> Self;

    /// In the lane of each band what the next one has, in that of the last what the first has.
    fn next_band(self) -> Self;

    /// What any digit has, in every group.
    fn any(digits: &[Self; N]) -> Self;

    /// What at least one digit has and what two have, in every group.
    fn once_and_twice(digits: &[Self; N]) -> (Self, Self);

    /// The counts of the groups summed up, in every group.
    fn sum_groups(count: Count<Self>) -> Count<Self>;

    /// The numbers of the groups added up, by band.
    fn add_groups(self) -> [u32; 3];

    /// Whether all bits are 0.
    fn is_zero(self) -> bool;

    /// The givens of a puzzle.
    fn read(cells: &[u8; 81]) -> [Self; N];

    /// The digits of a board with one candidate a cell.
    fn write(digits: &[Self; N]) -> [u8; 81];

    /// By digit and band.
    fn words(digits: &[Self; N]) -> [[u32; 3]; 9];
}

/// How often something is in any of the words counted by either.
#[inline(always)]
pub(super) fn sum<V, const N: usize>(
    [a1, a2, a3, a4]: Count<V>,
    [b1, b2, b3, b4]: Count<V>,
) -> Count<V>
where
    V: Register<N>,
{
    [
        a1 | b1,
        a2 | b2 | (a1 & b1),
        a3 | b3 | (a2 & b1) | (a1 & b2),
        a4 | b4 | (a3 & b1) | (a2 & b2) | (a1 & b3),
    ]
}
