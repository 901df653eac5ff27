//! A job as it stands, and the states it goes through.
//!
//! ```text
//! UPLOADING ─► QUEUED ─► RUNNING ─► SUCCEEDED | PARTIALLY_FAILED | FAILED
//!     │            ▲ ▼       ▲ ▼
//!     │            PAUSED (one state, resumed to where it was)
//!     ▼
//!  EXPIRED          any live state ─► CANCELLING ─► CANCELLED
//!                   any live state past its deadline ─► EXPIRED
//! ```

use super::clock::Timestamp;
use super::id::{JobId, Tenant};
use super::progress::Progress;
use super::spec::JobSpec;

/// Where a job is in its life. The numbers are those of the API and of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum JobState {
    /// Inputs are not committed; chunks that are complete may run already.
    Uploading = 1,
    /// Nothing ran yet.
    Queued = 2,
    /// Some chunk was claimed.
    Running = 3,
    /// No chunk is claimed until it is resumed.
    Paused = 4,
    /// Chunks that run are being stopped.
    Cancelling = 5,
    /// Every item has its answer.
    Succeeded = 6,
    /// Every item has its answer or is a fault.
    PartiallyFailed = 7,
    /// The job as a whole cannot be done.
    Failed = 8,
    /// Stopped by its owner; finished results stay readable.
    Cancelled = 9,
    /// An abandoned upload, or past its deadline; finished results stay readable.
    Expired = 10,
}

impl JobState {
    /// Every state, in the order of their numbers.
    pub const ALL: [Self; 10] = [
        Self::Uploading,
        Self::Queued,
        Self::Running,
        Self::Paused,
        Self::Cancelling,
        Self::Succeeded,
        Self::PartiallyFailed,
        Self::Failed,
        Self::Cancelled,
        Self::Expired,
    ];

    /// The state of this number.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        let index = usize::from(number).checked_sub(1)?;
        Self::ALL.get(index).copied()
    }

    /// Whether nothing will change any more.
    #[must_use]
    pub const fn has_ended(self) -> bool {
        self as u8 >= Self::Succeeded as u8
    }

    /// Whether it ended before all of its items ran.
    #[must_use]
    pub const fn was_cut_short(self) -> bool {
        matches!(self, Self::Cancelled | Self::Expired | Self::Failed)
    }

    /// Its name in the API, without the prefix.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uploading => "UPLOADING",
            Self::Queued => "QUEUED",
            Self::Running => "RUNNING",
            Self::Paused => "PAUSED",
            Self::Cancelling => "CANCELLING",
            Self::Succeeded => "SUCCEEDED",
            Self::PartiallyFailed => "PARTIALLY_FAILED",
            Self::Failed => "FAILED",
            Self::Cancelled => "CANCELLED",
            Self::Expired => "EXPIRED",
        }
    }
}

/// Why a job stands as it does: `UPPER_SNAKE` reason and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobError {
    /// For programs.
    pub reason: String,
    /// For people.
    pub message: String,
}

/// A job at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// Its id.
    pub id: JobId,
    /// Whose it is.
    pub tenant: Tenant,
    /// What was asked for; `count` is set once inputs are committed.
    pub spec: JobSpec,
    /// Where it is.
    pub state: JobState,
    /// Grows by one with each visible change.
    pub revision: i64,
    /// How far it is.
    pub progress: Progress,
    /// Why it failed, or why the server paused it.
    pub error: Option<JobError>,
    /// When it was created.
    pub create_time: Timestamp,
    /// When its first chunk was claimed.
    pub start_time: Option<Timestamp>,
    /// When it ended.
    pub end_time: Option<Timestamp>,
    /// When its results go.
    pub expire_time: Option<Timestamp>,
    /// Of the algorithms whose bytes the seed determines.
    pub generator_version: u32,
    /// Of the ratings in its results; 0 while there are none.
    pub rater_version: u32,
}

/// Items that were given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The first of them.
    pub first_index: u64,
    /// How many.
    pub count: u64,
    /// Attempts, the last one included.
    pub attempts: u32,
    /// What went wrong.
    pub error: JobError,
    /// When it was given up.
    pub time: Timestamp,
    /// The pool that ran it last.
    pub worker: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_states_agree() {
        for state in JobState::ALL {
            assert_eq!(JobState::from_number(state as u8), Some(state));
        }
        assert_eq!(JobState::from_number(0), None);
        assert_eq!(JobState::from_number(11), None);
    }
}
