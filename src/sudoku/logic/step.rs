//! A conclusion: what it takes away or fills in, and why.

use super::argument::Argument;
use super::pencilmarks::{Candidate, Pencilmarks};
use super::technique::Technique;
use super::unit::Unit;

/// One deduction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// How it was found.
    pub technique: Technique,
    /// What it is worth on the Sudoku Explainer scale, in tenths.
    pub er_tenths: u16,
    /// What it fills in.
    pub placement: Option<Candidate>,
    /// Candidates that it takes away, each of which is there.
    pub eliminations: Vec<Candidate>,
    /// Candidates that prove it.
    pub evidence: Vec<Candidate>,
    /// Houses in which it is seen.
    pub units: Vec<Unit>,
    /// How it follows from these.
    pub argument: Argument,
}

impl Step {
    /// A step that fills in a digit.
    pub(super) const fn placing(technique: Technique, er_tenths: u16, placed: Candidate) -> Self {
        Self {
            technique,
            er_tenths,
            placement: Some(placed),
            eliminations: Vec::new(),
            evidence: Vec::new(),
            units: Vec::new(),
            argument: Argument::Pattern,
        }
    }

    /// A step that takes candidates away, if there are any.
    pub(super) fn taking(
        technique: Technique,
        er_tenths: u16,
        gone: impl IntoIterator<Item = Candidate>,
    ) -> Option<Self> {
        let eliminations: Vec<_> = gone.into_iter().collect();
        (!eliminations.is_empty()).then_some(Self {
            technique,
            er_tenths,
            placement: None,
            eliminations,
            evidence: Vec::new(),
            units: Vec::new(),
            argument: Argument::Pattern,
        })
    }

    /// With what proves it, seen in these houses.
    pub(super) fn proven_by(
        self,
        evidence: impl IntoIterator<Item = Candidate>,
        units: impl IntoIterator<Item = Unit>,
    ) -> Self {
        Self {
            evidence: evidence.into_iter().collect(),
            units: units.into_iter().collect(),
            ..self
        }
    }

    /// With this argument.
    pub(super) fn by(self, argument: Argument) -> Self {
        Self { argument, ..self }
    }

    /// Takes the candidates away, then fills in the digit.
    pub fn apply(&self, marks: &mut Pencilmarks) {
        for gone in &self.eliminations {
            marks.eliminate(gone.cell(), gone.digit());
        }
        if let Some(placed) = self.placement {
            marks.place(placed.cell(), placed.digit());
        }
    }
}
