//! The one writer: a task that owns the only connection that writes.
//!
//! Operations queue up in a channel. The task takes what is there, runs all of it in one `BEGIN
//! IMMEDIATE` transaction, each under a savepoint of its own, and answers after COMMIT has returned: an
//! fsync then carries a whole group (group commit), nobody is told of something that is not durable,
//! and no two connections ever wait for each other's locks. An operation that fails is rolled back
//! alone; when the commit fails, all that was in it fails.
//!
//! On a full disk SQLite may end a transaction by itself, at any statement, and sqlx's count of open
//! transactions then never comes back to zero. So after a transaction that failed as a whole the
//! writer goes on with a new connection.
//!
//! A caller that goes away leaves its operation in the queue, where it still runs: it is done or not
//! done, never half-done.

use std::collections::HashSet;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::vec::Drain;

use sqlx::{Connection, SqliteConnection};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::checkpoint;
use super::error::{full, is_fatal, is_fatal_to_all};
use super::lock::Lock;
use super::open::{self, Role};
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

/// An operation without the type of its answer.
trait Operation: Send {
    /// Runs, says whether to keep what was done, and leaves a reply for after the commit.
    fn run<'t>(self: Box<Self>, tx: &'t mut Tx<'_>) -> Running<'t, Attempt>;

    /// Answers that no transaction could be begun.
    fn refuse(self: Box<Self>, error: &Arc<sqlx::Error>);
}

/// An operation and who waits for its answer.
struct Call<T, F> {
    operation: F,
    answer: oneshot::Sender<StoreResult<T>>,
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
            let keep = result.is_ok();
            let fatal = result.as_ref().is_err_and(is_fatal_to_all);
            let reply: Reply = Box::new(move |committed| {
                let result = match committed {
                    Err(error) if keep => Err(failed(error)),
                    _ => result,
                };
                // The caller may be gone.
                let _ = answer.send(result);
            });
            Attempt { keep, fatal, reply }
        })
    }

    fn refuse(self: Box<Self>, error: &Arc<sqlx::Error>) {
        let _ = self.answer.send(Err(failed(error)));
    }
}

struct Attempt {
    keep: bool,
    /// The disk cannot be trusted any more.
    fatal: bool,
    reply: Reply,
}

type Reply = Box<dyn FnOnce(Result<(), &Arc<sqlx::Error>>) + Send>;

fn failed(error: &Arc<sqlx::Error>) -> StoreError {
    full(error).unwrap_or_else(|| StoreError::Internal(Box::new(Arc::clone(error))))
}

/// A handle to the writer.
#[derive(Debug)]
pub(super) struct Writer {
    queue: mpsc::Sender<Box<dyn Operation>>,
}

impl Writer {
    /// A writer and its task, which ends when `closing` is cancelled and the queue is dry, when the
    /// handle is gone, or on an error after which the file cannot be trusted.
    pub(super) fn new(
        connection: SqliteConnection,
        path: PathBuf,
        signals: Signals,
        space: Arc<Space>,
        closing: CancellationToken,
        lock: Arc<Lock>,
    ) -> (Self, Task) {
        let (queue, operations) = mpsc::channel(QUEUE);
        let task = Task {
            closing,
            connection,
            path,
            operations,
            signals,
            space,
            _lock: lock,
        };
        (Self { queue }, task)
    }

    /// Runs an operation and returns its answer once it is durable.
    pub(super) async fn run<T, F>(&self, operation: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: for<'t, 'c> FnOnce(&'t mut Tx<'c>) -> Running<'t, StoreResult<T>> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        self.queue
            .send(Box::new(Call { operation, answer }))
            .await
            .map_err(|_| StoreError::Closing)?;
        answered.await.map_err(|_| StoreError::Closing)?
    }
}

/// The task of a writer.
pub(super) struct Task {
    closing: CancellationToken,
    connection: SqliteConnection,
    path: PathBuf,
    operations: mpsc::Receiver<Box<dyn Operation>>,
    signals: Signals,
    space: Arc<Space>,
    // Nobody else may open the file while this writes.
    _lock: Arc<Lock>,
}

