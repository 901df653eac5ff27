//! Registers of bytes in memory.

use super::Orbit;
use super::geometry::Band;
use super::scramble::Lanes;
use super::writer::{self, Register};
use crate::sudoku::packed;

#[derive(Clone, Copy)]
pub(super) struct Portable([[u8; 16]; 2]);

pub(super) fn lines(orbit: &Orbit, first: u64, out: &mut [[u8; packed::LINE]]) {
    writer::lines::<Portable>(orbit, first, out);
}

pub(super) fn packed(orbit: &Orbit, first: u64, out: &mut [[u8; packed::BYTES]]) {
    writer::packed::<Portable>(orbit, first, out);
}

impl Register for Portable {
    #[inline(always)]
    fn load(bytes: &Band) -> Self {
        let (halves, _) = bytes.as_chunks();
        Self([halves[0], halves[1]])
    }

    #[inline(always)]
    fn twice(bytes: &[u8; 16]) -> Self {
        Self([*bytes; 2])
    }

    #[inline(always)]
    fn or(mut self, other: Self) -> Self {
        for (byte, other) in self
            .0
            .as_flattened_mut()
            .iter_mut()
            .zip(other.0.as_flattened())
        {
            *byte |= other;
        }
        self
    }

    #[inline(always)]
    fn shuffle(self, places: Self) -> Self {
        let [low, high] = self.0;
        let [low_places, high_places] = places.0;
        Self([
            low_places.map(|place| low[usize::from(place & 15)]),
            high_places.map(|place| high[usize::from(place & 15)]),
        ])
    }

    #[inline(always)]
    fn upper_products(numbers: &Lanes, factor: u32) -> Lanes {
        numbers.map(|number| ((u64::from(number) * u64::from(factor)) >> 32) as u32)
    }

    #[inline(always)]
    fn halves(self) -> [[u8; 16]; 2] {
        self.0
    }
}
