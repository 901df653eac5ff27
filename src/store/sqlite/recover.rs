//! What the death of earlier processes left behind.
//!
//! The file lock says that no other process lives, so every lease in the file belongs to a dead one and
//! is given back at once: nobody waits for it to expire, and no attempt is counted.

use sqlx::{Connection, SqliteConnection};

use super::chunks::{self, Chunk};
use super::error::database;
use super::row;
use crate::jobs::clock::Timestamp;
use crate::jobs::error::StoreError;
use crate::jobs::lease::JobKey;
use crate::jobs::record::Record;
use crate::jobs::retry::{self, Verdict};
use crate::jobs::store::StoreResult;

/// What every process needs to know about the store it opened.
pub(super) struct Opened {
    /// How often it was opened.
    pub(super) boot: i64,
    /// Authenticates page tokens.
    pub(super) secret: [u8; 32],
}

/// Brings the store to the state of one that nobody works on.
pub(super) async fn recover(conn: &mut SqliteConnection, now: Timestamp) -> StoreResult<Opened> {
    let mut tx = conn.begin_with("BEGIN IMMEDIATE").await.map_err(database)?;
    let mut secret = [0; 32];
    getrandom::fill(&mut secret).map_err(|error| StoreError::Internal(Box::new(error)))?;
    let (boot, secret): (i64, Vec<u8>) = sqlx::query_as(
        "insert into meta (singleton, boot, queue_paused, virtual_time, secret) \
         values (1, 1, 0, 0.0, ?) \
         on conflict do update set boot = boot + 1 returning boot, secret",
    )
    .bind(secret.as_slice())
    .fetch_one(&mut *tx)
    .await
    .map_err(database)?;
    // Back-off is measured on a clock that died with its process.
    sqlx::query("update chunks set retry_at = 0")
        .execute(&mut *tx)
        .await
        .map_err(database)?;
    let leased: Vec<(i64, Chunk)> = chunks::leased(&mut tx).await?;
    let (chunks, items) = (
        leased.len(),
        leased.iter().map(|(_, c)| c.span.len).sum::<u64>(),
    );
    for (key, chunk) in leased {
        let mut record = row::load_key(&mut tx, JobKey(key)).await?;
        give_back(&mut tx, &mut record, chunk, now).await?;
        row::save(&mut tx, &record).await?;
    }
    tx.commit().await.map_err(database)?;
    if chunks > 0 {
        tracing::info!(chunks, items, "gave back the leases of a process that died");
    }
    let secret = <[u8; 32]>::try_from(secret)
        .map_err(|_| super::error::corrupt("a secret of another length"))?;
    Ok(Opened { boot, secret })
}

async fn give_back(
    conn: &mut SqliteConnection,
    record: &mut Record,
    mut chunk: Chunk,
    now: Timestamp,
) -> StoreResult<()> {
    chunk.attempts -= 1;
    chunk.failures.deaths += 1;
    match retry::after_death(chunk.span, chunk.failures) {
        Verdict::Split(left, right) if record.may_run() => {
            chunks::split(conn, record.key, &chunk, left, right).await?;
            record.given_back(2, now);
        }
        verdict => {
            chunks::give_back(conn, record, &chunk, 0, now).await?;
            if verdict == Verdict::Quarantine {
                record.quarantine(chunk.span.first, chunk.failures.deaths, now);
            }
        }
    }
    Ok(())
}
