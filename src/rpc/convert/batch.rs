//! Batches of grids: from requests to [`Inputs`], from [`Results`] to replies.

use tonic::Status;

use super::rating;
use crate::jobs::items::{Canonicalized, Inputs, Packed, Results};
use crate::rpc::pb;
use crate::rpc::pb::grid_batch::Layout as Cells;
use crate::rpc::status::{bad_field, too_large};
use crate::sudoku::Puzzle;
use crate::sudoku::format::batch_lines;
use crate::sudoku::packed::{self, BYTES, LINE};

/// How grids are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rpc) enum Layout {
    /// 81 characters and a line break.
    Lines,
    /// 41 bytes.
    Packed,
}

impl Layout {
    /// From the wire; lines if it does not say.
    ///
    /// # Errors
    /// BAD_FIELD for a number that is no layout.
    pub(in crate::rpc) fn read(number: i32) -> Result<Self, Status> {
        match pb::Layout::try_from(number) {
            Ok(pb::Layout::Unspecified | pb::Layout::Lines) => Ok(Self::Lines),
            Ok(pb::Layout::Packed) => Ok(Self::Packed),
            Err(_) => Err(bad_field(
                "layout",
                "expected LAYOUT_LINES or LAYOUT_PACKED",
            )),
        }
    }

    /// Bytes a grid.
    const fn bytes(self) -> usize {
        match self {
            Self::Lines => LINE,
            Self::Packed => BYTES,
        }
    }

    /// To the wire. Packed grids are handed on as they are.
    pub(in crate::rpc) fn write(self, grids: Packed) -> pb::GridBatch {
        let cells = match self {
            Self::Packed => Cells::Packed(grids.into()),
            Self::Lines => Cells::Lines(lines(&grids)),
        };
        pb::GridBatch {
            layout: Some(cells),
        }
    }
}

fn lines(grids: &[u8]) -> String {
    let (grids, _) = grids.as_chunks::<BYTES>();
    let mut text = vec![0; grids.len() * LINE];
    let (lines, _) = text.as_chunks_mut::<LINE>();
    for (grid, line) in grids.iter().zip(lines) {
        packed::to_line(grid, line);
    }
    String::from_utf8(text).expect("cells and line breaks are ASCII")
}

/// The puzzles of a request and the layout they came in. No batch is no puzzles. An item that is no
/// puzzle keeps its place.
///
/// # Errors
/// BAD_FIELD for packed bytes that are no whole items, TOO_LARGE for more than `limit` items.
pub(in crate::rpc) fn inputs(
    batch: Option<pb::GridBatch>,
    field: &str,
    limit: u64,
    instead: &str,
) -> Result<(Inputs, Layout), Status> {
    let admit = |items: usize| {
        let fits = u64::try_from(items).is_ok_and(|items| items <= limit);
        fits.then(|| Inputs::with_capacity(items))
            .ok_or_else(|| too_large(field, limit, instead))
    };
    match batch.and_then(|batch| batch.layout) {
        None => Ok((Inputs::default(), Layout::Lines)),
        Some(Cells::Lines(text)) => {
            let breaks = text.bytes().filter(|&byte| byte == b'\n').count();
            let unended = !text.is_empty() && !text.ends_with('\n');
            let mut inputs = admit(breaks + usize::from(unended))?;
            for puzzle in batch_lines(&text) {
                inputs.push(puzzle.ok().as_ref());
            }
            Ok((inputs, Layout::Lines))
        }
        Some(Cells::Packed(bytes)) => {
            let (items, rest) = bytes.as_chunks::<BYTES>();
            if !rest.is_empty() {
                let field = format!("{field}.packed");
                let found = bytes.len();
                let description = format!("{found} bytes are not a multiple of {BYTES}");
                return Err(bad_field(field, description));
            }
            let mut inputs = admit(items.len())?;
            for item in items {
                inputs.push(Puzzle::from_packed(item).ok().as_ref());
            }
            Ok((inputs, Layout::Packed))
        }
    }
}

