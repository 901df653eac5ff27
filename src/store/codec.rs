//! Stored payloads: a chunk's columns, compressed, under a checksum.
//!
//! ```text
//! byte  0        version, 1
//!       1        columns: bit 0 solutions, bit 1 counts, bit 2 guesses, bit 3 canonicals,
//!                bit 4 ratings (inputs: none)
//!       2..6     items, little-endian
//!       6..10    CRC-32C of bytes 0..6 and the body before compression, little-endian
//!       10..     zstd frame of the body:
//!                  results: outcomes (1 byte an item), grids (41), [solutions (41)],
//!                           [counts (8, little-endian)], [guesses (8, little-endian)],
//!                           [canonicals: automorphisms (4, little-endian) and transformation (28)],
//!                           [ratings (88)]
//!                  inputs:  cells (41)
//! ```
//!
//! Packed cells and zstd level 1 take 32 bytes a random grid, at about 1 GB/s in and 2 GB/s out; text takes
//! 81, and its own zstd no less time. Protobuf was rejected: the wire may change its mind, a file may not.

use crate::jobs::chunk::MAX_CHUNK_ITEMS;
use crate::jobs::error::StoreError;
use crate::jobs::items::{Canonicalized, Inputs, Outcome, Results};
use crate::jobs::store::StoreResult;
use crate::sudoku::logic::rating::Rating;
use crate::sudoku::packed::BYTES;
use crate::sudoku::symmetry::Transformation;

const VERSION: u8 = 1;
const HEADER: usize = 10;
/// Bytes of the header that the checksum covers.
const CHECKED: usize = 6;
const LEVEL: i32 = 1;
/// Bytes of an item that has every column.
const WIDEST: usize = 1 + 2 * BYTES + 2 * size_of::<u64>() + CANONICAL + Rating::BYTES;
/// Bytes of a canonical form's column.
const CANONICAL: usize = size_of::<u32>() + Transformation::BYTES;

const SOLUTIONS: u8 = 1;
const COUNTS: u8 = 2;
const GUESSES: u8 = 4;
const CANONICALS: u8 = 8;
const RATINGS: u8 = 16;

/// A payload of results.
pub(super) fn encode_results(results: &Results) -> Vec<u8> {
    let items = results.len();
    let mut body = Vec::with_capacity(items * WIDEST);
    let mut columns = 0;
    body.extend(results.outcomes.iter().map(|&o| o as u8));
    body.extend_from_slice(&results.grids);
    if let Some(solutions) = &results.solutions {
        columns |= SOLUTIONS;
        body.extend_from_slice(solutions);
    }
    if let Some(counts) = &results.counts {
        columns |= COUNTS;
        body.extend(counts.iter().flat_map(|n| n.to_le_bytes()));
    }
    if let Some(guesses) = &results.guesses {
        columns |= GUESSES;
        body.extend(guesses.iter().flat_map(|n| n.to_le_bytes()));
    }
    if let Some(canonicals) = &results.canonicals {
        columns |= CANONICALS;
        for canonical in canonicals {
            body.extend(canonical.automorphisms.to_le_bytes());
            body.extend(canonical.transformation.to_bytes());
        }
    }
    if let Some(ratings) = &results.ratings {
        columns |= RATINGS;
        body.extend(ratings.iter().flat_map(Rating::to_bytes));
    }
    seal(columns, items, &body)
}

/// The results of a payload.
pub(super) fn decode_results(payload: &[u8]) -> StoreResult<Results> {
    let (columns, items, body) = open(payload)?;
    let mut columns_left = Columns { body: &body, items };
    let outcomes = columns_left.take(1)?;
    let results = Results {
        outcomes: outcomes
            .iter()
            .map(|&number| Outcome::from_number(number))
            .collect::<Option<_>>()
            .ok_or_else(|| corrupt("an outcome of no known number"))?,
        grids: columns_left.take(BYTES)?.to_vec(),
        solutions: optional(columns, SOLUTIONS, || columns_left.take(BYTES))?.map(<[u8]>::to_vec),
        counts: optional(columns, COUNTS, || columns_left.numbers())?,
        guesses: optional(columns, GUESSES, || columns_left.numbers())?,
        canonicals: optional(columns, CANONICALS, || columns_left.canonicals())?,
        ratings: optional(columns, RATINGS, || columns_left.ratings())?,
    };
    columns_left.end()?;
    Ok(results)
}

