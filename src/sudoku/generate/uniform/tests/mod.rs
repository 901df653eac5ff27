mod plain;

use std::collections::HashMap;

use super::band::{Bands, Shape};
use super::partition::{MOVES, Partition, Partitions};
use super::*;
use crate::sudoku::generate::chi_square::chi_square;
use crate::sudoku::symmetry::ORDERS;
use plain::Plain;

fn digit(value: u8) -> Digit {
    Digit::new(value).expect("a digit")
}

/// A line of `bands416.tsv`: the bands that are one but for renaming and the orders of their rows,
/// boxes and columns.
struct Class {
    band: [[u8; 9]; 3],
    /// Of the 2,612,736 bands with the first box fixed.
    size: u32,
    /// How many grids begin with each.
    completions: u64,
}

impl Class {
    /// How many grids with the first box fixed begin with one of its bands.
    #[expect(clippy::cast_precision_loss, reason = "below 2^53")]
    fn grids(&self) -> f64 {
        (u64::from(self.size) * self.completions) as f64
    }
}

fn classes() -> Vec<Class> {
    let text = include_str!("../../../../../tests/data/bands416.tsv");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let class = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let digits = fields[1].as_bytes();
        Class {
            band: std::array::from_fn(|row| {
                std::array::from_fn(|column| digits[9 * row + column] - b'0')
            }),
            size: fields[2].parse().unwrap(),
            completions: fields[4].parse().unwrap(),
        }
    };
    lines.map(class).collect()
}

/// The minicolumns of the second and third box of a band, with its first box named 1 to 9 and
/// both boxes and minicolumns in ascending order: 36,288 forms.
type Form = [[[u8; 3]; 3]; 2];

/// The form of a band with its lines in these orders.
fn form(band: &[[u8; 9]; 3], rows: [u8; 3], boxes: [usize; 3], columns: [u8; 3]) -> Form {
    let mut names = [0; 10];
    let mut next = 1;
    for row in rows {
        for column in columns {
            let value = band[usize::from(row)][3 * boxes[0] + usize::from(column)];
            names[usize::from(value)] = next;
            next += 1;
        }
    }
    let mut form = [boxes[1], boxes[2]].map(|at| {
        let mut minicolumns = [0, 1, 2].map(|column| {
            rows.map(|row| names[usize::from(band[usize::from(row)][3 * at + column])])
        });
        minicolumns.sort_unstable();
        minicolumns
    });
    form.sort_unstable();
    form
}

const ASIS: [u8; 3] = [0, 1, 2];

fn class_of_each_form(classes: &[Class]) -> HashMap<Form, usize> {
    let mut forms = HashMap::new();
    for (number, class) in classes.iter().enumerate() {
        for boxes in [[0, 1, 2], [1, 0, 2], [2, 0, 1]] {
            for rows in ORDERS {
                for columns in ORDERS {
                    forms.insert(form(&class.band, rows, boxes, columns), number);
                }
            }
        }
    }
    assert_eq!(forms.len(), 36_288);
    forms
}

/// The three bands, and the three stacks on their sides.
fn chutes(grid: &Grid) -> [[[u8; 9]; 3]; 6] {
    let cell = |row: usize, column: usize| grid.cells()[9 * row + column];
    std::array::from_fn(|chute| {
        std::array::from_fn(|line| {
            std::array::from_fn(|at| {
                if chute < 3 {
                    cell(3 * chute + line, at)
                } else {
                    cell(at, 3 * (chute - 3) + line)
                }
            })
        })
    })
}

/// How many standard deviations chi-square is above its mean. Cells that expect fewer than 5 are
/// taken together.
fn excess(observed: &[u32], expected: &[f64]) -> f64 {
    let (mut cells, mut small) = (Vec::new(), (0.0, 0.0));
    for (&observed, &expected) in observed.iter().zip(expected) {
        if expected < 5.0 {
            small.0 += f64::from(observed);
            small.1 += expected;
        } else {
            cells.push((f64::from(observed), expected));
        }
    }
    if small.1 > 0.0 {
        cells.push(small);
    }
    let freedom = f64::from(u32::try_from(cells.len() - 1).unwrap());
    (chi_square(cells) - freedom) / (2.0 * freedom).sqrt()
}

/// The partition whose sets are these columns of the digits.
fn partition_of(partitions: &Partitions, columns: [u8; 9]) -> Partition {
    let mut members = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    members.sort_by_key(|&digit| columns[usize::from(digit)]);
    partitions.image(0, &members)
}

