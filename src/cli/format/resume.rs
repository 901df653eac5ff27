//! How much of an earlier output is whole: what a resumed download need not ask for again.
//!
//! Records are counted by their format: fixed lengths in `lines` and `text`, line feeds in `csv` and
//! `jsonl`, where no field of a downloaded result holds one. A torn record at the end does not count.
//! Whether the records are those of the job is for the caller to check, with [`Written::last`].

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use super::text::BOARD;
use super::{Format, Renderer};
use crate::sudoku::packed::LINE;

/// What a file holds already.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Written {
    /// Whole records.
    pub(crate) records: u64,
    /// Bytes up to the end of the last of them, the header included.
    pub(crate) bytes: u64,
    /// The last record.
    pub(crate) last: Vec<u8>,
}

impl Written {
    /// Looks through a file that `renderer` began.
    pub(crate) fn in_file(file: &mut File, renderer: &Renderer) -> io::Result<Self> {
        match renderer.format {
            Format::Lines => Self::of_length(file, LINE as u64),
            Format::Text => Self::of_length(file, BOARD as u64),
            Format::Csv => Self::ended_by_line_feeds(file, 1),
            Format::Jsonl => Self::ended_by_line_feeds(file, 0),
        }
    }

    fn of_length(file: &mut File, length: u64) -> io::Result<Self> {
        let records = file.metadata()?.len() / length;
        let bytes = records * length;
        let last = read(file, bytes - length.min(bytes)..bytes)?;
        Ok(Self {
            records,
            bytes,
            last,
        })
    }

    fn ended_by_line_feeds(file: &mut File, headers: u64) -> io::Result<Self> {
        file.seek(SeekFrom::Start(0))?;
        let mut buffer = vec![0; 1 << 20];
        let (mut lines, mut position) = (0, 0);
        // Where the last whole line begins and ends.
        let (mut begin, mut end) = (0, 0);
        loop {
            let read = file.read(&mut buffer)?;
            if read == 0 {
                break;
            }
            for (offset, _) in (position..)
                .zip(&buffer[..read])
                .filter(|(_, b)| **b == b'\n')
            {
                lines += 1;
                (begin, end) = (end, offset + 1);
            }
            position += read as u64;
        }
        if lines <= headers {
            // A header alone: write it again.
            return Ok(Self::default());
        }
        Ok(Self {
            records: lines - headers,
            bytes: end,
            last: read(file, begin..end)?,
        })
    }
}

fn read(file: &mut File, range: std::ops::Range<u64>) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(range.start))?;
    let mut bytes = Vec::new();
    file.take(range.end - range.start).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::super::Kind;
    use super::*;

    fn written(format: Format, content: &str) -> (u64, u64, String) {
        let mut file = tempfile::tempfile().expect("a temporary file");
        file.write_all(content.as_bytes()).expect("it takes bytes");
        let renderer = Renderer::new(format, Kind::Grids);
        let written = Written::in_file(&mut file, &renderer).expect("it can be read");
        let last = String::from_utf8(written.last).expect("ASCII");
        (written.records, written.bytes, last)
    }

    #[test]
    fn a_torn_record_does_not_count() {
        let line = "1".repeat(81) + "\n";
        let two = line.repeat(2);
        assert_eq!(written(Format::Lines, ""), (0, 0, String::new()));
        assert_eq!(written(Format::Lines, &line[..81]).0, 0);
        assert_eq!(
            written(Format::Lines, &format!("{two}123")),
            (2, 164, line.clone())
        );
        let board = ("1 1 1 1 1 1 1 1 1\n".repeat(9)) + "\n";
        assert_eq!(written(Format::Text, &board[..162]).0, 0);
        assert_eq!(written(Format::Text, &(board.clone() + &board)).0, 2);
        let json = "{\"grid\":\"1\"}\n";
        assert_eq!(
            written(Format::Jsonl, &format!("{json}{{\"gr")),
            (1, json.len() as u64, json.to_owned())
        );
    }

    #[test]
    fn a_header_is_no_record() {
        assert_eq!(written(Format::Csv, "gri"), (0, 0, String::new()));
        assert_eq!(written(Format::Csv, "grid\n"), (0, 0, String::new()));
        assert_eq!(
            written(Format::Csv, "grid\n12\n34\n5"),
            (2, 11, "34\n".to_owned())
        );
    }
}
