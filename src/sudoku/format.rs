//! Text to puzzle and back.
//!
//! One puzzle is 81 cells, on one line or on several of whole rows. An empty cell is `.`, `0`, `_` or `*`; blanks of any
//! kind, commas and `|` may stand between cells, and lines of `-`, `+`, `=` and `|` between rows. Digits may be
//! full-width. Everything else is an error with its position: nothing is padded, cut or guessed, since a puzzle that is
//! one cell out is another puzzle.
//!
//! Some programs write `-` for an empty cell. Here that is refused, because a line of nine dashes is more often a border.

use std::fmt;

use super::error::{ParseError, ParseErrorKind};
use super::puzzle::Puzzle;

/// The longest text read as one puzzle. A framed grid of nine lines is far below it, and an error is found in time
/// proportional to this, whatever is sent.
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
            kind: ParseErrorKind::TooLong(text.len()),
        });
    }
    let mut cells = [0; 81];
    let mut total = 0;
    // The first line whose cells are no whole rows. It is reported only when no bad character explains it.
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

/// Reads a line that is one puzzle: the fast way for many. It reads what [`parse`] reads from one line.
#[must_use]
pub fn parse_line(line: &str) -> Option<Puzzle> {
    parse_plain(line).or_else(|| parse(line).ok())
}

/// 81 ASCII cells with nothing but blanks around them.
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

/// Reads a batch, a puzzle a line. Each line keeps its place, an empty one too; after the last one `'\n'` may be missing.
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
                #[allow(clippy::cast_possible_truncation, reason = "the guard")]
                Some(value) if value <= 9 => Self::Cell(value as u8),
                _ if character.is_whitespace() || character == ZERO_WIDTH_SPACE => Self::Blank,
                _ => Self::Other,
            },
        }
    }
}

const ZERO_WIDTH_SPACE: char = '\u{200b}';

/// Whether a line is a border between rows: dashes and their like, with nothing else but separators.
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
