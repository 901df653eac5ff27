//! A piece of results as it came from a server, checked before anything is made of it.
//!
//! Grids travel packed, 41 bytes each: half of what lines take, and they become any format by a table
//! look-up a byte.

use anyhow::{Context, anyhow, bail, ensure};
use bytes::Bytes;

use crate::jobs::items::Outcome;
use crate::rpc::pb::grid_batch::Layout;
use crate::rpc::pb::{Canonical, GridBatch, Rating, ResultBatch};
use crate::sudoku::packed::BYTES;

/// Packed cells of one grid or puzzle.
pub(crate) type Packed = [u8; BYTES];

/// Answers for the items from `first` on; each column has one entry an item.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) first: u64,
    pub(crate) outcomes: Vec<Outcome>,
    grids: Bytes,
    solutions: Option<Bytes>,
    inputs: Option<Bytes>,
    counts: Vec<u64>,
    ratings: Vec<Rating>,
    canonicals: Vec<Canonical>,
}

impl Batch {
    /// Checks the checksum and that the columns are of one length.
    pub(crate) fn check(batch: ResultBatch) -> anyhow::Result<Self> {
        let items = batch.outcomes.len();
        let outcomes = batch
            .outcomes
            .iter()
            .map(|&number| u8::try_from(number).ok().and_then(Outcome::from_number))
            .collect::<Option<Vec<_>>>()
            .context("the server sent an outcome that this program does not know")?;
        let grids = packed(batch.grids, items)?
            .or((items == 0).then(Bytes::new))
            .context("the server sent outcomes without grids")?;
        let checksum = crc32c::crc32c(&grids);
        ensure!(
            checksum == batch.crc32c,
            "items from {} on were damaged on the way: their checksum is {checksum:08x}, not {:08x}",
            batch.first_index,
            batch.crc32c
        );
        ensure!(
            [0, items].contains(&batch.solution_counts.len()),
            "the server sent {} counts for {items} items",
            batch.solution_counts.len()
        );
        ensure!(
            [0, items].contains(&batch.ratings.len()),
            "the server sent {} ratings for {items} items",
            batch.ratings.len()
        );
        ensure!(
            [0, items].contains(&batch.canonicals.len()),
            "the server sent {} transformations for {items} items",
            batch.canonicals.len()
        );
        Ok(Self {
            first: batch.first_index,
            outcomes,
            grids,
            solutions: packed(batch.solutions, items)?,
            inputs: packed(batch.inputs, items)?,
            counts: batch.solution_counts,
            ratings: batch.ratings,
            canonicals: batch.canonicals,
        })
    }

    /// Number of items.
    pub(crate) fn len(&self) -> usize {
        self.outcomes.len()
    }

    /// All grids, solutions or puzzles, in order; zeros where there is none.
    pub(crate) fn grids(&self) -> &[Packed] {
        self.grids.as_chunks().0
    }

    /// Grid, solution or puzzle of item `i`, if it has one.
    pub(crate) fn grid(&self, i: usize) -> Option<&Packed> {
        some(&self.grids()[i])
    }

    /// The solution of made puzzle `i`, if it has one.
    pub(crate) fn solution(&self, i: usize) -> Option<&Packed> {
        some(&self.solutions.as_ref()?.as_chunks().0[i])
    }

    /// What was asked about item `i`.
    pub(crate) fn input(&self, i: usize) -> Option<&Packed> {
        Some(&self.inputs.as_ref()?.as_chunks().0[i])
    }

    /// What is known of puzzle `i` beside its cells.
    pub(crate) fn rating(&self, i: usize) -> Option<&Rating> {
        self.ratings.get(i)
    }

    /// How many automorphisms canonical form `i` has.
    pub(crate) fn automorphisms(&self, i: usize) -> Option<u32> {
        Some(self.canonicals.get(i)?.automorphisms)
    }

    /// How many solutions item `i` has; at least that many, where a limit ended the count.
    pub(crate) fn solution_count(&self, i: usize) -> u64 {
        match (self.counts.get(i), self.outcomes[i]) {
            (Some(&count), _) => count,
            (None, Outcome::Multiple) => 2,
            (None, _) => self.grid(i).map_or(0, |_| 1),
        }
    }
}

/// The bytes of a column that is there.
fn packed(column: Option<GridBatch>, items: usize) -> anyhow::Result<Option<Bytes>> {
    let bytes = match column.and_then(|column| column.layout) {
        None => return Ok(None),
        Some(Layout::Packed(bytes)) => bytes,
        Some(Layout::Lines(_)) => bail!("the server sent lines where packed grids were asked for"),
    };
    if bytes.len() == items * BYTES {
        Ok(Some(bytes))
    } else {
        Err(anyhow!(
            "the server sent {} bytes of packed grids for {items} items",
            bytes.len()
        ))
    }
}

/// Zeros stand for no grid.
fn some(packed: &Packed) -> Option<&Packed> {
    (packed != &[0; BYTES]).then_some(packed)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A message with these items.
    pub(crate) fn message(items: &[(Outcome, Packed)]) -> ResultBatch {
        let grids: Vec<u8> = items.iter().flat_map(|(_, grid)| *grid).collect();
        ResultBatch {
            outcomes: items.iter().map(|&(outcome, _)| outcome as i32).collect(),
            crc32c: crc32c::crc32c(&grids),
            grids: Some(column(grids)),
            ..ResultBatch::default()
        }
    }

    /// A column of packed cells.
    pub(crate) fn column(bytes: Vec<u8>) -> GridBatch {
        GridBatch {
            layout: Some(Layout::Packed(bytes.into())),
        }
    }

    #[test]
    fn damage_is_noticed() {
        let good = message(&[(Outcome::Made, [0x12; BYTES])]);
        assert!(Batch::check(good.clone()).is_ok());
        let mut damaged = good.clone();
        damaged.grids = Some(column(vec![0x13; BYTES]));
        let mut short = good.clone();
        short.outcomes.push(Outcome::Made as i32);
        let mut unknown = good.clone();
        unknown.outcomes = vec![99];
        let mut uncounted = good;
        uncounted.solution_counts = vec![1, 2];
        for bad in [damaged, short, unknown, uncounted] {
            assert!(Batch::check(bad.clone()).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_count_is_told_by_the_outcome_when_there_is_no_column() {
        let batch = message(&[
            (Outcome::Unique, [0x12; BYTES]),
            (Outcome::Multiple, [0x12; BYTES]),
            (Outcome::None, [0; BYTES]),
            (Outcome::StepLimit, [0x12; BYTES]),
        ]);
        let batch = Batch::check(batch).expect("it is consistent");
        let counts: Vec<_> = (0..batch.len()).map(|i| batch.solution_count(i)).collect();
        assert_eq!(counts, [1, 2, 0, 1]);
    }

    #[test]
    fn no_items_need_no_columns() {
        let batch = Batch::check(ResultBatch::default()).expect("nothing is wrong with nothing");
        assert_eq!(batch.len(), 0);
    }
}