/// Why a task ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// It was asked to.
    Closed,
    /// The database failed.
    Failed,
}

impl Task {
    /// Works until the end.
    pub(super) async fn run(mut self) -> End {
        let mut group = Vec::with_capacity(GROUP);
        while self.next(&mut group).await {
            let mut operations = group.drain(..);
            while operations.len() > 0 {
                if let Err(error) = self.commit(&mut operations).await {
                    // After such an error a retry may report success for pages that are lost; only
                    // opening the file again finds out what is in it.
                    if is_fatal(&error) {
                        tracing::error!(%error, "the database failed; the writer stops");
                        return End::Failed;
                    }
                    match open::connect(&self.path, Role::Writing).await {
                        Ok(connection) => self.connection = connection,
                        Err(error) => {
                            tracing::error!(%error, "the writer cannot connect again");
                            return End::Failed;
                        }
                    }
                }
            }
            drop(operations);
            if self.space.wal_wants_truncation()
                && let Err(error) = checkpoint::empty(&mut self.connection, &self.space).await
            {
                tracing::warn!(%error, "the write-ahead log could not be emptied");
            }
        }
        // Errors of closing change nothing that is durable.
        let _ = self.connection.close().await;
        End::Closed
    }

    /// Takes what is there, or waits for something. False when nothing will come any more.
    async fn next(&mut self, group: &mut Vec<Box<dyn Operation>>) -> bool {
        tokio::select! {
            biased;
            () = self.closing.cancelled(), if !self.operations.is_closed() => self.operations.close(),
            taken = self.operations.recv_many(group, GROUP) => return taken > 0,
        }
        self.operations.recv_many(group, GROUP).await > 0
    }

    /// Runs operations in one transaction, commits it and answers. When it fails as a whole, those that
    /// were not begun are left for the next one, unless there can be none.
    async fn commit(
        &mut self,
        operations: &mut Drain<'_, Box<dyn Operation>>,
    ) -> Result<(), Arc<sqlx::Error>> {
        let mut group = Group::default();
        let committed = attempt(&mut self.connection, operations, &mut group).await;
        let committed = committed.map_err(Arc::new);
        if let Err(error) = &committed
            && (group.replies.is_empty() || is_fatal(error))
        {
            operations
                .by_ref()
                .for_each(|operation| operation.refuse(error));
        }
        for reply in group.replies {
            reply(committed.as_ref().copied());
        }
        committed?;
        for id in &group.hints.jobs {
            self.signals.publish_job(id);
        }
        if group.hints.work {
            self.signals.publish_work();
        }
        Ok(())
    }
}

/// What a transaction leaves for after its end.
#[derive(Default)]
struct Group {
    hints: Hints,
    replies: Vec<Reply>,
}

impl Group {
    /// Runs an operation and says whether to keep what it did.
    async fn run(
        &mut self,
        operation: Box<dyn Operation>,
        conn: &mut SqliteConnection,
    ) -> Result<bool, sqlx::Error> {
        let tx = &mut Tx {
            conn,
            hints: &mut self.hints,
        };
        let Attempt { keep, fatal, reply } = operation.run(tx).await;
        self.replies.push(reply);
        if fatal {
            let why = "the disk failed under an operation of the same transaction";
            return Err(sqlx::Error::Io(io::Error::other(why)));
        }
        Ok(keep)
    }
}

