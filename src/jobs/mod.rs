//! Jobs: durable work on many items, and the contract that keeps its promises.
//!
//! **What was acknowledged is durable.** A call to a store returns after its transaction has committed
//! and reached the disk.
//!
//! **Chunks run at least once, results exist exactly once.** A chunk is claimed under a [`lease`] whose
//! token only grows; the one transaction that writes a chunk's results checks the token.
//!
//! **Item i depends on the work and i alone** ([`run`]), so it does not matter how often, where or in
//! which company it ran. Where no two puzzles may be [`alike`], it depends on those before it too, and on
//! nothing else still.
//!
//! **A puzzle never fails a chunk.** No solution, several, malformed, too hard are outcomes
//! ([`items`]); only faults retry ([`retry`]).
//!
//! **A large job does not hold up a small one.** Work is shared out by chunk: highest priority first,
//! then the least-served tenant, then the least-served job.

pub mod alike;
pub mod chunk;
pub mod clock;
pub mod error;
pub mod fairness;
pub mod id;
pub mod items;
pub mod job;
pub mod lease;
mod making;
pub mod outcome;
pub mod progress;
mod rating;
pub mod record;
pub mod retry;
pub mod run;
pub mod signals;
pub mod solving;
pub mod spec;
pub mod store;
