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

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use std::vec::Drain;

use sqlx::{Connection, Sqlite, SqliteConnection, Transaction};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::checkpoint;
use super::error::full;
use super::lock::Lock;
use super::open::{self, OpenError, Role};
use super::operation::{Attempt, Call, Hints, Lost, Operation, OperationEnd, Reply, Running, Tx};
use super::space::Space;
use crate::jobs::error::StoreError;
use crate::jobs::signals::Signals;
use crate::jobs::store::StoreResult;

/// Operations that wait at most; further callers wait for a place.
const QUEUE: usize = 1024;
/// Operations in one transaction at most, so that the first of them does not wait for ever.
const GROUP: usize = 128;
/// Between two tries to connect on a full disk.
const RECONNECT: Duration = Duration::from_millis(200);

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
                if let Err(lost) = self.commit(&mut operations).await {
                    // After such an error a retry may report success for pages that are lost; only
                    // opening the file again finds out what is in it.
                    if lost.is_fatal() {
                        tracing::error!(?lost, "the database failed; the writer stops");
                        return End::Failed;
                    }
                    if matches!(lost, Lost::Full) {
                        self.space.spend();
                    }
                    if let Err(error) = self.reconnect().await {
                        tracing::error!(
                            error = &error as &dyn std::error::Error,
                            "the writer cannot connect again"
                        );
                        return End::Failed;
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

    /// Connects anew. While the disk has no room even for that, everybody is told so.
    async fn reconnect(&mut self) -> Result<(), OpenError> {
        loop {
            match open::connect(&self.path, Role::Writing).await {
                Ok(connection) => {
                    self.connection = connection;
                    return Ok(());
                }
                Err(OpenError::Database(error)) if full(&error).is_some() => {}
                Err(error) => return Err(error),
            }
            tokio::select! {
                Some(operation) = self.operations.recv() => operation.refuse(&Lost::Full),
                () = tokio::time::sleep(RECONNECT) => {}
            }
        }
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
    async fn commit(&mut self, operations: &mut Drain<'_, Box<dyn Operation>>) -> Result<(), Lost> {
        // The reserve must be given up before an operation needs it, since none can be run twice.
        self.space.look();
        let mut group = Group::default();
        let committed = attempt(&mut self.connection, operations, &mut group).await;
        if let Err(lost) = &committed
            && (group.replies.is_empty() || lost.is_fatal())
        {
            operations
                .by_ref()
                .for_each(|operation| operation.refuse(lost));
        }
        // The hints first: whoever has its answer may rely on them.
        if committed.is_ok() {
            for id in &group.hints.jobs {
                self.signals.publish_job(id);
            }
            if group.hints.work {
                self.signals.publish_work();
            }
        }
        for reply in group.replies {
            reply(committed.as_ref().copied());
        }
        committed
    }
}

/// What a transaction leaves for after its end.
#[derive(Default)]
struct Group {
    hints: Hints,
    replies: Vec<Reply>,
}

impl Group {
    /// Runs an operation and says how it ended.
    async fn run(
        &mut self,
        operation: Box<dyn Operation>,
        conn: &mut SqliteConnection,
    ) -> OperationEnd {
        let tx = &mut Tx {
            conn,
            hints: &mut self.hints,
        };
        let Attempt { end, reply } = operation.run(tx).await;
        self.replies.push(reply);
        end
    }
}

async fn attempt(
    connection: &mut SqliteConnection,
    operations: &mut Drain<'_, Box<dyn Operation>>,
    group: &mut Group,
) -> Result<(), Lost> {
    let alone = operations.len() == 1;
    // Not a deferred BEGIN: its later upgrade to a write fails at once, whatever the busy timeout.
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    for operation in operations {
        if alone {
            let end = group.run(operation, &mut transaction).await;
            return finish(transaction, end).await;
        }
        let mut savepoint = transaction.begin().await?;
        let end = group.run(operation, &mut savepoint).await;
        finish(savepoint, end).await?;
    }
    Ok(transaction.commit().await?)
}

/// Keeps or undoes what an operation did.
async fn finish(tx: Transaction<'_, Sqlite>, end: OperationEnd) -> Result<(), Lost> {
    match end {
        OperationEnd::Done => Ok(tx.commit().await?),
        OperationEnd::Refused => Ok(tx.rollback().await?),
        OperationEnd::Full => tx.rollback().await.map_err(|_| Lost::Full),
        OperationEnd::DiskFailed => Err(Lost::DiskFailed),
    }
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
            Arc::new(Space::new(&path, u64::MAX)),
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
