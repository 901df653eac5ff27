//! How a band can be filled once each digit knows its column.
//!
//! The boxes of a band have three partitions, and these alone say in how many ways its rows can be
//! filled: 96 to 1,728, the same under renaming and in every order of the boxes.
//!
//! A *shape* is the triples of partitions that are one another's images under renaming; there are
//! 131. Renaming makes the first partition 0, and 1,296 renamings keep it so: a triple is looked up
//! by the other two, and only each shape's fillings are stored.
//!
//! A *kind* is the shapes that are one but for the order of the boxes. There are 44, those that
//! Felgenhauer and Jarvis count grids by.

use std::cmp::Reverse;

use super::partition::{PARTITIONS, Partition, Partitions};
use crate::sudoku::symmetry::{LINE_ORDERS, ORDERS};

/// The row of each digit in each box of a band.
///
/// ```text
/// bits 53 52 51 50 49 48  ...  5 4   3 2   1 0
///          digit 8           box 2 box 1 box 0
///                                 digit 0
/// ```
#[derive(Clone, Copy, Debug)]
pub(super) struct Filling(pub(super) u64);

/// The triples that are images of partition 0, `second` and `third`.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) second: Partition,
    pub(super) third: Partition,
    /// How many of its triples begin with partition 0.
    pub(super) triples: u32,
    /// The number of its kind.
    pub(super) kind: usize,
    /// The fillings of the triple above: of each six that are one but for the order of the rows,
    /// that whose first minicolumn ascends.
    pub(super) fillings: Vec<Filling>,
}

/// The shapes that are one but for the order of the boxes.
#[derive(Debug)]
pub(super) struct Kind {
    /// One of them.
    pub(super) shape: u8,
    /// How many of their triples begin with partition 0.
    pub(super) triples: u32,
}

/// Which image of which shape a triple is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) shape: u8,
    /// The renaming from the shape's triple to this one, by its number in [`LINE_ORDERS`]: what
    /// keeps rows in their bands keeps digits in the sets of partition 0.
    pub(super) names: u16,
}

/// The tables of all bands, about 360 kB.
#[derive(Debug)]
pub(super) struct Bands {
    /// By the second and third partition of a triple that begins with 0.
    places: Vec<Place>,
    shapes: Vec<Shape>,
    /// Those of most triples first.
    kinds: Vec<Kind>,
}

impl Bands {
    pub(super) fn new(partitions: &Partitions) -> Self {
        let (places, mut shapes) = classify(partitions);
        let kinds = merge(partitions, &places, &mut shapes);
        Self {
            places,
            shapes,
            kinds,
        }
    }

    /// The place of the triple 0, `second`, `third`.
    pub(super) fn place(&self, second: Partition, third: Partition) -> Place {
        self.places[pair(second, third)]
    }

    pub(super) fn shape(&self, number: u8) -> &Shape {
        &self.shapes[usize::from(number)]
    }

    pub(super) fn kinds(&self) -> &[Kind] {
        &self.kinds
    }
}

fn pair(second: Partition, third: Partition) -> usize {
    usize::from(PARTITIONS) * usize::from(second) + usize::from(third)
}

/// The shapes, in the order of their first triples, and the places of all triples.
fn classify(partitions: &Partitions) -> (Vec<Place>, Vec<Shape>) {
    let images: Vec<Vec<Partition>> = LINE_ORDERS
        .iter()
        .map(|names| {
            let image = |partition| partitions.image(partition, names);
            (0..PARTITIONS).map(image).collect()
        })
        .collect();
    let mut places = vec![None; pair(PARTITIONS, 0)];
    let mut shapes = Vec::new();
    for second in 0..PARTITIONS {
        for third in 0..PARTITIONS {
            if places[pair(second, third)].is_some() {
                continue;
            }
            let shape = u8::try_from(shapes.len()).expect("there are 131");
            let mut triples = 0;
            for (names, image) in (0..).zip(&images) {
                let image = pair(image[usize::from(second)], image[usize::from(third)]);
                if places[image].is_none() {
                    places[image] = Some(Place { shape, names });
                    triples += 1;
                }
            }
            shapes.push(Shape {
                second,
                third,
                triples,
                kind: 0,
                fillings: fillings(
                    [0, second, third].map(|partition| partitions.members(partition)),
                ),
            });
        }
    }
    (places.into_iter().flatten().collect(), shapes)
}

/// The kinds; the shapes are told theirs.
fn merge(partitions: &Partitions, places: &[Place], shapes: &mut [Shape]) -> Vec<Kind> {
    // A kind goes by the least of its shapes.
    let least: Vec<u8> = shapes
        .iter()
        .map(|shape| {
            let triple = [0, shape.second, shape.third];
            let orders = ORDERS.map(|order| {
                let [first, second, third] = order.map(|at| triple[usize::from(at)]);
                let renamed = partitions.renamed(first);
                places[pair(renamed[usize::from(second)], renamed[usize::from(third)])].shape
            });
            orders.into_iter().fold(u8::MAX, u8::min)
        })
        .collect();
    let mut kinds: Vec<Kind> = Vec::new();
    for (&least, shape) in least.iter().zip(shapes.iter()) {
        let triples = shape.triples;
        match kinds.iter_mut().find(|kind| kind.shape == least) {
            Some(kind) => kind.triples += triples,
            None => kinds.push(Kind {
                shape: least,
                triples,
            }),
        }
    }
    kinds.sort_by_key(|kind| Reverse(kind.triples));
    for (shape, least) in shapes.iter_mut().zip(least) {
        let kind = kinds.iter().position(|kind| kind.shape == least);
        shape.kind = kind.expect("each shape was counted to a kind");
    }
    kinds
}

