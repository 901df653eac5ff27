//! Where jobs are kept. Each backend fulfils [`JobStore`](crate::jobs::store::JobStore).

mod codec;
mod limits;
pub mod sqlite;

pub use limits::StoreLimits;
