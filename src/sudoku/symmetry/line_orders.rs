//! The orders that rows (or columns) can be put in: three bands, and three rows in each.

/// All orders of three, lexicographically; entry `i` of one is the thing that comes to stand at `i`.
pub(in crate::sudoku) const ORDERS: [[u8; 3]; 6] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
];

/// The parts of an order's number in [`LINE_ORDERS`], four digits in base 6: the order of the bands,
/// then that of the lines inside each place.
pub(in crate::sudoku) const fn line_order(number: usize) -> (usize, [usize; 3]) {
    (number / 216, [number / 36 % 6, number / 6 % 6, number % 6])
}

/// All 6^4 = 1,296 orders; entry `i` of one is the line that comes to stand at `i`. The first is
/// the identity.
pub(in crate::sudoku) static LINE_ORDERS: [[u8; 9]; 1296] = {
    let mut orders = [[0; 9]; 1296];
    let mut number = 0;
    while number < 1296 {
        let (bands, inside) = line_order(number);
        let mut line = 0;
        while line < 9 {
            let band = ORDERS[bands][line / 3];
            orders[number][line] = 3 * band + ORDERS[inside[line / 3]][line % 3];
            line += 1;
        }
        number += 1;
    }
    orders
};

/// [`LINE_ORDERS`], each padded to 16 bytes; the rest stays in place. The first 216 keep the bands.
pub(super) static PADDED_ORDERS: [[u8; 16]; 1296] = {
    let mut padded = [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]; 1296];
    let mut number = 0;
    while number < 1296 {
        let mut line = 0;
        while line < 9 {
            padded[number][line] = LINE_ORDERS[number][line];
            line += 1;
        }
        number += 1;
    }
    padded
};

/// The number of an order in [`ORDERS`].
pub(super) const fn order_number([a, b, c]: [u8; 3]) -> u16 {
    2 * a as u16 + (b > c) as u16
}

/// The number of an order in [`LINE_ORDERS`].
pub(super) fn line_order_number(order: &[u8; 9]) -> u16 {
    let bands = order_number([order[0] / 3, order[3] / 3, order[6] / 3]);
    let append = |number, lines: &[u8]| {
        number * 6 + order_number([lines[0] % 3, lines[1] % 3, lines[2] % 3])
    };
    order.chunks_exact(3).fold(bands, append)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_orders_are_distinct_and_keep_bands_together() {
        let distinct: std::collections::BTreeSet<_> = LINE_ORDERS.iter().collect();
        assert_eq!(distinct.len(), 1296);
        for order in &LINE_ORDERS {
            let mut lines = *order;
            lines.sort_unstable();
            assert_eq!(lines, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
            assert!(
                order
                    .chunks(3)
                    .all(|band| band.iter().all(|line| line / 3 == band[0] / 3))
            );
        }
    }
}
