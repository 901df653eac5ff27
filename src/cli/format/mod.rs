//! How answers are written: one record an item, in any of four formats.
//!
//! | format | a record |
//! |---|---|
//! | `lines` | 81 characters and a line feed |
//! | `text` | nine rows of nine characters with spaces between, and an empty line |
//! | `csv` | a row of the columns in [`record`], behind one row of their names |
//! | `jsonl` | an object with the same columns as keys |
//!
//! `lines` and `text` hold one grid an item: the grid, the solution or the made puzzle; an item that
//! has none keeps its place as a board of dots. Where puzzles are rated it is the puzzle. Formats know nothing of files and servers: a batch
//! goes in, bytes come out.

mod record;
mod resume;
mod text;

use std::sync::mpsc::Receiver;

use anyhow::Context;
use clap::ValueEnum;
use serde::Serialize;

use super::batch::Batch;
use crate::jobs::items::Outcome;
use crate::rpc::pb::job;
use crate::sudoku::packed::{self, LINE};
use record::{Form, Grid, MadePuzzle, Rated, RatedPuzzle, Solved};
pub(crate) use resume::Written;

/// How answers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// 81 characters a line
    Lines,
    /// Rows of nine characters with spaces between, and an empty line after each grid
    Text,
    /// Comma-separated values with a header
    Csv,
    /// A JSON object a line; its keys are the columns of csv
    Jsonl,
}

/// What a record says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Grids,
    Solutions,
    Puzzles,
    RatedPuzzles,
    Ratings,
    Forms,
}

impl Kind {
    /// What the results of this work say.
    pub(crate) const fn of(work: &job::Work) -> Self {
        match work {
            job::Work::Generate(_) => Self::Grids,
            job::Work::Solve(_) => Self::Solutions,
            job::Work::MakePuzzle(options) if options.rate => Self::RatedPuzzles,
            job::Work::MakePuzzle(_) => Self::Puzzles,
            job::Work::Canonicalize(_) => Self::Forms,
            job::Work::Rate(_) => Self::Ratings,
        }
    }

    /// How it is written if nobody says: ratings are no grids.
    pub(crate) const fn format(self) -> Format {
        match self {
            Self::Ratings => Format::Csv,
            _ => Format::Lines,
        }
    }
}

/// Turns batches into bytes.
#[derive(Debug)]
pub(crate) struct Renderer {
    format: Format,
    kind: Kind,
    /// The texts of malformed inputs, in order, where this process read them.
    malformed: Option<Receiver<String>>,
}

impl Renderer {
    pub(crate) const fn new(format: Format, kind: Kind) -> Self {
        Self {
            format,
            kind,
            malformed: None,
        }
    }

    /// Shows malformed inputs as they were read: `texts` has one for each, in order.
    pub(crate) fn show_malformed(&mut self, texts: Receiver<String>) {
        self.malformed = Some(texts);
    }

    /// Whether records say what was asked.
    pub(crate) fn shows_inputs(&self) -> bool {
        matches!(self.kind, Kind::Solutions | Kind::Ratings | Kind::Forms)
            && matches!(self.format, Format::Csv | Format::Jsonl)
    }

    /// What stands before the first record.
    pub(crate) fn header(&self) -> String {
        match (self.format, self.kind) {
            (Format::Csv, Kind::Grids) => Grid::COLUMNS.join(",") + "\n",
            (Format::Csv, Kind::Solutions) => Solved::COLUMNS.join(",") + "\n",
            (Format::Csv, Kind::Puzzles) => MadePuzzle::COLUMNS.join(",") + "\n",
            (Format::Csv, Kind::RatedPuzzles) => RatedPuzzle::columns().join(",") + "\n",
            (Format::Csv, Kind::Ratings) => Rated::COLUMNS.join(",") + "\n",
            (Format::Csv, Kind::Forms) => Form::COLUMNS.join(",") + "\n",
            _ => String::new(),
        }
    }

    /// Appends one record an item.
    pub(crate) fn render(&self, batch: &Batch, out: &mut Vec<u8>) -> anyhow::Result<()> {
        match self.format {
            Format::Lines => lines(batch.grids(), out),
            Format::Text => text::write(batch.grids(), out),
            Format::Csv => {
                let mut writer = csv::WriterBuilder::new()
                    .has_headers(false)
                    .from_writer(out);
                self.records(batch, &mut |record| {
                    writer.serialize(record).context("a record is flat")
                })?;
                writer.flush()?;
            }
            Format::Jsonl => self.records(batch, &mut |record| {
                serde_json::to_writer(&mut *out, &record)?;
                out.push(b'\n');
                Ok(())
            })?,
        }
        Ok(())
    }