async fn attempt(
    connection: &mut SqliteConnection,
    operations: &mut Drain<'_, Box<dyn Operation>>,
    group: &mut Group,
) -> Result<(), sqlx::Error> {
    let alone = operations.len() == 1;
    // Not a deferred BEGIN: its later upgrade to a write fails at once, whatever the busy timeout.
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    for operation in operations {
        if alone {
            if !group.run(operation, &mut transaction).await? {
                return transaction.rollback().await;
            }
        } else {
            let mut savepoint = transaction.begin().await?;
            if group.run(operation, &mut savepoint).await? {
                savepoint.commit().await?;
            } else {
                savepoint.rollback().await?;
            }
        }
    }
    transaction.commit().await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sqlite::error::database;

    /// A writer on a new file with a table of one column.
    async fn writer(dir: &tempfile::TempDir) -> (Writer, Task, CancellationToken) {
        let path = dir.path().join("gridmill.db");
        let mut connection = open::connect(&path, Role::Writing).await.unwrap();
        sqlx::query("create table t (a blob) strict")
            .execute(&mut connection)
            .await
            .unwrap();
        let closing = CancellationToken::new();
        let (writer, task) = Writer::new(
            connection,
            path.clone(),
            Signals::new(),
            Arc::new(Space::new(&path)),
            closing.clone(),
            Arc::new(Lock::take(&path, "here").unwrap()),
        );
        (writer, task, closing)
    }

    async fn execute(writer: &Writer, statement: &'static str) -> StoreResult<u64> {
        writer
            .run(move |tx| {
                Box::pin(async move {
                    let done = sqlx::query(statement).execute(&mut *tx.conn).await;
                    done.map(|done| done.rows_affected()).map_err(database)
                })
            })
            .await
    }

    const SMALL: &str = "insert into t values (x'01')";
    const LARGE: &str = "insert into t values (zeroblob(1000000))";
    const WRONG: &str = "insert into t values (1)";
    const COUNT: &str = "update t set a = a";

    #[tokio::test]
    async fn an_operation_that_fails_is_undone_alone() {
        let dir = tempfile::tempdir().unwrap();
        let (writer, task, closing) = writer(&dir).await;
        // All are in the queue before the task begins, so they are one group.
        let group = async {
            tokio::join!(
                execute(&writer, SMALL),
                execute(&writer, WRONG),
                execute(&writer, SMALL),
            )
        };
        let ((a, wrong, b), end) = tokio::join!(
            async {
                let answers = group.await;
                assert_eq!(execute(&writer, COUNT).await.unwrap(), 2);
                closing.cancel();
                answers
            },
            task.run()
        );
        assert_eq!((a.unwrap(), b.unwrap()), (1, 1));
        assert!(matches!(wrong, Err(StoreError::Internal(_))), "{wrong:?}");
        assert_eq!(end, End::Closed);
        let late = execute(&writer, SMALL).await;
        assert!(matches!(late, Err(StoreError::Closing)), "{late:?}");
    }

    #[tokio::test]
    async fn a_full_disk_fails_what_it_meets_and_the_writer_goes_on() {
        let dir = tempfile::tempdir().unwrap();
        let (writer, task, closing) = writer(&dir).await;
        let group = async {
            tokio::join!(
                execute(&writer, "pragma max_page_count = 20"),
                execute(&writer, SMALL),
                execute(&writer, LARGE),
                execute(&writer, SMALL),
                execute(&writer, SMALL),
            )
        };
        let (answers, end) = tokio::join!(
            async {
                let answers = group.await;
                // What came behind the failure was done, in a transaction of its own.
                assert_eq!(execute(&writer, COUNT).await.unwrap(), 2);
                closing.cancel();
                answers
            },
            task.run()
        );
        let (_, before, large, behind, last) = answers;
        // It was in the transaction that SQLite ended, and its caller is told so.
        assert!(matches!(before, Err(StoreError::Full(_))), "{before:?}");
        assert!(matches!(large, Err(StoreError::Full(_))), "{large:?}");
        assert_eq!((behind.unwrap(), last.unwrap()), (1, 1));
        assert_eq!(end, End::Closed);
    }

    #[tokio::test]
    async fn a_call_that_is_dropped_is_done_nevertheless() {
        let dir = tempfile::tempdir().unwrap();
        let (writer, task, closing) = writer(&dir).await;
        {
            let mut call = std::pin::pin!(execute(&writer, SMALL));
            let polled = std::future::poll_fn(|cx| {
                std::task::Poll::Ready(call.as_mut().poll(cx).is_pending())
            });
            assert!(polled.await, "the task has not begun");
        }
        let (count, _) = tokio::join!(
            async {
                let count = execute(&writer, COUNT).await.unwrap();
                closing.cancel();
                count
            },
            task.run()
        );
        assert_eq!(count, 1);
    }
}
