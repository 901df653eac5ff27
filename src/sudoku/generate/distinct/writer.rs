//! How images are written, a batch of them at a time.
//!
//! Written once, generic over what an instruction set does its own way, so that all of them write
//! the same bytes.

use super::Orbit;
use super::geometry::{Band, Geometries};
use super::renaming::{Renamings, WITH_NINE};
use super::scramble::{BATCH, Lanes};
use crate::sudoku::packed;

/// A table of 16 bytes in a register of an instruction set, and what else the set is good at.
pub(super) trait Table: Copy {
    fn load(bytes: &[u8; 16]) -> Self;

    /// The table of what this one has for what `other` has; each byte of `other` is below 16.
    fn of(self, other: Self) -> Self;

    fn or(self, other: Self) -> Self;

    /// Writes what this table has for the 27 cells of a band, and for its last byte, in the order
    /// of `columns`.
    fn write(self, band: &Band, columns: &Band, out: &mut [u8; 28]);

    /// The upper halves of the products with a factor.
    fn upper_products(numbers: &Lanes, factor: u32) -> Lanes;

    /// Each two numbers below 16 in a byte, the first one in its upper half.
    fn pack(cells: &[u8; 64]) -> [u8; 32];
}

/// Lines of text from the index `first` on.
#[inline(always)]
pub(super) fn lines<T: Table>(orbit: &Orbit, first: u64, out: &mut [[u8; packed::LINE]]) {
    // Digits become characters, and the empty byte at the end becomes the end of the line.
    let mut text = [b'0'; 16];
    text[0] = b'\n';
    for (first, batch) in (first..).step_by(BATCH).zip(out.chunks_mut(BATCH)) {
        write::<T>(orbit, first, &text, batch);
    }
}

/// Packed grids from the index `first` on.
#[inline(always)]
pub(super) fn packed<T: Table>(orbit: &Orbit, first: u64, out: &mut [[u8; packed::BYTES]]) {
    let mut lines = [[0; packed::LINE]; BATCH];
    for (first, batch) in (first..).step_by(BATCH).zip(out.chunks_mut(BATCH)) {
        write::<T>(orbit, first, &[0; 16], &mut lines[..batch.len()]);
        // A line is 41 pairs, the last of a digit and the empty byte, so that lines are packed
        // without regard to where one ends.
        let (cells, _) = lines.as_flattened().as_chunks();
        let mut cells = cells.iter();
        let (packed, rest) = batch.as_flattened_mut().as_chunks_mut();
        for (packed, cells) in packed.iter_mut().zip(&mut cells) {
            *packed = T::pack(cells);
        }
        if let Some(cells) = cells.next() {
            rest.copy_from_slice(&T::pack(cells)[..rest.len()]);
        }
    }
}

/// At most a batch of images, the bits of `text` set in the byte of each digit.
#[inline(always)]
fn write<T: Table>(orbit: &Orbit, first: u64, text: &[u8; 16], lines: &mut [[u8; packed::LINE]]) {
    let text = T::load(text);
    let (left, right) = orbit.scramble.split::<T>(first);
    let (renamings, geometries) = (Renamings::new(&left), Geometries::new(&right));
    for (lane, line) in (0..BATCH).zip(lines) {
        let (low, high) = renamings.parts(lane);
        let (bands, columns) = orbit.bands.image(&geometries, lane);
        let mut names = T::load(low).of(T::load(high));
        if let Some(digit) = orbit.first_digit {
            // The renaming keeps 9. What stands first is called 9, and 9 the digit wanted.
            let first = bands[0][usize::from(columns[0])];
            let [before, after] =
                [first, digit.value()].map(|digit| T::load(&WITH_NINE[usize::from(digit)]));
            names = after.of(names).of(before);
        }
        let names = names.or(text);
        for (band, start) in bands.into_iter().zip([0, 27, 54]) {
            let out = line[start..].first_chunk_mut();
            names.write(
                band,
                columns,
                out.expect("54 and 28 are the length of a line"),
            );
        }
    }
}
