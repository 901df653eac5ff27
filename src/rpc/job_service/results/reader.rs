//! Reads a job's results in index order, cut and joined to messages of the wanted size.
//!
//! A stored chunk is read whole and then released: no read transaction, cursor or lock is held while a
//! message is on its way. What is left of the chunk waits here, unless too many streams are open.

use tonic::Status;

use super::share::Share;
use crate::jobs::id::JobRef;
use crate::jobs::items::{Inputs, Results};
use crate::jobs::job::Job;
use crate::jobs::store::JobStore;
use crate::rpc::convert::batch::{self, Layout};
use crate::rpc::{limits, pb};

/// A place in a job's results.
pub(super) struct Reader<S> {
    store: S,
    job: JobRef,
    with_inputs: bool,
    layout: Layout,
    max_items: usize,
    share: Option<Share>,
    next_index: u64,
    left: Option<Piece>,
}

/// Items from `next_index` on, read but not handed out.
struct Piece {
    results: Results,
    inputs: Option<Inputs>,
}

/// What was found at the reader's place.
#[expect(
    clippy::large_enum_variant,
    reason = "one a message, and on the way to a message that is as large"
)]
pub(super) enum Found {
    /// Results. The reader stands behind them now.
    Results(pb::ResultBatch),
    /// None yet, or none any more; the job as of the same moment tells which.
    Nothing(Job),
}

impl<S: JobStore> Reader<S> {
    /// Begins at `start`. Batches have at most `max_items`.
    pub(super) fn new(store: S, job: JobRef, start: u64, max_items: usize, layout: Layout) -> Self {
        Self {
            store,
            job,
            with_inputs: false,
            layout,
            max_items,
            share: None,
            next_index: start,
            left: None,
        }
    }

    /// With the inputs beside the answers.
    pub(super) fn with_inputs(self, with_inputs: bool) -> Self {
        Self {
            with_inputs,
            ..self
        }
    }

    /// As one of many that hold messages at once.
    pub(super) fn with_share(self, share: Share) -> Self {
        Self {
            share: Some(share),
            ..self
        }
    }

    /// Where it stands.
    pub(super) const fn next_index(&self) -> u64 {
        self.next_index
    }

    /// The next batch. Small chunks are joined, as far as they are there.
    ///
    /// # Errors
    /// The store's.
    pub(super) async fn next(&mut self) -> Result<Found, Status> {
        let first_index = self.next_index;
        let mut piece = match self.left.take() {
            Some(piece) => piece,
            None => match self.read(first_index).await? {
                Ok(piece) => piece,
                Err(job) => return Ok(Found::Nothing(job)),
            },
        };
        let room = self.room(&piece.results);
        while piece.results.len() < room {
            let behind = first_index + piece.results.len() as u64;
            let Ok(more) = self.read(behind).await? else {
                break;
            };
            if !piece.results.has_columns_of(&more.results) {
                self.left = Some(more);
                break;
            }
            piece.append(&more);
        }
        if let Some(rest) = piece.split_off(room) {
            self.left = Some(rest);
        }
        if self.share.as_ref().is_some_and(|share| !share.keeps_rest()) {
            self.left = None;
        }
        self.next_index += piece.results.len() as u64;
        let Piece { results, inputs } = piece;
        let batch = batch::results(first_index, results, inputs, self.layout);
        Ok(Found::Results(batch))
    }

    fn room(&self, results: &Results) -> usize {
        let bytes = batch::item_bytes(results, self.with_inputs, self.layout);
        let wanted = self.max_items.min(limits::MAX_REPLY_BYTES / bytes);
        match &self.share {
            Some(share) => share.items(wanted, bytes),
            None => wanted,
        }
    }

    /// One stored chunk from `index` on, or the job if there is none.
    async fn read(&self, index: u64) -> Result<Result<Piece, Job>, Status> {
        let page = self
            .store
            .results(&self.job, index, self.with_inputs)
            .await?;
        let results = page.results.filter(|results| !results.is_empty());
        Ok(match results {
            Some(results) => Ok(Piece {
                results,
                inputs: page.inputs,
            }),
            None => Err(page.job),
        })
    }
}

impl Piece {
    fn append(&mut self, more: &Self) {
        self.results.append(&more.results);
        if let (Some(inputs), Some(more)) = (&mut self.inputs, &more.inputs) {
            inputs.append(more);
        }
    }

    /// Keeps the first `len` items and returns the others, if there are any.
    fn split_off(&mut self, len: usize) -> Option<Self> {
        if self.results.len() <= len {
            return None;
        }
        let rest = Self {
            results: self.results.slice(len, usize::MAX),
            inputs: self.inputs.as_ref().map(|i| i.slice(len, usize::MAX)),
        };
        self.results = self.results.slice(0, len);
        self.inputs = self.inputs.as_ref().map(|i| i.slice(0, len));
        Some(rest)
    }
}
