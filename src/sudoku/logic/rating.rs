//! How hard a puzzle is, on the scale of Sudoku Explainer.

use super::difficulty::Difficulty;
use super::step::Step;
use super::technique::{Technique, Techniques};

/// What the hardest steps of a way are worth, in tenths, and what steps it has.
///
/// ```text
/// byte 0..2  ER, little-endian
///      2..4  EP
///      4..6  ED
///      6     the hardest technique by its place in [`Technique::ALL`]; 255 is none
///      7     1 once a digit was filled in
///      8..   how often each technique was used, 2 bytes each, little-endian
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rating {
    /// The hardest step (ER).
    pub er: u16,
    /// The hardest up to the first that fills in a digit (EP).
    pub ep: u16,
    /// The first (ED).
    pub ed: u16,
    /// The technique of the hardest step, of the first if several are worth the same. `None` where there is
    /// no step: all cells are given.
    pub hardest: Option<Technique>,
    counts: [u16; Technique::COUNT],
    is_placed: bool,
}

/// In bytes, that there is no hardest technique.
const NO_TECHNIQUE: u8 = 255;

impl Default for Rating {
    /// Of no step.
    fn default() -> Self {
        Self {
            er: 0,
            ep: 0,
            ed: 0,
            hardest: None,
            counts: [0; Technique::COUNT],
            is_placed: false,
        }
    }
}

impl Rating {
    /// Counts a step, the next one of the way.
    pub fn add(&mut self, step: &Step) {
        self.count(step.technique, step.er_tenths, step.placement.is_some());
    }

    /// The same for a step of which no more is known.
    pub(super) fn count(&mut self, technique: Technique, er_tenths: u16, is_placed: bool) {
        if er_tenths > self.er {
            self.er = er_tenths;
            self.hardest = Some(technique);
        }
        if self.ed == 0 {
            self.ed = er_tenths;
        }
        if !self.is_placed {
            self.ep = self.er;
            self.is_placed = is_placed;
        }
        self.counts[technique as usize] += 1;
    }

    /// The level of the hardest step.
    #[must_use]
    pub const fn difficulty(&self) -> Difficulty {
        Difficulty::of(self.er)
    }

    /// The techniques of the way, and how often it takes them.
    pub fn counts(&self) -> impl Iterator<Item = (Technique, u16)> {
        let all = Technique::ALL.iter().copied().zip(self.counts);
        all.filter(|&(_, count)| count > 0)
    }

    /// The same without the counts.
    #[must_use]
    pub const fn without_counts(mut self) -> Self {
        self.counts = [0; Technique::COUNT];
        self
    }

    /// Its size as bytes.
    pub const BYTES: usize = 8 + 2 * Technique::COUNT;

    /// As bytes, which stored payloads hold: other techniques, or another order, need another version of
    /// those.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        let (head, counts) = bytes.split_at_mut(8);
        head[..2].copy_from_slice(&self.er.to_le_bytes());
        head[2..4].copy_from_slice(&self.ep.to_le_bytes());
        head[4..6].copy_from_slice(&self.ed.to_le_bytes());
        head[6] = self.hardest.map_or(NO_TECHNIQUE, |hardest| hardest as u8);
        head[7] = self.is_placed.into();
        let (counts, _) = counts.as_chunks_mut();
        for (bytes, count) in counts.iter_mut().zip(self.counts) {
            *bytes = count.to_le_bytes();
        }
        bytes
    }

    /// From bytes; `None` if these are none of a rating.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Option<Self> {
        let &[
            er,
            er2,
            ep,
            ep2,
            ed,
            ed2,
            hardest,
            is_placed,
            ref counts @ ..,
        ] = bytes;
        let (counts, _) = counts.as_chunks();
        let mut rating = Self {
            er: u16::from_le_bytes([er, er2]),
            ep: u16::from_le_bytes([ep, ep2]),
            ed: u16::from_le_bytes([ed, ed2]),
            hardest: match hardest {
                NO_TECHNIQUE => None,
                number => Some(*Technique::ALL.get(usize::from(number))?),
            },
            is_placed: match is_placed {
                0 => false,
                1 => true,
                _ => return None,
            },
            ..Self::default()
        };
        for (count, bytes) in rating.counts.iter_mut().zip(counts) {
            *count = u16::from_le_bytes(*bytes);
        }
        Some(rating)
    }

    /// The techniques of the way.
    #[must_use]
    pub fn techniques(&self) -> Techniques {
        self.counts().map(|(technique, _)| technique).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::logic::budget::Budget;
    use crate::sudoku::logic::path;
    use crate::sudoku::logic::pencilmarks::{Candidate, Pencilmarks};

    fn rated(puzzle: &str) -> Rating {
        let marks = Pencilmarks::new(&puzzle.parse().unwrap());
        let rating = path::rate(marks, &mut Budget::unlimited());
        rating.unwrap().expect("the techniques solve it")
    }

    #[test]
    fn bytes_hold_all_of_it() {
        let puzzle =
            "....6.3.........2613.5..9.......6.9.2.7......4..8531....8.39....9...5..1...28..6.";
        let rating = rated(puzzle);
        assert_eq!(rating.hardest, Some(Technique::XCycle));
        assert_eq!(rating.counts().map(|(_, count)| count).max(), Some(34));
        for rating in [rating, rating.without_counts(), Rating::default()] {
            assert_eq!(Rating::from_bytes(&rating.to_bytes()), Some(rating));
        }
        let bytes = rating.to_bytes();
        for (at, wrong) in [(6, Technique::COUNT), (7, 2)] {
            let mut bytes = bytes;
            bytes[at] = u8::try_from(wrong).unwrap();
            assert_eq!(Rating::from_bytes(&bytes), None);
        }
    }

    #[test]
    fn the_first_step_and_the_first_placement_have_values_of_their_own() {
        let candidate = Candidate::from_index(0).unwrap();
        let taking = |technique, er| Step::taking(technique, er, [candidate]).unwrap();
        let placing = |technique, er| Step::placing(technique, er, candidate);
        let mut rating = Rating::default();
        for step in [
            taking(Technique::NakedPair, 30),
            taking(Technique::NakedTriplet, 36),
            taking(Technique::XWing, 32),
            placing(Technique::HiddenSingle, 12),
            taking(Technique::XyWing, 42),
            placing(Technique::NakedSingle, 23),
            taking(Technique::XyWing, 42),
        ] {
            rating.add(&step);
        }
        assert_eq!((rating.er, rating.ep, rating.ed), (42, 36, 30));
        assert_eq!(rating.hardest, Some(Technique::XyWing));
        let counts: Vec<_> = rating.counts().map(|(_, count)| count).collect();
        assert_eq!(counts, [1, 1, 1, 1, 1, 2]);
    }
}
