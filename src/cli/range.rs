//! Ranges as people write them: `24..28`, `24..`, `..28` or `24`, both ends included.

use std::str::FromStr;

use crate::rpc::pb::Range;
use crate::sudoku::logic::difficulty::HARDEST;

/// The ends of a range of numbers up to `MOST`, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ends<const MOST: u32> {
    pub(super) min: Option<u32>,
    pub(super) max: Option<u32>,
}

impl<const MOST: u32> FromStr for Ends<MOST> {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let (min, max) = text.split_once("..").unwrap_or((text, text));
        let end = |end: &str| match end {
            "" => Ok(None),
            number => match number.parse() {
                Ok(number) if number <= MOST => Ok(Some(number)),
                _ => Err(format!("{number:?} is no number from 0 to {MOST}")),
            },
        };
        match (end(min)?, end(max)?) {
            (None, None) => Err("expected A..B with at least one end".to_owned()),
            (Some(min), Some(max)) if min > max => Err(format!("{min} is more than {max}")),
            (min, max) => Ok(Self { min, max }),
        }
    }
}

impl<const MOST: u32> Ends<MOST> {
    /// Both ends, where no number is above 255.
    pub(super) fn small(self) -> (u8, u8) {
        let small = |number| u8::try_from(number).unwrap_or(u8::MAX);
        (self.min.map_or(0, small), small(self.max.unwrap_or(MOST)))
    }
}

impl<const MOST: u32> From<Ends<MOST>> for Range {
    fn from(Ends { min, max }: Ends<MOST>) -> Self {
        Self { min, max }
    }
}

/// The most that a value on the Sudoku Explainer scale may be, in tenths.
const MOST_TENTHS: u32 = HARDEST as u32;

/// The ends of a range of values on that scale, written with a point: `2.6..4.4`. In tenths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tenths(pub(super) Ends<MOST_TENTHS>);

impl FromStr for Tenths {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let tenths = |end: &str| match end {
            "" => Ok(String::new()),
            number => tenths(number).map(|tenths| tenths.to_string()),
        };
        let ends = match text.split_once("..") {
            Some((min, max)) => format!("{}..{}", tenths(min)?, tenths(max)?),
            None => tenths(text)?,
        };
        let ends = ends.parse().map_err(|_| {
            format!("{text:?}: expected A..B with at least one end, A no more than B")
        })?;
        Ok(Self(ends))
    }
}

/// A value on that scale, in tenths.
pub(crate) fn tenths(number: &str) -> Result<u32, String> {
    let value = in_tenths(number).filter(|&tenths| tenths <= MOST_TENTHS);
    value.ok_or_else(|| {
        let most = HARDEST / 10;
        format!("{number:?} is no number from 0 to {most} with one decimal, as 7.2")
    })
}

fn in_tenths(number: &str) -> Option<u32> {
    let (units, tenth) = number.split_once('.').unwrap_or((number, "0"));
    let is_plain = tenth.len() == 1 && units.bytes().all(|digit| digit.is_ascii_digit());
    let tenth: u32 = tenth.parse().ok().filter(|_| is_plain)?;
    units
        .parse::<u32>()
        .ok()?
        .checked_mul(10)?
        .checked_add(tenth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_one_end_or_two() {
        for (text, min, max) in [
            ("24..28", Some(24), Some(28)),
            ("24..", Some(24), None),
            ("..28", None, Some(28)),
            ("30", Some(30), Some(30)),
        ] {
            assert_eq!(text.parse(), Ok(Ends::<81> { min, max }), "{text}");
        }
        for text in [
            "", "..", "28..24", "a..b", "24...28", "24..=28", "82", "-1..3",
        ] {
            assert!(text.parse::<Ends<81>>().is_err(), "{text}");
        }
    }

    #[test]
    fn values_of_the_scale_have_one_decimal() {
        for (text, min, max) in [
            ("9.0..9.9", Some(90), Some(99)),
            ("2.6..", Some(26), None),
            ("..4", None, Some(40)),
            ("7.2", Some(72), Some(72)),
        ] {
            let ends = Ends { min, max };
            assert_eq!(text.parse(), Ok(Tenths(ends)), "{text}");
        }
        for text in [
            "",
            "..",
            "7.25",
            "7.",
            ".5",
            "9.9..9.0",
            "a",
            "-1.0",
            "+1.0",
            "20.1",
            "1e1",
            "4294967296.0",
        ] {
            assert!(text.parse::<Tenths>().is_err(), "{text}");
        }
    }
}
