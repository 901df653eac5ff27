//! Grids that never repeat, by construction: the orbit of one base grid.
//!
//! A base grid without automorphisms has 9! x 3,359,232 = 1,218,998,108,160 images under renaming
//! and the geometric symmetries, all different. An index picks one of them: it is scrambled by a
//! bijection of that very range, and then split into a renaming and a geometric symmetry. So no two
//! indices of a seed give the same grid, nothing needs to be remembered, and any grid is made in
//! constant time.
//!
//! With the first digit fixed, the renaming has eight digits left to place and there are a ninth as
//! many grids.
//!
//! The price is that all grids of a seed are the same but for their symmetries, which a puzzle's
//! solver cannot tell but a statistician can. A random search makes unrelated grids, slower and
//! with repeats in principle.

use super::completion::complete;
use crate::sudoku::digit::Digit;
use crate::sudoku::grid::Grid;
use crate::sudoku::packed;
use crate::sudoku::rng::{Rng, mix};
use crate::sudoku::solve::{Cancel, Solver};
use crate::sudoku::symmetry::{LINE_ORDERS, automorphisms};

/// A sequence of distinct grids.
#[derive(Clone, Debug)]
pub struct Distinct {
    base: [[u8; 9]; 9],
    transposed: [[u8; 9]; 9],
    first_digit: Option<Digit>,
    scramble: Scramble,
}

/// Transposing or not, and an order of rows and of columns.
const GEOMETRIES: u32 = 2 * 1296 * 1296;

impl Distinct {
    /// The sequence of a seed; with `first_digit`, of grids with that digit in the top left cell.
    /// About a millisecond.
    #[must_use]
    pub fn new(seed: u64, first_digit: Option<Digit>) -> Self {
        let base = base(seed);
        let base: [[u8; 9]; 9] =
            std::array::from_fn(|row| std::array::from_fn(|column| base.cells()[9 * row + column]));
        let renamings = if first_digit.is_some() {
            40_320
        } else {
            362_880
        };
        Self {
            base,
            transposed: std::array::from_fn(|row| std::array::from_fn(|column| base[column][row])),
            first_digit,
            scramble: Scramble::new(seed, renamings, GEOMETRIES),
        }
    }

    /// How many grids there are: 1,218,998,108,160, or 135,444,234,240 with the first digit fixed.
    #[must_use]
    pub fn capacity(&self) -> u64 {
        self.scramble.size()
    }

    /// The grid of this index.
    ///
    /// # Panics
    /// If `index` is not below the capacity.
    #[must_use]
    pub fn grid(&self, index: u64) -> Grid {
        let mut cells = [0; 81];
        self.image(index).write(|cell, value| cells[cell] = value);
        Grid::from_checked(cells)
    }

    /// Writes the packed grid of this index; the fast way for many.
    ///
    /// # Panics
    /// If `index` is not below the capacity.
    pub fn write_packed(&self, index: u64, out: &mut [u8; packed::BYTES]) {
        let mut cells = [0; 82];
        self.image(index).write(|cell, value| cells[cell] = value);
        for (byte, pair) in out.iter_mut().zip(cells.chunks_exact(2)) {
            *byte = pair[0] << 4 | pair[1];
        }
    }

    fn image(&self, index: u64) -> Image<'_> {
        assert!(
            index < self.capacity(),
            "grid {index} of {}",
            self.capacity()
        );
        let (renaming, geometry) = self.scramble.split(index);
        let source = if geometry % 2 == 0 {
            &self.base
        } else {
            &self.transposed
        };
        let rows = &LINE_ORDERS[(geometry / 2 % 1296) as usize];
        let columns = &LINE_ORDERS[(geometry / 2592) as usize];
        let names = match self.first_digit {
            None => names(renaming),
            Some(digit) => {
                // A renaming that keeps 9, and then two exchanges: what stands first is called 9,
                // and 9 the digit wanted.
                let mut names = names(renaming);
                let first = source[usize::from(rows[0])][usize::from(columns[0])];
                names.swap(usize::from(first), 9);
                for name in &mut names[1..] {
                    *name = if *name == 9 {
                        digit.value()
                    } else if *name == digit.value() {
                        9
                    } else {
                        *name
                    };
                }
                names
            }
        };
        Image {
            source,
            rows,
            columns,
            names,
        }
    }
}

/// One image of the base grid, not yet written down.
struct Image<'a> {
    source: &'a [[u8; 9]; 9],
    rows: &'a [u8; 9],
    columns: &'a [u8; 9],
    /// By a digit of the source, 1 to 9, the digit it becomes.
    names: [u8; 16],
}

