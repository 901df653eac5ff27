//! Results on their way out, as a stream or in pages.

pub(super) mod page;
mod reader;
pub(super) mod share;
pub(super) mod stream;
