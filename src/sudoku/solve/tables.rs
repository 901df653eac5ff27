//! What the scalar engine looks up instead of computing, all worked out by the compiler.
//!
//! A *band word* holds one digit's 27 candidates in one band, box by box:
//!
//! ```text
//! bit  0..9      9..18     18..27
//!      left box  middle    right box      within a box: row * 3 + column
//! ```
//!
//! A *minirow* is the three cells in which a row meets a box, a *minicolumn* those in which a
//! column does. Nine flags of either kind make a 3x3 matrix, and a digit must choose one of its six
//! permutations: one minirow a row and a box of the band, one minicolumn a column and a box of the
//! stack.

#![expect(clippy::cast_possible_truncation, reason = "all numbers are below 512")]

/// All 27 candidates of a band.
pub(super) const BAND: u32 = 0x7ff_ffff;

/// By a box's nine candidates: which rows (bits 0..3) and which columns (bits 16..19) of the box
/// have any. Three of them, shifted by 0, 3 and 6, make a band's matrices of minirows (bits 0..9,
/// box * 3 + row) and minicolumns (bits 16..25, box * 3 + column).
pub(super) static LINES: [u32; 512] = {
    let mut lines = [0; 512];
    let mut candidates = 0;
    while candidates < 512 {
        let mut cell = 0;
        while cell < 9 {
            if candidates >> cell & 1 != 0 {
                lines[candidates] |= 1 << (cell / 3) | 1 << (16 + cell % 3);
            }
            cell += 1;
        }
        candidates += 1;
    }
    lines
};

/// By a 3x3 matrix (bit i * 3 + j): the flags that some permutation within the matrix uses; 0 if
/// none fits.
pub(super) static CLOSURE: [u16; 512] = {
    const PERMUTATIONS: [u16; 6] = [0o421, 0o241, 0o412, 0o142, 0o214, 0o124];
    let mut closure = [0; 512];
    let mut matrix = 0;
    while matrix < 512 {
        let mut p = 0;
        while p < 6 {
            if PERMUTATIONS[p] & !(matrix as u16) == 0 {
                closure[matrix] |= PERMUTATIONS[p];
            }
            p += 1;
        }
        matrix += 1;
    }
    closure
};

/// By a band's matrix of minirows: the cells of those in its closure.
pub(super) static ROWS_KEPT: [u32; 512] = {
    let mut kept = [0; 512];
    let mut matrix = 0;
    while matrix < 512 {
        let mut bit = 0;
        while bit < 27 {
            if CLOSURE[matrix] >> (bit / 3) & 1 != 0 {
                kept[matrix] |= 1 << bit;
            }
            bit += 1;
        }
        matrix += 1;
    }
    kept
};

/// By a band's flags of minicolumns (box * 3 + column): the cells of those flagged.
pub(super) static COLUMNS: [u32; 512] = {
    let mut cells = [0; 512];
    let mut flags = 0;
    while flags < 512 {
        let mut bit = 0;
        while bit < 27 {
            if flags >> (bit / 9 * 3 + bit % 3) & 1 != 0 {
                cells[flags] |= 1 << bit;
            }
            bit += 1;
        }
        flags += 1;
    }
    cells
};

/// By three flags a box: all cells of the boxes with exactly one flag.
pub(super) static ONE: [u32; 512] = {
    let mut cells = [0u32; 512];
    let mut flags = 0;
    while flags < 512 {
        let mut k = 0;
        while k < 3 {
            if (flags >> (3 * k) & 7usize).is_power_of_two() {
                cells[flags] |= 0o777 << (9 * k);
            }
            k += 1;
        }
        flags += 1;
    }
    cells
};

/// The cell behind a bit of a band word.
pub(super) static CELL: [[u8; 27]; 3] = {
    let mut cells = [[0; 27]; 3];
    let mut band = 0;
    while band < 3 {
        let mut bit = 0;
        while bit < 27 {
            let row = 3 * band + bit % 9 / 3;
            let column = bit / 9 * 3 + bit % 3;
            cells[band][bit] = (row * 9 + column) as u8;
            bit += 1;
        }
        band += 1;
    }
    cells
};

/// The band and the bit of a cell.
pub(super) static PLACE: [(u8, u8); 81] = {
    let mut places = [(0, 0); 81];
    let mut band = 0;
    while band < 3 {
        let mut bit = 0;
        while bit < 27 {
            places[CELL[band][bit] as usize] = (band as u8, bit as u8);
            bit += 1;
        }
        band += 1;
    }
    places
};

/// By a cell: the band words of the cells that do not see it, itself among them.
pub(super) static UNSEEN: [[u32; 3]; 81] = {
    let mut unseen = [[BAND; 3]; 81];
    let mut cell = 0;
    while cell < 81 {
        let mut other = 0;
        while other < 81 {
            let same_house = cell / 9 == other / 9
                || cell % 9 == other % 9
                || (cell / 27 == other / 27 && cell % 9 / 3 == other % 9 / 3);
            if same_house && cell != other {
                let (band, bit) = PLACE[other];
                unseen[cell][band as usize] &= !(1 << bit);
            }
            other += 1;
        }
        cell += 1;
    }
    unseen
};
