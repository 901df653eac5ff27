//! The columns of each kind of answer. csv and jsonl both come from these structs, so they agree.
//!
//! A column that an item has nothing for is empty in csv and null in jsonl.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::cli::batch::{Batch, Packed};
use crate::jobs::items::Outcome;
use crate::rpc::pb::Rating;
use crate::sudoku::packed::{self, LINE};
use crate::sudoku::{Cell, House};

/// Writes the cells as 81 characters into `line` and returns them.
fn characters<'a>(cells: &Packed, line: &'a mut [u8; LINE]) -> &'a str {
    packed::to_line(cells, line);
    std::str::from_utf8(&line[..81]).expect("cells are written in ASCII")
}

/// A generated grid.
#[derive(Serialize)]
pub(super) struct Grid<'a> {
    grid: Option<&'a str>,
}

impl<'a> Grid<'a> {
    pub(super) const COLUMNS: &'static [&'static str] = &["grid"];

    pub(super) fn new(batch: &Batch, i: usize, line: &'a mut [u8; LINE]) -> Self {
        Self {
            grid: batch.grid(i).map(|grid| characters(grid, line)),
        }
    }
}

/// A puzzle and what solving it came to.
#[derive(Serialize)]
pub(super) struct Solved<'a> {
    /// Empty where it is malformed, unless the caller has its text.
    pub(super) puzzle: &'a str,
    outcome: &'static str,
    solution_count: u64,
    solution: Option<&'a str>,
}

impl<'a> Solved<'a> {
    pub(super) const COLUMNS: &'static [&'static str] =
        &["puzzle", "outcome", "solution_count", "solution"];

    pub(super) fn new(
        batch: &Batch,
        i: usize,
        puzzle: &'a mut [u8; LINE],
        solution: &'a mut [u8; LINE],
    ) -> Self {
        let outcome = batch.outcomes[i];
        let input = batch.input(i).filter(|_| outcome != Outcome::Malformed);
        Self {
            puzzle: input.map_or("", |cells| characters(cells, puzzle)),
            outcome: outcome.name(),
            solution_count: batch.solution_count(i),
            solution: batch.grid(i).map(|cells| characters(cells, solution)),
        }
    }
}

/// A puzzle and how hard it is.
pub(super) struct Rated<'a> {
    /// Empty where it is malformed, unless the caller has its text.
    pub(super) puzzle: &'a str,
    rating: Option<&'a Rating>,
}

impl<'a> Rated<'a> {
    pub(super) const COLUMNS: &'static [&'static str] = &[
        "puzzle",
        "er",
        "ep",
        "ed",
        "technique",
        "difficulty",
        "givens",
        "guesses",
    ];

    pub(super) fn new(batch: &'a Batch, i: usize, puzzle: &'a mut [u8; LINE]) -> Self {
        let outcome = batch.outcomes[i];
        let input = batch.input(i).filter(|_| outcome != Outcome::Malformed);
        Self {
            puzzle: input.map_or("", |cells| characters(cells, puzzle)),
            rating: batch.rating(i).filter(|_| outcome == Outcome::Unique),
        }
    }
}

impl Serialize for Rated<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut record = serializer.serialize_struct("Rated", Self::COLUMNS.len())?;
        record.serialize_field("puzzle", self.puzzle)?;
        hardness(self.rating, &mut record)?;
        record.serialize_field("givens", &self.rating.map(|rating| rating.givens))?;
        record.serialize_field("guesses", &self.rating.map(|rating| rating.guesses))?;
        record.end()
    }
}

/// The columns that say how hard a puzzle is. A complete grid needs no technique.
fn hardness<S: SerializeStruct>(rating: Option<&Rating>, record: &mut S) -> Result<(), S::Error> {
    let units = |tenths: fn(&Rating) -> u32| rating.map(|of| f64::from(tenths(of)) / 10.0);
    let with_steps = rating.filter(|rating| !rating.hardest_technique.is_empty());
    let technique = with_steps.map(|rating| rating.hardest_technique.as_str());
    record.serialize_field("er", &units(|of| of.er_tenths))?;
    record.serialize_field("ep", &units(|of| of.ep_tenths))?;
    record.serialize_field("ed", &units(|of| of.ed_tenths))?;
    record.serialize_field("technique", &technique)?;
    record.serialize_field("difficulty", &with_steps.map(difficulty))
}

fn difficulty(rating: &Rating) -> String {
    let name = rating.difficulty().as_str_name();
    let name = name.strip_prefix("DIFFICULTY_").unwrap_or(name);
    name.to_ascii_lowercase()
}

