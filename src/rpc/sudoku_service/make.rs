//! Generate and `MakePuzzle`: the items of a seeded sequence, streamed as they are made.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tonic::Status;

use crate::jobs::alike::{Remakes, Sealed};
use crate::jobs::chunk::Span;
use crate::jobs::items::Inputs;
use crate::jobs::run::Runner;
use crate::jobs::spec::Work;
use crate::jobs::store::Completion;
use crate::rpc::compute::Compute;
use crate::rpc::convert::batch::{self, Layout};
use crate::rpc::convert::{make_puzzle as wishes, work};
use crate::rpc::producer::{Produced, Sender};
use crate::rpc::status::{bad_field, too_large};
use crate::rpc::{limits, pb};
use crate::sudoku::GENERATOR_VERSION;

/// Grids a message: they cost next to nothing to make.
const GRIDS: u64 = limits::DEFAULT_BATCH_ITEMS as u64;
/// Puzzles a message, at most.
const PUZZLES: u64 = 256;
/// A message of puzzles that took less than this to make is followed by one of twice as many.
const PACE: Duration = Duration::from_millis(50);

/// Complete grids.
///
/// # Errors
/// TOO_LARGE or BAD_FIELD.
pub(super) fn generate(
    compute: Compute,
    request: &pb::GenerateRequest,
) -> Result<Produced<pb::GenerateResponse>, Status> {
    within(request.count, limits::MAX_INTERACTIVE_GRIDS)?;
    let layout = Layout::read(request.layout)?;
    let options = work::generate(request.options.as_ref(), "options")?;
    let span = span(request.first_index, request.count, options.capacity())?;
    let sequence = Sequence {
        compute,
        work: Work::Generate(options),
        span,
        inputs: Inputs::default(),
        layout,
    };
    let respond = move |results| pb::GenerateResponse {
        results: Some(results),
        seed: options.seed,
        generator_version: GENERATOR_VERSION,
    };
    Ok(Produced::by(|sender| {
        sequence.stream(GRIDS, GRIDS, respond, sender)
    }))
}

/// Puzzles; the first ones come alone, so that nobody waits for a whole batch.
///
/// # Errors
/// TOO_LARGE, BAD_FIELD or IMPOSSIBLE.
pub(super) fn make_puzzle(
    compute: Compute,
    request: pb::MakePuzzleRequest,
) -> Result<Produced<pb::MakePuzzleResponse>, Status> {
    let most = limits::MAX_INTERACTIVE_PUZZLES;
    within(request.count, most)?;
    let layout = Layout::read(request.layout)?;
    let from_solutions = request.solutions.is_some();
    let options = wishes::read(request.options.as_ref(), "options", from_solutions)?;
    let (inputs, _) = batch::inputs(request.solutions, "solutions", most, "use a job")?;
    let count = if from_solutions {
        inputs.len() as u64
    } else {
        request.count
    };
    if ![0, count].contains(&request.count) {
        let description = format!("is that of the solutions, {count}, or 0");
        return Err(bad_field("count", description));
    }
    let limit = limits::MAX_INTERACTIVE_CANDIDATES;
    if options.step_limit > limit {
        return Err(too_large("options.step_limit", limit, "use a job"));
    }
    if options.distinct_up_to_symmetry && request.first_index != 0 {
        let description =
            "must be 0 with distinct_up_to_symmetry: an item depends on those before it";
        return Err(bad_field("first_index", description));
    }
    let seed = options.seed;
    let work = Work::MakePuzzle(options);
    let rater_version = work.rater_version();
    let sequence = Sequence {
        compute,
        work,
        span: span(request.first_index, count, u64::MAX)?,
        inputs,
        layout,
    };
    let respond = move |results| pb::MakePuzzleResponse {
        results: Some(results),
        seed,
        generator_version: GENERATOR_VERSION,
        rater_version,
    };
    Ok(Produced::by(|sender| {
        sequence.stream(1, PUZZLES, respond, sender)
    }))
}

fn within(count: u64, limit: u64) -> Result<(), Status> {
    if count > limit {
        return Err(too_large("count", limit, "use a job"));
    }
    Ok(())
}

fn span(first: u64, len: u64, capacity: u64) -> Result<Span, Status> {
    match first.checked_add(len) {
        Some(end) if end <= capacity => Ok(Span { first, len }),
        _ => Err(too_large(
            "first_index + count",
            capacity,
            "this is where the sequence of a seed ends",
        )),
    }
}

/// A part of a sequence, to be made.
struct Sequence {
    compute: Compute,
    work: Work,
    span: Span,
    /// One an item of the span, where the work takes any.
    inputs: Inputs,
    layout: Layout,
}

impl Sequence {
    /// Makes and sends it all, `size` items in the first message and up to `most` later. A sequence of
    /// nothing is one message without items, which tells the seed.
    async fn stream<T>(
        self,
        mut size: u64,
        most: u64,
        respond: impl Fn(pb::ResultBatch) -> T,
        sender: Sender<T>,
    ) -> Result<(), Status> {
        let mut first = self.span.first;
        let mut sealed = Sealed::default();
        loop {
            let len = size.min(self.span.end() - first);
            let part = Span { first, len };
            let done_before =
                usize::try_from(first - self.span.first).expect("inputs are in memory");
            let inputs = self
                .inputs
                .slice(done_before, usize::try_from(len).expect("a message"));
            let started = Instant::now();
            let done = self.run(part, inputs, &mut sealed).await?;
            let results = batch::results(first, done.results, None, self.layout);
            sender.send(respond(results)).await?;
            first = part.end();
            if first == self.span.end() {
                return Ok(());
            }
            size = if started.elapsed() < PACE {
                size * 2
            } else {
                1
            }
            .min(most);
        }
    }

    /// Makes a part, with no puzzle alike to a sealed one where that is asked for.
    async fn run(
        &self,
        part: Span,
        inputs: Inputs,
        sealed: &mut Sealed,
    ) -> Result<Completion, Status> {
        let inputs = Arc::new(inputs);
        let mut remakes = Remakes::new();
        loop {
            let (work, inputs, known) = (self.work.clone(), Arc::clone(&inputs), remakes.clone());
            let done = self
                .compute
                .run(move |cancel| Runner::default().run(&work, part, &inputs, &known, cancel))
                .await?;
            let again = sealed.seal(&done.forms);
            if again.is_empty() {
                return Ok(done);
            }
            remakes.extend(again);
        }
    }
}
