//! Between the messages of the API and the types of the layers below. Requests are checked here, once;
//! behind this room nothing is out of its range.

pub(super) mod batch;
pub(super) mod conflict;
pub(super) mod job;
pub(super) mod name;
pub(super) mod spec;
pub(super) mod time;
pub(super) mod work;
