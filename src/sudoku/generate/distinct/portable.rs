//! Tables in memory, looked up byte by byte.

use super::Orbit;
use super::geometry::Band;
use super::scramble::Lanes;
use super::writer::{self, Table};
use crate::sudoku::packed;

#[derive(Clone, Copy)]
pub(super) struct Portable([u8; 16]);

pub(super) fn lines(orbit: &Orbit, first: u64, out: &mut [[u8; packed::LINE]]) {
    writer::lines::<Portable>(orbit, first, out);
}

pub(super) fn packed(orbit: &Orbit, first: u64, out: &mut [[u8; packed::BYTES]]) {
    writer::packed::<Portable>(orbit, first, out);
}

impl Portable {
    #[inline(always)]
    fn get(&self, place: u8) -> u8 {
        self.0[usize::from(place & 15)]
    }
}

impl Table for Portable {
    #[inline(always)]
    fn load(bytes: &[u8; 16]) -> Self {
        Self(*bytes)
    }

    #[inline(always)]
    fn of(self, mut other: Self) -> Self {
        for byte in &mut other.0 {
            *byte = self.get(*byte);
        }
        other
    }

    #[inline(always)]
    fn or(mut self, other: Self) -> Self {
        for (byte, other) in self.0.iter_mut().zip(other.0) {
            *byte |= other;
        }
        self
    }

    #[inline(always)]
    fn write(self, band: &Band, columns: &Band, out: &mut [u8; 28]) {
        let (low, high) = band.split_at(16);
        let (first, rest) = out.split_at_mut(12);
        for (half, places, out) in [(low, &columns[..12], first), (high, &columns[16..], rest)] {
            for (byte, place) in out.iter_mut().zip(places) {
                *byte = self.get(half[usize::from(place & 15)]);
            }
        }
    }

    #[inline(always)]
    fn upper_products(numbers: &Lanes, factor: u32) -> Lanes {
        let mut products = *numbers;
        for number in &mut products {
            *number = ((u64::from(*number) * u64::from(factor)) >> 32) as u32;
        }
        products
    }

    #[inline(always)]
    fn pack(cells: &[u8; 64]) -> [u8; 32] {
        std::array::from_fn(|byte| cells[2 * byte] << 4 | cells[2 * byte + 1])
    }
}
