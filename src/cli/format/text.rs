//! Boards as people write them. A million of them is 163 MB, so a byte of packed cells becomes four
//! characters by one look-up, and the nine line ends are put in afterwards:
//!
//! ```text
//! cell       0   1   2        8    9            80
//! out       "d" " " "d" ... "d" "\n" "d" ...   "d" "\n" "\n"
//! position   0   1   2       16   17  18       160  161  162
//! ```

use crate::cli::batch::Packed;

/// Bytes of one board.
pub(super) const BOARD: usize = 163;

/// Appends the boards.
pub(super) fn write(grids: &[Packed], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + grids.len() * BOARD, 0);
    let (boards, _) = out[start..].as_chunks_mut::<BOARD>();
    for (board, grid) in boards.iter_mut().zip(grids) {
        // The 41st byte holds one cell, whose two characters and the empty line are left.
        let (pairs, rest) = board.as_chunks_mut::<4>();
        for (pair, &byte) in pairs.iter_mut().zip(grid) {
            *pair = PAIRS[usize::from(byte)];
        }
        rest.copy_from_slice(&[PAIRS[usize::from(grid[40])][0], b'\n', b'\n']);
        for row in 0..8 {
            board[18 * row + 17] = b'\n';
        }
    }
}

/// Two cells, each with a space behind it.
static PAIRS: [[u8; 4]; 256] = {
    const fn character(nibble: usize) -> u8 {
        b".123456789??????"[nibble]
    }
    let mut pairs = [[b' '; 4]; 256];
    let mut byte = 0;
    while byte < 256 {
        pairs[byte][0] = character(byte >> 4);
        pairs[byte][2] = character(byte & 15);
        byte += 1;
    }
    pairs
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::packed;

    #[test]
    fn every_cell_stands_where_it_should() {
        let cells: [u8; 81] = std::array::from_fn(|i| u8::try_from(i % 10).expect("a digit"));
        let mut out = b"before".to_vec();
        write(&[packed::from_cells(&cells)], &mut out);
        let rows: Vec<String> = cells
            .chunks(9)
            .map(|row| {
                let row: Vec<_> = row.iter().map(u8::to_string).collect();
                row.join(" ").replace('0', ".") + "\n"
            })
            .collect();
        let expected = format!("before{}\n", rows.concat());
        assert_eq!(String::from_utf8(out).expect("ASCII"), expected);
    }
}
