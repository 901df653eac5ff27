//! A job's header as a store keeps it, and every change it can go through.
//!
//! The changes are plain code on one struct, so that every backend shares them and a test needs no
//! database: a store loads the record under its write lock, changes it here, and saves it.

#[cfg(test)]
mod tests;

use std::time::Duration;

use super::clock::Timestamp;
use super::error::StoreError;
use super::items::{Outcome, Tally};
use super::job::{Job, JobError, JobState};
use super::lease::JobKey;
use super::progress::Rejections;
use super::store::StoreResult;

/// An upload without a commit is given up after this long without a message.
pub const UPLOAD_IDLE: Duration = Duration::from_hours(1);

/// The header is kept this much longer than the results.
pub const HEADER_KEPT: Duration = Duration::from_hours(7 * 24);

/// Reason of a job that the server paused because one of its items may be killing the process.
pub const QUARANTINED: &str = "QUARANTINED";

/// A job with what only the store needs to know.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its key; jobs that came later have larger ones.
    pub key: JobKey,
    /// What everyone may see.
    pub job: Job,
    /// Items a chunk.
    pub chunk_items: u64,
    /// The first index that no chunk was claimed for.
    pub next_index: u64,
    /// Chunks that are leased.
    pub running: u64,
    /// Chunks that were given back and wait to be claimed again.
    pub waiting: u64,
    /// When the last inputs came.
    pub upload_time: Timestamp,
    /// When the rate was last read.
    pub rate_time: Option<Timestamp>,
    /// Results and inputs are gone.
    pub purged: bool,
}

/// What a completed chunk adds to its job.
#[derive(Clone, Debug)]
pub struct Completed {
    /// Its items by outcome.
    pub tally: Tally,
    /// Candidates turned down.
    pub rejections: Rejections,
    /// Bytes of its payload.
    pub bytes: u64,
    /// The watermark with this chunk in place.
    pub contiguous_done: u64,
}

impl Record {
    /// Fresh chunks may be cut below this index: while inputs come in, only whole ones.
    #[must_use]
    pub const fn available(&self) -> u64 {
        match self.job.spec.count {
            Some(count) => count,
            None => self.job.progress.received - self.job.progress.received % self.chunk_items,
        }
    }

