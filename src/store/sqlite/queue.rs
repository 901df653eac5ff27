//! The queue as an operator sees it.

use std::time::Duration;

use super::SqliteStore;
use super::error::database;
use crate::jobs::clock::Timestamp;
use crate::jobs::store::{QueueStatus, StoreResult};

pub(super) const STATUS: &str = "\
select m.queue_paused, (select count(*) from jobs where state <= 3 and state = 2), \
    (select count(*) from chunks where leased = 1), \
    (select min(create_time) from jobs where state <= 3 and state = 2) from meta m";

impl SqliteStore {
    pub(super) async fn read_queue(&self) -> StoreResult<QueueStatus> {
        let mut reader = self.0.readers.acquire().await.map_err(database)?;
        let (paused, queued, running, oldest): (bool, i64, i64, Option<i64>) =
            sqlx::query_as(STATUS)
                .fetch_one(&mut *reader)
                .await
                .map_err(database)?;
        let now = self.0.clock.now();
        Ok(QueueStatus {
            paused,
            queued_jobs: queued.unsigned_abs(),
            running_chunks: running.unsigned_abs(),
            oldest_wait: oldest.map_or(Duration::ZERO, |time| {
                now.since(Timestamp::from_micros(time))
            }),
            stored_bytes: self.0.space.used(),
            stored_bytes_limit: self.0.space.capacity(),
        })
    }

    pub(super) async fn pause_queue(&self, paused: bool) -> StoreResult<()> {
        self.0
            .writer
            .run(move |tx| {
                Box::pin(async move {
                    sqlx::query("update meta set queue_paused = ?")
                        .bind(paused)
                        .execute(&mut *tx.conn)
                        .await
                        .map_err(database)?;
                    tx.offer_work();
                    Ok(())
                })
            })
            .await
    }
}