/// The partitions of the boxes of a band.
fn triple(partitions: &Partitions, band: &[[u8; 9]; 3]) -> [Partition; 3] {
    [0, 3, 6].map(|at| {
        let mut columns = [0; 9];
        for row in band {
            for (&digit, column) in row[at..at + 3].iter().zip(0..) {
                columns[usize::from(digit) - 1] = column;
            }
        }
        partition_of(partitions, columns)
    })
}

fn shape_of<'a>(partitions: &Partitions, bands: &'a Bands, triple: [Partition; 3]) -> &'a Shape {
    let renamed = partitions.renamed(triple[0]);
    let [_, second, third] = triple.map(|partition| renamed[usize::from(partition)]);
    bands.shape(bands.place(second, third).shape)
}

#[test]
fn the_kinds_have_the_sizes_and_completions_of_the_416_classes() {
    let partitions = Partitions::new();
    let bands = Bands::new(&partitions);
    let mut sizes = vec![0; bands.kinds().len()];
    let mut completions = vec![0; sizes.len()];
    for (kind, completions) in bands.kinds().iter().zip(&mut completions) {
        let shape = bands.shape(kind.shape);
        let [first, second, third] = [0, shape.second, shape.third].map(|of| partitions.moves(of));
        let ways = |a: usize, b: usize, c: usize| {
            let renamed = partitions.renamed(first[a].partition);
            let [b, c] = [second[b], third[c]].map(|moved| renamed[usize::from(moved.partition)]);
            6 * bands.shape(bands.place(b, c).shape).fillings.len() as u64
        };
        for a in 0..MOVES {
            for b in 0..MOVES {
                for c in 0..MOVES {
                    *completions += ways(a, b, c) * ways(a ^ 1, b ^ 1, c ^ 1);
                }
            }
        }
    }
    for class in classes() {
        let kind = shape_of(&partitions, &bands, triple(&partitions, &class.band)).kind;
        assert_eq!(completions[kind], class.completions);
        sizes[kind] += class.size;
    }
    for (kind, size) in bands.kinds().iter().zip(sizes) {
        let ways = bands.shape(kind.shape).fillings.len();
        assert_eq!(kind.triples * u32::try_from(ways).unwrap(), size);
    }
}

#[test]
fn every_band_and_stack_is_of_each_class_as_often_as_it_should() {
    const GRIDS: u32 = 150_000;
    let classes = classes();
    let forms = class_of_each_form(&classes);
    let all = 18_383_222_420_692_992.0;
    let expected: Vec<f64> = classes
        .iter()
        .map(|class| class.grids() / all * f64::from(GRIDS))
        .collect();
    assert!((expected.iter().sum::<f64>() - f64::from(GRIDS)).abs() < 1e-6);
    for uniform in [Uniform::new(1, None), Uniform::new(2, Some(digit(7)))] {
        let mut observed = vec![[0; 416]; 6];
        for index in 0..GRIDS {
            for (chute, observed) in chutes(&uniform.grid(index.into()))
                .iter()
                .zip(&mut observed)
            {
                observed[forms[&form(chute, ASIS, [0, 1, 2], ASIS)]] += 1;
            }
        }
        for observed in observed {
            let excess = excess(&observed, &expected);
            assert!(excess.abs() < 4.0, "{excess}");
        }
    }
}

#[test]
fn every_digit_stands_everywhere_equally_often() {
    const GRIDS: u32 = 90_000;
    for first_digit in [None, Some(digit(4))] {
        let uniform = Uniform::new(3, first_digit);
        let mut observed = [[0; 9]; 81];
        for index in 0..GRIDS {
            for (observed, &value) in observed.iter_mut().zip(uniform.grid(index.into()).cells()) {
                observed[usize::from(value) - 1] += 1;
            }
        }
        for (cell, observed) in observed.iter().enumerate() {
            let seen = cell < 9 || cell % 9 == 0 || cell < 27 && cell % 9 < 3;
            let near = cell < 27 || cell % 9 < 3;
            let expected = match first_digit {
                // Each of the four boxes beside the first has it in one of 6 cells that the first
                // cell does not see; the 36 cells beyond have it 4 times.
                Some(first) => Digit::ALL.map(|digit| match (digit == first, seen, near) {
                    (of_first, ..) if cell == 0 => f64::from(u8::from(of_first)),
                    (true, true, _) => 0.0,
                    (false, true, _) => 1.0 / 8.0,
                    (true, false, true) => 1.0 / 6.0,
                    (false, false, true) => 5.0 / 48.0,
                    (_, false, false) => 1.0 / 9.0,
                }),
                None => [1.0 / 9.0; 9],
            };
            for (&observed, expected) in observed.iter().zip(expected) {
                let mean = expected * f64::from(GRIDS);
                let deviation = (mean * (1.0 - expected)).sqrt();
                assert!(
                    (f64::from(observed) - mean).abs() <= 5.0 * deviation,
                    "cell {cell}: {observed} for {mean}"
                );
            }
        }
    }
}