/// The fillings of a band whose boxes have these digits in their minicolumns, as [`Shape`] wants
/// them.
fn fillings(members: [&[u8; 9]; 3]) -> Vec<Filling> {
    let mut columns = [[0; 3]; 9];
    for (members, columns) in members.iter().zip(columns.chunks_exact_mut(3)) {
        columns.as_flattened_mut().copy_from_slice(*members);
    }
    let mut found = Vec::new();
    extend(&columns, 0, [0; 3], 0, &mut found);
    found
}

/// Puts the digits of the minicolumns from `next` on into rows that do not have them.
fn extend(
    columns: &[[u8; 3]; 9],
    next: usize,
    rows: [u16; 3],
    filling: u64,
    found: &mut Vec<Filling>,
) {
    let Some(column) = columns.get(next) else {
        found.push(Filling(filling));
        return;
    };
    let orders = if next == 0 { 1 } else { 6 };
    for order in &ORDERS[..orders] {
        let placed = column.iter().zip(order);
        if placed
            .clone()
            .any(|(digit, &row)| rows[usize::from(row)] >> digit & 1 == 1)
        {
            continue;
        }
        let mut rows = rows;
        let mut filling = filling;
        for (&digit, &row) in placed {
            rows[usize::from(row)] |= 1 << digit;
            filling |= u64::from(row) << (6 * usize::from(digit) + next / 3 * 2);
        }
        extend(columns, next + 1, rows, filling, found);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_shapes_and_kinds_are_all_bands() {
        let bands = Bands::new(&Partitions::new());
        assert_eq!((bands.shapes.len(), bands.kinds.len()), (131, 44));
        let all = bands.shapes.iter().map(|shape| shape.triples).sum::<u32>();
        assert_eq!(all, 280 * 280);
        assert_eq!(
            bands.kinds.iter().map(|kind| kind.triples).sum::<u32>(),
            all
        );
        // Six times Felgenhauer and Jarvis's 56 x 6^6 bands with the first box fixed.
        let ways = |shape: &Shape| 6 * shape.fillings.len() * shape.triples as usize;
        assert_eq!(bands.shapes.iter().map(ways).sum::<usize>(), 15_676_416);
    }

    #[test]
    fn each_triple_is_the_image_of_its_shape() {
        let partitions = Partitions::new();
        let bands = Bands::new(&partitions);
        for second in 0..PARTITIONS {
            for third in 0..PARTITIONS {
                let place = bands.place(second, third);
                let shape = bands.shape(place.shape);
                let names = &LINE_ORDERS[usize::from(place.names)];
                let image = [0, shape.second, shape.third]
                    .map(|partition| partitions.image(partition, names));
                assert_eq!(image, [0, second, third]);
            }
        }
    }

    #[test]
    fn the_order_of_the_boxes_changes_nothing_that_a_kind_promises() {
        let bands = Bands::new(&Partitions::new());
        for shape in &bands.shapes {
            let kind = bands.shape(bands.kinds[shape.kind].shape);
            assert_eq!(shape.fillings.len(), kind.fillings.len());
            let exchanged = bands.place(shape.third, shape.second);
            assert_eq!(bands.shape(exchanged.shape).kind, shape.kind);
        }
    }

    #[test]
    fn the_fillings_are_as_many_as_are_found_row_by_row() {
        let partitions = Partitions::new();
        for shape in &Bands::new(&partitions).shapes {
            let sets = [0, shape.second, shape.third].map(|of| *partitions.sets(of));
            let minicolumns: Vec<u16> = sets
                .iter()
                .flat_map(|sets| [0, 1, 2].map(|set| (0..9).filter(move |&d| sets[d] == set)))
                .map(|digits| digits.fold(0, |mask, digit| mask | 1 << digit))
                .collect();
            assert_eq!(row_by_row(&minicolumns, 0), 6 * shape.fillings.len());

            let mut boards = BTreeSet::new();
            for &Filling(filling) in &shape.fillings {
                let mut rows = [[0u16; 3]; 3];
                for (place, row) in
                    (0..27).map(|place| (place, (filling >> (2 * place) & 3) as usize))
                {
                    rows[row][place % 3] |= 1 << (place / 3);
                }
                for row in rows {
                    assert!(row.iter().all(|minirow| minirow.count_ones() == 3));
                    assert_eq!(row[0] | row[1] | row[2], 0x1ff);
                }
                boards.insert(rows);
            }
            assert_eq!(boards.len(), shape.fillings.len());
        }
    }

    /// In how many ways rows can be taken out of these minicolumns; `taken` is what the first row
    /// has got from those before the first full one.
    fn row_by_row(minicolumns: &[u16], taken: u16) -> usize {
        let longest = minicolumns.iter().map(|column| column.count_ones()).max();
        let Some(longest @ 1..) = longest else {
            return 1;
        };
        let full = |column: &u16| column.count_ones() == longest;
        let Some(next) = minicolumns.iter().position(full).filter(|_| taken != 0x1ff) else {
            return row_by_row(minicolumns, 0);
        };
        (0..9)
            .map(|digit| 1 << digit)
            .filter(|digit| minicolumns[next] & !taken & digit != 0)
            .map(|digit| {
                let mut rest = minicolumns.to_vec();
                rest[next] &= !digit;
                row_by_row(&rest, taken | digit)
            })
            .sum()
    }
}
