//! Solve, one puzzle with all about it, and `SolveStream`, batch after batch.

use std::time::{Duration, Instant};

use tonic::{Status, Streaming};

use crate::jobs::items::{Inputs, Outcome, Results};
use crate::jobs::solving::{Solving, Turn};
use crate::jobs::spec::Solve;
use crate::rpc::compute::Compute;
use crate::rpc::convert::{batch, conflict, work};
use crate::rpc::producer::Sender;
use crate::rpc::status::{bad_field, too_large};
use crate::rpc::{limits, pb};
use crate::sudoku::{Cancel, Cancelled, Puzzle, SolveLimits, Solver, format};

/// After this long no further puzzle is begun in a turn. The batch engine's part comes first and is not
/// divided: of a thousand of the hardest puzzles known it takes about as long.
const TURN: Duration = Duration::from_millis(50);

/// Solves one puzzle.
///
/// # Errors
/// BAD_FIELD with the position of what cannot be read, TOO_LARGE.
pub(super) async fn solve(
    compute: &Compute,
    request: pb::SolveRequest,
) -> Result<pb::SolveResponse, Status> {
    let puzzle = format::parse(&request.puzzle).map_err(|error| bad_field("puzzle", error))?;
    let keep = kept_solutions(request.return_solutions)?;
    let options = options(request.options.as_ref())?;
    let limits = SolveLimits {
        count: options.count_limit,
        steps: options.step_limit,
    };
    let answer = compute
        .run(move |cancel| Solver::new().solve(&puzzle, limits, keep, cancel))
        .await?;
    let outcome = Outcome::from(answer.verdict);
    Ok(pb::SolveResponse {
        outcome: outcome as i32,
        solutions: answer.solutions.iter().map(ToString::to_string).collect(),
        solution_count: answer.count,
        count_is_exact: answer.exact,
        guesses: answer.guesses,
        conflicts: conflicts(&puzzle, outcome),
    })
}

fn kept_solutions(asked: u32) -> Result<usize, Status> {
    let limit = limits::MAX_RETURNED_SOLUTIONS;
    match usize::try_from(asked) {
        Ok(0) => Ok(1),
        Ok(keep) if asked <= limit => Ok(keep),
        _ => Err(too_large(
            "return_solutions",
            limit.into(),
            "count them, and ask for fewer",
        )),
    }
}

fn options(asked: Option<&pb::SolveOptions>) -> Result<Solve, Status> {
    let limit = limits::MAX_INTERACTIVE_GUESSES;
    let asked_steps = asked.map_or(0, |options| options.step_limit);
    if asked_steps > limit {
        return Err(too_large("options.step_limit", limit, "use a job"));
    }
    let solve = work::solve(asked);
    Ok(Solve {
        // A job's default may be more than is served here.
        step_limit: solve.step_limit.min(limit),
        ..solve
    })
}

/// What breaks a rule, when that is why there is no solution.
fn conflicts(puzzle: &Puzzle, outcome: Outcome) -> Vec<pb::Conflict> {
    match outcome {
        Outcome::None => puzzle.conflicts().iter().map(conflict::conflict).collect(),
        _ => Vec::new(),
    }
}

/// Answers batch after batch, in order; each is computed when the last one was taken.
///
/// # Errors
/// Those of a request, as the end of the stream.
pub(super) async fn stream(
    compute: Compute,
    mut requests: Streaming<pb::SolveStreamRequest>,
    sender: Sender<pb::SolveStreamResponse>,
) -> Result<(), Status> {
    let mut solve = None;
    let mut first_index = 0;
    while let Some(request) = requests.message().await? {
        if solve.is_some() && request.options.is_some() {
            return Err(bad_field("options", "may be set in the first message only"));
        }
        let solve = match &solve {
            Some(solve) => solve,
            None => solve.insert(options(request.options.as_ref())?),
        };
        let limit = limits::MAX_INTERACTIVE_PUZZLES;
        let (inputs, layout) = batch::inputs(
            request.puzzles,
            "puzzles",
            limit,
            "send several messages, or use a job",
        )?;
        let end = first_index + inputs.len() as u64;
        let answers = solve_all(&compute, *solve, inputs).await?;
        let results = batch::results(first_index, answers, None, layout);
        first_index = end;
        let results = Some(results);
        sender.send(pb::SolveStreamResponse { results }).await?;
    }
    Ok(())
}

/// The answers of a batch, in as many turns as it takes: a thousand hard puzzles must not hold a thread
/// from the first to the last.
async fn solve_all(compute: &Compute, solve: Solve, inputs: Inputs) -> Result<Results, Status> {
    let begin = move |cancel: Cancel<'_>| {
        let started = Instant::now();
        let solver = &mut Solver::new();
        let solving = Solving::begin(solve, inputs, solver, cancel)?;
        solving.turn(solver, || started.elapsed() >= TURN, cancel)
    };
    let mut turn = compute.run(begin).await?;
    loop {
        match turn {
            Turn::Done(results) => return Ok(results),
            Turn::More(solving) => turn = compute.run(move |cancel| go_on(solving, cancel)).await?,
        }
    }
}

/// A further turn.
fn go_on(solving: Solving, cancel: Cancel<'_>) -> Result<Turn, Cancelled> {
    let started = Instant::now();
    solving.turn(&mut Solver::new(), || started.elapsed() >= TURN, cancel)
}
