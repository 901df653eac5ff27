//! `gridmill bench`: the core alone, without queue or server.
//!
//! The clock starts with the input in memory and ends with the answers in memory. The input is
//! repeated until a pass lasts a second or more. The checksum is that of all answers in order, so a
//! faster engine that is wrong, or a different input, shows; of several solutions the batch engine
//! leaves the first out, so those of the two engines agree where every puzzle is unique.

mod pass;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;

use self::pass::Measured;
use super::engine;
use super::exit::{Failure, Result};
use super::input::Input;
use super::make::Wishes;
use super::terminal;
use crate::jobs::spec::DEFAULT_MAKE_STEPS;
use crate::sudoku::packed::BYTES;
use crate::sudoku::solve::Isa;
use crate::sudoku::{
    Ask, BatchSolver, Cancel, Distinct, Finding, Grid, Made, MakeOptions, Puzzle, PuzzleMaker,
    SolveLimits, Solver, Verdict,
};

/// Arguments of `gridmill bench`.
#[derive(Debug, Clone, Args)]
pub(crate) struct Bench {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Clone, Subcommand)]
enum Command {
    /// Solve the puzzles of a file
    Solve(Solve),
    /// Generate grids
    Generate(Generate),
    /// Make puzzles
    Make(Make),
}

#[derive(Debug, Clone, Args)]
struct Solve {
    /// File of puzzles; - is standard input
    file: PathBuf,

    /// Which engine
    #[arg(long, value_name = "ENGINE", default_value = "single")]
    engine: Engine,

    /// Stop counting a puzzle's solutions at this many
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,

    #[command(flatten)]
    threads: Threads,
}

/// What solves.
#[derive(Debug, Clone, Copy, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
enum Engine {
    /// One puzzle after the other
    Single,
    /// Hundreds at once
    Batch,
}

#[derive(Debug, Clone, Args)]
struct Generate {
    /// Grids in a round
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,

    /// Seed of the grids
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    threads: Threads,
}

#[derive(Debug, Clone, Args)]
struct Make {
    /// Puzzles in a round
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,

    /// Seed of the puzzles
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    wishes: Wishes,

    #[command(flatten)]
    threads: Threads,
}

