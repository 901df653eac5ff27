//! Ownership of a chunk for a time.
//!
//! A claim takes a lease; its token comes from one counter that only grows. Every write for leased
//! work carries the token, so a worker that was too late changes nothing, whatever it believes.

use std::time::Duration;

use super::alike::Remakes;
use super::chunk::Span;
use super::id::JobId;
use super::items::Inputs;
use super::spec::Work;

/// How long a lease lasts without a heartbeat.
pub const LEASE: Duration = Duration::from_secs(30);

/// How often leases are renewed.
pub const HEARTBEAT: Duration = Duration::from_secs(10);

/// A job's key inside one store; it also gives the order in which jobs came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobKey(pub i64);

/// The right to run one chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The job, for the store.
    pub key: JobKey,
    /// The job, for people.
    pub id: JobId,
    /// The chunk.
    pub span: Span,
    /// Fencing token: larger than that of any earlier claim.
    pub token: i64,
}

/// A chunk to run, with all that running it takes.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The right to run it.
    pub lease: Lease,
    /// The job's work.
    pub work: Work,
    /// Its inputs, for work that takes them: one an item.
    pub inputs: Option<Inputs>,
    /// Its items that are to be made again, since they were alike to others.
    pub remakes: Remakes,
    /// Which attempt this is, from 1.
    pub attempt: u32,
}

/// What has become of a lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Still held; go on.
    Held,
    /// Stop: the job was cancelled, expired or deleted. Give the chunk back.
    Revoked,
    /// Stop: another claim owns the chunk. There is nothing to give back.
    Lost,
}
