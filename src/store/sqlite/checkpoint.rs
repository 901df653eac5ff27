//! Moves the write-ahead log into the database, now and then, on a connection of its own.
//!
//! SQLite's automatic checkpoint would run inside some client's commit. A passive one here stands in
//! nobody's way; under a steady stream of commits it never quite catches up, so the writer empties the
//! log when it has grown too long ([`Space::wal_wants_truncation`]).

use std::sync::Arc;
use std::time::Duration;

use sqlx::{Connection, SqliteConnection};
use tokio_util::sync::CancellationToken;

use super::error::database;
use super::space::Space;
use crate::jobs::store::StoreResult;

const PERIOD: Duration = Duration::from_millis(200);

/// Runs until the store closes.
pub(super) async fn run(
    mut connection: SqliteConnection,
    space: Arc<Space>,
    closing: CancellationToken,
) {
    while closing
        .run_until_cancelled(tokio::time::sleep(PERIOD))
        .await
        .is_some()
    {
        if let Err(error) = once(&mut connection, &space).await {
            tracing::warn!(%error, "a checkpoint failed");
        }
    }
    // Errors of closing change nothing that is durable.
    let _ = connection.close().await;
}

async fn once(connection: &mut SqliteConnection, space: &Space) -> StoreResult<()> {
    if space.wal_wants_checkpoint() {
        sqlx::query("pragma wal_checkpoint(passive)")
            .fetch_all(&mut *connection)
            .await
            .map_err(database)?;
    }
    space.measure(connection).await
}
