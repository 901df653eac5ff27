//! How hard a puzzle is, on the scale of Sudoku Explainer.

use super::difficulty::Difficulty;
use super::step::Step;
use super::technique::{Technique, Techniques};

/// What the hardest steps of a way are worth, in tenths, and what steps it has.
#[derive(Clone, PartialEq, Eq, Debug)]
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
        if step.er_tenths > self.er {
            self.er = step.er_tenths;
            self.hardest = Some(step.technique);
        }
        if self.ed == 0 {
            self.ed = step.er_tenths;
        }
        if !self.is_placed {
            self.ep = self.er;
            self.is_placed = step.placement.is_some();
        }
        self.counts[step.technique as usize] += 1;
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

    /// The techniques of the way.
    #[must_use]
    pub fn techniques(&self) -> Techniques {
        self.counts().map(|(technique, _)| technique).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::logic::pencilmarks::Candidate;

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
