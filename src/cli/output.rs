//! Where answers go: standard output, or `FILE.part` that becomes `FILE` when it is complete.
//!
//! Rendering and writing have a thread of their own, so that receiving, converting and writing
//! overlap; a few batches may wait, and then the server does. The file is not synced: its content can
//! be had again from the same seed or the same job.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use anyhow::Context;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::batch::Batch;
use super::exit::{Failure, Result};
use super::format::{Renderer, Written};
use super::part::{Part, Unfinished};

/// Batches that may wait for the writer.
const QUEUE: usize = 4;

/// Whether the path is a name of standard output. Where that is a file, `/dev/stdout` would lead to the
/// file, and replace it.
pub(crate) fn is_stdout(path: &Path) -> bool {
    ["-", "/dev/stdout"].map(Path::new).contains(&path)
}

/// A place for answers, opened.
#[derive(Debug)]
pub(crate) struct Target {
    file: File,
    name: String,
    part: Option<Part>,
    /// What was written by an earlier run.
    written: Written,
}

impl Target {
    /// Opens `path`, or standard output.
    pub(crate) fn open(
        path: Option<&Path>,
        unfinished: Unfinished,
        renderer: &Renderer,
    ) -> Result<Self> {
        let Some(path) = path.filter(|path| !is_stdout(path)) else {
            return Self::stdout();
        };
        // A link stays a link, and a device or a pipe is not replaced by a file.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let name = path.display().to_string();
        if fs::metadata(&path).is_ok_and(|existing| !existing.is_file()) {
            let opened = OpenOptions::new().write(true).open(&path);
            return Ok(Self {
                file: opened.map_err(|source| Failure::Create { path, source })?,
                name,
                part: None,
                written: Written::default(),
            });
        }
        let (mut file, part) = Part::open(path, unfinished)?;
        let (mut written, mut end) = (Written::default(), 0);
        let looked = match unfinished {
            Unfinished::Remove => Ok(()),
            Unfinished::Keep => Written::in_file(&mut file, renderer).map(|found| {
                end = found.bytes;
                written = found;
            }),
        };
        looked
            .and_then(|()| file.set_len(end))
            .and_then(|()| file.seek(SeekFrom::Start(end)))
            .map_err(|source| Failure::Create {
                path: part.path.clone(),
                source,
            })?;
        Ok(Self {
            file,
            name,
            part: Some(part),
            written,
        })
    }

    fn stdout() -> Result<Self> {
        // A descriptor of our own: the standard handle would look for line ends in everything.
        let fd = io::stdout()
            .as_fd()
            .try_clone_to_owned()
            .context("standard output cannot be used")?;
        Ok(Self {
            file: File::from(fd),
            name: "standard output".to_owned(),
            part: None,
            written: Written::default(),
        })
    }

    /// Records that an earlier run wrote.
    pub(crate) const fn records(&self) -> u64 {
        self.written.records
    }
}

/// Answers on their way to a [`Target`].
#[derive(Debug)]
pub(crate) struct Output {
    batches: mpsc::Sender<Batch>,
    /// Taken once it has ended.
    writer: Option<JoinHandle<Result>>,
    part: Option<Part>,
}

impl Output {
    /// Starts writing. When the target holds records already, the first batch must begin with the
    /// last one of them, so that the results of two jobs are never mixed.
    pub(crate) fn start(target: Target, renderer: Renderer) -> Self {
        let Target {
            file,
            name,
            part,
            written,
        } = target;
        let (batches, queue) = mpsc::channel(QUEUE);
        let writer = tokio::task::spawn_blocking(move || {
            Writer {
                file,
                name,
                renderer,
            }
            .run(queue, &written)
        });
        Self {
            batches,
            writer: Some(writer),
            part,
        }
    }

    /// Hands a batch on, waiting for room.
    pub(crate) async fn write(&mut self, batch: Batch) -> Result {
        if self.batches.send(batch).await.is_ok() {
            return Ok(());
        }
        // The writer ends before us only when it fails.
        self.written().await?;
        Err(anyhow::anyhow!("the writer ended early").into())
    }

    /// Writes what is waiting and gives the file its name.
    pub(crate) async fn finish(self) -> Result {
        let part = self.flush().await?;
        part.map_or(Ok(()), Part::complete)
    }

    /// Whether it becomes a file only when it is finished.
    pub(crate) const fn is_part(&self) -> bool {
        self.part.is_some()
    }

    /// Leaves the part as it is, with all that was handed over, and returns its path. There is none
    /// where answers go elsewhere, which is not waited for since nobody may be reading it, or where
    /// writing failed.
    pub(crate) async fn suspend(self) -> Result<Option<PathBuf>> {
        if self.part.is_none() || self.writer.is_none() {
            return Ok(None);
        }
        let part = self.flush().await?;
        Ok(part.map(|part| part.path.clone()))
    }

    async fn flush(mut self) -> Result<Option<Part>> {
        // A closed queue tells the writer that this was all.
        let (closed, _) = mpsc::channel(1);
        self.batches = closed;
        self.written().await?;
        Ok(self.part)
    }

