//! Base grids in a row, each orbit of grids in proportion to its size. See [`Uniform`].
//!
//! [`Uniform`]: super::Uniform

use super::band::{Bands, Filling, Shape};
use super::partition::{MOVES, Moved, Partition, Partitions};
use crate::sudoku::rng::Rng;
use crate::sudoku::symmetry::LINE_ORDERS;

/// The row of base grids: 3 MB.
///
/// A *descent* is the three moves that the stacks make below the top band. Those from one kind of
/// band that have equally many ranks stand together in a *run*, so a rank says by a division where
/// it is.
#[derive(Debug)]
pub(super) struct Ranks {
    partitions: Partitions,
    bands: Bands,
    /// The first rank of each run.
    starts: Vec<u64>,
    runs: Vec<Run>,
    descents: Vec<Descent>,
    count: u64,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    /// How many ranks each descent has.
    weight: u64,
    /// Where the descents begin.
    first: u32,
    /// The shape of the top band.
    shape: u8,
}

/// The moves of the three stacks.
///
/// ```text
/// bits 17 ... 12   11 ... 6   5 ... 0
///       stack 2    stack 1    stack 0
/// ```
#[derive(Clone, Copy, Debug)]
struct Descent(u32);

impl Descent {
    fn new(moves: [usize; 3]) -> Self {
        let pack = |bits, &step: &usize| bits << 6 | u32::try_from(step).expect("below 56");
        Self(moves.iter().rev().fold(0, pack))
    }

    fn moves(self) -> [usize; 3] {
        [0, 6, 12].map(|shift| (self.0 >> shift & 63) as usize)
    }
}

/// Where the base grid of a rank is to be found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rank {
    shape: u8,
    /// Of all descents.
    descent: usize,
    /// A number below the weight, that chooses the fillings.
    choice: u64,
}

/// A base grid, found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Base {
    shape: u8,
    descent: Descent,
    choice: u64,
}

/// A band of a base grid: where each digit stands in each box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Band<'a> {
    /// By box and digit.
    pub(super) columns: [&'a [u8; 9]; 3],
    /// The digits in the order in which the filling has their rows.
    pub(super) digits: [u8; 9],
    pub(super) filling: Filling,
}

impl Ranks {
    pub(super) fn new() -> Self {
        let partitions = Partitions::new();
        let bands = Bands::new(&partitions);
        let mut ranks = Self {
            starts: Vec::new(),
            runs: Vec::new(),
            descents: Vec::new(),
            count: 0,
            partitions,
            bands,
        };
        for kind in 0..ranks.bands.kinds().len() {
            ranks.append(kind);
        }
        ranks.descents.shrink_to_fit();
        ranks
    }

    /// Appends the runs of a kind.
    fn append(&mut self, kind: usize) {
        let shape = self.bands.kinds()[kind].shape;
        let mut descents = self.weigh(kind);
        descents.sort_by_key(|&(weight, _)| weight);
        for run in descents.chunk_by(|(a, _), (b, _)| a == b) {
            let weight = run[0].0;
            let first = u32::try_from(self.descents.len()).expect("565,853 in the end");
            self.starts.push(self.count);
            self.runs.push(Run {
                weight,
                first,
                shape,
            });
            self.count += weight * run.len() as u64;
            self.descents
                .extend(run.iter().map(|&(_, descent)| descent));
        }
    }

    /// The descents from a kind of band, and how many ranks each has.
    fn weigh(&self, kind: usize) -> Vec<(u64, Descent)> {
        let triples = self.bands.kinds()[kind].triples;
        let top = self.bands.shape(self.bands.kinds()[kind].shape);
        let [first, second, third] =
            [0, top.second, top.third].map(|partition| self.partitions.moves(partition));
        let mut weighed = Vec::new();
        // Odd first moves are opposite to these: they exchange the middle band and the lower.
        for a in (0..MOVES).step_by(2) {
            let below = [a, a ^ 1].map(|a| {
                let renamed = self.partitions.renamed(first[a].partition);
                [second, third].map(|moves| -> [Partition; MOVES] {
                    std::array::from_fn(|step| renamed[usize::from(moves[step].partition)])
                })
            });
            let shape = |band: usize, b: usize, c: usize| {
                let [second, third] = &below[band];
                self.bands
                    .shape(self.bands.place(second[b], third[c]).shape)
            };
            for b in 0..MOVES {
                for c in 0..MOVES {
                    let middle = shape(0, b, c);
                    let lower = shape(1, b ^ 1, c ^ 1);
                    // Rotated, so that the least kind comes to the top, these are counted there.
                    if middle.kind < kind || lower.kind < kind {
                        continue;
                    }
                    let least = 1 + [middle, lower]
                        .iter()
                        .filter(|band| band.kind == kind)
                        .count();
                    let ways = [top, middle, lower].map(|band| band.fillings.len() as u64);
                    let weight =
                        u64::from(triples) * ways.iter().product::<u64>() * (6 / least as u64);
                    weighed.push((weight, Descent::new([a, b, c])));
                }
            }
        }
        weighed
    }

    /// How many ranks there are: 510,645,067,241,472.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// One of the ranks, each equally likely.
    pub(super) fn draw(&self, rng: &mut Rng) -> Rank {
        self.find(rng.below_u64(self.count()))
    }