/// A grid or puzzle and its canonical form.
#[derive(Serialize)]
pub(super) struct Form<'a> {
    /// Empty where it is malformed, unless the caller has its text.
    pub(super) grid: &'a str,
    canonical: Option<&'a str>,
    automorphisms: Option<u32>,
}

impl<'a> Form<'a> {
    pub(super) const COLUMNS: &'static [&'static str] = &["grid", "canonical", "automorphisms"];

    pub(super) fn new(
        batch: &Batch,
        i: usize,
        grid: &'a mut [u8; LINE],
        canonical: &'a mut [u8; LINE],
    ) -> Self {
        let is_made = batch.outcomes[i] == Outcome::Made;
        let input = batch.input(i).filter(|_| is_made);
        Self {
            grid: input.map_or("", |cells| characters(cells, grid)),
            // The form of the empty board is empty.
            canonical: is_made.then(|| characters(&batch.grids()[i], canonical)),
            automorphisms: batch.automorphisms(i).filter(|_| is_made),
        }
    }
}

/// A made puzzle.
pub(super) struct MadePuzzle<'a> {
    puzzle: Option<&'a str>,
    solution: Option<&'a str>,
    givens: Option<usize>,
    guesses: Option<u64>,
    min_givens_per_house: Option<usize>,
    max_givens_per_house: Option<usize>,
}

impl<'a> MadePuzzle<'a> {
    pub(super) const COLUMNS: &'static [&'static str] = &[
        "puzzle",
        "solution",
        "givens",
        "guesses",
        "min_givens_per_house",
        "max_givens_per_house",
    ];

    pub(super) fn new(
        batch: &Batch,
        i: usize,
        puzzle: &'a mut [u8; LINE],
        solution: &'a mut [u8; LINE],
    ) -> Self {
        let puzzle = batch.grid(i).map(|cells| characters(cells, puzzle));
        let per_house = puzzle.map(givens_per_house);
        Self {
            puzzle,
            solution: batch.solution(i).map(|cells| characters(cells, solution)),
            givens: puzzle.map(|cells| cells.bytes().filter(|&cell| cell != b'.').count()),
            guesses: puzzle.and_then(|_| Some(batch.rating(i)?.guesses)),
            min_givens_per_house: per_house.map(|(min, _)| min),
            max_givens_per_house: per_house.map(|(_, max)| max),
        }
    }

    fn write<S: SerializeStruct>(&self, record: &mut S) -> Result<(), S::Error> {
        record.serialize_field("puzzle", &self.puzzle)?;
        record.serialize_field("solution", &self.solution)?;
        record.serialize_field("givens", &self.givens)?;
        record.serialize_field("guesses", &self.guesses)?;
        record.serialize_field("min_givens_per_house", &self.min_givens_per_house)?;
        record.serialize_field("max_givens_per_house", &self.max_givens_per_house)
    }
}

impl Serialize for MadePuzzle<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut record = serializer.serialize_struct("MadePuzzle", Self::COLUMNS.len())?;
        self.write(&mut record)?;
        record.end()
    }
}

/// A made puzzle and how hard it is.
pub(super) struct RatedPuzzle<'a> {
    made: MadePuzzle<'a>,
    rating: Option<&'a Rating>,
}

impl<'a> RatedPuzzle<'a> {
    /// Those of a made puzzle, and these.
    pub(super) fn columns() -> Vec<&'static str> {
        let rated = ["er", "ep", "ed", "technique", "difficulty"];
        [MadePuzzle::COLUMNS, &rated].concat()
    }

    pub(super) fn new(
        batch: &'a Batch,
        i: usize,
        puzzle: &'a mut [u8; LINE],
        solution: &'a mut [u8; LINE],
    ) -> Self {
        let made = MadePuzzle::new(batch, i, puzzle, solution);
        let rating = made.puzzle.and_then(|_| batch.rating(i));
        Self { made, rating }
    }
}

impl Serialize for RatedPuzzle<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut record = serializer.serialize_struct("RatedPuzzle", Self::columns().len())?;
        self.made.write(&mut record)?;
        hardness(self.rating, &mut record)?;
        record.end()
    }
}

/// The fewest and the most givens in a row, column or box.
fn givens_per_house(cells: &str) -> (usize, usize) {
    let is_given = |cell: &Cell| cells.as_bytes()[cell.index()] != b'.';
    let givens =
        House::all().map(|house| house.cells().iter().filter(|&cell| is_given(cell)).count());
    let (min, max) = (givens.clone().min(), givens.max());
    (min.unwrap_or_default(), max.unwrap_or_default())
}
