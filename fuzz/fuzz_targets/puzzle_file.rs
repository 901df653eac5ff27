//! A file of puzzles, a line at a time: never a panic, and every item says on which of its lines it began.

#![no_main]

use gridmill::sudoku::FileParser;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut parser = FileParser::new();
    let mut items = Vec::new();
    for line in text.lines() {
        parser.push_line(line, &mut items);
    }
    parser.finish(&mut items);
    let lines = text.lines().count() as u64;
    assert!(items.len() as u64 <= lines);
    assert!(items.iter().all(|item| (1..=lines).contains(&item.line)));
    assert!(items.is_sorted_by_key(|item| item.line));
});
