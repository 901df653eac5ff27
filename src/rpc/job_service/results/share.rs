//! What one of many streams may hold. The messages of all open streams share a fixed number of bytes, so
//! a thousand streams that nobody reads cost about as much as a hundred.
//!
//! A message keeps the size that it was made with: only what is made after others came is smaller.

use std::sync::Arc;

/// Bytes of messages, over all streams.
const BYTES: usize = 64 << 20;
/// Messages of a stream at once: one is on its way and one waits.
const MESSAGES: usize = 2;
/// Items that a message may hold however many streams there are.
const FEWEST_ITEMS: usize = 256;
/// With more streams than this the rest of a chunk is read again rather than kept.
const KEEPERS: usize = 64;

/// The open streams of a server. Clones count together.
#[derive(Clone, Debug, Default)]
pub(in crate::rpc::job_service) struct Streams(Arc<()>);

impl Streams {
    /// Counts one more, until the share is dropped.
    pub(super) fn share(&self) -> Share {
        Share(Arc::clone(&self.0))
    }
}

/// One stream's part.
#[derive(Debug)]
pub(super) struct Share(Arc<()>);

impl Share {
    /// The service holds one as well.
    fn streams(&self) -> usize {
        (Arc::strong_count(&self.0) - 1).max(1)
    }

    /// Items of the next message, of this many bytes each, when `wanted` are.
    pub(super) fn items(&self, wanted: usize, bytes: usize) -> usize {
        let fair = BYTES / MESSAGES / self.streams() / bytes;
        wanted.min(fair.max(FEWEST_ITEMS))
    }

    /// Whether there is room for what does not fit the message.
    pub(super) fn keeps_rest(&self) -> bool {
        self.streams() <= KEEPERS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_more_streams_the_smaller_the_messages() {
        let open = Streams::default();
        let mut shares = vec![open.share()];
        assert_eq!(shares[0].items(8192, 83), 8192);
        assert!(shares[0].keeps_rest());
        shares.resize_with(1000, || open.share());
        assert_eq!(shares[0].items(8192, 83), (32 << 20) / 1000 / 83);
        assert_eq!(shares[0].items(10, 83), 10, "never more than is asked for");
        assert!(!shares[0].keeps_rest());
        shares.resize_with(100_000, || open.share());
        assert_eq!(shares[0].items(8192, 83), FEWEST_ITEMS);
        shares.truncate(1);
        assert_eq!(shares[0].items(8192, 83), 8192);
    }
}