/// Answers as they go on the wire, for the items from `first_index` on.
pub(in crate::rpc) fn results(
    first_index: u64,
    results: Results,
    inputs: Option<Inputs>,
    layout: Layout,
) -> pb::ResultBatch {
    let ratings = rating::ratings(&results);
    let canonicals = results.canonicals.unwrap_or_default();
    let canonicals = canonicals.iter().map(canonical).collect();
    let grids = layout.write(results.grids);
    pb::ResultBatch {
        first_index,
        outcomes: results.outcomes.iter().map(|&o| o as i32).collect(),
        crc32c: crc32c::crc32c(bytes(&grids)),
        grids: Some(grids),
        solutions: results.solutions.map(|solutions| layout.write(solutions)),
        solution_counts: results.counts.unwrap_or_default(),
        ratings,
        canonicals,
        inputs: inputs.map(|inputs| layout.write(inputs.into_packed())),
    }
}

fn canonical(canonicalized: &Canonicalized) -> pb::Canonical {
    let transformation = &canonicalized.transformation;
    let numbers = |numbers: &[u8]| numbers.iter().copied().map(u32::from).collect();
    pb::Canonical {
        automorphisms: canonicalized.automorphisms,
        transposed: transformation.transposed(),
        rows: numbers(transformation.rows()),
        columns: numbers(transformation.columns()),
        digits: numbers(transformation.digits()),
    }
}

/// Bytes of each of these items in a reply. Each column counts at its largest.
pub(in crate::rpc) fn item_bytes(results: &Results, with_inputs: bool, layout: Layout) -> usize {
    const OUTCOME: usize = 1;
    const VARINT: usize = 10;
    /// Tag and length, automorphisms below 2^28, whether transposed, three lists.
    const CANONICAL: usize = 2 + 5 + 2 + 2 + 9 + 2 + 9 + 2 + 10;
    let grids = 1 + usize::from(results.solutions.is_some()) + usize::from(with_inputs);
    let mut item = OUTCOME + grids * layout.bytes() + rating::bytes(results);
    if results.counts.is_some() {
        item += VARINT;
    }
    if results.canonicals.is_some() {
        item += CANONICAL;
    }
    item
}

