//! `CreateJob`.

use tonic::Status;

use super::Jobs;
use crate::jobs::error::StoreError;
use crate::jobs::id::{JobId, JobRef, RequestId, Tenant};
use crate::jobs::items::Inputs;
use crate::jobs::job::JobState;
use crate::jobs::spec::{JobSpec, Work};
use crate::jobs::store::{JobStore, Submission};
use crate::rpc::convert::{batch, job, spec};
use crate::rpc::status::bad_field;
use crate::rpc::{fingerprint, limits, pb};
use crate::sudoku::GENERATOR_VERSION;

impl<S: JobStore> Jobs<S> {
    /// Creates a job, or returns the one that the same request made before.
    ///
    /// # Errors
    /// Those of the request, and the store's.
    pub(super) async fn create(
        &self,
        mut request: pb::CreateJobRequest,
    ) -> Result<pb::Job, Status> {
        let request_id = key(&mut request)?;
        let id = match request.job_id.as_str() {
            "" => None,
            chosen => Some(JobId::chosen(chosen).map_err(|error| bad_field("job_id", error))?),
        };
        let now = self.clock.now();
        let spec = spec::read(request.job, now)?;
        let inputs = inputs(&spec.work, request.inputs)?;
        if request.validate_only {
            if let Some(id) = &id {
                self.check_free(id).await?;
            }
            return Ok(preview(id.as_ref(), spec, &inputs, request.commit));
        }
        let submission = Submission {
            tenant: Tenant::default(),
            id: id.unwrap_or_else(JobId::draw),
            commit: request.commit || !spec.work.takes_inputs(),
            spec,
            inputs,
            request: request_id,
        };
        let job = self.store.create(submission).await?;
        // An older one was created by the first try of this request.
        if job.create_time >= now {
            tracing::info!(job = %job.id, tenant = job.tenant.as_str(), "job created");
        }
        Ok(job::job(job, self.clock.now()))
    }

    /// # Errors
    /// JOB_EXISTS, also for a job of which only the header is left.
    async fn check_free(&self, id: &JobId) -> Result<(), Status> {
        let job = JobRef {
            tenant: Tenant::default(),
            id: id.clone(),
        };
        match self.store.job(&job).await {
            Err(StoreError::JobNotFound(_)) => Ok(()),
            Ok(_) | Err(StoreError::ResultsExpired { .. }) => {
                Err(StoreError::JobExists(job.id).into())
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// The client's key for this request, with what it asks for.
fn key(request: &mut pb::CreateJobRequest) -> Result<Option<(RequestId, [u8; 32])>, Status> {
    if request.request_id.is_empty() {
        return Ok(None);
    }
    let id = RequestId::parse(&request.request_id);
    let id = id.map_err(|error| bad_field("request_id", error))?;
    Ok(Some((id, fingerprint::of_create(request))))
}

fn inputs(work: &Work, batch: Option<pb::GridBatch>) -> Result<Inputs, Status> {
    if work.takes_inputs() {
        let limit = limits::MAX_MESSAGE_ITEMS;
        let (inputs, _) = batch::inputs(batch, "inputs", limit, "append the others")?;
        return Ok(inputs);
    }
    match (work, batch) {
        (_, None) => Ok(Inputs::default()),
        (Work::MakePuzzle(_), Some(_)) => Err(bad_field(
            "job.count",
            "is set by CommitJob in a job that takes inputs",
        )),
        (_, Some(_)) => Err(bad_field("inputs", "a job that generates takes none")),
    }
}

/// The job as it would be. A name is told only if it was chosen: one that was drawn would be another
/// the next time.
fn preview(id: Option<&JobId>, spec: JobSpec, inputs: &Inputs, commit: bool) -> pb::Job {
    let takes_inputs = spec.work.takes_inputs();
    let state = if takes_inputs && !commit {
        JobState::Uploading
    } else {
        JobState::Queued
    };
    let received = inputs.len() as u64;
    let count = spec.count.or((takes_inputs && commit).then_some(received));
    pb::Job {
        name: id.map(JobId::name).unwrap_or_default(),
        count,
        state: state as i32,
        progress: Some(pb::JobProgress {
            total: count.unwrap_or(received),
            received,
            ..pb::JobProgress::default()
        }),
        tenant: Tenant::default().as_str().to_owned(),
        generator_version: GENERATOR_VERSION,
        rater_version: spec.work.rater_version(),
        ..job::spec(spec)
    }
}
