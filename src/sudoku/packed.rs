//! Packed cells: 81 of them in 41 bytes.
//!
//! ```text
//! byte      0        1             39         40
//! nibble  [c0 c1] [c2 c3]  ...  [c78 c79]  [c80 0]     high nibble first, 0 for an empty cell
//! ```
//!
//! Half the size of text, and still a table look-up a byte away from it.

use super::cell::Cell;

/// Bytes of 81 packed cells.
pub const BYTES: usize = 41;

/// Bytes of 81 cells as a line: a character each, and `'\n'`.
pub const LINE: usize = 82;

/// Packs 81 cells, each 0..=9.
#[must_use]
pub fn from_cells(cells: &[u8; 81]) -> [u8; BYTES] {
    let mut packed = [0; BYTES];
    for (byte, pair) in packed.iter_mut().zip(cells.chunks(2)) {
        *byte = pair[0] << 4 | pair.get(1).unwrap_or(&0);
    }
    packed
}

/// Unpacks 81 nibbles. They are 0..=9 only if the bytes are a packed puzzle.
pub(super) fn to_cells(packed: &[u8; BYTES]) -> [u8; 81] {
    let mut cells = [0; 81];
    for (pair, byte) in cells.chunks_mut(2).zip(packed) {
        pair[0] = byte >> 4;
        if let Some(low) = pair.get_mut(1) {
            *low = byte & 15;
        }
    }
    cells
}

/// Makes a packed cell empty.
pub(super) fn clear(packed: &mut [u8; BYTES], cell: Cell) {
    let keep = if cell.index().is_multiple_of(2) {
        0x0f
    } else {
        0xf0
    };
    packed[cell.index() / 2] &= keep;
}

/// Writes packed cells as a line: 81 ASCII characters, `.` for empty, and `'\n'`. Nibbles above 9,
/// which no packed puzzle has, read as `?`.
pub fn to_line(packed: &[u8; BYTES], out: &mut [u8; LINE]) {
    for (pair, &byte) in out.chunks_exact_mut(2).zip(packed) {
        pair.copy_from_slice(&PAIRS[byte as usize]);
    }
    out[LINE - 1] = b'\n';
}

static PAIRS: [[u8; 2]; 256] = {
    const fn character(nibble: usize) -> u8 {
        match nibble {
            0 => b'.',
            1..=9 => b"0123456789"[nibble],
            _ => b'?',
        }
    }
    let mut pairs = [[0; 2]; 256];
    let mut byte = 0;
    while byte < 256 {
        pairs[byte] = [character(byte >> 4), character(byte & 15)];
        byte += 1;
    }
    pairs
};

#[cfg(test)]
mod tests {
    use super::super::{CellError, Puzzle};
    use super::*;

    #[test]
    fn the_first_cell_is_the_high_nibble_and_the_last_nibble_is_zero() {
        let mut cells = [0; 81];
        cells[0] = 7;
        cells[1] = 2;
        cells[80] = 9;
        let packed = from_cells(&cells);
        assert_eq!((packed[0], packed[39], packed[40]), (0x72, 0, 0x90));
        assert_eq!(to_cells(&packed), cells);
        let mut line = [0; LINE];
        to_line(&packed, &mut line);
        assert!(line.starts_with(b"72.") && line.ends_with(b".9\n"));
    }

    #[test]
    fn bytes_that_are_no_puzzle_are_refused() {
        let mut packed = [0; BYTES];
        packed[40] = 1;
        assert_eq!(
            Puzzle::from_packed(&packed),
            Err(CellError::Padding { value: 1 })
        );
        packed[40] = 0xa0;
        let error = Puzzle::from_packed(&packed).expect_err("10 is no digit");
        assert_eq!(
            error.to_string(),
            "r9c9 holds 10, expected 1 to 9, or 0 for an empty cell"
        );
    }
}
