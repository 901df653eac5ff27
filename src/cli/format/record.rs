//! The columns of each kind of answer. csv and jsonl both come from these structs, so they agree.
//!
//! A column that an item has nothing for is empty in csv and null in jsonl.

use serde::Serialize;

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
#[derive(Serialize)]
pub(super) struct Rated<'a> {
    /// Empty where it is malformed, unless the caller has its text.
    pub(super) puzzle: &'a str,
    er: Option<f64>,
    ep: Option<f64>,
    ed: Option<f64>,
    technique: Option<&'a str>,
    difficulty: Option<String>,
    givens: Option<u32>,
    guesses: Option<u64>,
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
        let rating = batch.rating(i).filter(|_| outcome == Outcome::Unique);
        Self {
            puzzle: input.map_or("", |cells| characters(cells, puzzle)),
            er: rating.map(|rating| units(rating.er_tenths)),
            ep: rating.map(|rating| units(rating.ep_tenths)),
            ed: rating.map(|rating| units(rating.ed_tenths)),
            technique: rating.and_then(technique),
            difficulty: rating.and_then(difficulty),
            givens: rating.map(|rating| rating.givens),
            guesses: rating.map(|rating| rating.guesses),
        }
    }
}

/// Tenths as the scale has them: 7.2.
fn units(tenths: u32) -> f64 {
    f64::from(tenths) / 10.0
}

/// A complete grid needs none.
fn technique(rating: &Rating) -> Option<&str> {
    Some(rating.hardest_technique.as_str()).filter(|name| !name.is_empty())
}

fn difficulty(rating: &Rating) -> Option<String> {
    let name = rating.difficulty().as_str_name();
    let name = name.strip_prefix("DIFFICULTY_").unwrap_or(name);
    technique(rating).map(|_| name.to_ascii_lowercase())
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
#[derive(Serialize)]
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
            guesses: puzzle.and_then(|_| batch.guesses(i)),
            min_givens_per_house: per_house.map(|(min, _)| min),
            max_givens_per_house: per_house.map(|(_, max)| max),
        }
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