/// A payload of inputs.
pub(super) fn encode_inputs(inputs: &Inputs) -> Vec<u8> {
    seal(0, inputs.len(), inputs.packed())
}

/// The inputs of a payload.
pub(super) fn decode_inputs(payload: &[u8]) -> StoreResult<Inputs> {
    let (_, items, body) = open(payload)?;
    match Inputs::from_packed(body) {
        Some(inputs) if inputs.len() == items => Ok(inputs),
        _ => Err(corrupt("inputs of another length than they say")),
    }
}

fn seal(columns: u8, items: usize, body: &[u8]) -> Vec<u8> {
    let items = u32::try_from(items).expect("a chunk has few items");
    let mut payload = Vec::with_capacity(HEADER + zstd::zstd_safe::compress_bound(body.len()));
    payload.extend([VERSION, columns]);
    payload.extend(items.to_le_bytes());
    let crc = checksum(&payload, body);
    payload.extend(crc);
    payload.resize(payload.capacity(), 0);
    let written = zstd::bulk::compress_to_buffer(body, &mut payload[HEADER..], LEVEL)
        .expect("the buffer has zstd's own bound");
    payload.truncate(HEADER + written);
    payload
}

fn open(payload: &[u8]) -> StoreResult<(u8, usize, Vec<u8>)> {
    let (header, frame) = payload
        .split_first_chunk::<HEADER>()
        .ok_or_else(|| corrupt("a payload without a header"))?;
    let &[version, columns, a, b, c, d, ref crc @ ..] = header;
    if version != VERSION {
        return Err(corrupt("a payload of no known version"));
    }
    let items = u32::from_le_bytes([a, b, c, d]);
    if u64::from(items) > MAX_CHUNK_ITEMS {
        return Err(corrupt("a payload with more items than a chunk"));
    }
    let items = items as usize;
    let body = zstd::bulk::decompress(frame, items * WIDEST)
        .map_err(|_| corrupt("a payload that does not decompress"))?;
    if checksum(&header[..CHECKED], &body) != *crc {
        return Err(corrupt("a payload with another checksum"));
    }
    Ok((columns, items, body))
}

fn checksum(header: &[u8], body: &[u8]) -> [u8; 4] {
    crc32c::crc32c_append(crc32c::crc32c(header), body).to_le_bytes()
}

fn optional<T>(
    columns: u8,
    bit: u8,
    read: impl FnOnce() -> StoreResult<T>,
) -> StoreResult<Option<T>> {
    (columns & bit != 0).then(read).transpose()
}

/// A body, column by column.
struct Columns<'a> {
    body: &'a [u8],
    items: usize,
}

impl<'a> Columns<'a> {
    fn take(&mut self, width: usize) -> StoreResult<&'a [u8]> {
        let (column, rest) = self
            .body
            .split_at_checked(self.items * width)
            .ok_or_else(|| corrupt("a payload that ends early"))?;
        self.body = rest;
        Ok(column)
    }

    fn numbers(&mut self) -> StoreResult<Vec<u64>> {
        let (numbers, _) = self.take(size_of::<u64>())?.as_chunks();
        Ok(numbers.iter().copied().map(u64::from_le_bytes).collect())
    }

    fn canonicals(&mut self) -> StoreResult<Vec<Canonicalized>> {
        let (canonicals, _) = self.take(CANONICAL)?.as_chunks::<CANONICAL>();
        let canonicals = canonicals.iter().map(|bytes| {
            let (automorphisms, transformation) = bytes.split_first_chunk()?;
            Some(Canonicalized {
                automorphisms: u32::from_le_bytes(*automorphisms),
                transformation: Transformation::from_bytes(transformation.as_array()?)?,
            })
        });
        canonicals
            .collect::<Option<_>>()
            .ok_or_else(|| corrupt("a transformation that is none"))
    }

    fn ratings(&mut self) -> StoreResult<Vec<Rating>> {
        let (ratings, _) = self.take(Rating::BYTES)?.as_chunks();
        let ratings = ratings.iter().map(Rating::from_bytes);
        ratings
            .collect::<Option<_>>()
            .ok_or_else(|| corrupt("a rating that is none"))
    }

    fn end(&self) -> StoreResult<()> {
        if self.body.is_empty() {
            Ok(())
        } else {
            Err(corrupt("a payload that is too long"))
        }
    }
}

