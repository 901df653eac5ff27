//! Whether leases still stand, and for how long.

use sqlx::SqliteConnection;

use super::SqliteStore;
use super::error::database;
use super::row::signed;
use crate::jobs::clock::micros;
use crate::jobs::job::JobState;
use crate::jobs::lease::{LEASE, Lease, Standing};
use crate::jobs::store::StoreResult;

impl SqliteStore {
    pub(super) async fn renew(&self, leases: Vec<Lease>) -> StoreResult<Vec<Standing>> {
        let until = self.0.clock.monotonic().saturating_add(micros(LEASE));
        self.0
            .writer
            .run(move |tx| {
                Box::pin(async move {
                    for lease in &leases {
                        // Expiry only moves forward, and only for the holder.
                        sqlx::query(
                            "update chunks set lease_until = max(lease_until, ?) \
                             where job = ? and first_index = ? and token = ? and leased = 1",
                        )
                        .bind(until)
                        .bind(lease.key.0)
                        .bind(signed(lease.span.first))
                        .bind(lease.token)
                        .execute(&mut *tx.conn)
                        .await
                        .map_err(database)?;
                    }
                    read(tx.conn, &leases).await
                })
            })
            .await
    }

    pub(super) async fn standing_of(&self, leases: &[Lease]) -> StoreResult<Vec<Standing>> {
        let mut reader = self.0.readers.acquire().await.map_err(database)?;
        read(&mut reader, leases).await
    }
}

pub(super) const STATE: &str = "\
select j.state from chunks c join jobs j on j.key = c.job \
where c.job = ? and c.first_index = ? and c.token = ? and c.leased = 1";

async fn read(conn: &mut SqliteConnection, leases: &[Lease]) -> StoreResult<Vec<Standing>> {
    let mut standings = Vec::with_capacity(leases.len());
    for lease in leases {
        let state: Option<u8> = sqlx::query_scalar(STATE)
            .bind(lease.key.0)
            .bind(signed(lease.span.first))
            .bind(lease.token)
            .fetch_optional(&mut *conn)
            .await
            .map_err(database)?;
        standings.push(match state {
            None => Standing::Lost,
            Some(number) => match JobState::from_number(number) {
                // A pause lets a chunk that runs finish.
                Some(
                    JobState::Uploading | JobState::Queued | JobState::Running | JobState::Paused,
                ) => Standing::Held,
                _ => Standing::Revoked,
            },
        });
    }
    Ok(standings)
}
