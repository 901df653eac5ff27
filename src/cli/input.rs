//! Puzzles from a file or from standard input, in batches, on a thread of their own.
//!
//! Any number of them is read in constant space: the reader waits while enough batches are waiting.
//! A line that is no puzzle keeps its place in the batch, and its text goes to whoever writes the row.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use clap::Args;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::exit::{Failure, Result};
use super::terminal;
use crate::sudoku::{FileItem, FileParser, Puzzle};

/// Puzzles in a batch.
const BATCH: u32 = 4096;

/// A batch that began to fill this long ago goes out as it is, so that an upload does not look
/// abandoned when its source is slow.
const OLDEST: Duration = Duration::from_secs(1);

/// Batches that may wait for the upload.
const QUEUE: usize = 4;

/// Texts of malformed lines that may wait for their rows. Far more than the items of all batches and
/// of a chunk, so there are always rows that can be written meanwhile.
pub(crate) const TEXTS: usize = 16 * BATCH as usize;

/// Bytes of a line that are looked at. Longer than any puzzle, so what is cut is malformed anyway.
const MAX_LINE: u64 = 32 * 1024;

/// Stands for a line that is no puzzle.
const MALFORMED: &str = "?";

/// Arguments that say which file is read.
#[derive(Debug, Clone, Args)]
pub(crate) struct InputFile {
    /// File of puzzles or grids: lines of 81 cells or boards of nine rows; - is standard input. Csv and jsonl
    /// are formats of answers and are not read
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,

    /// Stop at the first line that is no puzzle; otherwise its place has no answer, and csv and jsonl show it
    #[arg(long)]
    strict: bool,
}

impl InputFile {
    /// Opens it; with it comes whether the first line that is no puzzle ends the work.
    pub(crate) fn open(&self) -> Result<(Input, bool)> {
        Ok((Input::open(&self.file)?, self.strict))
    }
}

/// A run of inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Puzzles {
    /// Index of the first.
    pub(crate) first: u64,
    /// How many.
    pub(crate) len: u64,
    /// A line each.
    pub(crate) lines: String,
}

impl Puzzles {
    fn from(first: u64) -> Self {
        Self {
            first,
            len: 0,
            lines: String::new(),
        }
    }

    /// Index behind the last.
    pub(crate) const fn end(&self) -> u64 {
        self.first + self.len
    }
}

/// Something to read puzzles from, opened.
pub(crate) struct Input {
    name: String,
    reader: Box<dyn BufRead + Send>,
}

/// What was read.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    /// Items in all.
    pub(crate) items: u64,
    /// Those that are no puzzles.
    malformed: u64,
    /// What is wrong with the first of them.
    first: String,
}

/// A reader at work.
pub(crate) struct Reading {
    pub(crate) batches: mpsc::Receiver<Puzzles>,
    reader: JoinHandle<Result<Summary>>,
}

impl Input {
    /// Opens a file; `-` is standard input.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        if path == Path::new("-") {
            return Ok(Self {
                name: "standard input".to_owned(),
                reader: Box::new(BufReader::with_capacity(1 << 16, io::stdin())),
            });
        }
        let name = path.display().to_string();
        match File::open(path) {
            Ok(file) => Ok(Self {
                name,
                reader: Box::new(BufReader::with_capacity(1 << 18, file)),
            }),
            Err(source) => Err(Failure::Input { name, source }),
        }
    }

    /// Begins to read. With `strict` the first line that is no puzzle ends it; otherwise their texts
    /// go to `texts`, in order, each before its batch does.
    pub(crate) fn start(self, strict: bool, texts: Option<SyncSender<String>>) -> Reading {
        let (sender, batches) = mpsc::channel(QUEUE);
        let reader =
            tokio::task::spawn_blocking(move || self.read(strict, texts.as_ref(), &sender));
        Reading { batches, reader }
    }

    fn read(
        mut self,
        strict: bool,
        texts: Option<&SyncSender<String>>,
        batches: &mpsc::Sender<Puzzles>,
    ) -> Result<Summary> {
        let mut summary = Summary::default();
        let mut parser = FileParser::new();
        let mut items = Vec::new();
        let mut line = Vec::new();
        let mut batch = Puzzles::from(0);
        let mut begun = Instant::now();
        loop {
            let more = self.next_items(&mut parser, &mut line, &mut items)?;
            for item in items.drain(..) {
                if batch.len == 0 {
                    begun = Instant::now();
                }
                self.push(item, strict, texts, &mut batch, &mut summary)?;
            }
            let is_due = batch.len >= u64::from(BATCH) || !more || begun.elapsed() >= OLDEST;
            if batch.len > 0 && is_due {
                let next = Puzzles::from(batch.end());
                if batches
                    .blocking_send(std::mem::replace(&mut batch, next))
                    .is_err()
                {
                    // The upload failed and says why.
                    return Ok(summary);
                }
            }
            if !more {
                return Ok(summary);
            }
        }
    }

    fn push(
        &self,
        item: FileItem,
        strict: bool,
        texts: Option<&SyncSender<String>>,
        batch: &mut Puzzles,
        summary: &mut Summary,
    ) -> Result {
        match item.result {
            Ok(puzzle) => {
                let mut cells = [0; 81];
                puzzle.write_line(&mut cells);
                batch.lines.extend(cells.map(char::from));
            }
            Err(error) => {
                if strict {
                    return Err(Failure::Data(format!("{}: {error}", self.name)));
                }
                if summary.malformed == 0 {
                    summary.first = error.to_string();
                }
                summary.malformed += 1;
                if let Some(texts) = texts {
                    // Fails when nobody writes rows any more; then the upload is given up, too.
                    let _ = texts.send(item.text);
                }
                batch.lines.push_str(MALFORMED);
            }
        }
        batch.lines.push('\n');
        batch.len += 1;
        summary.items += 1;
        Ok(())
    }

    /// Reads everything; what is no puzzle is an error.
    pub(crate) fn all(mut self) -> Result<Vec<Puzzle>> {
        let (mut parser, mut line, mut items) = (FileParser::new(), Vec::new(), Vec::new());
        while self.next_items(&mut parser, &mut line, &mut items)? {}
        let puzzles = items.into_iter().map(|item| {
            item.result
                .map_err(|error| Failure::Data(format!("{}: {error}", self.name)))
        });
        puzzles.collect()
    }

    /// Reads a line into `line` and adds what it completes to `items`. False at the end.
    fn next_items(
        &mut self,
        parser: &mut FileParser,
        line: &mut Vec<u8>,
        items: &mut Vec<FileItem>,
    ) -> Result<bool> {
        let more = self.next_line(line)?;
        if more {
            parser.push_line(&String::from_utf8_lossy(line), items);
        } else {
            parser.finish(items);
        }
        Ok(more)
    }

    /// Reads a line of at most [`MAX_LINE`] bytes and skips what it has more.
    fn next_line(&mut self, line: &mut Vec<u8>) -> Result<bool> {
        line.clear();
        let read = |source| Failure::Input {
            name: self.name.clone(),
            source,
        };
        let mut limited = self.reader.by_ref().take(MAX_LINE);
        let length = limited.read_until(b'\n', line).map_err(read)?;
        if length as u64 == MAX_LINE && line.last() != Some(&b'\n') {
            self.reader.skip_until(b'\n').map_err(read)?;
        }
        Ok(length > 0)
    }
}

