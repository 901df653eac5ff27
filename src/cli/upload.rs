//! Sending a job its inputs, across restarts of the server.
//!
//! What was sent is kept until the server says that it is durable, and is sent again on a new stream
//! when the old one breaks. At most [`WINDOW`] batches are kept, so any number of puzzles goes
//! through in constant space.

use std::collections::VecDeque;

use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Status;

use super::client::{Client, Patience};
use super::exit::Result;
use super::input::{Puzzles, Reading};
use super::results::present;
use crate::rpc::pb::grid_batch::Layout;
use crate::rpc::pb::{CommitJobRequest, GridBatch, Job, UploadInputsRequest};

/// Batches that may be on their way.
const WINDOW: usize = 8;

/// Uploads everything that is read, then commits it.
pub(crate) async fn upload(client: &Client, name: &str, mut reading: Reading) -> Result<Job> {
    let mut upload = Upload {
        client,
        name,
        pending: VecDeque::new(),
        ended: false,
    };
    let mut patience = Patience::new();
    while let Err(status) = upload.attempt(&mut reading.batches, &mut patience).await {
        patience.wait(status).await?;
    }
    let summary = reading.end().await?;
    summary.report();
    let request = CommitJobRequest {
        name: name.to_owned(),
        expected_count: Some(summary.items),
    };
    let committed = client
        .persist(|mut jobs| {
            let request = request.clone();
            async move { jobs.commit_job(request).await }
        })
        .await?;
    present(committed.job)
}

struct Upload<'a> {
    client: &'a Client,
    name: &'a str,
    /// Batches that are not known to be durable.
    pending: VecDeque<Puzzles>,
    /// Whether `pending` holds the last batch.
    ended: bool,
}

impl Upload<'_> {
    /// Sends on one stream until everything is durable or the stream breaks.
    async fn attempt(
        &mut self,
        batches: &mut mpsc::Receiver<Puzzles>,
        patience: &mut Patience,
    ) -> std::result::Result<(), Status> {
        if self.pending.is_empty() && !self.ended {
            self.take(batches.recv().await);
        }
        let Some(first) = self.pending.front() else {
            return Ok(());
        };
        let (sender, requests) = mpsc::channel(2);
        // The server may wait for the first message before it answers at all.
        sender
            .try_send(self.message(first, true))
            .map_err(|_| cut())?;
        // Dropped when all is sent, which ends the stream.
        let mut sender = Some(sender);
        let mut sent = 1;
        let requests = ReceiverStream::new(requests);
        let mut answers = self
            .client
            .jobs()
            .upload_inputs(requests)
            .await?
            .into_inner();
        loop {
            if self.ended && self.pending.is_empty() {
                return Ok(());
            }
            if self.ended && sent == self.pending.len() {
                sender = None;
            }
            let has_more = sent < self.pending.len();
            let has_room = !self.ended && self.pending.len() < WINDOW;
            tokio::select! {
                answer = answers.message() => {
                    let received = answer?.ok_or_else(cut)?.received;
                    patience.renew();
                    while self.pending.front().is_some_and(|batch| batch.end() <= received) {
                        self.pending.pop_front();
                        // An earlier stream may have brought more than this one did.
                        sent = sent.saturating_sub(1);
                    }
                }
                Some(permit) = reserve(sender.as_ref()), if has_more => {
                    permit.send(self.message(&self.pending[sent], false));
                    sent += 1;
                }
                batch = batches.recv(), if !has_more && has_room => self.take(batch),
            }
        }
    }

    fn take(&mut self, batch: Option<Puzzles>) {
        match batch {
            Some(batch) => self.pending.push_back(batch),
            None => self.ended = true,
        }
    }

    fn message(&self, puzzles: &Puzzles, is_first: bool) -> UploadInputsRequest {
        UploadInputsRequest {
            name: if is_first { self.name } else { "" }.to_owned(),
            first_index: puzzles.first,
            inputs: Some(GridBatch {
                layout: Some(Layout::Lines(puzzles.lines.clone())),
            }),
        }
    }
}

/// Room for one more message; `None` when the stream takes no more, and then its answer says why.
async fn reserve<T>(sender: Option<&mpsc::Sender<T>>) -> Option<mpsc::Permit<'_, T>> {
    sender?.reserve().await.ok()
}

fn cut() -> Status {
    Status::unavailable("the upload was cut off")
}
