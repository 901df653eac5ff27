//! Moves the write-ahead log into the database, now and then, on a connection of its own.
//!
//! SQLite's automatic checkpoint would run inside some client's commit. A passive one here stands in
//! nobody's way; under a steady stream of commits it never quite catches up, so the writer empties the
//! log when it has grown too long ([`Space::wal_wants_truncation`]). A log that was copied and rests is
//! emptied here: its file counts as used space.

use std::sync::Arc;
use std::time::Duration;

use sqlx::{Connection, SqliteConnection};
use tokio_util::sync::CancellationToken;

use super::error::database;
use super::lock::Lock;
use super::open::BUSY_TIMEOUT;
use super::space::Space;
use super::writer::End;
use crate::jobs::store::StoreResult;

const PERIOD: Duration = Duration::from_millis(200);
/// How long emptying waits for readers, of which nearly all are gone after a few milliseconds.
const PATIENCE: Duration = Duration::from_millis(100);

/// Runs until the store closes. The lock says that the file is ours until then.
pub(super) async fn run(
    mut connection: SqliteConnection,
    space: Arc<Space>,
    closing: CancellationToken,
    lock: Arc<Lock>,
) -> End {
    let mut frames = 0;
    let mut failing = false;
    while closing
        .run_until_cancelled(tokio::time::sleep(PERIOD))
        .await
        .is_some()
    {
        if !lock.still_names_it() {
            tracing::error!(
                "{} was removed or replaced: what is written now would be lost",
                lock.database().display()
            );
            return End::Failed;
        }
        let looked = once(&mut connection, &space, &mut frames).await;
        if let Err(error) = &looked
            && !failing
        {
            tracing::warn!(%error, "a checkpoint failed; it is tried again");
        }
        failing = looked.is_err();
        // Also when the database could not be asked: room on the disk ends such a state.
        space.look();
    }
    // Errors of closing change nothing that is durable. SQLite itself empties the log only for the last
    // connection, and of two that close at once neither may be.
    let _ = empty(&mut connection, &space).await;
    let _ = connection.close().await;
    End::Closed
}

/// One look. `frames` is the length of the log at the last one.
async fn once(
    connection: &mut SqliteConnection,
    space: &Space,
    frames: &mut i64,
) -> StoreResult<()> {
    if space.wal_wants_checkpoint() {
        let (_, length, copied): (i64, i64, i64) = sqlx::query_as("pragma wal_checkpoint(passive)")
            .fetch_one(&mut *connection)
            .await
            .map_err(database)?;
        if length == copied && length == *frames {
            empty(connection, space).await?;
        }
        *frames = length;
    }
    space.measure(connection).await
}

/// Copies what is left of the log and empties its file, unless a reader stays in the way.
pub(super) async fn empty(connection: &mut SqliteConnection, space: &Space) -> StoreResult<()> {
    wait_at_most(connection, PATIENCE).await?;
    let checkpoint = sqlx::query_scalar("pragma wal_checkpoint(truncate)")
        .fetch_one(&mut *connection)
        .await;
    wait_at_most(connection, BUSY_TIMEOUT).await?;
    let blocked: bool = checkpoint.map_err(database)?;
    space.wal_emptied(!blocked);
    Ok(())
}

/// Sets how long the connection waits for others.
async fn wait_at_most(connection: &mut SqliteConnection, wait: Duration) -> StoreResult<()> {
    let pragma = format!("pragma busy_timeout = {}", wait.as_millis());
    sqlx::query(sqlx::AssertSqlSafe(pragma))
        .fetch_all(connection)
        .await
        .map_err(database)?;
    Ok(())
}
