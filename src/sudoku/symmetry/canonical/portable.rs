//! Registers in plain code, for every machine.

use std::array::from_fn;

use super::board::Board;
use super::register::Register;
use super::state::{Lines, Next, State};
use super::{Canonical, grid, search, state};

/// Sixteen bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable([u8; 16]);

impl Portable {
    #[inline]
    fn zip(self, other: Self, operation: impl Fn(u8, u8) -> u8) -> Self {
        Self(from_fn(|i| operation(self.0[i], other.0[i])))
    }
}

impl Register for Portable {
    fn board(cells: &[u8; 81]) -> Board {
        Board::new::<Self>(cells)
    }

    fn lines<'a>(board: &'a Board, states: &mut Vec<State<Self>>) -> Lines<'a> {
        search::lines(board, states)
    }

    fn advance(lines: &Lines<'_>, states: &[State<Self>], next: &mut Next<Self>) {
        state::advance(lines, states, next);
    }

    fn grid(board: &Board) -> Option<Canonical> {
        grid::canonical::<Self>(board)
    }

    #[inline]
    fn transposed(rows: [Self; 9]) -> [Self; 9] {
        from_fn(|column| {
            let cell = |row: usize| rows.get(row).map_or(0, |row| row.0[column]);
            Self(from_fn(cell))
        })
    }

    #[inline]
    fn new(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    #[inline]
    fn bytes(self) -> [u8; 16] {
        self.0
    }

    #[inline]
    fn shuffle(self, from: Self) -> Self {
        Self(from_fn(|i| self.0[usize::from(from.0[i] & 15)]))
    }

    #[inline]
    fn add(self, other: Self) -> Self {
        self.zip(other, u8::wrapping_add)
    }

    #[inline]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    #[inline]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    #[inline]
    fn without(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    #[inline]
    fn min(self, other: Self) -> Self {
        self.zip(other, u8::min)
    }

    #[inline]
    fn max(self, other: Self) -> Self {
        self.zip(other, u8::max)
    }

    #[inline]
    fn select(self, other: Self, others: Self) -> Self {
        self.without(others).or(other.and(others))
    }

    #[inline]
    fn equal(self, other: Self) -> Self {
        self.zip(other, |a, b| if a == b { 0xff } else { 0 })
    }

    #[inline]
    fn up<const BITS: i32>(self) -> Self {
        Self(self.0.map(|byte| byte << BITS))
    }

    #[inline]
    fn down<const BITS: i32>(self) -> Self {
        Self(self.0.map(|byte| byte >> BITS & 15))
    }

    #[inline]
    fn bits(self) -> u32 {
        let highest = |(i, &byte): (usize, &u8)| u32::from(byte >> 7) << i;
        self.0.iter().enumerate().map(highest).sum()
    }

    #[inline]
    fn string(self) -> u64 {
        let append = |string, &byte: &u8| string << 4 | u64::from(byte);
        self.0.iter().fold(0, append)
    }
}