impl Image<'_> {
    #[inline]
    fn write(&self, mut put: impl FnMut(usize, u8)) {
        for (to, &row) in self.rows.iter().enumerate() {
            let source = &self.source[usize::from(row % 9)];
            for (column, &from) in self.columns.iter().enumerate() {
                put(
                    9 * to + column,
                    self.names[usize::from(source[usize::from(from % 9)] & 15)],
                );
            }
        }
    }
}

/// The renaming of this number: a bijection from 0..9! to the orders of nine digits, by exchanges;
/// 0..8! keep 9 in place.
fn names(mut number: u32) -> [u8; 16] {
    let mut names = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 0, 0];
    for choices in 2..=9u32 {
        names.swap(choices as usize, (choices - number % choices) as usize);
        number /= choices;
    }
    names
}

/// The first grid without automorphisms among those of the seed; all but one in ten thousand have
/// none.
fn base(seed: u64) -> Grid {
    let mut solver = Solver::new();
    let mut attempt = 0;
    loop {
        let mut rng = Rng::keyed(seed, attempt);
        let grid = complete(&mut rng, &mut solver, Cancel::never()).expect("nobody cancels");
        if automorphisms(&grid) == 1 {
            return grid;
        }
        attempt += 1;
    }
}

/// A bijection between 0..left x right and pairs of a number below `left` and one below `right`.
///
/// A Feistel network whose halves are these two numbers, added to modulo their own bounds instead
/// of by exclusive or. So it fits the range exactly, and needs no second try as a network over
/// powers of two would.
#[derive(Clone, Debug)]
struct Scramble {
    left: u32,
    right: u32,
    keys: [u64; 6],
}

impl Scramble {
    fn new(seed: u64, left: u32, right: u32) -> Self {
        // Not the stream of any base grid's attempt.
        let mut rng = Rng::keyed(seed, u64::MAX);
        Self {
            left,
            right,
            keys: std::array::from_fn(|_| rng.next_u64()),
        }
    }

    fn size(&self) -> u64 {
        u64::from(self.left) * u64::from(self.right)
    }

    /// The pair of an index below the size.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "quotient and remainder of an index below left x right"
    )]
    fn split(&self, index: u64) -> (u32, u32) {
        let left_bound = u64::from(self.left);
        let (mut left, mut right) = ((index % left_bound) as u32, (index / left_bound) as u32);
        for keys in self.keys.chunks_exact(2) {
            left = add(left, mix(u64::from(right) ^ keys[0]), self.left);
            right = add(right, mix(u64::from(left) ^ keys[1]), self.right);
        }
        (left, right)
    }
}

