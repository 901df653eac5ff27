//! Grids of neighbouring indices look as unlike as any two, and none is more frequent.
//!
//! Each count is compared with what independent grids would give, as a sum of squares (chi-square);
//! the limits are six standard deviations and more.

use super::*;
use crate::sudoku::generate::chi_square::chi_square;

/// What a linear order, or a network with too few rounds, would show in.
const STEPS: [u64; 12] = [
    1,
    2,
    3,
    9,
    216,
    720,
    1_296,
    40_320,
    362_880,
    3_359_232,
    362_880 * 1_296,
    362_881,
];

/// The cells of grids `0..count`.
fn grids(distinct: &Distinct, first: u64, count: usize) -> Vec<[u8; 81]> {
    let mut packed = vec![[0; packed::BYTES]; count];
    distinct.fill_packed(first, &mut packed);
    packed.iter().map(packed::to_cells).collect()
}

/// Whether the counts may be those of draws of equally likely things.
fn even(counts: &[u32]) -> bool {
    let things = f64::from(u32::try_from(counts.len()).expect("few"));
    let expected = f64::from(counts.iter().sum::<u32>()) / things;
    let pairs = counts.iter().map(|&count| (f64::from(count), expected));
    let freedom = things - 1.0;
    (chi_square(pairs) - freedom).abs() < 6.5 * (2.0 * freedom).sqrt()
}

#[test]
fn neighbours_look_unlike() {
    for seed in [8, 9, 1 << 63] {
        let distinct = Distinct::new(seed, None);
        let some = grids(&distinct, 0, 4_000);
        for step in STEPS {
            let others = grids(&distinct, step, 4_000);
            let pairs = some.as_flattened().iter().zip(others.as_flattened());
            let agreeing = pairs.filter(|(a, b)| a == b).count();
            // A ninth of 324,000 cells is 36,000, and six standard deviations of unrelated grids
            // are about 1,100.
            assert!(
                (34_900..37_100).contains(&agreeing),
                "seed {seed}, step {step}: {agreeing}"
            );
        }
    }
}

#[test]
fn a_digit_says_nothing_about_the_one_a_step_away() {
    let distinct = Distinct::new(13, None);
    let some = grids(&distinct, 0, 8_100);
    for step in STEPS {
        let others = grids(&distinct, step, 8_100);
        for cell in [0, 40, 77] {
            let mut counts = [0; 81];
            for (a, b) in some.iter().zip(&others) {
                counts[usize::from(9 * a[cell] + b[cell] - 10)] += 1;
            }
            assert!(even(&counts), "step {step}, cell {cell}: {counts:?}");
        }
    }
}

#[test]
fn every_digit_stands_everywhere_equally_often() {
    for seed in [21, 22] {
        let mut counts = [[0u32; 9]; 81];
        for grid in grids(&Distinct::new(seed, None), 0, 9_000) {
            for (count, value) in counts.iter_mut().zip(grid) {
                count[usize::from(value - 1)] += 1;
            }
        }
        assert!(counts.iter().all(|counts| even(counts)), "{counts:?}");
    }
}

#[test]
fn the_first_row_starts_in_every_way_equally_often() {
    for (first_digit, starts) in [(None, 504), (Some(digit(3)), 56)] {
        let mut counts = std::collections::HashMap::new();
        for grid in grids(&Distinct::new(34, first_digit), 1_000_000, 100 * starts) {
            *counts.entry([grid[0], grid[1], grid[2]]).or_insert(0) += 1;
        }
        let counts: Vec<u32> = counts.into_values().collect();
        assert_eq!(counts.len(), starts);
        assert!(even(&counts), "{counts:?}");
    }
}
