//! The items of a chunk, in columns: what goes in ([`Inputs`]) and what came of it ([`Results`]).
//!
//! Cells stay in the packed form (41 bytes a grid, two cells a byte) from the engine through the store
//! to the wire: half the size of text, and the packed layout of the API is a copy of it.

pub use super::outcome::{Outcome, Tally};
use crate::sudoku::Puzzle;
use crate::sudoku::logic::rating::Rating;
use crate::sudoku::packed::BYTES;
use crate::sudoku::symmetry::Transformation;

/// First byte of a malformed input: no digit has the nibble 15.
const MALFORMED: u8 = 0xff;

/// Packed grids, back to back.
pub type Packed = Vec<u8>;

/// Puzzles as a client gave them. One that could not be read keeps its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    //  item i: packed[41*i .. 41*i+41]; all 0xff where malformed
    packed: Packed,
}

impl Inputs {
    /// Room for `items`.
    #[must_use]
    pub fn with_capacity(items: usize) -> Self {
        Self {
            packed: Vec::with_capacity(items * BYTES),
        }
    }

    /// From the bytes of [`Inputs::packed`]; `None` when they are not whole items.
    #[must_use]
    pub fn from_packed(packed: Packed) -> Option<Self> {
        packed
            .len()
            .is_multiple_of(BYTES)
            .then_some(Self { packed })
    }

    /// Adds an item; `None` is malformed.
    pub fn push(&mut self, puzzle: Option<&Puzzle>) {
        match puzzle {
            Some(puzzle) => self.packed.extend_from_slice(&puzzle.to_packed()),
            None => self.packed.extend_from_slice(&[MALFORMED; BYTES]),
        }
    }

    /// Number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        self.packed.len() / BYTES
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.packed.is_empty()
    }

    /// The items in order; `None` is malformed.
    pub fn iter(&self) -> impl Iterator<Item = Option<Puzzle>> + '_ {
        let (items, _) = self.packed.as_chunks::<BYTES>();
        items.iter().map(|item| Puzzle::from_packed(item).ok())
    }

    /// The items as they are stored, packed cells or [malformed](Self::is_malformed).
    #[must_use]
    pub fn as_items(&self) -> &[[u8; BYTES]] {
        self.packed.as_chunks().0
    }

    /// Whether a stored item could not be read.
    #[must_use]
    pub fn is_malformed(item: &[u8; BYTES]) -> bool {
        Puzzle::from_packed(item).is_err()
    }

    /// The items from `first` on, at most `len`.
    #[must_use]
    pub fn slice(&self, first: usize, len: usize) -> Self {
        let end = first.saturating_add(len).min(self.len());
        Self {
            packed: self.packed[first.min(end) * BYTES..end * BYTES].to_vec(),
        }
    }

    /// Adds the items of `other`.
    pub fn append(&mut self, other: &Self) {
        self.packed.extend_from_slice(&other.packed);
    }

    /// The index of the first item that differs from `other`'s, where both have one.
    #[must_use]
    pub fn first_difference(&self, other: &Self) -> Option<usize> {
        let (ours, _) = self.packed.as_chunks::<BYTES>();
        let (theirs, _) = other.packed.as_chunks::<BYTES>();
        ours.iter().zip(theirs).position(|(a, b)| a != b)
    }

    /// The bytes, for the store.
    #[must_use]
    pub fn packed(&self) -> &[u8] {
        &self.packed
    }

    /// The bytes themselves, for the wire.
    #[must_use]
    pub fn into_packed(self) -> Packed {
        self.packed
    }
}

/// The answers to a run of items. Each column that is there has one entry an item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// What became of each.
    pub outcomes: Vec<Outcome>,
    /// Solution, grid, made or rated puzzle, or canonical form, packed; zeros where there is none.
    pub grids: Packed,
    /// The solution of each made puzzle, packed.
    pub solutions: Option<Packed>,
    /// Solutions counted, when the count limit was above 2.
    pub counts: Option<Vec<u64>>,
    /// The single engine's guesses for each made or rated puzzle.
    pub guesses: Option<Vec<u64>>,
    /// How hard each puzzle is, if it was rated; the default where there is none.
    pub ratings: Option<Vec<Rating>>,
    /// How each input came to its canonical form.
    pub canonicals: Option<Vec<Canonicalized>>,
}

/// How an input came to its canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canonicalized {
    /// What leads there.
    pub transformation: Transformation,
    /// The order of the automorphism group; 0 where the input is malformed.
    pub automorphisms: u32,
}

impl Canonicalized {
    /// Of a malformed input.
    pub const NONE: Self = Self {
        transformation: Transformation::IDENTITY,
        automorphisms: 0,
    };
}

