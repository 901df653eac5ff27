//! The one writer: a task that owns the only connection that writes.
//!
//! Operations queue up in a channel. The task takes what is there, runs all of it in one `BEGIN
//! IMMEDIATE` transaction, each under a savepoint of its own, and answers after COMMIT has returned: an
//! fsync then carries a whole group (group commit), nobody is told of something that is not durable,
//! and no two connections ever wait for each other's locks. An operation that fails is rolled back
//! alone; when the commit fails, the whole group fails.
//!
//! A caller that goes away leaves its operation in the queue, where it still runs: it is done or not
//! done, never half-done.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use sqlx::{Connection, SqliteConnection};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::error::{database, is_fatal};
use super::space::Space;
use crate::jobs::error::StoreError;
use crate::jobs::id::JobId;
use crate::jobs::signals::Signals;
use crate::jobs::store::StoreResult;

/// Operations that wait at most; further callers wait for a place.
const QUEUE: usize = 1024;
/// Operations in one transaction at most, so that the first of them does not wait for ever.
const GROUP: usize = 128;

/// What an operation works with.
pub(super) struct Tx<'c> {
    /// The connection, inside the transaction.
    pub(super) conn: &'c mut SqliteConnection,
    hints: &'c mut Hints,
}

/// What to say once the group is durable.
#[derive(Default)]
struct Hints {
    jobs: HashSet<JobId>,
    work: bool,
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

/// An operation without the type of its answer: runs, says whether to keep what it did, and leaves a
/// reply for after the commit.
type Operation = Box<dyn for<'t, 'c> FnOnce(&'t mut Tx<'c>) -> Running<'t, Attempt> + Send>;

struct Attempt {
    keep: bool,
    reply: Reply,
}

type Reply = Box<dyn FnOnce(Result<(), Arc<sqlx::Error>>) + Send>;

/// A handle to the writer.
#[derive(Debug)]
pub(super) struct Writer {
    queue: mpsc::Sender<Operation>,
    closing: CancellationToken,
    done: CancellationToken,
}

impl Writer {
    /// Starts the task. It ends when the handle is closed, or on an error after which the file cannot
    /// be trusted; it cancels `failed` then.
    pub(super) fn start(
        connection: SqliteConnection,
        signals: Signals,
        space: Arc<Space>,
        failed: CancellationToken,
    ) -> Self {
        let (queue, operations) = mpsc::channel(QUEUE);
        let closing = CancellationToken::new();
        let done = CancellationToken::new();
        let task = Task {
            closing: closing.clone(),
            connection,
            operations,
            signals,
            space,
            failed,
        };
        let guard = done.clone().drop_guard();
        tokio::spawn(async move {
            task.run().await;
            drop(guard);
        });
        Self {
            queue,
            closing,
            done,
        }
    }

    /// Runs an operation and returns its answer once it is durable.
    pub(super) async fn run<T, F>(&self, operation: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: for<'t, 'c> FnOnce(&'t mut Tx<'c>) -> Running<'t, StoreResult<T>> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let operation: Operation = Box::new(move |tx| {
            Box::pin(async move {
                let result = operation(tx).await;
                let keep = result.is_ok();
                let reply: Reply = Box::new(move |committed| {
                    let result = match committed {
                        Err(error) if keep => Err(commit_failed(&error)),
                        _ => result,
                    };
                    // The caller may be gone.
                    let _ = answer.send(result);
                });
                Attempt { keep, reply }
            })
        });
        self.queue
            .send(operation)
            .await
            .map_err(|_| StoreError::Closing)?;
        answered.await.map_err(|_| StoreError::Closing)?
    }

    /// Takes nothing new, lets the queue run dry and waits for the end of the task.
    pub(super) async fn close(&self) {
        self.closing.cancel();
        self.done.cancelled().await;
    }
}

fn commit_failed(error: &Arc<sqlx::Error>) -> StoreError {
    match super::error::full(error) {
        Some(full) => full,
        None => StoreError::Internal(Box::new(Arc::clone(error))),
    }
}

struct Task {
    closing: CancellationToken,
    connection: SqliteConnection,
    operations: mpsc::Receiver<Operation>,
    signals: Signals,
    space: Arc<Space>,
    failed: CancellationToken,
}

impl Task {
    async fn run(mut self) {
        let mut group = Vec::with_capacity(GROUP);
        while self.next(&mut group).await {
            if let Err(error) = self.commit(&mut group).await
                && is_fatal(&error)
            {
                // After such an error a retry may report success for pages that are lost; only
                // opening the file again finds out what is in it.
                tracing::error!(%error, "the database failed; the writer stops");
                self.failed.cancel();
                return;
            }
            group.clear();
            if self.space.wal_wants_truncation()
                && let Err(error) = truncate_wal(&mut self.connection).await
            {
                tracing::warn!(%error, "the write-ahead log could not be truncated");
            }
        }
    }

    /// Takes what is there, or waits for something. False when nothing will come any more.
    async fn next(&mut self, group: &mut Vec<Operation>) -> bool {
        tokio::select! {
            biased;
            () = self.closing.cancelled(), if !self.operations.is_closed() => self.operations.close(),
            taken = self.operations.recv_many(group, GROUP) => return taken > 0,
        }
        self.operations.recv_many(group, GROUP).await > 0
    }

    /// Runs the group, commits it and answers everyone.
    async fn commit(&mut self, group: &mut Vec<Operation>) -> Result<(), Arc<sqlx::Error>> {
        let mut hints = Hints::default();
        let mut replies = Vec::with_capacity(group.len());
        let committed = attempt(&mut self.connection, group, &mut hints, &mut replies).await;
        // Operations that were never begun drop their senders, which reads as closing; say why.
        let committed = committed.map_err(Arc::new);
        for reply in replies {
            reply(committed.clone());
        }
        committed?;
        for id in &hints.jobs {
            self.signals.publish_job(id);
        }
        if hints.work {
            self.signals.publish_work();
        }
        Ok(())
    }
}

async fn attempt(
    connection: &mut SqliteConnection,
    group: &mut Vec<Operation>,
    hints: &mut Hints,
    replies: &mut Vec<Reply>,
) -> Result<(), sqlx::Error> {
    let alone = group.len() == 1;
    // Not a deferred BEGIN: its later upgrade to a write fails at once, whatever the busy timeout.
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    for operation in group.drain(..) {
        if alone {
            let tx = &mut Tx {
                conn: &mut transaction,
                hints,
            };
            let Attempt { keep, reply } = operation(tx).await;
            replies.push(reply);
            if !keep {
                return transaction.rollback().await;
            }
        } else {
            let mut savepoint = transaction.begin().await?;
            let tx = &mut Tx {
                conn: &mut savepoint,
                hints,
            };
            let Attempt { keep, reply } = operation(tx).await;
            replies.push(reply);
            if keep {
                savepoint.commit().await?;
            } else {
                savepoint.rollback().await?;
            }
        }
    }
    transaction.commit().await
}

/// Moves what is left of the write-ahead log into the database and empties the file. Readers that are
/// in the way make it a no-op that is tried again later.
async fn truncate_wal(connection: &mut SqliteConnection) -> StoreResult<()> {
    let checkpoint = sqlx::query("pragma wal_checkpoint(truncate)").fetch_all(connection);
    match tokio::time::timeout(Duration::from_secs(5), checkpoint).await {
        Ok(rows) => rows.map(|_| ()).map_err(database),
        Err(_) => Ok(()),
    }
}