/// `value` plus a number drawn from `random`, modulo `bound`.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the upper half of a product of 32 bits each; a sum below the bound"
)]
fn add(value: u32, random: u64, bound: u32) -> u32 {
    let step = ((random >> 32) * u64::from(bound)) >> 32;
    let sum = u64::from(value) + step;
    let bound = u64::from(bound);
    (if sum >= bound { sum - bound } else { sum }) as u32
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn digit(value: u8) -> Digit {
        Digit::new(value).expect("a digit")
    }

    #[test]
    fn the_scramble_is_a_bijection() {
        for (left, right) in [
            (1, 1),
            (1, 7),
            (9, 1),
            (2, 3),
            (24, 72),
            (120, 1000),
            (1000, 7),
        ] {
            for seed in 0..3 {
                let scramble = Scramble::new(seed, left, right);
                let pairs: HashSet<_> = (0..scramble.size())
                    .map(|index| scramble.split(index))
                    .collect();
                assert_eq!(pairs.len() as u64, scramble.size());
                assert!(pairs.iter().all(|&(l, r)| l < left && r < right));
            }
        }
    }

    #[test]
    fn the_renamings_are_all_orders_and_the_first_ones_keep_nine() {
        let orders: HashSet<_> = (0..362_880).map(names).collect();
        assert_eq!(orders.len(), 362_880);
        assert!((0..40_320).all(|number| names(number)[9] == 9));
        assert!((40_320..362_880).all(|number| names(number)[9] != 9));
    }

    #[test]
    fn no_geometry_repeats() {
        // Up to renaming, the images of one base grid under every geometry: named so that the first
        // row reads 1 to 9. Every 16th geometry, told apart by their second and fourth rows.
        let distinct = Distinct::new(3, None);
        let mut seen = HashSet::new();
        for geometry in (0..GEOMETRIES).step_by(16) {
            let source = if geometry % 32 == 0 {
                &distinct.base
            } else {
                &distinct.transposed
            };
            let rows = &LINE_ORDERS[(geometry / 2 % 1296) as usize];
            let columns = &LINE_ORDERS[(geometry / 2592) as usize];
            let mut image = [0; 81];
            let mut names = [0; 16];
            for (name, &column) in (1..).zip(columns) {
                names[usize::from(source[usize::from(rows[0])][usize::from(column)])] = name;
            }
            Image {
                source,
                rows,
                columns,
                names,
            }
            .write(|cell, value| image[cell] = value);
            assert!(
                seen.insert((image[9..18].to_vec(), image[27..36].to_vec())),
                "geometry {geometry}"
            );
        }
    }

    #[test]
    fn grids_are_valid_and_both_forms_agree() {
        for distinct in [Distinct::new(11, None), Distinct::new(11, Some(digit(4)))] {
            for index in (0..1_000).chain(distinct.capacity() - 1_000..distinct.capacity()) {
                let grid = distinct.grid(index);
                assert_eq!(Grid::from_cells(*grid.cells()), Ok(grid));
                let mut packed = [0; packed::BYTES];
                distinct.write_packed(index, &mut packed);
                assert_eq!(packed, grid.to_packed());
            }
        }
    }

    #[test]
    fn two_hundred_thousand_in_a_row_are_distinct() {
        for first_digit in [None, Some(digit(1)), Some(digit(9))] {
            let distinct = Distinct::new(5, first_digit);
            let mut seen = HashSet::new();
            for index in 0..200_000 {
                let mut packed = [0; packed::BYTES];
                distinct.write_packed(index, &mut packed);
                assert!(seen.insert(packed), "index {index}");
                assert!(first_digit.is_none_or(|digit| packed[0] >> 4 == digit.value()));
            }
        }
    }

    #[test]
    fn the_capacity_is_the_size_of_the_orbit() {
        assert_eq!(Distinct::new(0, None).capacity(), 1_218_998_108_160);
        assert_eq!(Distinct::new(0, Some(digit(7))).capacity(), 135_444_234_240);
    }

    #[test]
    #[should_panic(expected = "grid 1218998108160 of 1218998108160")]
    fn there_is_no_grid_at_the_capacity() {
        let distinct = Distinct::new(0, None);
        let _ = distinct.grid(distinct.capacity());
    }

    #[test]
    fn neighbours_look_unlike() {
        let distinct = Distinct::new(8, None);
        let agreement = |a: u64, b: u64| {
            let (a, b) = (distinct.grid(a), distinct.grid(b));
            a.cells()
                .iter()
                .zip(b.cells())
                .filter(|(a, b)| a == b)
                .count()
        };
        for step in [1, 2, 362_880, 3_359_232] {
            let agreeing: usize = (0..5_000).map(|index| agreement(index, index + step)).sum();
            // A ninth of 405,000 cells is 45,000, and ten standard deviations of unrelated grids
            // are about 2,000.
            assert!(
                (43_000..47_000).contains(&agreeing),
                "step {step}: {agreeing}"
            );
        }
    }

    #[test]
    fn every_digit_stands_everywhere_equally_often() {
        let distinct = Distinct::new(21, None);
        let mut counts = [[0u32; 10]; 81];
        for index in 0..9_000 {
            for (count, &value) in counts.iter_mut().zip(distinct.grid(index).cells()) {
                count[usize::from(value)] += 1;
            }
        }
        // Binomial with mean 1,000 and deviation 30.
        assert!(
            counts
                .iter()
                .flat_map(|count| &count[1..])
                .all(|count| (820..1_180).contains(count))
        );
    }

    #[test]
    fn seeds_differ_and_repeat() {
        assert_eq!(
            Distinct::new(1, None).grid(77),
            Distinct::new(1, None).grid(77)
        );
        let first: HashSet<_> = (0..50)
            .map(|seed| Distinct::new(seed, None).grid(0))
            .collect();
        assert_eq!(first.len(), 50);
    }

    #[test]
    fn a_seed_and_an_index_stand_for_one_grid_for_ever() {
        // If this fails, what clients were promised to be the same is not: raise
        // `GENERATOR_VERSION`.
        let distinct = Distinct::new(1, None);
        let grids = [0, 1, 1_218_998_108_159].map(|index| distinct.grid(index).to_line());
        let expected = [
            "843269157651437829927815463796548312418923675235176948362791584184352796579684231",
            "715869234263415789984732651342156978859273416671984325437591862596328147128647593",
            "125764389936812754847935126271483695658279431493156872764598213389621547512347968",
        ];
        assert_eq!(grids, expected);
    }
}
