//! Canonicalize: the canonical forms of a few grids or puzzles.

use tonic::Status;

use crate::jobs::chunk::Span;
use crate::jobs::run::run;
use crate::jobs::spec::Work;
use crate::rpc::compute::Compute;
use crate::rpc::convert::batch;
use crate::rpc::{limits, pb};

/// The forms, in the layout that the grids came in.
///
/// # Errors
/// TOO_LARGE or BAD_FIELD.
pub(super) async fn canonicalize(
    compute: &Compute,
    request: pb::CanonicalizeRequest,
) -> Result<pb::CanonicalizeResponse, Status> {
    let limit = limits::MAX_INTERACTIVE_PUZZLES;
    let (inputs, layout) = batch::inputs(request.grids, "grids", limit, "use a job")?;
    let span = Span {
        first: 0,
        len: inputs.len() as u64,
    };
    let done = compute
        .run(move |cancel| run(&Work::Canonicalize, span, &inputs, cancel))
        .await?;
    Ok(pb::CanonicalizeResponse {
        results: Some(batch::results(0, done.results, None, layout)),
    })
}
