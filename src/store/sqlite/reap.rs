//! Ends what time has ended.

use sqlx::SqliteConnection;

use super::SqliteStore;
use super::chunks;
use super::error::database;
use super::row::{self, Stored};
use crate::jobs::clock::{Timestamp, micros};
use crate::jobs::lease::JobKey;
use crate::jobs::record::UPLOAD_IDLE;
use crate::jobs::store::StoreResult;

pub(super) const ANYTHING_DUE: &str = "\
select exists (select 1 from jobs where state <= 5 and deadline is not null and deadline <= ?1) \
or exists (select 1 from jobs where state = 1 and upload_time <= ?2) \
or exists (select 1 from chunks where leased = 1 and lease_until <= ?3)";

pub(super) const DUE: &str = concat!(
    "select ",
    row::columns!(),
    " from jobs where (state <= 5 and deadline is not null and deadline <= ?1) \
     or (state = 1 and upload_time <= ?2)"
);

impl SqliteStore {
    pub(super) async fn reap_all(&self) -> StoreResult<u64> {
        // Nearly always there is nothing to do, which a reader finds out without a write.
        if !self.anything_due().await? {
            return Ok(0);
        }
        let store = self.clone();
        self.0
            .writer
            .run(move |tx| {
                Box::pin(async move {
                    let now = store.0.clock.now();
                    let mut ended = 0;
                    for Stored(mut record) in due(tx.conn, now).await? {
                        let message = match record.job.spec.deadline {
                            Some(deadline) if deadline <= now => "its deadline passed",
                            _ => "its upload was abandoned",
                        };
                        record.expire(message, now);
                        row::save(tx.conn, &record).await?;
                        tx.touch(&record.job.id);
                        ended += 1;
                    }
                    let monotonic = store.0.clock.monotonic();
                    for (key, chunk) in chunks::expired(tx.conn, monotonic).await? {
                        let mut record = row::load_key(tx.conn, JobKey(key)).await?;
                        chunks::give_back(tx.conn, &mut record, &chunk, monotonic, now).await?;
                        row::save(tx.conn, &record).await?;
                        tx.touch(&record.job.id);
                        tx.offer_work();
                        ended += 1;
                    }
                    Ok(ended)
                })
            })
            .await
    }

    async fn anything_due(&self) -> StoreResult<bool> {
        let now = self.0.clock.now().micros();
        let mut reader = self.0.readers.acquire().await.map_err(database)?;
        sqlx::query_scalar(ANYTHING_DUE)
            .bind(now)
            .bind(now - micros(UPLOAD_IDLE))
            .bind(self.0.clock.monotonic())
            .fetch_one(&mut *reader)
            .await
            .map_err(database)
    }
}

/// Jobs past their deadline, and uploads that were abandoned.
async fn due(conn: &mut SqliteConnection, now: Timestamp) -> StoreResult<Vec<Stored>> {
    sqlx::query_as(DUE)
        .bind(now.micros())
        .bind(now.micros() - micros(UPLOAD_IDLE))
        .fetch_all(conn)
        .await
        .map_err(database)
}
