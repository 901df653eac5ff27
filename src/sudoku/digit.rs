//! The digits 1 to 9.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::error::DigitError;

/// A digit, 1 to 9. "Empty" is not a digit: where a cell may be empty it is a `0` in a byte, or an
/// `Option`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_to_nine_are_digits() {
        let digits: Vec<u8> = (0..=255).filter_map(Digit::new).map(Digit::value).collect();
        assert_eq!(digits, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(digits, Digit::ALL.map(Digit::value));
        assert_eq!(serde_json::from_str::<Digit>("9").ok(), Digit::new(9));
        let error = serde_json::from_str::<Digit>("0").expect_err("0 is no digit");
        assert!(
            error.to_string().contains("0 is no digit, expected 1 to 9"),
            "{error}"
        );
    }
}
