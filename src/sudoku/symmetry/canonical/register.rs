//! What is asked of a register of 16 bytes.
//!
//! A byte belongs to a column (nine are used, the rest are 0), or is an entry of a table that is
//! looked up by digit.

use super::Canonical;
use super::board::Board;
use super::state::{Lines, Next, State};

/// Sixteen bytes.
pub(super) trait Register: Copy {
    /// [`Board::new`] with these instructions enabled.
    fn board(cells: &[u8; 81]) -> Board;

    /// [`search::lines`](super::search::lines) with these instructions enabled.
    fn lines<'a>(board: &'a Board, states: &mut Vec<State<Self>>) -> Lines<'a>;

    /// [`state::advance`](super::state::advance) with these instructions enabled.
    fn advance(lines: &Lines<'_>, states: &[State<Self>], next: &mut Next<Self>);

    /// [`grid::canonical`](super::grid::canonical) with these instructions enabled.
    fn grid(board: &Board) -> Option<Canonical>;

    /// The transpose of nine rows.
    fn transposed(rows: [Self; 9]) -> [Self; 9];

    /// From memory, byte 0 first.
    fn new(bytes: [u8; 16]) -> Self;

    /// To memory.
    fn bytes(self) -> [u8; 16];

    /// Byte `i` is byte `from[i]`, which is below 16, of this register.
    fn shuffle(self, from: Self) -> Self;

    fn add(self, other: Self) -> Self;

    fn and(self, other: Self) -> Self;

    fn or(self, other: Self) -> Self;

    /// The bits that the other has not.
    fn without(self, other: Self) -> Self;

    fn min(self, other: Self) -> Self;

    fn max(self, other: Self) -> Self;

    /// The bytes of `other` where `others` is all ones; elsewhere, where it is 0, those of this.
    fn select(self, other: Self, others: Self) -> Self;

    /// Byte by byte all ones or all zeros.
    fn equal(self, other: Self) -> Self;

    /// Each byte so many bits up, none of which are lost.
    fn up<const BITS: i32>(self) -> Self;

    /// Each byte so many bits down, and the lower four bits of that.
    fn down<const BITS: i32>(self) -> Self;

    /// Bit `i` is the highest bit of byte `i`.
    fn bits(self) -> u32;

    /// The bytes, each below 16, as a number of 16 hexadecimal digits, byte 0 the highest: strings
    /// compare as numbers do.
    fn string(self) -> u64;
}
