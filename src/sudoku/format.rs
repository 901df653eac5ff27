//! Text to puzzle and back.
//!
//! One puzzle is 81 cells, on one line or on several of whole rows. An empty cell is `.`, `0`, `_`
//! or `*`; blanks of any kind, commas and `|` may stand between cells, and lines of `-`, `+`, `=`
//! and `|` between rows. Digits may be full-width. Everything else is an error with its position:
//! nothing is padded, cut or guessed, since a puzzle that is one cell out is another puzzle.
//!
//! Some programs write `-` for an empty cell. Here that is refused, because a line of nine dashes
//! is more often a border.

use std::fmt;

use super::error::{ParseError, ParseErrorKind};
use super::puzzle::Puzzle;

/// The longest text read as one puzzle. A framed grid of nine lines is far below it, and an error
/// is found in time proportional to this, whatever is sent.
pub const MAX_BYTES: usize = 16 * 1024;

/// Reads one puzzle.
///
/// # Errors
/// What is wrong with the text, and where.
pub fn parse(text: &str) -> Result<Puzzle, ParseError> {
    if text.len() > MAX_BYTES {
        return Err(ParseError {
            line: 1,
            column: 1,
            kind: ParseErrorKind::TooLong,
        });
    }
    let mut cells = [0; 81];
    let mut total = 0;
    // The first line whose cells are no whole rows. It is reported only when no bad character
    // explains it.
    let mut uneven = None;
    let mut end = (1, 1);
    for (line, content) in (1..).zip(strip_bom(text).split('\n')) {
        let mut in_line = 0;
        let mut column = 1;
        let mut surplus = None;
        if !is_border(content) {
            for character in content.chars() {
                match Symbol::of(character) {
                    Symbol::Cell(value) => {
                        if let Some(cell) = cells.get_mut(total) {
                            *cell = value;
                        } else {
                            surplus.get_or_insert(column);
                        }
                        total += 1;
                        in_line += 1;
                    }
                    Symbol::Blank => {}
                    Symbol::Other => {
                        return Err(ParseError {
                            line,
                            column,
                            kind: ParseErrorKind::Character(character),
                        });
                    }
                }
                column += 1;
            }
        }
        if in_line % 9 != 0 || surplus.is_some() {
            uneven.get_or_insert((line, surplus.unwrap_or(column), in_line));
        }
        if in_line > 0 {
            end = (line, column);
        }
    }
    let error = |(line, column), kind| Err(ParseError { line, column, kind });
    match uneven {
        // A text of one line is wrong by its total, a text of several by the line that is no row.
        Some((line, column, in_line)) if in_line == total || total > 81 => {
            error((line, column), ParseErrorKind::Cells(total))
        }
        Some((line, column, in_line)) => error((line, column), ParseErrorKind::RowCells(in_line)),
        None if total == 0 => error(end, ParseErrorKind::Empty),
        None if total < 81 => error(end, ParseErrorKind::Cells(total)),
        None => Ok(Puzzle::from_checked(cells)),
    }
}

/// 81 ASCII cells with nothing but blanks around them: nearly every line there is, and the fast way.
pub(super) fn parse_plain(line: &str) -> Option<Puzzle> {
    let bytes: &[u8; 81] = line.as_bytes().trim_ascii().try_into().ok()?;
    let mut cells = [0; 81];
    let mut seen = 0;
    for (cell, &byte) in cells.iter_mut().zip(bytes) {
        *cell = PLAIN[byte as usize];
        seen |= *cell;
    }
    (seen < NO_CELL).then(|| Puzzle::from_checked(cells))
}

/// Reads a batch, a puzzle a line. Each line keeps its place, an empty one too; after the last one
/// `'\n'` may be missing.
pub fn batch_lines(text: &str) -> impl Iterator<Item = Result<Puzzle, ParseError>> + Clone {
    let text = strip_bom(text);
    let text = text
        .strip_suffix('\n')
        .map_or((!text.is_empty()).then_some(text), Some);
    (1..)
        .zip(text.into_iter().flat_map(|text| text.split('\n')))
        .map(|(number, line)| {
            parse_plain(line).map_or_else(
                || {
                    parse(line).map_err(|error| ParseError {
                        line: number,
                        ..error
                    })
                },
                Ok,
            )
        })
}

/// Writes 81 cells as ASCII, `.` for empty.
pub(super) fn write_cells(cells: &[u8; 81], out: &mut [u8; 81]) {
    for (character, &cell) in out.iter_mut().zip(cells) {
        *character = if cell == 0 { b'.' } else { b'0' + cell };
    }
}

/// Writes 81 cells as text, `.` for empty.
pub(super) fn fmt_cells(cells: &[u8; 81], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut line = [0; 81];
    write_cells(cells, &mut line);
    f.write_str(std::str::from_utf8(&line).expect("digits and dots are ASCII"))
}

/// What a character means inside a line of cells.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Symbol {
    /// A cell, 0 for empty.
    Cell(u8),
    /// A blank or a separator.
    Blank,
    /// Anything else.
    Other,
}