impl Reading {
    /// What was read in all; call it when the batches have ended.
    pub(crate) async fn end(self) -> Result<Summary> {
        self.reader.await.map_err(anyhow::Error::from)?
    }
}

impl Summary {
    /// Says how many lines are no puzzles, if there are any.
    pub(crate) fn report(&self) {
        if self.malformed == 0 {
            return;
        }
        let verb = if self.malformed == 1 {
            "is malformed"
        } else {
            "are malformed; the first"
        };
        terminal::note(format_args!(
            "{} of {} inputs {verb}: {}",
            self.malformed, self.items, self.first
        ));
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::sync::mpsc::sync_channel;

    use super::*;

    fn input(text: &str) -> Input {
        Input {
            name: "test".to_owned(),
            reader: Box::new(Cursor::new(text.to_owned())),
        }
    }

    async fn read(text: &str, strict: bool) -> (Vec<Puzzles>, Result<Summary>, Vec<String>) {
        let (texts, sent) = sync_channel(TEXTS);
        let mut reading = input(text).start(strict, Some(texts));
        let mut batches = Vec::new();
        while let Some(batch) = reading.batches.recv().await {
            batches.push(batch);
        }
        (batches, reading.end().await, sent.iter().collect())
    }

    #[tokio::test]
    async fn malformed_lines_keep_their_place() {
        let puzzle = ".".repeat(80) + "1";
        let text = format!(
            "# a comment\n{puzzle}\nno puzzle\n\n{}\n",
            puzzle.replace('.', "0")
        );
        let (batches, summary, texts) = read(&text, false).await;
        assert_eq!(batches.len(), 1);
        assert_eq!(batches[0].lines, format!("{puzzle}\n?\n{puzzle}\n"));
        let summary = summary.expect("nothing is fatal");
        assert_eq!((summary.items, summary.malformed), (3, 1));
        assert!(summary.first.starts_with("line 3"), "{}", summary.first);
        assert_eq!(texts, ["no puzzle"]);
    }

    #[tokio::test]
    async fn strict_stops_at_the_first() {
        let text = format!("{}\nno puzzle\n", ".".repeat(81));
        let failure = read(&text, true).await.1.expect_err("line 2 is none");
        assert_eq!(failure.code(), 65);
        assert!(failure.to_string().starts_with("test: line 2"), "{failure}");
    }

    #[tokio::test]
    async fn batches_follow_one_another() {
        let text = (".".repeat(81) + "\n").repeat(10_000);
        let (batches, summary, _) = read(&text, false).await;
        let mut next = 0;
        for batch in &batches {
            assert_eq!(batch.first, next);
            assert_eq!(batch.lines.len() as u64, 82 * batch.len);
            next = batch.end();
        }
        assert_eq!(
            (next, summary.expect("all is well").items),
            (10_000, 10_000)
        );
    }

    #[tokio::test]
    async fn a_line_without_end_is_one_malformed_item() {
        let text = "1".repeat(1_000_000) + "\n" + &".".repeat(81);
        let (batches, summary, texts) = read(&text, false).await;
        assert_eq!(batches[0].lines, format!("?\n{}\n", ".".repeat(81)));
        assert_eq!(summary.expect("nothing is fatal").malformed, 1);
        assert!(texts[0].len() < 1000);
    }

    #[tokio::test]
    async fn nothing_is_no_batch() {
        let (batches, summary, _) = read("", false).await;
        assert!(batches.is_empty());
        assert_eq!(summary.expect("nothing is wrong").items, 0);
    }
}
