//! The orders that rows (or columns) can be put in: three bands, and three rows in each.

/// The orders of three things.
pub(in crate::sudoku) const ORDERS_OF_THREE: [[u8; 3]; 6] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
];

/// All 6^4 = 1,296 orders; entry `i` of one is the line that comes to stand at `i`. The first is
/// the identity.
pub(in crate::sudoku) static LINE_ORDERS: [[u8; 9]; 1296] = {
    let mut orders = [[0; 9]; 1296];
    let mut number = 0;
    while number < 1296 {
        // Four digits in base 6: the order of the bands, then that of the lines inside each place.
        let inside = [number / 36 % 6, number / 6 % 6, number % 6];
        let mut line = 0;
        while line < 9 {
            let band = ORDERS_OF_THREE[number / 216][line / 3];
            orders[number][line] = 3 * band + ORDERS_OF_THREE[inside[line / 3]][line % 3];
            line += 1;
        }
        number += 1;
    }
    orders
};

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
