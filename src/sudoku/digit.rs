//! The digits 1 to 9.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::error::DigitError;

/// A digit, 1 to 9. "Empty" is not a digit: where a cell may be empty it is a `0` in a byte, or an `Option`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Digit(u8);

impl Digit {
    /// All nine, in order.
    pub const ALL: [Self; 9] = {
        let mut all = [Self(1); 9];
        let mut i = 1;
        while i < 9 {
            all[i] = Self(all[i - 1].0 + 1);
            i += 1;
        }
        all
    };

    /// The digit of this value, if it is 1 to 9.
    #[must_use]
    pub const fn new(value: u8) -> Option<Self> {
        if value >= 1 && value <= 9 {
            Some(Self(value))
        } else {
            None
        }
    }

    /// 1 to 9.
    #[must_use]
    pub const fn value(self) -> u8 {
        self.0
    }
}

impl TryFrom<u8> for Digit {
    type Error = DigitError;

    fn try_from(value: u8) -> Result<Self, DigitError> {
        Self::new(value).ok_or(DigitError { value })
    }
}

impl From<Digit> for u8 {
    fn from(digit: Digit) -> Self {
        digit.0
    }
}

impl fmt::Display for Digit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
