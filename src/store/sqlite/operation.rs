//! What the writer runs: an operation, how it ended, and why the transaction around it may be lost.

use std::collections::HashSet;
use std::sync::Arc;

use sqlx::SqliteConnection;
use tokio::sync::oneshot;

use super::error::{disk_full, full, is_fatal, is_fatal_to_all};
use crate::jobs::error::StoreError;
use crate::jobs::id::JobId;
use crate::jobs::store::StoreResult;

/// What an operation works with.
pub(super) struct Tx<'c> {
    /// The connection, inside the transaction.
    pub(super) conn: &'c mut SqliteConnection,
    pub(super) hints: &'c mut Hints,
}

/// What to say once the group is durable.
#[derive(Default)]
pub(super) struct Hints {
    pub(super) jobs: HashSet<JobId>,
    pub(super) work: bool,
}

impl Tx<'_> {
    /// The job changed.
    pub(super) fn touch(&mut self, id: &JobId) {
        if !self.hints.jobs.contains(id) {
            self.hints.jobs.insert(id.clone());
        }
    }

    /// A chunk may be claimable now.
    pub(super) fn offer_work(&mut self) {
        self.hints.work = true;
    }
}

/// A future of an operation.
pub(super) type Running<'t, T> = std::pin::Pin<Box<dyn Future<Output = T> + Send + 't>>;

/// An operation without the type of its answer.
pub(super) trait Operation: Send {
    /// Runs, says whether to keep what was done, and leaves a reply for after the commit.
    fn run<'t>(self: Box<Self>, tx: &'t mut Tx<'_>) -> Running<'t, Attempt>;

    /// Answers that no transaction could be begun.
    fn refuse(self: Box<Self>, why: &Lost);
}

/// An operation and who waits for its answer.
pub(super) struct Call<T, F> {
    pub(super) operation: F,
    pub(super) answer: oneshot::Sender<StoreResult<T>>,
}

impl<T, F> Operation for Call<T, F>
where
    T: Send + 'static,
    F: for<'t, 'c> FnOnce(&'t mut Tx<'c>) -> Running<'t, StoreResult<T>> + Send + 'static,
{
    fn run<'t>(self: Box<Self>, tx: &'t mut Tx<'_>) -> Running<'t, Attempt> {
        let Self { operation, answer } = *self;
        let running = operation(tx);
        Box::pin(async move {
            let result = running.await;
            let end = match &result {
                Ok(_) => OperationEnd::Done,
                Err(StoreError::Full(_)) => OperationEnd::Full,
                Err(error) if is_fatal_to_all(error) => OperationEnd::DiskFailed,
                Err(_) => OperationEnd::Refused,
            };
            let reply: Reply = Box::new(move |committed| {
                let result = match committed {
                    Err(why) if result.is_ok() => Err(why.into()),
                    _ => result,
                };
                // The caller may be gone.
                let _ = answer.send(result);
            });
            Attempt { end, reply }
        })
    }

    fn refuse(self: Box<Self>, why: &Lost) {
        let _ = self.answer.send(Err(why.into()));
    }
}

/// An operation that was run.
pub(super) struct Attempt {
    pub(super) end: OperationEnd,
    pub(super) reply: Reply,
}

/// How an operation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OperationEnd {
    /// What it did is to be kept.
    Done,
    /// What it did is to be undone.
    Refused,
    /// So it is, and SQLite may have undone the whole transaction already.
    Full,
    /// The disk cannot be trusted any more.
    DiskFailed,
}

/// Answers the caller, once it is known whether the transaction was committed.
pub(super) type Reply = Box<dyn FnOnce(Result<(), &Lost>) + Send>;

/// Why a transaction failed as a whole.
#[derive(Clone, Debug)]
pub(super) enum Lost {
    /// The disk is full.
    Full,
    /// The disk failed under one of its operations.
    DiskFailed,
    /// SQLite's own words.
    Database(Arc<sqlx::Error>),
}

impl Lost {
    /// Whether the file cannot be trusted until it is opened again.
    pub(super) fn is_fatal(&self) -> bool {
        match self {
            Self::Full => false,
            Self::DiskFailed => true,
            Self::Database(error) => is_fatal(error),
        }
    }
}

impl From<sqlx::Error> for Lost {
    fn from(error: sqlx::Error) -> Self {
        match full(&error) {
            Some(_) => Self::Full,
            None => Self::Database(Arc::new(error)),
        }
    }
}

impl From<&Lost> for StoreError {
    fn from(lost: &Lost) -> Self {
        match lost {
            Lost::Full => disk_full(),
            Lost::DiskFailed => Self::Internal("the disk failed".into()),
            Lost::Database(error) => Self::Internal(Box::new(Arc::clone(error))),
        }
    }
}