    fn records(
        &self,
        batch: &Batch,
        write: &mut dyn FnMut(Record<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let [mut a, mut b] = [[0; LINE]; 2];
        for i in 0..batch.len() {
            match self.kind {
                Kind::Grids => write(Record::Grid(Grid::new(batch, i, &mut a)))?,
                Kind::Puzzles => {
                    write(Record::MadePuzzle(MadePuzzle::new(
                        batch, i, &mut a, &mut b,
                    )))?;
                }
                Kind::RatedPuzzles => {
                    write(Record::RatedPuzzle(RatedPuzzle::new(
                        batch, i, &mut a, &mut b,
                    )))?;
                }
                Kind::Solutions => {
                    let mut solved = Solved::new(batch, i, &mut a, &mut b);
                    let text = self.malformed_text(batch, i)?;
                    if let Some(text) = &text {
                        solved.puzzle = text;
                    }
                    write(Record::Solved(solved))?;
                }
                Kind::Ratings => {
                    let mut rated = Rated::new(batch, i, &mut a);
                    let text = self.malformed_text(batch, i)?;
                    if let Some(text) = &text {
                        rated.puzzle = text;
                    }
                    write(Record::Rated(rated))?;
                }
                Kind::Forms => {
                    let mut form = Form::new(batch, i, &mut a, &mut b);
                    let text = self.malformed_text(batch, i)?;
                    if let Some(text) = &text {
                        form.grid = text;
                    }
                    write(Record::Form(form))?;
                }
            }
        }
        Ok(())
    }

    /// The text of item `i`, where it is malformed and this process read it.
    fn malformed_text(&self, batch: &Batch, i: usize) -> anyhow::Result<Option<String>> {
        match &self.malformed {
            Some(texts) if batch.outcomes[i] == Outcome::Malformed => {
                let text = texts.recv().context("each malformed input has its text")?;
                Ok(Some(text))
            }
            _ => Ok(None),
        }
    }
}

/// A record of any kind.
#[derive(Serialize)]
#[serde(untagged)]
enum Record<'a> {
    Grid(Grid<'a>),
    Solved(Solved<'a>),
    MadePuzzle(MadePuzzle<'a>),
    RatedPuzzle(RatedPuzzle<'a>),
    Rated(Rated<'a>),
    Form(Form<'a>),
}

fn lines(grids: &[super::batch::Packed], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + grids.len() * LINE, 0);
    let (records, _) = out[start..].as_chunks_mut::<LINE>();
    for (record, grid) in records.iter_mut().zip(grids) {
        packed::to_line(grid, record);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::super::batch::tests::{column, message};
    use super::*;

    /// Two items: one with a board of ones, one malformed.
    fn two_solutions() -> Batch {
        let mut ones = [0x11; packed::BYTES];
        ones[40] = 0x10;
        let mut message = message(&[
            (Outcome::Unique, ones),
            (Outcome::Malformed, [0; packed::BYTES]),
        ]);
        message.inputs = Some(column([ones, [0xff; packed::BYTES]].concat()));
        Batch::check(message).expect("it is consistent")
    }

    fn render(renderer: &Renderer, batch: &Batch) -> String {
        let mut out = renderer.header().into_bytes();
        renderer.render(batch, &mut out).expect("it renders");
        String::from_utf8(out).expect("it is ASCII here")
    }

    #[test]
    fn an_item_without_a_grid_keeps_its_place() {
        let (ones, dots) = ("1".repeat(81), ".".repeat(81));
        let lines = render(
            &Renderer::new(Format::Lines, Kind::Solutions),
            &two_solutions(),
        );
        assert_eq!(lines, format!("{ones}\n{dots}\n"));

        let block = |c: &str| format!("{}\n", [c; 9].join(" ")).repeat(9) + "\n";
        let text = render(
            &Renderer::new(Format::Text, Kind::Solutions),
            &two_solutions(),
        );
        assert_eq!(text, block("1") + &block("."));
    }

    #[test]
    fn malformed_rows_show_what_was_read() {
        let (texts, receiver) = mpsc::channel();
        texts
            .send("a \"quoted\", bad line".to_owned())
            .expect("the renderer listens");
        let mut renderer = Renderer::new(Format::Csv, Kind::Solutions);
        renderer.show_malformed(receiver);
        let ones = "1".repeat(81);
        assert_eq!(
            render(&renderer, &two_solutions()),
            format!(
                "puzzle,outcome,solution_count,solution\n\
                 {ones},unique,1,{ones}\n\
                 \"a \"\"quoted\"\", bad line\",malformed,0,\n"
            )
        );
    }

    #[test]
    fn json_keys_are_the_columns_of_csv() {
        let kinds = [
            Kind::Grids,
            Kind::Solutions,
            Kind::Puzzles,
            Kind::RatedPuzzles,
            Kind::Ratings,
            Kind::Forms,
        ];
        for kind in kinds {
            let json = render(&Renderer::new(Format::Jsonl, kind), &two_solutions());
            let first = json.lines().next().expect("two records");
            let header = Renderer::new(Format::Csv, kind).header();
            let mut at = 0;
            for column in header.trim_end().split(',') {
                let key = first[at..].find(&format!("\"{column}\":"));
                at += key.expect("each column is a key, in order");
            }
            assert_eq!(first.matches("\":").count(), header.split(',').count());
            let csv = render(&Renderer::new(Format::Csv, kind), &two_solutions());
            assert_eq!(csv.lines().count(), 3);
        }
    }
}
