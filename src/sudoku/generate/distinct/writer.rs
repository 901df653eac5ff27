//! How images are written, in terms of registers of 32 bytes.
//!
//! Written once, generic over the registers, so that all instruction sets write the same bytes.

use super::Orbit;
use super::geometry::{Band, Geometries};
use super::renaming::{self, Names, Renamings};
use super::scramble::{BATCH, Lanes};
use crate::sudoku::packed;

/// Two halves of 16 bytes.
pub(super) trait Register: Copy {
    fn load(bytes: &Band) -> Self;

    /// The same in both halves.
    fn twice(bytes: &[u8; 16]) -> Self;

    fn or(self, other: Self) -> Self;

    /// Half by half, the bytes in the order of `places`, each of them below 16.
    fn shuffle(self, places: Self) -> Self;

    /// The upper halves of the products with a factor.
    fn upper_products(numbers: &Lanes, factor: u32) -> Lanes;

    fn halves(self) -> [[u8; 16]; 2];
}

/// Lines of text from the index `first` on.
#[inline(always)]
pub(super) fn lines<R: Register>(orbit: &Orbit, first: u64, out: &mut [[u8; packed::LINE]]) {
    // The digits become characters, and the empty byte a line's end.
    let mut text = [b'0'; 16];
    text[0] = b'\n';
    for (first, batch) in (first..).step_by(BATCH).zip(out.chunks_mut(BATCH)) {
        write::<R>(orbit, first, &text, batch);
    }
}

/// Packed grids from the index `first` on.
#[inline(always)]
pub(super) fn packed<R: Register>(orbit: &Orbit, first: u64, out: &mut [[u8; packed::BYTES]]) {
    let mut lines = [[0; packed::LINE]; BATCH];
    for (first, batch) in (first..).step_by(BATCH).zip(out.chunks_mut(BATCH)) {
        let lines = &mut lines[..batch.len()];
        write::<R>(orbit, first, &[0; 16], lines);
        // A line is 41 pairs, the last of a digit and the empty byte.
        let (pairs, _) = lines.as_flattened().as_chunks();
        for (byte, &[high, low]) in batch.as_flattened_mut().iter_mut().zip(pairs) {
            *byte = high << 4 | low;
        }
    }
}

/// At most a batch of images, with the bits of `text` set in each byte of a digit.
#[inline(always)]
fn write<R: Register>(orbit: &Orbit, first: u64, text: &Names, lines: &mut [[u8; packed::LINE]]) {
    let text = R::twice(text);
    let (left, right) = orbit.scramble.split::<R>(first);
    let (renamings, geometries) = (Renamings::new(&left), Geometries::new(&right));
    for (lane, line) in (0..BATCH).zip(lines) {
        let (low, high) = renamings.parts(lane);
        let (bands, columns) = orbit.bands.image(&geometries, lane);
        let mut names = R::twice(low).shuffle(R::twice(high));
        if let Some(digit) = orbit.first_digit {
            // The renaming keeps 9. What stands first is called 9, and 9 the digit wanted.
            let first = bands[0][usize::from(columns[0])];
            names = R::twice(&renaming::WITH_NINE[usize::from(digit.value())])
                .shuffle(names)
                .shuffle(R::twice(&renaming::WITH_NINE[usize::from(first)]));
        }
        let names = names.or(text);
        let columns = R::load(columns);
        for (band, from) in bands.into_iter().zip([0, 27, 54]) {
            let [low, high] = names.shuffle(R::load(band).shuffle(columns)).halves();
            line[from..from + 16].copy_from_slice(&low);
            line[from + 12..from + 28].copy_from_slice(&high);
        }
    }
}
