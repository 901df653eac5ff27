//! The cells of one digit as bits, and what is seen of all houses at once.
//!
//! Bit `9 * row + column` is a cell. To look at nine rows is to shift the board nine times and count, bit by bit,
//! to one and to two; three cells of a line in a box stand for one another, by the first.

/// All cells.
pub(super) const ALL: u128 = (1 << 81) - 1;
/// The first cell of every row.
const FIRST_COLUMN: u128 = repeated(1, 9, 9);
/// Of every column.
const FIRST_ROW: u128 = 0x1ff;
/// Of every box.
const CORNERS: u128 = repeated(0b100_1001, 27, 3);
/// The first three columns.
const FIRST_STACK: u128 = repeated(0b111, 9, 9);
/// The first column of every stack.
const STACK_EDGES: u128 = repeated(0b100_1001, 9, 9);
/// The first row of every band.
const BAND_EDGES: u128 = repeated(0x1ff, 27, 3);
/// Where the rows begin.
pub(super) const ROWS: [u32; 9] = [0, 9, 18, 27, 36, 45, 54, 63, 72];

/// The peers of every cell.
pub(super) const PEERS: [u128; 81] = {
    let mut peers = [0; 81];
    let mut cell = 0;
    while cell < 81 {
        let (row, column) = (cell / 9, cell % 9);
        let of_box = repeated(0b111, 9, 3) << (27 * (row / 3) + 3 * (column / 3));
        let all = FIRST_ROW << (9 * row) | FIRST_COLUMN << column | of_box;
        peers[cell] = all & !(1 << cell);
        cell += 1;
    }
    peers
};

/// Some bits, `count` times, `apart` from one another.
const fn repeated(bits: u128, apart: u32, count: u32) -> u128 {
    let (mut all, mut at) = (0, 0);
    while at < count {
        all |= bits << (at * apart);
        at += 1;
    }
    all
}

/// The cells that are alone in a row, a column or a box.
pub(super) fn alone(board: u128) -> u128 {
    let once = |firsts: u128, shifts: [u32; 9]| {
        let (mut once, mut twice) = (0, 0);
        for shift in shifts {
            let of_all = board >> shift & firsts;
            twice |= once & of_all;
            once |= of_all;
        }
        once & !twice
    };
    let rows = once(FIRST_COLUMN, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    let columns = once(FIRST_ROW, ROWS);
    let boxes = once(CORNERS, [0, 1, 2, 9, 10, 11, 18, 19, 20]);
    let thrice = |bits: u128, apart: u32| bits | bits << apart | bits << (2 * apart);
    let in_rows = (rows << 9) - rows;
    let in_columns = thrice(thrice(columns, 9), 27);
    let in_boxes = thrice(thrice(boxes, 1), 9);
    board & (in_rows | in_columns | in_boxes)
}

/// Where a digit goes by pointing and claiming.
pub(super) fn locked_out(board: u128) -> u128 {
    let others = |bits, turn: fn(u128) -> u128| turn(bits) | turn(turn(bits));
    // Three cells of a line in a box, each by its first: alone in the box, or in the line.
    let gone = |thirds: u128, in_box: fn(u128) -> u128, in_line: fn(u128) -> u128| {
        let points = thirds & !others(thirds, in_box);
        let claims = thirds & !others(thirds, in_line);
        others(points, in_line) | others(claims, in_box)
    };
    let next_row = |bits| bits << 9 & ALL & !BAND_EDGES | bits >> 18 & BAND_EDGES;
    let next_stack = |bits| bits << 3 & ALL & !FIRST_STACK | bits >> 6 & FIRST_STACK;
    let next_column = |bits| bits << 1 & ALL & !STACK_EDGES | bits >> 2 & STACK_EDGES;
    let next_band = |bits| bits << 27 & ALL | bits >> 54;
    let rows = (board | board >> 1 | board >> 2) & STACK_EDGES;
    let columns = (board | board >> 9 | board >> 18) & BAND_EDGES;
    let of_rows = gone(rows, next_row, next_stack);
    let of_columns = gone(columns, next_column, next_band);
    of_rows | of_rows << 1 | of_rows << 2 | of_columns | of_columns << 9 | of_columns << 18
}

/// The cells of a board.
pub(super) fn places(mut board: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = board.trailing_zeros() as usize;
        board &= board.wrapping_sub(1);
        (first < 81).then_some(first)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alone_is_what_is_alone_in_a_house() {
        let board = 1 << 0 | 1 << 1 | 1 << 40 | 1 << 44;
        assert_eq!(alone(board), board);
        assert_eq!(alone(1 | 1 << 1 | 1 << 9 | 1 << 10), 0);
    }

    #[test]
    fn what_is_locked_goes_from_the_rest() {
        // In the first box on the first row alone.
        let pointing = ALL & !(repeated(0b111, 9, 2) << 9);
        assert_eq!(locked_out(pointing), FIRST_ROW & !0b111);
        // On the last column in the middle box alone.
        let claiming = ALL & !(repeated(1, 9, 3) << 8 | repeated(1, 9, 3) << 62);
        assert_eq!(locked_out(claiming), repeated(0b11, 9, 3) << 33);
    }
}
