//! A conclusion: what it takes away or fills in, and why.

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
}

impl Step {
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
