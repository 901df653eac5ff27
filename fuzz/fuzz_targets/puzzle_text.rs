//! The text of one puzzle, and a batch of lines: never a panic, and what is read prints and reads back.

#![no_main]

use gridmill::sudoku::{Puzzle, format};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(puzzle) = format::parse(text) {
        assert_eq!(puzzle.to_line().parse::<Puzzle>().as_ref(), Ok(&puzzle));
        assert_eq!(Puzzle::from_packed(&puzzle.to_packed()).as_ref(), Ok(&puzzle));
    }
    let items = format::batch_lines(text).count();
    assert!(items <= text.matches('\n').count() + 1);
});