    /// Waits for the writer's end.
    async fn written(&mut self) -> Result {
        match self.writer.take() {
            Some(writer) => writer.await.map_err(anyhow::Error::from)?,
            None => Ok(()),
        }
    }
}

struct Writer {
    file: File,
    name: String,
    renderer: Renderer,
}

impl Writer {
    fn run(self, mut queue: mpsc::Receiver<Batch>, written: &Written) -> Result {
        let mut bytes = Vec::new();
        if written.bytes == 0 {
            self.put(self.renderer.header().as_bytes())?;
        }
        let mut repeated = written.last.as_slice();
        while let Some(batch) = queue.blocking_recv() {
            bytes.clear();
            self.renderer.render(&batch, &mut bytes)?;
            let Some(new) = bytes.strip_prefix(repeated) else {
                return Err(Failure::Data(format!(
                    "{}.part holds other results; remove it to begin anew",
                    self.name
                )));
            };
            repeated = &[];
            self.put(new)?;
        }
        Ok(())
    }

    fn put(&self, bytes: &[u8]) -> Result {
        (&self.file).write_all(bytes).map_err(|source| {
            // A pipe whose reader left, as with `| head`.
            if source.kind() == ErrorKind::BrokenPipe {
                return Failure::OutputClosed;
            }
            Failure::Output {
                name: self.name.clone(),
                source,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::batch::tests::message;
    use super::super::format::{Format, Kind};
    use super::*;
    use crate::jobs::items::Outcome;
    use crate::sudoku::packed::BYTES;

    const RENDERER: Renderer = Renderer::new(Format::Lines, Kind::Grids);

    fn batch(digits: &[u8]) -> Batch {
        let grid = |digit: u8| {
            let mut grid = [digit << 4 | digit; BYTES];
            grid[40] &= 0xf0;
            (Outcome::Made, grid)
        };
        let items: Vec<_> = digits.iter().map(|&digit| grid(digit)).collect();
        Batch::check(message(&items)).expect("it is consistent")
    }

    fn lines(digits: &[u8]) -> String {
        let line = |digit: &u8| digit.to_string().repeat(81) + "\n";
        digits.iter().map(line).collect()
    }

    fn start(path: &Path, unfinished: Unfinished) -> Output {
        let target = Target::open(Some(path), unfinished, &RENDERER).expect("it opens");
        Output::start(target, RENDERER)
    }

    #[tokio::test]
    async fn a_file_gets_its_name_when_it_is_complete() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("out");
        let mut output = start(&path, Unfinished::Remove);
        output.write(batch(&[1, 2])).await.expect("it is written");
        assert!(!path.exists());
        output.finish().await.expect("it is renamed");
        assert_eq!(
            fs::read_to_string(&path).expect("it is there"),
            lines(&[1, 2])
        );
        assert!(!dir.path().join("out.part").exists());
    }

    #[tokio::test]
    async fn what_is_given_up_leaves_nothing() {
        let dir = tempfile::tempdir().expect("a directory");
        let mut output = start(&dir.path().join("out"), Unfinished::Remove);
        output.write(batch(&[1])).await.expect("it is written");
        drop(output);
        assert_eq!(fs::read_dir(dir.path()).expect("it is there").count(), 0);
    }

    #[tokio::test]
    async fn a_part_is_continued_behind_its_last_whole_record() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("out");
        fs::write(dir.path().join("out.part"), lines(&[1, 2]) + "333").expect("a torn part");
        let target = Target::open(Some(&path), Unfinished::Keep, &RENDERER).expect("it opens");
        assert_eq!(target.records(), 2);
        let mut output = Output::start(target, RENDERER);
        output.write(batch(&[2, 3])).await.expect("2 repeats");
        output.write(batch(&[4])).await.expect("it is written");
        output.finish().await.expect("it is renamed");
        let written = fs::read_to_string(&path).expect("it is there");
        assert_eq!(written, lines(&[1, 2, 3, 4]));
    }

    #[tokio::test]
    async fn other_results_are_not_mixed_in() {
        let dir = tempfile::tempdir().expect("a directory");
        let (path, part) = (dir.path().join("out"), dir.path().join("out.part"));
        fs::write(&part, lines(&[1, 2])).expect("a part");
        let mut output = start(&path, Unfinished::Keep);
        output.write(batch(&[7, 8])).await.expect("it is queued");
        let failure = output.finish().await.expect_err("7 is not 2");
        assert_eq!(failure.code(), 65);
        let kept = fs::read_to_string(part).expect("it is kept");
        assert_eq!(kept, lines(&[1, 2]));
    }

    #[test]
    fn two_processes_do_not_write_one_part() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("out");
        let first = Target::open(Some(&path), Unfinished::Remove, &RENDERER).expect("it opens");
        let second = Target::open(Some(&path), Unfinished::Remove, &RENDERER);
        assert_eq!(second.expect_err("it is locked").code(), 73);
        drop(first);
    }

    #[test]
    fn a_device_is_written_and_not_replaced() {
        let target = Target::open(Some(Path::new("/dev/null")), Unfinished::Remove, &RENDERER);
        assert!(target.expect("it opens").part.is_none());
    }
}
