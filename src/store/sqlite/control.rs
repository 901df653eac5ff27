//! What its owner does to a job: cancel, pause, resume, delete.

use super::SqliteStore;
use super::error::database;
use super::operation::Tx;
use super::row;
use crate::jobs::clock::Timestamp;
use crate::jobs::id::JobRef;
use crate::jobs::job::{Job, JobState};
use crate::jobs::record::Record;
use crate::jobs::store::StoreResult;

impl SqliteStore {
    /// Loads a job under the write lock, changes it, and saves it.
    pub(super) async fn change<F>(&self, job: JobRef, change: F) -> StoreResult<Job>
    where
        F: FnOnce(&mut Record, Timestamp) -> StoreResult<()> + Send + 'static,
    {
        let now = self.0.clock.now();
        self.0
            .writer
            .run(move |tx| {
                Box::pin(async move {
                    let mut record = row::load(tx.conn, &job).await?;
                    let before = record.clone();
                    change(&mut record, now)?;
                    if record != before {
                        save(tx, &record).await?;
                    }
                    Ok(record.job)
                })
            })
            .await
    }

    pub(super) async fn cancel_job(&self, job: JobRef) -> StoreResult<Job> {
        self.change(job, |record, now| {
            record.cancel(now);
            Ok(())
        })
        .await
    }

    pub(super) async fn pause_job(&self, job: JobRef) -> StoreResult<Job> {
        self.change(job, Record::pause).await
    }

    pub(super) async fn resume_job(&self, job: JobRef) -> StoreResult<Job> {
        let now = self.0.clock.now();
        self.0
            .writer
            .run(move |tx| {
                Box::pin(async move {
                    let mut record = row::load(tx.conn, &job).await?;
                    let was_paused = record.job.state == JobState::Paused;
                    record.resume(now)?;
                    if was_paused {
                        // A person has decided: an item in quarantine gets its five tries again.
                        sqlx::query("update chunks set deaths = 0 where job = ? and leased = 0")
                            .bind(record.key.0)
                            .execute(&mut *tx.conn)
                            .await
                            .map_err(database)?;
                        save(tx, &record).await?;
                    }
                    Ok(record.job)
                })
            })
            .await
    }

    /// The job is invisible at once and its name is free; the collector removes the data in slices.
    pub(super) async fn delete_job(&self, job: JobRef, force: bool) -> StoreResult<()> {
        let now = self.0.clock.now();
        self.0
            .writer
            .run(move |tx| {
                Box::pin(async move {
                    let mut record = row::load(tx.conn, &job).await?;
                    if !record.job.state.has_ended() {
                        if !force {
                            return Err(record.wrong_state("it is live: cancel it first, or force"));
                        }
                        record.abandon(now);
                        row::save(tx.conn, &record).await?;
                    }
                    sqlx::query("update jobs set deleted = 1 where key = ?")
                        .bind(record.key.0)
                        .execute(&mut *tx.conn)
                        .await
                        .map_err(database)?;
                    tx.touch(&record.job.id);
                    Ok(())
                })
            })
            .await
    }
}

/// Saves a changed record; its chunks may be claimable now.
async fn save(tx: &mut Tx<'_>, record: &Record) -> StoreResult<()> {
    row::save(tx.conn, record).await?;
    tx.touch(&record.job.id);
    tx.offer_work();
    Ok(())
}