impl Results {
    /// `items` times the same outcome and nothing else.
    #[must_use]
    pub fn all(outcome: Outcome, items: usize) -> Self {
        Self {
            outcomes: vec![outcome; items],
            grids: vec![0; items * BYTES],
            ..Self::default()
        }
    }

    /// Number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        self.outcomes.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.outcomes.is_empty()
    }

    /// Whether every column has one entry an item.
    #[must_use]
    pub fn is_consistent(&self) -> bool {
        let items = self.len();
        self.grids.len() == items * BYTES
            && self
                .solutions
                .as_ref()
                .is_none_or(|s| s.len() == items * BYTES)
            && self.counts.as_ref().is_none_or(|c| c.len() == items)
            && self.guesses.as_ref().is_none_or(|g| g.len() == items)
            && self.ratings.as_ref().is_none_or(|r| r.len() == items)
            && self.canonicals.as_ref().is_none_or(|c| c.len() == items)
    }

    /// The items from `first` on, at most `len`.
    #[must_use]
    pub fn slice(&self, first: usize, len: usize) -> Self {
        let end = first.saturating_add(len).min(self.len());
        let first = first.min(end);
        let cells = first * BYTES..end * BYTES;
        Self {
            outcomes: self.outcomes[first..end].to_vec(),
            grids: self.grids[cells.clone()].to_vec(),
            solutions: self.solutions.as_ref().map(|s| s[cells].to_vec()),
            counts: self.counts.as_ref().map(|c| c[first..end].to_vec()),
            guesses: self.guesses.as_ref().map(|g| g[first..end].to_vec()),
            ratings: self.ratings.as_ref().map(|r| r[first..end].to_vec()),
            canonicals: self.canonicals.as_ref().map(|c| c[first..end].to_vec()),
        }
    }

    /// Whether `other` has the same columns, so that it may be appended.
    #[must_use]
    pub const fn has_columns_of(&self, other: &Self) -> bool {
        self.solutions.is_some() == other.solutions.is_some()
            && self.counts.is_some() == other.counts.is_some()
            && self.guesses.is_some() == other.guesses.is_some()
            && self.ratings.is_some() == other.ratings.is_some()
            && self.canonicals.is_some() == other.canonicals.is_some()
    }

    /// Adds the items of `other`, which has the same columns.
    pub fn append(&mut self, other: &Self) {
        debug_assert!(self.has_columns_of(other), "columns must agree");
        self.outcomes.extend_from_slice(&other.outcomes);
        self.grids.extend_from_slice(&other.grids);
        if let (Some(mine), Some(theirs)) = (&mut self.solutions, &other.solutions) {
            mine.extend_from_slice(theirs);
        }
        if let (Some(mine), Some(theirs)) = (&mut self.counts, &other.counts) {
            mine.extend_from_slice(theirs);
        }
        if let (Some(mine), Some(theirs)) = (&mut self.guesses, &other.guesses) {
            mine.extend_from_slice(theirs);
        }
        if let (Some(mine), Some(theirs)) = (&mut self.ratings, &other.ratings) {
            mine.extend_from_slice(theirs);
        }
        if let (Some(mine), Some(theirs)) = (&mut self.canonicals, &other.canonicals) {
            mine.extend_from_slice(theirs);
        }
    }

    /// How many items had each outcome.
    #[must_use]
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for &outcome in &self.outcomes {
            tally.count(outcome);
        }
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_inputs_keep_their_place() {
        let puzzle = Puzzle::from_cells([0; 81]).expect("the empty board");
        let mut inputs = Inputs::default();
        inputs.push(Some(&puzzle));
        inputs.push(None);
        inputs.push(Some(&puzzle));
        let read: Vec<_> = inputs.iter().collect();
        assert_eq!(read, [Some(puzzle), None, Some(puzzle)]);
        assert_eq!(inputs.slice(1, 9).len(), 2);
        assert_eq!(inputs.slice(7, 1).len(), 0);
        assert_eq!(inputs.first_difference(&inputs.slice(1, 2)), Some(0));
    }

    #[test]
    fn slices_keep_columns_together() {
        let mut results = Results::all(Outcome::Skipped, 5);
        results.counts = Some(vec![0, 1, 2, 3, 4]);
        let middle = results.slice(1, 3);
        assert!(middle.is_consistent());
        assert_eq!(middle.counts, Some(vec![1, 2, 3]));
        assert_eq!(results.tally().of(Outcome::Skipped), 5);
        assert!(results.slice(9, 3).is_empty());
        let mut whole = results.slice(0, 1);
        whole.append(&results.slice(1, 4));
        assert_eq!(whole, results);
        assert!(!whole.has_columns_of(&Results::all(Outcome::Skipped, 1)));
    }
}
