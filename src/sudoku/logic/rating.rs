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

    /// The techniques of the way.
    #[must_use]
    pub fn techniques(&self) -> Techniques {
        self.counts().map(|(technique, _)| technique).collect()
    }
}
