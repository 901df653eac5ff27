//! The plainest sampler there is: columns are drawn at random and kept with the chance that the
//! fillings of the bands give them; one of the fillings is picked from a list of all.

use super::{partition_of, shape_of};
use crate::sudoku::generate::uniform::band::Bands;
use crate::sudoku::generate::uniform::partition::{PARTITIONS, Partitions};
use crate::sudoku::grid::Grid;
use crate::sudoku::rng::Rng;
use crate::sudoku::symmetry::ORDERS;

/// The column of each digit in a box.
type Columns = [u8; 9];

pub(super) struct Plain {
    rng: Rng,
    all: Vec<Columns>,
    partitions: Partitions,
    bands: Bands,
}

impl Plain {
    pub(super) fn new(seed: u64) -> Self {
        let partitions = Partitions::new();
        let all = (0..PARTITIONS).flat_map(|partition| {
            let sets = *partitions.sets(partition);
            ORDERS.map(|order| sets.map(|set| order[usize::from(set)]))
        });
        Self {
            rng: Rng::keyed(seed, 0),
            all: all.collect(),
            bands: Bands::new(&partitions),
            partitions,
        }
    }

    pub(super) fn grid(&mut self) -> Grid {
        loop {
            let upper = [(); 3].map(|()| self.any());
            if !self.keeps(&upper) {
                continue;
            }
            let middle = upper.map(|upper| {
                loop {
                    let middle = self.any();
                    if upper.iter().zip(middle).all(|(&a, b)| a != b) {
                        return middle;
                    }
                }
            });
            let lower: [Columns; 3] = std::array::from_fn(|stack| {
                std::array::from_fn(|digit| 3 - upper[stack][digit] - middle[stack][digit])
            });
            if self.keeps(&middle) && self.keeps(&lower) {
                let bands = [upper, middle, lower].map(|band| self.fill(&band));
                let cells = bands.as_flattened().as_flattened();
                return Grid::from_cells(cells.try_into().unwrap()).expect("a valid grid");
            }
        }
    }

    fn any(&mut self) -> Columns {
        self.all[self.rng.below(1680) as usize]
    }

    /// Whether a band is kept. None has more than 288 fillings, but for the order of the rows.
    fn keeps(&mut self, band: &[Columns; 3]) -> bool {
        let triple = band.map(|columns| partition_of(&self.partitions, columns));
        let shape = shape_of(&self.partitions, &self.bands, triple);
        (self.rng.below(288) as usize) < shape.fillings.len()
    }

    fn fill(&mut self, band: &[Columns; 3]) -> [[u8; 9]; 3] {
        let fillings = fillings(band);
        let ways = u32::try_from(fillings.len()).unwrap();
        let mut rows = fillings[self.rng.below(ways) as usize];
        self.rng.shuffle(&mut rows);
        rows
    }
}

/// The fillings of a band, with its first minicolumn in ascending order.
fn fillings(band: &[Columns; 3]) -> Vec<[[u8; 9]; 3]> {
    let mut boards = vec![[[0; 9]; 3]];
    for column in 0..9 {
        let digits: Vec<u8> = (1..)
            .zip(band[column / 3])
            .filter(|&(_, of)| usize::from(of) == column % 3)
            .map(|(digit, _)| digit)
            .collect();
        let orders = if column == 0 { 1 } else { 6 };
        let extended = boards.iter().flat_map(|board| {
            let with = |order: &[u8; 3]| {
                let mut board = *board;
                for (row, &at) in board.iter_mut().zip(order) {
                    let digit = digits[usize::from(at)];
                    if row[..column].contains(&digit) {
                        return None;
                    }
                    row[column] = digit;
                }
                Some(board)
            };
            ORDERS[..orders].iter().filter_map(with)
        });
        boards = extended.collect();
    }
    boards
}
