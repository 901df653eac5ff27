//! Inputs on their way in.

use tonic::{Status, Streaming};

use crate::jobs::id::JobRef;
use crate::jobs::job::Job;
use crate::jobs::store::JobStore;
use crate::rpc::convert::{batch, name};
use crate::rpc::producer::Sender;
use crate::rpc::status::bad_field;
use crate::rpc::{limits, pb};

/// Appends one piece and returns the durable watermark.
///
/// # Errors
/// Those of the request, and the store's.
pub(super) async fn append<S: JobStore>(
    store: &S,
    request: pb::AppendInputsRequest,
) -> Result<u64, Status> {
    let job = name::job(&request.name)?;
    append_to(store, &job, request.first_index, request.inputs).await
}

/// Appends piece after piece and sends the durable watermark: at least the last one, and each one that
/// the client takes in time. A client that reads none before it has sent all is not held up.
///
/// # Errors
/// Those of a request, and the store's, as the end of the stream. What was acknowledged stays.
pub(super) async fn upload<S: JobStore>(
    store: S,
    mut requests: Streaming<pb::UploadInputsRequest>,
    sender: Sender<pb::UploadInputsResponse>,
) -> Result<(), Status> {
    let mut job: Option<JobRef> = None;
    let mut untold: Option<u64> = None;
    loop {
        let request = tokio::select! {
            request = requests.message() => request?,
            room = sender.room(), if untold.is_some() => {
                if let Some(received) = untold.take() {
                    room?.send(pb::UploadInputsResponse { received });
                }
                continue;
            }
        };
        let Some(request) = request else {
            break;
        };
        let job = match &job {
            None => job.insert(name::job(&request.name)?),
            Some(job) if request.name.is_empty() || request.name == job.id.name() => job,
            Some(_) => return Err(bad_field("name", "an upload is for one job")),
        };
        let received = append_to(&store, job, request.first_index, request.inputs).await?;
        untold = Some(received);
    }
    match untold {
        Some(received) => sender.send(pb::UploadInputsResponse { received }).await,
        None => Ok(()),
    }
}

async fn append_to<S: JobStore>(
    store: &S,
    job: &JobRef,
    first_index: u64,
    inputs: Option<pb::GridBatch>,
) -> Result<u64, Status> {
    let limit = limits::MAX_MESSAGE_ITEMS;
    let (inputs, _) = batch::inputs(inputs, "inputs", limit, "send several messages")?;
    Ok(store.append(job, first_index, inputs).await?)
}

/// Says that the inputs are complete.
///
/// # Errors
/// Those of the request, and the store's.
pub(super) async fn commit<S: JobStore>(
    store: &S,
    request: &pb::CommitJobRequest,
) -> Result<Job, Status> {
    let job = name::job(&request.name)?;
    let count = request
        .expected_count
        .ok_or_else(|| bad_field("expected_count", "must be set; zero is a count too"))?;
    Ok(store.commit(&job, count).await?)
}
