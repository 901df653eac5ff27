//! What becomes of an item, and how many became what.

/// What became of one item. The numbers are those of the API and of stored payloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Outcome {
    /// Exactly one solution; also every made puzzle.
    Unique = 1,
    /// Two or more solutions.
    Multiple = 2,
    /// A solution; whether it is the only one was not asked.
    Solved = 3,
    /// No solution.
    None = 4,
    /// The input was no puzzle or, where solutions are wanted, no complete grid.
    Malformed = 5,
    /// The step limit came first.
    StepLimit = 6,
    /// No puzzle with the wanted properties within the step limit, or none unlike the others.
    NotFound = 7,
    /// A generated grid or a canonical form.
    Made = 8,
    /// The job ended before the item ran.
    Skipped = 9,
    /// The item, run alone, made the worker panic three times.
    Fault = 10,
}

impl Outcome {
    /// Every outcome, in the order of their numbers.
    pub const ALL: [Self; 10] = [
        Self::Unique,
        Self::Multiple,
        Self::Solved,
        Self::None,
        Self::Malformed,
        Self::StepLimit,
        Self::NotFound,
        Self::Made,
        Self::Skipped,
        Self::Fault,
    ];

    /// The outcome of this number.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        let index = usize::from(number).checked_sub(1)?;
        Self::ALL.get(index).copied()
    }

    /// Its name in lower case, as progress and csv give it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unique => "unique",
            Self::Multiple => "multiple",
            Self::Solved => "solved",
            Self::None => "none",
            Self::Malformed => "malformed",
            Self::StepLimit => "step_limit",
            Self::NotFound => "not_found",
            Self::Made => "made",
            Self::Skipped => "skipped",
            Self::Fault => "fault",
        }
    }
}

/// Items by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally([u64; Outcome::ALL.len()]);

impl Tally {
    /// How many had `outcome`.
    #[must_use]
    pub const fn of(&self, outcome: Outcome) -> u64 {
        self.0[outcome as usize - 1]
    }

    /// Sets how many had `outcome`.
    pub const fn set(&mut self, outcome: Outcome, items: u64) {
        self.0[outcome as usize - 1] = items;
    }

    /// Counts one more.
    pub(super) const fn count(&mut self, outcome: Outcome) {
        self.0[outcome as usize - 1] += 1;
    }

    /// Adds another tally.
    pub fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine += theirs;
        }
    }

    /// The outcomes that occurred, with their numbers of items.
    pub fn iter(&self) -> impl Iterator<Item = (Outcome, u64)> + '_ {
        let pairs = Outcome::ALL.into_iter().zip(self.0);
        pairs.filter(|&(_, items)| items > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_outcomes_agree() {
        for outcome in Outcome::ALL {
            assert_eq!(Outcome::from_number(outcome as u8), Some(outcome));
        }
        assert_eq!(Outcome::from_number(0), None);
        assert_eq!(Outcome::from_number(11), None);
    }
}
