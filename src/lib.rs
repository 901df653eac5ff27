//! gridmill: a Sudoku service over gRPC with a durable job queue.
//!
//! ```text
//! cli ─► { rpc, worker, store } ─► jobs ─► sudoku
//! ```
//!
//! Arrows point downward only; the three in the middle never import one another. See ARCHITECTURE.md.

pub mod cli;
pub mod config;
pub mod jobs;
pub mod rpc;
pub mod store;
pub mod sudoku;
mod telemetry;
pub mod worker;
