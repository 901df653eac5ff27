//! Rate: how hard a few puzzles are.

use tonic::Status;

use crate::jobs::chunk::Span;
use crate::jobs::items::Results;
use crate::jobs::run::run;
use crate::jobs::spec::Work;
use crate::rpc::compute::Compute;
use crate::rpc::convert::{batch, work};
use crate::rpc::status::too_large;
use crate::rpc::{limits, pb};
use crate::sudoku::logic::RATER_VERSION;

/// Puzzles that are rated before others have the thread.
const TURN: usize = 4;

/// The ratings, with the puzzles in the layout that they came in.
///
/// # Errors
/// TOO_LARGE or BAD_FIELD.
pub(super) async fn rate(
    compute: &Compute,
    request: pb::RateRequest,
) -> Result<pb::RateResponse, Status> {
    let limit = limits::MAX_INTERACTIVE_PUZZLES;
    let (inputs, layout) = batch::inputs(request.puzzles, "puzzles", limit, "use a job")?;
    let mut options = request.options.unwrap_or_default();
    let most = limits::MAX_INTERACTIVE_RATE_STEPS;
    if options.step_limit > most {
        return Err(too_large("options.step_limit", most, "use a job"));
    }
    if options.step_limit == 0 {
        options.step_limit = most;
    }
    let rate = work::rate(Some(&options));
    let mut results: Option<Results> = None;
    for first in (0..inputs.len().max(1)).step_by(TURN) {
        let some = inputs.slice(first, TURN);
        let span = Span {
            first: first as u64,
            len: some.len() as u64,
        };
        let done = compute
            .run(move |cancel| run(&Work::Rate(rate), span, &some, cancel))
            .await?;
        match &mut results {
            Some(results) => results.append(&done.results),
            None => results = Some(done.results),
        }
    }
    Ok(pb::RateResponse {
        results: results.map(|results| batch::results(0, results, None, layout)),
        rater_version: RATER_VERSION,
    })
}
