//! Reading a job's results in order, across restarts of the server.
//!
//! Every message says where to go on, so a broken stream is opened again at that index: no item is
//! missed and none comes twice.

use anyhow::{Context, ensure};
use tonic::Status;

use super::batch::Batch;
use super::client::{Client, Patience};
use super::exit::{Failure, Result};
use super::output::Output;
use super::progress::Progress;
use crate::jobs::chunk::MAX_CHUNK_ITEMS;
use crate::rpc::pb::stream_results_response::Event;
use crate::rpc::pb::{Job, Layout, StreamResultsRequest};

/// Which results.
#[derive(Debug, Clone)]
pub(crate) struct Query {
    /// The job's name.
    pub(crate) name: String,
    /// The first of them.
    pub(crate) start: u64,
    /// Whether to wait for more until the job ends.
    pub(crate) follow: bool,
    /// Whether to ask for what was answered, too.
    pub(crate) inputs: bool,
}

/// Writes the results to `output` and returns the job as it was after the last of them, with the index
/// behind that.
pub(crate) async fn stream(
    client: &Client,
    query: Query,
    output: &mut Output,
    progress: &Progress,
) -> Result<(Job, u64)> {
    let mut patience = Patience::new();
    let mut next = query.start;
    loop {
        let request = StreamResultsRequest {
            name: query.name.clone(),
            start_index: next,
            follow: query.follow,
            layout: Layout::Packed.into(),
            // A message a chunk.
            max_batch_items: u32::try_from(MAX_CHUNK_ITEMS).unwrap_or(u32::MAX),
            include_inputs: query.inputs,
        };
        let mut messages = match client.jobs().stream_results(request).await {
            Ok(response) => response.into_inner(),
            Err(status) => {
                patience.wait(status).await?;
                continue;
            }
        };
        loop {
            match messages.message().await {
                Ok(Some(message)) => {
                    patience.renew();
                    match message.event {
                        Some(Event::Results(results)) => {
                            let batch = Batch::check(results)?;
                            let end = batch.first + batch.len() as u64;
                            check_order(next, &batch, message.next_index)?;
                            output.write(batch).await?;
                            next = end;
                            progress.set_done(next);
                        }
                        Some(Event::FinalJob(job)) => return Ok((job, next)),
                        Some(Event::Heartbeat(_)) | None => {}
                    }
                }
                Ok(None) => {
                    let cut = Status::unavailable("the results ended without the job's end");
                    patience.wait(cut).await?;
                    break;
                }
                Err(status) => {
                    patience.wait(status).await?;
                    break;
                }
            }
        }
    }
}

fn check_order(next: u64, batch: &Batch, next_index: u64) -> anyhow::Result<()> {
    ensure!(
        batch.first == next && next_index == next + batch.len() as u64,
        "the server sent {} items from {} on and goes on with {next_index}, but item {next} is next",
        batch.len(),
        batch.first
    );
    Ok(())
}

/// What a response says of its job; every one of them holds it.
pub(crate) fn present(job: Option<Job>) -> Result<Job> {
    let job = job.context("the server's answer holds no job");
    job.map_err(Failure::from)
}
