//! How a job's items are cut into chunks: one claimable piece of work, one transaction, one payload.

use std::ops::Range;

use super::spec::{Rarity, Work};

/// The largest chunk, in items.
pub const MAX_CHUNK_ITEMS: u64 = 8192;

/// A run of items, `first..first + len`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// Index of the first item.
    pub first: u64,
    /// Number of items.
    pub len: u64,
}

impl Span {
    /// Index behind the last item.
    #[must_use]
    pub const fn end(self) -> u64 {
        self.first + self.len
    }

    /// The indices.
    #[must_use]
    pub const fn range(self) -> Range<u64> {
        self.first..self.end()
    }

    /// The number of items, for memory.
    ///
    /// # Panics
    /// If memory could not hold so many; a chunk is small.
    #[must_use]
    pub fn items(self) -> usize {
        usize::try_from(self.len).expect("a span is at most a chunk")
    }

    /// The two halves, the first one longer when they cannot be equal; `None` for a single item.
    #[must_use]
    pub const fn halves(self) -> Option<(Self, Self)> {
        if self.len < 2 {
            return None;
        }
        let left = self.len.div_ceil(2);
        let first = Self {
            first: self.first,
            len: left,
        };
        let second = Self {
            first: self.first + left,
            len: self.len - left,
        };
        Some((first, second))
    }
}

/// Items a chunk for this kind of work.
///
/// A chunk is what one crash can cost and what a small job behind a large one waits for, so it should
/// run for 50–500 ms; and it is one durable transaction, so it should not be small. Grids cost a
/// hundredth of a microsecond each and are bounded by the payload instead (8,192 are 256 KiB, SQLite's comfortable BLOB).
#[must_use]
pub fn chunk_items(work: &Work) -> u64 {
    match work {
        Work::Generate(_) | Work::Canonicalize => MAX_CHUNK_ITEMS,
        Work::Solve(solve) if solve.count_limit > 1000 => 64,
        Work::Solve(_) => 2048,
        // A rating takes from 20 µs to seconds, which nobody knows before: few, so that hard ones do not hold up
        // others for long; not fewer, as easy ones would take less time than their commit.
        Work::Rate(_) => 16,
        Work::MakePuzzle(make) => {
            let unrated = match make.rarity() {
                Rarity::Common => 1024,
                Rarity::Wished => 64,
                Rarity::Rare => 8,
                Rarity::Extreme => 1,
            };
            // Rated puzzles that take as long as so many others.
            unrated.min(8192 / make.effort()).max(1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::spec::MakePuzzle;

    #[test]
    fn the_longer_a_puzzle_takes_the_fewer_are_a_chunk() {
        let items = |er| {
            let any = MakePuzzle::any(1, 100);
            chunk_items(&Work::MakePuzzle(MakePuzzle { er, ..any }))
        };
        let [plain, easy, extreme, none] =
            [None, Some((10, 15)), Some((70, 200)), Some((105, 109))].map(items);
        assert_eq!(plain, 1024);
        assert!(
            plain >= easy && easy > extreme && extreme > 8,
            "{easy} {extreme}"
        );
        assert_eq!(none, 1);
    }

    #[test]
    fn halves_cover_the_span_down_to_single_items() {
        let span = Span { first: 10, len: 5 };
        let (a, b) = span.halves().expect("five items have halves");
        assert_eq!((a.range(), b.range()), (10..13, 13..15));
        assert_eq!(Span { first: 3, len: 1 }.halves(), None);
    }
}
