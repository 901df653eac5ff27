//! The gRPC face: requests in, checked once and translated; answers out. Nothing is decided here that a
//! client on another transport would want decided the same way.
//!
//! | room | what it holds |
//! |---|---|
//! | [`server`] | the server from its first connection to its last |
//! | [`call`] | what every call passes: admission, deadline, drain, the error table, the log |
//! | [`connection`] | sockets that cannot be held open by silence |
//! | [`sudoku_service`], [`job_service`], [`admin_service`], [`health`] | the services |
//! | [`convert`] | messages to the types below, and back |
//! | [`compute`] | interactive arithmetic, away from the async runtime |
//! | [`producer`] | response streams that hold a fixed amount of memory |
//! | [`status`] | the one place where errors become statuses |
//! | [`page_token`], [`fingerprint`], [`limits`] | what their names say |

mod admin_service;
mod call;
mod compute;
mod connection;
mod convert;
mod fingerprint;
mod health;
mod job_service;
mod limits;
mod page_token;
pub mod pb;
mod producer;
mod server;
mod status;
mod sudoku_service;

pub use server::{ServeError, Settings, serve};