impl Symbol {
    pub(super) fn of(character: char) -> Self {
        match character {
            '.' | '_' | '*' | '．' | '＿' | '＊' => Self::Cell(0),
            ',' | '|' | '，' | '｜' => Self::Blank,
            _ => match character
                .to_digit(10)
                .or_else(|| u32::from(character).checked_sub('０'.into()))
            {
                #[expect(clippy::cast_possible_truncation, reason = "the guard")]
                Some(value) if value <= 9 => Self::Cell(value as u8),
                _ if character.is_whitespace() || character == ZERO_WIDTH_SPACE => Self::Blank,
                _ => Self::Other,
            },
        }
    }
}

const ZERO_WIDTH_SPACE: char = '\u{200b}';

/// Whether a line is a border between rows: dashes and their like, with nothing else but
/// separators.
pub(super) fn is_border(line: &str) -> bool {
    let is_rule = |character| matches!(character, '-' | '+' | '=' | '–' | '—');
    line.contains(is_rule)
        && line
            .chars()
            .all(|character| is_rule(character) || Symbol::of(character) == Symbol::Blank)
}

pub(super) fn strip_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

const NO_CELL: u8 = 16;

static PLAIN: [u8; 256] = {
    let mut values = [NO_CELL; 256];
    let mut digit = 0;
    while digit < 10 {
        values[b'0' as usize + digit as usize] = digit;
        digit += 1;
    }
    values[b'.' as usize] = 0;
    values[b'_' as usize] = 0;
    values[b'*' as usize] = 0;
    values
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::sudoku::packed;

    const LINE: &str =
        ".......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6...";

    fn rows(end: &str) -> String {
        LINE.as_bytes().chunks(9).fold(String::new(), |text, row| {
            text + &String::from_utf8_lossy(row) + end
        })
    }

    fn spaced(line: &str, separator: &str) -> String {
        line.chars().fold(String::new(), |mut text, cell| {
            text.push(cell);
            text + separator
        })
    }

    fn error(text: &str) -> String {
        parse(text).expect_err("no puzzle").to_string()
    }

    #[test]
    fn one_line_in_any_of_its_spellings() {
        let texts = [
            LINE.to_owned(),
            LINE.replace('.', "0"),
            LINE.replace('.', "_"),
            LINE.replace('.', "*"),
            format!("\u{feff}{LINE}\r\n"),
            format!("  {LINE}\t\n\n"),
            spaced(LINE, " "),
            spaced(&LINE.replace('.', "0"), ",\u{a0}"),
            LINE.replace('1', "１")
                .replace('2', "２")
                .replace('8', "８")
                .replace('.', "０"),
            LINE.replace('.', "．"),
        ];
        for text in texts {
            assert_eq!(
                parse(&text).map(|puzzle| puzzle.to_line()).as_deref(),
                Ok(LINE),
                "{text}"
            );
            if text.trim_end_matches('\n').lines().count() == 1 && !text.starts_with('\u{feff}') {
                let batch: Vec<_> = batch_lines(text.trim_end_matches('\n')).collect();
                assert_eq!(batch, [parse(LINE)], "{text}");
            }
        }
    }

    #[test]
    fn nine_lines_framed_or_not() {
        let framed: String =
            rows("\n")
                .lines()
                .enumerate()
                .fold(String::new(), |text, (i, row)| {
                    let border = if i % 3 == 0 { "+---+---+---+\r\n" } else { "" };
                    text + border + &format!("|{}|{}|{}|\r\n", &row[..3], &row[3..6], &row[6..])
                });
        for text in [
            rows("\n"),
            rows("\r\n"),
            rows("\n\n"),
            rows(" \t\n=====\n"),
            rows("\n — \n"),
            framed + "+---+---+---+",
        ] {
            assert_eq!(parse(&text), parse(LINE), "{text}");
        }
    }

    #[test]
    fn an_error_says_where_what_and_what_instead() {
        assert_eq!(
            error(&rows("\n").replace("........3", "....x...3")),
            "line 2, column 5: found 'x', expected a digit 1-9 or one of . 0 _ * for an empty cell"
        );
        assert_eq!(
            error(&LINE.replacen('.', "-", 1)),
            "line 1, column 1: found '-', expected a digit 1-9 or one of . 0 _ * for an empty cell \
             ('-', '+' and '=' may only stand in a border line)"
        );
        assert_eq!(
            error(":0000:x:...+8...:111 211::"),
            "line 1, column 1: found ':', expected a digit 1-9 or one of . 0 _ * for an empty cell \
             (strings with candidate lists are not supported)"
        );
        assert!(error(&LINE.replacen('.', "\u{1b}", 1)).contains("found '\\u{1b}'"));
        assert_eq!(error(&LINE[1..]), "line 1: 80 cells, expected 81");
        assert_eq!(error(&format!("{LINE}7")), "line 1: 82 cells, expected 81");
        assert_eq!(
            error(&format!("{LINE}\n{LINE}")),
            "line 2: 162 cells, expected 81"
        );
        assert_eq!(error(&rows("\n")[10..]), "line 8: 72 cells, expected 81");
        assert_eq!(
            error(&rows("\n").replacen(".......12", ".......1", 1)),
            "line 1: 8 cells in a row, expected 9"
        );
        assert_eq!(error(""), "line 1: no cells, expected 81");
        assert_eq!(error("---------"), "line 1: no cells, expected 81");
    }

    #[test]
    fn a_cell_moved_to_the_next_line_is_not_passed_over() {
        // 81 cells, but of 8 + 10 in the first two lines: the puzzle meant is anyone's guess.
        let text = rows("\n").replacen("12\n", "1\n2", 1);
        assert_eq!(error(&text), "line 1: 8 cells in a row, expected 9");
    }

    #[test]
    fn columns_count_characters_not_bytes() {
        let error = parse("１２x").expect_err("no puzzle");
        assert_eq!(
            (error.line, error.column, error.kind),
            (1, 3, ParseErrorKind::Character('x'))
        );
    }

    #[test]
    fn long_input_is_refused_by_its_length() {
        let error = parse(&" ".repeat(1 << 24)).expect_err("no puzzle");
        assert_eq!(error.kind, ParseErrorKind::TooLong);
    }

    #[test]
    fn each_line_of_a_batch_keeps_its_place() {
        let outcomes = |text: &str| -> Vec<Result<String, String>> {
            batch_lines(text)
                .map(|item| {
                    item.map(|puzzle| puzzle.to_line())
                        .map_err(|error| error.to_string())
                })
                .collect()
        };
        let good = || Ok(LINE.to_owned());
        let text = format!("\u{feff}{LINE}\r\n\n{}\n{LINE}", &LINE[1..]);
        let expected = [
            good(),
            Err("line 2: no cells, expected 81".into()),
            Err("line 3: 80 cells, expected 81".into()),
            good(),
        ];
        assert_eq!(outcomes(&text), expected);
        assert_eq!(outcomes(&format!("{text}\n")), expected);
        assert_eq!(outcomes(""), []);
        assert_eq!(
            outcomes("\n"),
            [Err("line 1: no cells, expected 81".into())]
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_000) })]

        #[test]
        fn what_is_written_reads_back(cells in prop::collection::vec(0u8..=9, 81)) {
            let cells: [u8; 81] = cells.try_into().expect("81 cells");
            let puzzle = Puzzle::from_cells(cells).expect("digits");
            prop_assert_eq!(parse(&puzzle.to_line()), Ok(puzzle));
            prop_assert_eq!(parse_plain(&puzzle.to_line()), Some(puzzle));
            prop_assert_eq!(Puzzle::from_packed(&puzzle.to_packed()), Ok(puzzle));
            let (mut line, mut packed_line) = ([0; 81], [0; 82]);
            puzzle.write_line(&mut line);
            packed::to_line(&puzzle.to_packed(), &mut packed_line);
            prop_assert_eq!(line.to_vec(), puzzle.to_line().into_bytes());
            prop_assert_eq!(&packed_line[..81], &line[..]);
        }

        #[test]
        fn bytes_are_a_puzzle_exactly_if_they_pack_one(bytes in prop::collection::vec(any::<u8>(), packed::BYTES)) {
            let bytes: [u8; packed::BYTES] = bytes.try_into().expect("41 bytes");
            // At random nearly none is; fold the nibbles into range for the other half of the
            // cases.
            let folded = bytes.map(|byte| (byte >> 4) % 10 * 16 + (byte & 15) % 10);
            for bytes in [bytes, folded] {
                if let Ok(puzzle) = Puzzle::from_packed(&bytes) {
                    prop_assert_eq!(puzzle.to_packed(), bytes);
                }
            }
            let mut folded = folded;
            folded[packed::BYTES - 1] &= 0xf0;
            prop_assert!(Puzzle::from_packed(&folded).is_ok());
        }

        #[test]
        fn any_text_is_read_or_refused(text in "(?s)[1-9.0_*,| \t\r\n+=x\u{feff}-]{0,200}|.{0,200}") {
            let by_line: Vec<_> = batch_lines(&text).collect();
            prop_assert!(by_line.len() <= text.split('\n').count());
            if let Ok(puzzle) = parse(&text) {
                let cells = text.chars().filter(|&character| matches!(Symbol::of(character), Symbol::Cell(_)));
                prop_assert_eq!(cells.count(), 81);
                prop_assert_eq!(parse(&puzzle.to_line()), Ok(puzzle));
            }
            let mut items = Vec::new();
            let mut parser = crate::sudoku::FileParser::new();
            text.split('\n').for_each(|line| parser.push_line(line, &mut items));
            parser.finish(&mut items);
            prop_assert!(items.len() <= text.split('\n').count());
            prop_assert!(items.windows(2).all(|pair| pair[0].line < pair[1].line));
        }
    }
}
