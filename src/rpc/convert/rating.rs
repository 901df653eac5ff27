//! How hard puzzles are.

use std::collections::BTreeMap;

use prost::UnknownEnumValue;

use crate::jobs::items::{Outcome, Results};
use crate::rpc::pb;
use crate::sudoku::logic::difficulty::Difficulty;
use crate::sudoku::logic::rating::Rating;
use crate::sudoku::packed::BYTES;

/// To the wire. A puzzle without a step, or that was not rated, has no level.
pub(in crate::rpc) fn write(rating: &Rating, givens: u32, guesses: u64) -> pb::Rating {
    let counts = rating.counts();
    let counts = counts.map(|(technique, count)| (technique.name().to_owned(), count.into()));
    pb::Rating {
        er_tenths: rating.er.into(),
        ep_tenths: rating.ep.into(),
        ed_tenths: rating.ed.into(),
        hardest_technique: rating
            .hardest
            .map_or_else(String::new, |technique| technique.name().to_owned()),
        difficulty: match rating.hardest {
            Some(_) => rating.difficulty().into(),
            None => pb::Difficulty::Unspecified,
        }
        .into(),
        givens,
        guesses,
        technique_counts: counts.collect::<BTreeMap<_, _>>(),
    }
}

/// Those of results, if they tell any; nothing of an item that is no puzzle with one solution.
pub(super) fn ratings(results: &Results) -> Vec<pb::Rating> {
    let Some(guesses) = &results.guesses else {
        return Vec::new();
    };
    let (puzzles, _) = results.grids.as_chunks::<BYTES>();
    let rating = |(i, &guesses): (usize, &u64)| {
        if results.outcomes[i] != Outcome::Unique {
            return pb::Rating::default();
        }
        let rated = results.ratings.as_ref().map(|ratings| ratings[i]);
        write(&rated.unwrap_or_default(), givens(&puzzles[i]), guesses)
    };
    guesses.iter().enumerate().map(rating).collect()
}

fn givens(puzzle: &[u8; BYTES]) -> u32 {
    let cells = puzzle.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    cells.map(|cell| u32::from(cell != 0)).sum()
}

/// The most bytes that one of them takes in a reply, its tag and length included.
pub(super) fn bytes(results: &Results) -> usize {
    const VARINT: usize = 10;
    /// Tag and length, then givens and guesses with their tags.
    const PLAIN: usize = 2 + 2 + 1 + VARINT;
    /// Three numbers below 2^14, a level, a name, one more byte of the length.
    const RATED: usize = 3 * 3 + 2 + NAME + 1;
    /// Tag, length and the longest of the techniques' names.
    const NAME: usize = 2 + 36;
    /// Tag and length, the name, a number below 2^16.
    const COUNT: usize = 2 + NAME + 4;
    if results.guesses.is_none() {
        return 0;
    }
    let ratings = results.ratings.iter().flatten();
    let counts = ratings.map(|rating| rating.counts().count()).max();
    counts.map_or(PLAIN, |counts| PLAIN + RATED + COUNT * counts)
}

/// The level that is asked for, if any is.
///
/// # Errors
/// If no level has this number.
pub(super) fn read_level(number: i32) -> Result<Option<Difficulty>, UnknownEnumValue> {
    let read = pb::Difficulty::try_from(number)?;
    Ok(Difficulty::ALL
        .into_iter()
        .find(|&level| read == level.into()))
}

impl From<Difficulty> for pb::Difficulty {
    fn from(level: Difficulty) -> Self {
        match level {
            Difficulty::Easy => Self::Easy,
            Difficulty::Medium => Self::Medium,
            Difficulty::Hard => Self::Hard,
            Difficulty::Fiendish => Self::Fiendish,
            Difficulty::Extreme => Self::Extreme,
        }
    }
}
