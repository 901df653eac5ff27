//! Files of puzzles, read a line at a time, so that a file of any length is read in constant space.
//!
//! A puzzle is a line of 81 cells, or a block of nine lines of nine cells with blanks, separators
//! and borders as in [`format`](mod@super::format). Empty lines and lines that begin with `#` stand
//! between puzzles. What is no puzzle becomes one item with its error, and reading goes on behind
//! it:
//!
//! - a line with a character that is no cell, or with too many cells for a row, is an item of its
//!   own;
//! - a line with fewer or a few more cells than nine counts as a row of a block, which then is
//!   wrong as a whole;
//! - a block ends at its ninth row, or is cut short by an empty line, a comment, a line of 81
//!   cells, or the end.

use super::error::{ParseError, ParseErrorKind};
use super::format;
use super::puzzle::Puzzle;

/// One puzzle of a file, or what stood in a puzzle's place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileItem {
    /// The line it begins on, counted from 1.
    pub line: u64,
    /// What stood there, shortened, if it is no puzzle; else empty.
    pub text: String,
    /// The puzzle, or what is wrong and where in the file.
    pub result: Result<Puzzle, ParseError>,
}

/// Reads the lines of a file in turn.
#[derive(Clone, Default, Debug)]
pub struct FileParser {
    line: u64,
    block: Option<Block>,
}

/// A block of rows that has begun.
#[derive(Clone, Debug)]
struct Block {
    line: u64,
    rows: usize,
    cells: [u8; 81],
    /// The first row as it stands in the file.
    text: String,
    /// The first thing wrong with it.
    error: Option<ParseError>,
}

/// What a line of a file is.
enum Line {
    Between,
    Border,
    Puzzle(Puzzle),
    Row([u8; 9]),
    /// A row by its length, but for what is wrong with it.
    BadRow(ParseError),
    Bad(ParseError),
}

/// Up to this many cells a line is taken for a row that went wrong, above it for a puzzle that did.
const ROW_AT_MOST: usize = 17;

impl FileParser {
    /// A reader at the beginning of a file.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads the next line, with or without its line break, and adds what it completes to `items`:
    /// nothing, one item, or two if the line also cuts a block short.
    pub fn push_line(&mut self, line: &str, items: &mut Vec<FileItem>) {
        self.line += 1;
        let line = line.strip_suffix('\n').unwrap_or(line);
        let line = if self.line == 1 {
            format::strip_bom(line)
        } else {
            line
        };
        let line_number = self.line;
        let kind = Line::of(line, line_number);
        match kind {
            Line::Border => {}
            Line::Between => self.finish(items),
            Line::Puzzle(puzzle) => {
                self.finish(items);
                items.push(FileItem {
                    line: line_number,
                    text: String::new(),
                    result: Ok(puzzle),
                });
            }
            Line::Row(row) => self.push_row(line, Ok(row), items),
            Line::BadRow(error) => self.push_row(line, Err(error), items),
            Line::Bad(error) if self.block.is_some() => self.push_row(line, Err(error), items),
            Line::Bad(error) => items.push(FileItem {
                line: line_number,
                text: shorten(line),
                result: Err(error),
            }),
        }
    }

    /// Reads the end: a block that has begun is over.
    pub fn finish(&mut self, items: &mut Vec<FileItem>) {
        items.extend(self.block.take().map(Block::into_item));
    }

    fn push_row(
        &mut self,
        text: &str,
        row: Result<[u8; 9], ParseError>,
        items: &mut Vec<FileItem>,
    ) {
        let line = self.line;
        let block = self.block.get_or_insert_with(|| Block {
            line,
            rows: 0,
            cells: [0; 81],
            text: shorten(text),
            error: None,
        });
        block.push(text, row);
        if block.rows == 9 {
            self.finish(items);
        }
    }
}

impl Block {
    fn push(&mut self, text: &str, row: Result<[u8; 9], ParseError>) {
        match row {
            Ok(row) => self.cells[9 * self.rows..][..9].copy_from_slice(&row),
            Err(error) if self.error.is_none() => {
                self.error = Some(error);
                self.text = shorten(text);
            }
            Err(_) => {}
        }
        self.rows += 1;
    }

    fn into_item(self) -> FileItem {
        let Self {
            line,
            rows,
            cells,
            text,
            error,
        } = self;
        let cut_short = || ParseError {
            line,
            column: 1,
            kind: ParseErrorKind::Rows(rows),
        };
        match error.or_else(|| (rows < 9).then(cut_short)) {
            Some(error) => FileItem {
                line,
                text,
                result: Err(error),
            },
            None => FileItem {
                line,
                text: String::new(),
                result: Ok(Puzzle::from_checked(cells)),
            },
        }
    }
}

impl Line {
    fn of(text: &str, number: u64) -> Self {
        if let Some(puzzle) = format::parse_plain(text) {
            return Self::Puzzle(puzzle);
        }
        if text.trim_start().starts_with('#') {
            return Self::Between;
        }
        if text.len() <= format::MAX_BYTES && format::is_border(text) {
            return Self::Border;
        }
        match format::parse(text) {
            Ok(puzzle) => Self::Puzzle(puzzle),
            Err(error) => Self::of_error(
                text,
                ParseError {
                    line: number,
                    ..error
                },
            ),
        }
    }