#[derive(Debug, Clone, Copy, Args)]
struct Threads {
    /// Threads that share the work
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

/// The line that is printed.
#[derive(Serialize)]
struct Report {
    bench: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<Engine>,
    isa: &'static str,
    threads: u16,
    #[serde(flatten)]
    measured: Measured,
    #[serde(flatten)]
    left: Option<Left>,
}

pub(super) fn run(bench: Bench) -> Result {
    engine::choose_by_environment()?;
    let mut engine = None;
    let mut left = None;
    let (name, threads, measured) = match bench.command {
        Command::Solve(arguments) => {
            let measured;
            engine = Some(arguments.engine);
            (measured, left) = solve(&arguments)?;
            ("solve", arguments.threads, measured)
        }
        Command::Generate(arguments) => ("generate", arguments.threads, generate(&arguments)?),
        Command::Make(arguments) => ("make", arguments.threads, make(&arguments)?),
    };
    let report = Report {
        bench: name,
        engine,
        isa: Isa::current().name(),
        threads: threads.threads,
        measured,
        left,
    };
    terminal::print(serde_json::to_string(&report).context("a report is JSON")?)
}

/// An answer: a solution, the number of solutions and the verdict.
const SOLVED: usize = BYTES + 9;

fn solve(arguments: &Solve) -> Result<(Measured, Option<Left>)> {
    let puzzles = Input::open(&arguments.file)?.all()?;
    if puzzles.is_empty() {
        let name = arguments.file.display();
        return Err(Failure::Data(format!("{name} holds no puzzle")));
    }
    let limits = SolveLimits {
        count: arguments.limit,
        steps: u64::MAX,
    };
    let threads = arguments.threads.threads;
    match arguments.engine {
        Engine::Single => {
            let answer = pass::each(|solver: &mut Solver, i, slot: &mut [u8; SOLVED]| {
                solve_one(solver, &puzzles[i], limits, slot);
            });
            let measured = pass::measure(puzzles.len(), threads, Solver::new, answer)?;
            Ok((measured, None))
        }
        Engine::Batch => {
            let packed: Vec<_> = puzzles.iter().map(Puzzle::to_packed).collect();
            let share = packed.len().div_ceil(usize::from(threads));
            let new = || (BatchSolver::new(), vec![[0; BYTES]; share]);
            let answer = |(solver, solutions): &mut (BatchSolver, Vec<_>),
                          first: usize,
                          slots: &mut [[u8; SOLVED]]| {
                let puzzles = &packed[first..first + slots.len()];
                solve_run(
                    solver,
                    puzzles,
                    limits,
                    &mut solutions[..slots.len()],
                    slots,
                );
            };
            let measured = pass::measure(packed.len(), threads, new, answer)?;
            Ok((measured, Some(left(&packed, limits)?)))
        }
    }
}

fn solve_one(solver: &mut Solver, puzzle: &Puzzle, limits: SolveLimits, slot: &mut [u8; SOLVED]) {
    let Ok(answer) = solver.solve(puzzle, limits, 1, Cancel::never()) else {
        return;
    };
    let first = answer.solutions.first().map(Grid::to_packed);
    write(Finding::from(&answer), first.as_ref(), slot);
}

/// The batch engine alone. Which of several solutions it comes by first is no part of its answer.
fn solve_run(
    solver: &mut BatchSolver,
    puzzles: &[[u8; BYTES]],
    limits: SolveLimits,
    solutions: &mut [[u8; BYTES]],
    slots: &mut [[u8; SOLVED]],
) {
    let Ok(findings) = solver.solve(puzzles, limits, solutions, Cancel::never()) else {
        return;
    };
    for ((finding, solution), slot) in findings.iter().zip(solutions).zip(slots) {
        let only = (finding.verdict == Verdict::Unique).then_some(&*solution);
        write(*finding, only, slot);
    }
}

/// Writes an answer.
fn write(finding: Finding, solution: Option<&[u8; BYTES]>, slot: &mut [u8; SOLVED]) {
    if let Some(solution) = solution {
        slot[..BYTES].copy_from_slice(solution);
    }
    slot[BYTES..BYTES + 8].copy_from_slice(&finding.count.to_le_bytes());
    slot[BYTES + 8] = finding.verdict as u8;
}

/// What the batch engine leaves to the single one where an answer must not depend on the company.
#[derive(Debug, Serialize)]
struct Left {
    /// Puzzles of one round.
    left_to_single: usize,
    /// What the single engine needs for them.
    left_seconds: f64,
}

fn left(puzzles: &[[u8; BYTES]], limits: SolveLimits) -> Result<Left> {
    let mut solver = Solver::new();
    let mut solutions = vec![[0; BYTES]; puzzles.len()];
    let settled = solver
        .settle(puzzles, limits, &mut solutions, Cancel::never())
        .context("nobody cancels")?;
    let rest: Vec<_> = puzzles
        .iter()
        .zip(&settled)
        .filter(|(_, finding)| finding.is_none())
        .map(|(puzzle, _)| puzzle)
        .collect();
    let begin = Instant::now();
    for puzzle in &rest {
        let finding = solver.solve_packed(puzzle, limits, &mut solutions[0], Cancel::never());
        std::hint::black_box(&finding);
    }
    Ok(Left {
        left_to_single: rest.len(),
        left_seconds: begin.elapsed().as_secs_f64(),
    })
}

fn generate(arguments: &Generate) -> Result<Measured> {
    let grids = Distinct::new(arguments.seed, None);
    let fill = |(): &mut (), first: usize, slots: &mut [[u8; BYTES]]| {
        grids.fill_packed(first as u64, slots);
    };
    Ok(pass::measure(
        arguments.count as usize,
        arguments.threads.threads,
        || (),
        fill,
    )?)
}

/// An answer: the puzzle and its solution.
const MADE: usize = 2 * BYTES;

fn make(arguments: &Make) -> Result<Measured> {
    let options = MakeOptions::new(arguments.wishes.core(DEFAULT_MAKE_STEPS));
    let options = options.map_err(|impossible| Failure::Usage(impossible.to_string()))?;
    let new = || PuzzleMaker::new(arguments.seed, options.clone());
    let make = |maker: &mut PuzzleMaker, first: usize, slots: &mut [[u8; MADE]]| {
        let indices = first as u64..(first + slots.len()) as u64;
        let made = maker.make_all(indices, Cancel::never(), |Ask { index, .. }, made| {
            let Ok(index) = usize::try_from(index) else {
                return;
            };
            if let Made::Puzzle(made) = made {
                let slot = &mut slots[index - first];
                slot[..BYTES].copy_from_slice(&made.puzzle.to_packed());
                slot[BYTES..].copy_from_slice(&made.solution.to_packed());
            }
        });
        debug_assert!(made.is_ok(), "nobody cancels");
    };
    Ok(pass::measure(
        arguments.count as usize,
        arguments.threads.threads,
        new,
        make,
    )?)
}