fn corrupt(what: &str) -> StoreError {
    StoreError::Corrupt(what.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    /// One of several transformations.
    fn turned(number: u32) -> Transformation {
        let mut bytes = Transformation::IDENTITY.to_bytes();
        bytes[0] = u8::from(number % 2 == 1);
        bytes[1..10].rotate_left(3 * (number as usize / 2 % 3));
        bytes[10..13].rotate_left(number as usize / 6 % 3);
        bytes[19..].rotate_left(number as usize / 18 % 9);
        Transformation::from_bytes(&bytes).expect("bands stay together")
    }

    #[test]
    fn a_transformation_that_is_none_is_noticed() {
        let mut body = vec![8; 1 + BYTES + CANONICAL];
        assert!(decode_results(&seal(CANONICALS, 1, &body)).is_err());
        body[1 + BYTES..][..4].fill(0);
        body[1 + BYTES + 4..].copy_from_slice(&Transformation::IDENTITY.to_bytes());
        assert!(decode_results(&seal(CANONICALS, 1, &body)).is_ok());
    }

    /// One of many ratings.
    fn rated(number: u32) -> Rating {
        let mut bytes = [0; Rating::BYTES];
        bytes[..4].copy_from_slice(&number.to_le_bytes());
        bytes[6] = if number.is_multiple_of(2) { 255 } else { 3 };
        bytes[8..12].copy_from_slice(&number.to_be_bytes());
        Rating::from_bytes(&bytes).expect("technique 3 is one")
    }

    #[test]
    fn a_technique_that_is_none_is_noticed() {
        let mut body = vec![0; 1 + BYTES + Rating::BYTES];
        body[0] = 1;
        body[1 + BYTES + 6] = 100;
        assert!(decode_results(&seal(RATINGS, 1, &body)).is_err());
        body[1 + BYTES + 6] = 39;
        assert!(decode_results(&seal(RATINGS, 1, &body)).is_ok());
    }

    fn results() -> impl Strategy<Value = Results> {
        (0..50_usize).prop_flat_map(|n| {
            let outcomes = vec(1..=10_u8, n);
            let numbers = || proptest::option::of(vec(any::<u64>(), n));
            let solutions = proptest::option::of(vec(any::<u8>(), n * BYTES));
            (
                outcomes,
                vec(any::<u8>(), n * BYTES),
                solutions,
                numbers(),
                numbers(),
                proptest::option::of(vec(any::<u32>(), n)),
                proptest::option::of(vec(any::<u32>(), n)),
            )
                .prop_map(
                    |(outcomes, grids, solutions, counts, guesses, automorphisms, ratings)| {
                        Results {
                            outcomes: outcomes
                                .into_iter()
                                .filter_map(Outcome::from_number)
                                .collect(),
                            grids,
                            solutions,
                            counts,
                            guesses,
                            canonicals: automorphisms.map(|numbers| {
                                let canonicals =
                                    numbers.into_iter().map(|automorphisms| Canonicalized {
                                        automorphisms,
                                        transformation: turned(automorphisms),
                                    });
                                canonicals.collect()
                            }),
                            ratings: ratings
                                .map(|numbers| numbers.into_iter().map(rated).collect()),
                        }
                    },
                )
        })
    }

    proptest! {
        #[test]
        fn results_come_back(results in results()) {
            prop_assert_eq!(decode_results(&encode_results(&results)).unwrap(), results);
        }

        #[test]
        fn a_changed_byte_is_noticed(results in results(), at in any::<prop::sample::Index>(), bit in 0..8_u8) {
            let mut payload = encode_results(&results);
            let at = at.index(payload.len());
            payload[at] ^= 1 << bit;
            if let Ok(read) = decode_results(&payload) {
                // A flip in zstd's own header can mean the same frame.
                prop_assert_eq!(read, results);
            }
        }

        #[test]
        fn noise_is_refused(noise in vec(any::<u8>(), 0..200)) {
            prop_assert!(decode_results(&noise).is_err());
            prop_assert!(decode_inputs(&noise).is_err());
        }
    }

    #[test]
    fn inputs_come_back() {
        let mut inputs = Inputs::default();
        inputs.push(None);
        assert_eq!(decode_inputs(&encode_inputs(&inputs)).unwrap(), inputs);
    }
}
