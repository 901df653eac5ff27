//! Hint: the next step from a board that a person has partly filled in.

use tonic::Status;

use crate::jobs::items::Outcome;
use crate::rpc::compute::Compute;
use crate::rpc::convert::{conflict, step};
use crate::rpc::limits;
use crate::rpc::pb;
use crate::rpc::pb::hint_response::Event;
use crate::rpc::status::bad_field;
use crate::sudoku::logic::RATER_VERSION;
use crate::sudoku::logic::budget::{Budget, Halt};
use crate::sudoku::logic::explanation;
use crate::sudoku::logic::path::{self, Known};
use crate::sudoku::logic::pencilmarks::{Candidate, Pencilmarks};
use crate::sudoku::{
    Answer, Cancel, Cancelled, Cell, Digit, Grid, Puzzle, SolveLimits, Solver, format,
};

/// The next step. Entries that differ from the only solution are named, and the step is from the board
/// without them; candidates crossed out that belong to the solution are taken as not crossed out.
///
/// # Errors
/// BAD_FIELD.
pub(super) async fn hint(
    compute: &Compute,
    request: pb::HintRequest,
) -> Result<pb::HintResponse, Status> {
    let givens = format::parse(&request.givens).map_err(|error| bad_field("givens", error))?;
    let entries = match request.entries.as_str() {
        "" => None,
        text => Some(format::parse(text).map_err(|error| bad_field("entries", error))?),
    };
    let crossed_out = crossed_out(&request.eliminated)?;
    let limits = SolveLimits::UNIQUENESS;
    let answer = compute
        .run(move |cancel| Solver::new().solve(&givens, limits, 2, cancel))
        .await?;
    let (Outcome::Unique, Some(solution)) =
        (Outcome::from(answer.verdict), answer.solutions.first())
    else {
        return Ok(ended(&givens, &answer));
    };
    let filled_in = FilledIn::new(&givens, entries.as_ref(), solution);
    let solution = *solution;
    let next = compute
        .run(move |cancel| next(&filled_in, &crossed_out, &solution, cancel))
        .await?;
    Ok(next)
}

fn crossed_out(numbers: &[u32]) -> Result<Vec<Candidate>, Status> {
    let candidate = |(at, &number): (usize, &u32)| {
        let candidate = u16::try_from(number).ok().and_then(Candidate::from_index);
        candidate.ok_or_else(|| {
            let description =
                format!("a candidate is cell * 9 + digit - 1, below 729, found {number}");
            bad_field(format!("eliminated[{at}]"), description)
        })
    };
    numbers.iter().enumerate().map(candidate).collect()
}

/// A puzzle that has not one solution.
fn ended(givens: &Puzzle, answer: &Answer) -> pb::HintResponse {
    let outcome = Outcome::from(answer.verdict);
    let ending = pb::Ending {
        outcome: outcome as i32,
        rater_version: RATER_VERSION,
        solutions: match outcome {
            Outcome::Multiple => answer.solutions.iter().map(ToString::to_string).collect(),
            _ => Vec::new(),
        },
        conflicts: givens.conflicts().iter().map(conflict::conflict).collect(),
        ..pb::Ending::default()
    };
    pb::HintResponse {
        event: Some(Event::Ending(ending)),
        wrong_cells: Vec::new(),
        rater_version: RATER_VERSION,
    }
}

/// What stands on a person's board.
struct FilledIn {
    /// Givens and right entries.
    marks: Pencilmarks,
    /// Cells with another entry than the solution's digit.
    wrong: Vec<u32>,
}

impl FilledIn {
    fn new(givens: &Puzzle, entries: Option<&Puzzle>, solution: &Grid) -> Self {
        let mut marks = Pencilmarks::new(givens);
        let mut wrong = Vec::new();
        for (number, cell) in (0..).zip(Cell::all()) {
            let entry = entries.map_or(0, |entries| entries.cells()[cell.index()]);
            let Some(digit) = Digit::new(entry) else {
                continue;
            };
            if entry != solution.cells()[cell.index()] {
                wrong.push(number);
            } else if marks.digit(cell) == 0 {
                marks.place(cell, digit);
            }
        }
        Self { marks, wrong }
    }
}

fn next(
    filled_in: &FilledIn,
    crossed_out: &[Candidate],
    solution: &Grid,
    cancel: Cancel<'_>,
) -> Result<pb::HintResponse, Cancelled> {
    let mut marks = filled_in.marks.clone();
    for candidate in crossed_out {
        if solution.cells()[candidate.cell().index()] != candidate.digit().value() {
            marks.eliminate(candidate.cell(), candidate.digit());
        }
    }
    let event = if marks.is_solved() {
        Event::Ending(pb::Ending {
            outcome: Outcome::Unique as i32,
            rater_version: RATER_VERSION,
            ..pb::Ending::default()
        })
    } else {
        let mut budget = Budget::new(limits::MAX_HINT_STEPS, cancel);
        let event = match path::next(&marks, Known::OneSolution, u16::MAX, &mut budget) {
            Err(Halt::Cancelled) => return Err(Cancelled),
            Ok(Some(step)) => explanation::Event::Step(step),
            Ok(None) | Err(Halt::StepLimit) => {
                explanation::Event::Guess(revealed(&marks, solution))
            }
        };
        event.apply(&mut marks);
        Event::Step(step::write(&event, 1, 0, &marks))
    };
    Ok(pb::HintResponse {
        event: Some(event),
        wrong_cells: filled_in.wrong.clone(),
        rater_version: RATER_VERSION,
    })
}

/// Where no technique finds anything within the limit: the solution's digit in the narrowest cell.
fn revealed(marks: &Pencilmarks, solution: &Grid) -> Candidate {
    let cell = marks.narrowest().expect("the board is not solved");
    let digit = Digit::new(solution.cells()[cell.index()]).expect("a grid is full");
    Candidate::new(cell, digit)
}
