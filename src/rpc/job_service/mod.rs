//! `JobService`: durable work.

mod changes;
mod create;
mod list;
mod results;
mod upload;
mod watch;

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status, Streaming};

use self::results::page::Pages;
use self::results::share::Streams;
use super::convert::{job, name};
use super::page_token::PageTokens;
use super::pb;
use super::pb::job_service_server::JobService;
use super::producer::Produced;
use crate::jobs::clock::Clock;
use crate::jobs::error::StoreError;
use crate::jobs::job::{Job, JobState};
use crate::jobs::store::JobStore;

/// The service.
pub(super) struct Jobs<S> {
    store: S,
    clock: Arc<dyn Clock>,
    tokens: PageTokens,
    streams: Streams,
    /// Cancelled when the server drains: calls that only wait end then.
    drain: CancellationToken,
}

impl<S: JobStore> Jobs<S> {
    /// Keeps jobs in `store`.
    pub(super) fn new(store: S, clock: Arc<dyn Clock>, drain: CancellationToken) -> Self {
        Self {
            tokens: PageTokens::new(store.secret()),
            streams: Streams::default(),
            store,
            clock,
            drain,
        }
    }

    fn show(&self, job: Job) -> pb::Job {
        job::job(job, self.clock.now())
    }
}

type Answer<T> = Result<Response<T>, Status>;

#[tonic::async_trait]
impl<S: JobStore> JobService for Jobs<S> {
    async fn create_job(
        &self,
        request: Request<pb::CreateJobRequest>,
    ) -> Answer<pb::CreateJobResponse> {
        let job = Some(self.create(request.into_inner()).await?);
        Ok(Response::new(pb::CreateJobResponse { job }))
    }

    async fn append_inputs(
        &self,
        request: Request<pb::AppendInputsRequest>,
    ) -> Answer<pb::AppendInputsResponse> {
        let received = upload::append(&self.store, request.into_inner()).await?;
        Ok(Response::new(pb::AppendInputsResponse { received }))
    }

    type UploadInputsStream = Produced<pb::UploadInputsResponse>;

    async fn upload_inputs(
        &self,
        request: Request<Streaming<pb::UploadInputsRequest>>,
    ) -> Answer<Self::UploadInputsStream> {
        let (store, requests) = (self.store.clone(), request.into_inner());
        let marks = Produced::by(|sender| upload::upload(store, requests, sender));
        Ok(Response::new(marks.started().await?))
    }

    async fn commit_job(
        &self,
        request: Request<pb::CommitJobRequest>,
    ) -> Answer<pb::CommitJobResponse> {
        let job = Some(self.show(upload::commit(&self.store, &request.into_inner()).await?));
        Ok(Response::new(pb::CommitJobResponse { job }))
    }

    async fn get_job(&self, request: Request<pb::GetJobRequest>) -> Answer<pb::GetJobResponse> {
        let job = name::job(&request.into_inner().name)?;
        let job = Some(self.show(self.store.job(&job).await?));
        Ok(Response::new(pb::GetJobResponse { job }))
    }

    async fn list_jobs(
        &self,
        request: Request<pb::ListJobsRequest>,
    ) -> Answer<pb::ListJobsResponse> {
        Ok(Response::new(self.jobs(request.into_inner()).await?))
    }

    async fn wait_job(&self, request: Request<pb::WaitJobRequest>) -> Answer<pb::WaitJobResponse> {
        let job = Some(self.show(self.wait(&request.into_inner()).await?));
        Ok(Response::new(pb::WaitJobResponse { job }))
    }

    type WatchJobStream = Produced<pb::WatchJobResponse>;

    async fn watch_job(
        &self,
        request: Request<pb::WatchJobRequest>,
    ) -> Answer<Self::WatchJobStream> {
        Ok(Response::new(self.watch(&request.into_inner()).await?))
    }

    async fn cancel_job(
        &self,
        request: Request<pb::CancelJobRequest>,
    ) -> Answer<pb::CancelJobResponse> {
        let job = name::job(&request.into_inner().name)?;
        let before = self.store.job(&job).await?.state;
        let cancelled = self.store.cancel(&job).await?;
        if !before.has_ended() && before != JobState::Cancelling {
            tracing::info!(job = %job.id, tenant = job.tenant.as_str(), "job cancelled");
        }
        let job = Some(self.show(cancelled));
        Ok(Response::new(pb::CancelJobResponse { job }))
    }

    async fn pause_job(
        &self,
        request: Request<pb::PauseJobRequest>,
    ) -> Answer<pb::PauseJobResponse> {
        let job = name::job(&request.into_inner().name)?;
        let job = Some(self.show(self.store.pause(&job).await?));
        Ok(Response::new(pb::PauseJobResponse { job }))
    }

    async fn resume_job(
        &self,
        request: Request<pb::ResumeJobRequest>,
    ) -> Answer<pb::ResumeJobResponse> {
        let job = name::job(&request.into_inner().name)?;
        let job = Some(self.show(self.store.resume(&job).await?));
        Ok(Response::new(pb::ResumeJobResponse { job }))
    }

    async fn delete_job(
        &self,
        request: Request<pb::DeleteJobRequest>,
    ) -> Answer<pb::DeleteJobResponse> {
        let request = request.into_inner();
        let job = name::job(&request.name)?;
        match self.store.delete(&job, request.force).await {
            Err(StoreError::JobNotFound(_)) if request.allow_missing => {}
            deleted => deleted?,
        }
        Ok(Response::new(pb::DeleteJobResponse {}))
    }

    type StreamResultsStream = Produced<pb::StreamResultsResponse>;

    async fn stream_results(
        &self,
        request: Request<pb::StreamResultsRequest>,
    ) -> Answer<Self::StreamResultsStream> {
        let (store, clock) = (self.store.clone(), Arc::clone(&self.clock));
        let request = request.into_inner();
        let results = results::stream::open(store, clock, &self.streams, &request).await?;
        Ok(Response::new(results))
    }

    async fn list_results(
        &self,
        request: Request<pb::ListResultsRequest>,
    ) -> Answer<pb::ListResultsResponse> {
        let pages = Pages::new(&self.store, &self.tokens);
        Ok(Response::new(pages.page(request.into_inner()).await?))
    }

    async fn list_failures(
        &self,
        request: Request<pb::ListFailuresRequest>,
    ) -> Answer<pb::ListFailuresResponse> {
        Ok(Response::new(self.failures(request.into_inner()).await?))
    }
}