#[test]
fn all_ways_to_ask_agree() {
    for uniform in [Uniform::new(5, None), Uniform::new(5, Some(digit(9)))] {
        let first = u64::MAX - 49;
        let mut filled = [[0; packed::BYTES]; 100];
        uniform.fill_packed(first, &mut filled);
        for (step, filled) in (0..).zip(&filled) {
            let index = first.wrapping_add(step);
            let grid = uniform.grid(index);
            assert_eq!(Grid::from_cells(*grid.cells()), Ok(grid));
            assert_eq!(&grid.to_packed(), filled);
            assert!(
                uniform
                    .first_digit
                    .is_none_or(|digit| filled[0] >> 4 == digit.value())
            );
        }
    }
}

#[test]
fn the_first_digit_is_only_exchanged() {
    let (free, fixed) = (Uniform::new(6, None), Uniform::new(6, Some(digit(2))));
    for index in 0..1_000 {
        let (free, fixed) = (free.grid(index), fixed.grid(index));
        let first = free.cells()[0];
        let exchanged = free.cells().map(|value| match value {
            2 => first,
            value if value == first => 2,
            value => value,
        });
        assert_eq!(fixed.cells(), &exchanged);
    }
}

#[test]
fn a_seed_and_an_index_stand_for_one_grid_for_ever() {
    // If this fails, what clients were promised to be the same is not: raise `GENERATOR_VERSION`.
    let uniform = Uniform::new(1, None);
    let grids = [0, 1, u64::MAX].map(|index| uniform.grid(index).to_line());
    let expected = [
        "348152796719486523256397481463719258587263914921548367672931845894675132135824679",
        "912684735354971268876235149749823651231569874568417923693748512425196387187352496",
        "791358246483726951652419387368574129129863475547192863235947618974681532816235794",
    ];
    assert_eq!(grids, expected);
}

#[test]
fn a_plain_sampler_makes_grids_of_the_same_sort() {
    const PLAIN: u32 = 3_000;
    const TIMES: u32 = 30;
    let partitions = Partitions::new();
    let bands = Bands::new(&partitions);
    // How often two lines of a band, or of a stack, have two digits exchanged; and in how many ways
    // the bands can be filled, roughly.
    let look = |grid: &Grid| -> [usize; 3] {
        let chutes = chutes(grid);
        let ways = chutes[..3].iter().map(|band| {
            let triple = triple(&partitions, band);
            shape_of(&partitions, &bands, triple).fillings.len()
        });
        [
            chutes[..3].iter().map(exchanges).sum(),
            chutes[3..].iter().map(exchanges).sum(),
            ways.sum::<usize>() / 4,
        ]
    };
    let mut counts = [[[0u32; 216]; 2]; 3];
    let mut count = |grid: &Grid, sampler: usize| {
        for (counts, seen) in counts.iter_mut().zip(look(grid)) {
            counts[sampler][seen] += 1;
        }
    };
    let mut plain = Plain::new(9);
    (0..PLAIN).for_each(|_| count(&plain.grid(), 0));
    let uniform = Uniform::new(9, None);
    (0..PLAIN * TIMES).for_each(|index| count(&uniform.grid(index.into()), 1));
    for [plain, uniform] in counts {
        let expected = uniform.map(|count| f64::from(count) / f64::from(TIMES));
        let excess = excess(&plain, &expected);
        assert!(excess.abs() < 4.0, "{excess}");
    }
}

/// How many pairs of digits stand in two lines in the same two places, exchanged.
fn exchanges(chute: &[[u8; 9]; 3]) -> usize {
    let mut found = 0;
    for (a, b) in [(0, 1), (0, 2), (1, 2)].map(|(a, b)| (chute[a], chute[b])) {
        for i in 0..9 {
            found += (i + 1..9).filter(|&j| a[i] == b[j] && a[j] == b[i]).count();
        }
    }
    found
}