    /// The number of items, as far as it is known.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.job.spec.count.unwrap_or(self.job.progress.received)
    }

    /// More inputs are durable.
    pub fn received(&mut self, items: u64, bytes: u64, now: Timestamp) {
        self.job.progress.received += items;
        self.job.progress.total = self.total();
        self.job.progress.stored_bytes += bytes;
        self.upload_time = now;
        self.changed(now);
    }

    /// The inputs are complete. Idempotent by count.
    ///
    /// # Errors
    /// `WrongState` when the count is another one or the upload has ended otherwise.
    pub fn commit(&mut self, expected: u64, now: Timestamp) -> StoreResult<()> {
        if self.job.spec.count == Some(expected) {
            return Ok(());
        }
        let received = self.job.progress.received;
        if !self.takes_inputs() {
            return Err(self.wrong_state("its inputs cannot be committed any more"));
        }
        if received != expected {
            let what = format!("expected_count is {expected} but {received} inputs were received");
            return Err(self.wrong_state(what));
        }
        self.job.spec.count = Some(expected);
        if self.job.state == JobState::Uploading {
            self.job.state = self.ready();
        }
        self.changed(now);
        Ok(())
    }

    /// A chunk was claimed.
    pub fn claimed(&mut self, fresh: u64, now: Timestamp) {
        if fresh > 0 {
            self.next_index += fresh;
        } else {
            self.waiting -= 1;
        }
        self.running += 1;
        if self.job.start_time.is_none() {
            self.job.start_time = Some(now);
            self.rate_time = Some(now);
            if self.job.state == JobState::Queued {
                self.job.state = JobState::Running;
            }
            self.changed(now);
        }
    }

    /// A chunk has its results.
    pub fn completed(&mut self, chunk: Completed, now: Timestamp) {
        self.running -= 1;
        self.sealed(chunk, now);
    }

    /// The results of a chunk that ran before count from now on.
    pub fn sealed(&mut self, chunk: Completed, now: Timestamp) {
        let items: u64 = chunk.tally.iter().map(|(_, items)| items).sum();
        let progress = &mut self.job.progress;
        progress.done += items;
        progress.contiguous_done = chunk.contiguous_done;
        progress.tally.add(&chunk.tally);
        progress.stored_bytes += chunk.bytes;
        for (option, turned_down) in chunk.rejections {
            *progress.rejections.entry(option).or_default() += turned_down;
        }
        let since = now.since(self.rate_time.unwrap_or(now));
        let age = now.since(self.job.start_time.unwrap_or(now));
        let (rate, taken) = progress.rate.completed(items, since, age);
        progress.rate = rate;
        if taken {
            self.rate_time = Some(now);
        }
        self.changed(now);
    }

    /// A leased chunk was given back and waits as `pieces` chunks (none: it is gone).
    pub fn given_back(&mut self, pieces: u64, now: Timestamp) {
        self.running -= 1;
        self.waiting += pieces;
        if self.settle(now) {
            self.job.revision += 1;
        }
    }

    /// A chunk that ran before has to run again.
    pub fn reopened(&mut self, now: Timestamp) {
        self.waiting += 1;
        self.changed(now);
    }

    /// Whether its chunks may run, now or when it is resumed.
    #[must_use]
    pub const fn may_run(&self) -> bool {
        !self.job.state.has_ended() && !matches!(self.job.state, JobState::Cancelling)
    }

    /// Stops the job, at once when nothing runs. Idempotent, and OK on one that has ended.
    pub fn cancel(&mut self, now: Timestamp) {
        if self.may_run() {
            self.job.state = JobState::Cancelling;
            self.changed(now);
        }
    }

    /// Ends a live job at once, whatever runs: it is about to be deleted.
    pub fn abandon(&mut self, now: Timestamp) {
        if !self.job.state.has_ended() {
            self.end(JobState::Cancelled, now);
            self.changed(now);
        }
    }

    /// Keeps further chunks from being claimed. Idempotent.
    ///
    /// # Errors
    /// `WrongState` when the job is uploading, stops or has ended.
    pub fn pause(&mut self, now: Timestamp) -> StoreResult<()> {
        match self.job.state {
            JobState::Paused => Ok(()),
            JobState::Queued | JobState::Running => {
                self.job.state = JobState::Paused;
                self.changed(now);
                Ok(())
            }
            _ => Err(self.wrong_state("it cannot be paused")),
        }
    }

    /// Pauses because an item may be killing the process.
    pub fn quarantine(&mut self, index: u64, deaths: u32, now: Timestamp) {
        if !self.may_run() {
            return;
        }
        self.job.error = Some(JobError {
            reason: QUARANTINED.to_owned(),
            message: format!(
                "the process died {deaths} times while item {index} ran alone; \
                 resume the job to try again, or cancel it"
            ),
        });
        self.job.state = JobState::Paused;
        self.changed(now);
    }

    /// Undoes a pause. Idempotent.
    ///
    /// # Errors
    /// `WrongState` when the job stops or has ended.
    pub fn resume(&mut self, now: Timestamp) -> StoreResult<()> {
        match self.job.state {
            JobState::Uploading | JobState::Queued | JobState::Running => Ok(()),
            JobState::Paused => {
                self.job.error = None;
                self.job.state = self.ready();
                // What stood still says nothing about the rate, nor about an upload's idleness.
                self.rate_time = Some(now);
                self.upload_time = now;
                self.changed(now);
                Ok(())
            }
            _ => Err(self.wrong_state("it cannot be resumed")),
        }
    }

    /// Ends the job because its time is over.
    pub fn expire(&mut self, message: &str, now: Timestamp) {
        if self.job.state.has_ended() {
            return;
        }
        self.job.error = Some(JobError {
            reason: "DEADLINE".to_owned(),
            message: message.to_owned(),
        });
        self.end(JobState::Expired, now);
        self.changed(now);
    }

    /// Ends the job because it cannot be done as a whole.
    pub fn fail(&mut self, reason: &str, message: String, now: Timestamp) {
        if !self.may_run() {
            return;
        }
        self.job.error = Some(JobError {
            reason: reason.to_owned(),
            message,
        });
        self.end(JobState::Failed, now);
        self.changed(now);
    }

    /// Checks that inputs may still come.
    ///
    /// # Errors
    /// `WrongState` when not.
    pub fn check_uploading(&self) -> StoreResult<()> {
        if self.takes_inputs() {
            Ok(())
        } else {
            Err(self.wrong_state("it takes no inputs any more"))
        }
    }

    /// Whether inputs may still come: a quarantine stops what runs and not the upload.
    const fn takes_inputs(&self) -> bool {
        self.job.spec.count.is_none() && self.may_run()
    }

    /// A refusal for the state that the job is in.
    #[must_use]
    pub fn wrong_state(&self, what: impl Into<String>) -> StoreError {
        StoreError::WrongState {
            id: self.job.id.clone(),
            state: self.job.state,
            what: what.into(),
        }
    }

    /// Where a job stands that may run: inputs to come, nothing begun, or begun.
    fn ready(&self) -> JobState {
        match (self.job.spec.count, self.job.start_time) {
            (None, _) => JobState::Uploading,
            (Some(_), None) => JobState::Queued,
            (Some(_), Some(_)) => JobState::Running,
        }
    }

    fn changed(&mut self, now: Timestamp) {
        self.job.revision += 1;
        self.settle(now);
    }

    /// Ends the job if nothing is left to wait for. One that is being cancelled ends as cancelled, even
    /// when its last chunk came through: its owner was told so. Says whether it ended just now.
    pub fn settle(&mut self, now: Timestamp) -> bool {
        let Some(state) = self.due_end() else {
            return false;
        };
        self.end(state, now);
        true
    }

    /// How the job ends, if it is live and nothing is left to wait for.
    fn due_end(&self) -> Option<JobState> {
        let progress = &self.job.progress;
        match self.job.state {
            state if state.has_ended() => None,
            JobState::Cancelling => (self.running == 0).then_some(JobState::Cancelled),
            _ if self.job.spec.count != Some(progress.done) => None,
            _ if progress.tally.of(Outcome::Fault) > 0 => Some(JobState::PartiallyFailed),
            _ => Some(JobState::Succeeded),
        }
    }

    fn end(&mut self, state: JobState, now: Timestamp) {
        self.job.state = state;
        self.job.end_time = Some(now);
        self.job.expire_time = Some(now.after(self.job.spec.ttl));
    }
}