/// The bytes that a checksum covers.
fn bytes(grids: &pb::GridBatch) -> &[u8] {
    match &grids.layout {
        Some(Cells::Lines(text)) => text.as_bytes(),
        Some(Cells::Packed(bytes)) => bytes,
        None => &[],
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::jobs::items::Outcome;
    use crate::rpc::limits;
    use crate::sudoku::logic::rating::Rating;
    use crate::sudoku::logic::technique::Technique;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn batch(cells: Cells) -> pb::GridBatch {
        pb::GridBatch {
            layout: Some(cells),
        }
    }

    fn read(cells: Cells) -> Result<(Inputs, Layout), Status> {
        inputs(Some(batch(cells)), "inputs", 10, "send several")
    }

    #[test]
    fn a_line_that_is_no_puzzle_keeps_its_place() {
        let text = format!("{PUZZLE}\r\nnonsense\n\n{PUZZLE}");
        let (inputs, layout) = read(Cells::Lines(text)).expect("four items");
        let read: Vec<bool> = inputs.iter().map(|puzzle| puzzle.is_some()).collect();
        assert_eq!(read, [true, false, false, true]);
        assert_eq!(layout, Layout::Lines);
    }

    #[test]
    fn both_layouts_say_the_same() {
        let lines = format!("{PUZZLE}\n{PUZZLE}\n");
        let (from_lines, _) = read(Cells::Lines(lines.clone())).expect("lines");
        let packed = Layout::Packed.write(from_lines.packed().to_vec());
        let (from_packed, layout) = inputs(Some(packed), "inputs", 10, "").expect("packed");
        assert_eq!(from_lines, from_packed);
        assert_eq!(layout, Layout::Packed);
        let back = Layout::Lines.write(from_packed.into_packed());
        assert_eq!(back.layout, Some(Cells::Lines(lines)));
    }

    #[test]
    fn packed_items_that_are_no_puzzles_are_all_the_same_malformed_item() {
        let mut bytes = vec![0xaa; BYTES];
        bytes.extend([0xff; BYTES]);
        let (inputs, _) = read(Cells::Packed(bytes.into())).expect("two items");
        let mut malformed = Inputs::default();
        malformed.push(None);
        malformed.push(None);
        assert_eq!(inputs, malformed);
    }

    #[test]
    fn torn_and_too_many_items_are_refused() {
        let torn = read(Cells::Packed(vec![0; BYTES + 1].into())).expect_err("torn");
        assert!(torn.message().starts_with("inputs.packed"), "{torn:?}");
        assert!(read(Cells::Lines("\n".repeat(10))).is_ok());
        for text in ["\n".repeat(11), "x\n".repeat(10) + "x"] {
            let many = read(Cells::Lines(text)).expect_err("eleven");
            assert!(many.message().contains("at most 10"), "{many:?}");
        }
    }

    #[test]
    fn no_batch_and_no_text_are_no_items() {
        for none in [None, Some(batch(Cells::Lines(String::new())))] {
            let (inputs, _) = inputs(none, "inputs", 0, "").expect("nothing");
            assert!(inputs.is_empty());
        }
    }

    fn made(items: usize) -> Results {
        let canonicalized = Canonicalized {
            automorphisms: 3_359_232,
            ..Canonicalized::NONE
        };
        Results {
            outcomes: vec![Outcome::Unique; items],
            grids: vec![0x99; items * BYTES],
            solutions: Some(vec![0x11; items * BYTES]),
            counts: Some(vec![u64::MAX; items]),
            guesses: Some(vec![u64::MAX; items]),
            canonicals: Some(vec![canonicalized; items]),
            ratings: Some(vec![rated(); items]),
        }
    }

    /// With every technique, as often as can be.
    fn rated() -> Rating {
        let mut bytes = [0xff; Rating::BYTES];
        for number in &mut bytes.as_chunks_mut::<2>().0[..3] {
            *number = 0x3fff_u16.to_le_bytes();
        }
        bytes[6] = Technique::DynamicContradiction as u8;
        bytes[7] = 1;
        Rating::from_bytes(&bytes).expect("each technique has a number")
    }

    #[test]
    fn a_reply_at_its_largest_stays_under_the_cap() {
        use prost::Message;
        for layout in [Layout::Lines, Layout::Packed] {
            let probe = made(1);
            let items = limits::MAX_REPLY_BYTES / item_bytes(&probe, true, layout);
            let inputs = Inputs::from_packed(vec![0; items * BYTES]);
            let batch = results(u64::MAX, made(items), inputs, layout);
            assert!(batch.encoded_len() < 1 << 20, "{}", batch.encoded_len());
        }
    }

    #[test]
    fn the_checksum_is_over_the_grids_as_sent() {
        let batch = results(0, made(2), None, Layout::Lines);
        let Some(Cells::Lines(text)) = batch.grids.expect("grids").layout else {
            unreachable!("lines were asked for");
        };
        assert_eq!(batch.crc32c, crc32c::crc32c(text.as_bytes()));
        assert_eq!(text.len(), 2 * LINE);
    }

    #[test]
    fn ratings_tell_givens_and_guesses_where_there_is_a_puzzle() {
        let mut answers = made(2);
        answers.outcomes[1] = Outcome::NotFound;
        answers.grids[BYTES..].fill(0);
        answers.grids[40] = 0x90;
        answers.guesses = Some(vec![3, 0]);
        let batch = results(0, answers, None, Layout::Packed);
        assert_eq!((batch.ratings[0].givens, batch.ratings[0].guesses), (81, 3));
        assert_eq!(batch.ratings[1], pb::Rating::default());
    }

    proptest! {
        #[test]
        fn no_text_and_no_bytes_can_make_it_panic(text: String, bytes: Vec<u8>) {
            let lines = text.split('\n').count();
            if let Ok((inputs, _)) = read(Cells::Lines(text)) {
                prop_assert!(inputs.len() <= lines);
            }
            let _ = read(Cells::Packed(bytes.into()));
        }
    }
}