    /// Looks up a rank below the count.
    pub(super) fn find(&self, rank: u64) -> Rank {
        let run = self.starts.partition_point(|&start| start <= rank) - 1;
        let rest = rank - self.starts[run];
        let run = self.runs[run];
        Rank {
            shape: run.shape,
            descent: run.first as usize + index(rest / run.weight),
            choice: rest % run.weight,
        }
    }

    /// The base grid of a rank. Its own step, since it waits for memory.
    pub(super) fn base(&self, rank: Rank) -> Base {
        Base {
            shape: rank.shape,
            descent: self.descents[rank.descent],
            choice: rank.choice,
        }
    }

    /// The bands of a base grid from the top.
    pub(super) fn bands(&self, base: Base) -> [Band<'_>; 3] {
        let top = self.bands.shape(base.shape);
        let partitions = [0, top.second, top.third];
        let steps = base.descent.moves();
        let mut choice = base.choice;
        let mut choose = |shape: &Shape| {
            let ways = shape.fillings.len() as u64;
            let filling = shape.fillings[index(choice % ways)];
            choice /= ways;
            filling
        };
        let top = Band {
            columns: partitions.map(|partition| self.partitions.sets(partition)),
            digits: [0, 1, 2, 3, 4, 5, 6, 7, 8],
            filling: choose(top),
        };
        let mut below = |opposite: usize| {
            let moved: [&Moved; 3] = std::array::from_fn(|stack| {
                &self.partitions.moves(partitions[stack])[steps[stack] ^ opposite]
            });
            let [first, second, third] = moved.map(|moved| moved.partition);
            let renamed = self.partitions.renamed(first);
            let place = self
                .bands
                .place(renamed[usize::from(second)], renamed[usize::from(third)]);
            // From the shape's triple to the renamed one, and back from there.
            let names = &LINE_ORDERS[usize::from(place.names)];
            let members = self.partitions.members(first);
            Band {
                columns: moved.map(|moved| &moved.columns),
                digits: names.map(|digit| members[usize::from(digit)]),
                filling: choose(self.bands.shape(place.shape)),
            }
        };
        [top, below(0), below(1)]
    }
}

/// A number below the length of a list as an index into it.
fn index(number: u64) -> usize {
    usize::try_from(number).expect("no list is longer than memory")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::sudoku::grid::Grid;

    #[test]
    fn the_ranks_are_all_grids() {
        let count = u128::from(Ranks::new().count());
        assert_eq!(count * 13_063_680, 6_670_903_752_021_072_936_960);
    }

    #[test]
    fn each_descent_has_as_many_ranks_as_it_weighs() {
        let ranks = Ranks::new();
        let ends = ranks.starts.iter().skip(1).chain([&ranks.count]);
        let mut expected = 0;
        for ((run, &start), &end) in ranks.runs.iter().zip(&ranks.starts).zip(ends) {
            for rank in [start, start + run.weight - 1, end - run.weight, end - 1] {
                let found = ranks.find(rank);
                let descent = expected + usize::try_from((rank - start) / run.weight).unwrap();
                assert_eq!((found.shape, found.descent), (run.shape, descent));
                assert_eq!(found.choice, (rank - start) % run.weight);
            }
            expected += usize::try_from((end - start) / run.weight).unwrap();
            assert_eq!((end - start) % run.weight, 0);
        }
        assert_eq!(expected, ranks.descents.len());
    }

    #[test]
    fn the_ranks_of_a_descent_choose_each_filling_equally_often() {
        let ranks = Ranks::new();
        // The lightest descents of a few kinds.
        for kind in [0, 7, 20] {
            let shape = ranks.bands.kinds()[kind].shape;
            let run = ranks.runs.iter().position(|run| run.shape == shape);
            let run = run.expect("each kind has runs");
            let choose = |rank| {
                let bands = ranks.bands(ranks.base(ranks.find(rank)));
                bands.map(|band| band.filling.0)
            };
            let start = ranks.starts[run];
            let first = choose(start);
            let mut seen = HashSet::from([first]);
            let others = (start + 1..)
                .map(choose)
                .take_while(|&fillings| fillings != first);
            assert!(others.into_iter().all(|fillings| seen.insert(fillings)));
            // 16 to 288 of each of the three bands.
            assert!(seen.len() >= 16 * 16 * 16);
            assert_eq!(ranks.runs[run].weight % seen.len() as u64, 0);
        }
    }

    #[test]
    fn base_grids_are_valid() {
        let ranks = Ranks::new();
        for rank in (0..ranks.count).step_by(10_000_000_019) {
            let cells = cells(&ranks.bands(ranks.base(ranks.find(rank))));
            assert!(Grid::from_cells(cells).is_ok(), "rank {rank}: {cells:?}");
        }
    }

    fn cells(bands: &[Band<'_>; 3]) -> [u8; 81] {
        let mut cells = [0; 81];
        for (number, band) in bands.iter().enumerate() {
            for (at, &digit) in band.digits.iter().enumerate() {
                for stack in 0..3 {
                    let row = index(band.filling.0 >> (6 * at + 2 * stack) & 3);
                    let column = usize::from(band.columns[stack][usize::from(digit)]);
                    cells[27 * number + 9 * row + 3 * stack + column] = digit + 1;
                }
            }
        }
        cells
    }
}