    /// What a line is that is no puzzle.
    fn of_error(text: &str, error: ParseError) -> Self {
        match error.kind {
            ParseErrorKind::Empty => Self::Between,
            ParseErrorKind::Cells(9) => {
                let mut row = [0; 9];
                let values =
                    text.chars()
                        .filter_map(|character| match format::Symbol::of(character) {
                            format::Symbol::Cell(value) => Some(value),
                            _ => None,
                        });
                for (cell, value) in row.iter_mut().zip(values) {
                    *cell = value;
                }
                Self::Row(row)
            }
            ParseErrorKind::Cells(found) if found <= ROW_AT_MOST => Self::BadRow(ParseError {
                kind: ParseErrorKind::RowCells(found),
                ..error
            }),
            _ => Self::Bad(error),
        }
    }
}

/// The beginning of a text, enough to recognise it by.
fn shorten(text: &str) -> String {
    const CHARACTERS: usize = 100;
    text.trim_end().chars().take(CHARACTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<FileItem> {
        let mut parser = FileParser::new();
        let mut items = Vec::new();
        for line in text.split_inclusive('\n') {
            parser.push_line(line, &mut items);
        }
        parser.finish(&mut items);
        items
    }

    fn outcome(item: &FileItem) -> String {
        match &item.result {
            Ok(puzzle) => format!("{}: {puzzle}", item.line),
            Err(error) => format!("{}: {error} [{}]", item.line, item.text),
        }
    }

    const LINE: &str =
        ".......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6...";

    fn rows(line: &str) -> String {
        line.as_bytes().chunks(9).fold(String::new(), |text, row| {
            text + &String::from_utf8_lossy(row) + "\n"
        })
    }

    #[test]
    fn lines_comments_and_blanks_with_any_line_break() {
        let zeros = LINE.replace('.', "0");
        let text =
            format!("\u{feff}# a title\r\n{LINE}\r\n\r\n  # more\r\n{zeros}\r\n   \r\n{LINE}");
        let expected = [2, 5, 7].map(|line| format!("{line}: {LINE}"));
        assert_eq!(
            read(&text).iter().map(outcome).collect::<Vec<_>>(),
            expected
        );
        assert!(read("").is_empty());
        assert!(read("\n\n# nothing\n").is_empty());
    }

    #[test]
    fn blocks_framed_or_plain_or_spaced() {
        let spaced: String = rows(LINE).lines().fold(String::new(), |text, row| {
            text + &row.chars().map(String::from).collect::<Vec<_>>().join(" ") + "\n"
        });
        let framed: String =
            rows(LINE)
                .lines()
                .enumerate()
                .fold(String::new(), |text, (i, row)| {
                    let border = if i % 3 == 0 {
                        "+-------+-------+-------+\n"
                    } else {
                        ""
                    };
                    text + border + &format!("| {} | {} | {} |\n", &row[..3], &row[3..6], &row[6..])
                });
        let text = format!("{}\n{spaced}\n{framed}+-----+\n{}", rows(LINE), rows(LINE));
        let expected = [1, 11, 22, 34].map(|line| format!("{line}: {LINE}"));
        assert_eq!(
            read(&text).iter().map(outcome).collect::<Vec<_>>(),
            expected
        );
    }

    #[test]
    fn what_is_no_puzzle_is_one_item_and_reading_goes_on() {
        let text = format!("{}\nhello\n{LINE}\n{LINE}1\n", &LINE[1..]);
        let expected = [
            format!("1: line 1: 80 cells, expected 81 [{}]", &LINE[1..]),
            "2: line 2, column 1: found 'h', expected a digit 1-9 or one of . 0 _ * for an empty cell [hello]".into(),
            format!("3: {LINE}"),
            format!("4: line 4: 82 cells, expected 81 [{LINE}1]"),
        ];
        assert_eq!(
            read(&text).iter().map(outcome).collect::<Vec<_>>(),
            expected
        );
    }

    #[test]
    fn a_block_cut_short_is_one_item() {
        let five: String = rows(LINE)
            .lines()
            .take(5)
            .fold(String::new(), |text, row| text + row + "\n");
        let cut = |line| format!("{line}: line {line}: block of 5 rows, expected 9 [.......12]");
        assert_eq!(
            read(&five).iter().map(outcome).collect::<Vec<_>>(),
            [cut(1)]
        );
        let text = format!("{five}\n{five}{LINE}\n{five}# end\n");
        assert_eq!(
            read(&text).iter().map(outcome).collect::<Vec<_>>(),
            [cut(1), cut(7), format!("12: {LINE}"), cut(13)]
        );
    }

    #[test]
    fn a_bad_row_spoils_its_block_only() {
        let bad = rows(LINE).replace(".6..7.8..", ".6..7x8..");
        let short = rows(LINE).replacen(".......12", ".......1", 1);
        let long = rows(LINE).replace(".6..7.8..", ".6..7.8...");
        let text = format!("{bad}{short}{long}{LINE}\n");
        let expected = [
            "1: line 5, column 6: found 'x', expected a digit 1-9 or one of . 0 _ * for an empty cell [.6..7x8..]".into(),
            "10: line 10: 8 cells in a row, expected 9 [.......1]".into(),
            "19: line 23: 10 cells in a row, expected 9 [.6..7.8...]".into(),
            format!("28: {LINE}"),
        ];
        assert_eq!(
            read(&text).iter().map(outcome).collect::<Vec<_>>(),
            expected
        );
    }

    #[test]
    fn an_endless_line_is_refused_and_quoted_in_short() {
        let items = read(&"1".repeat(1 << 20));
        assert_eq!(items.len(), 1);
        assert_eq!(items[0].text.len(), 100);
        let error = items[0].result.clone().expect_err("too long");
        assert_eq!(
            error.to_string(),
            "line 1: more than 16384 bytes for one puzzle"
        );
    }
}
