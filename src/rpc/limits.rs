//! What one call may ask for. Beyond these a request belongs in a job, or in more than one message.

use std::time::Duration;

/// Grids that one Generate call may ask for.
pub(super) const MAX_INTERACTIVE_GRIDS: u64 = 100_000;
/// Puzzles that one interactive call, or one message of `SolveStream`, may carry or ask for.
pub(super) const MAX_INTERACTIVE_PUZZLES: u64 = 1_000;
/// Guesses a puzzle in an interactive call: a second or two. A search holds its thread to the end, and
/// the others wait.
pub(super) const MAX_INTERACTIVE_GUESSES: u64 = 2_000_000;
/// Steps of the search for deductions a puzzle in an interactive call: some seconds, and more than all puzzles
/// known to be rated below 10.5 need.
pub(super) const MAX_INTERACTIVE_RATE_STEPS: u64 = 5_000_000;
/// Steps for one hint: a second.
pub(super) const MAX_HINT_STEPS: u64 = 1_000_000;
/// Candidates for a made puzzle in an interactive call.
pub(super) const MAX_INTERACTIVE_CANDIDATES: u64 = 100_000;
/// How long an interactive call waits for a thread. Silence would tell its client nothing.
pub(super) const MAX_TURN_WAIT: Duration = Duration::from_secs(2);
/// Solutions that Solve may return.
pub(super) const MAX_RETURNED_SOLUTIONS: u32 = 10_000;

/// The largest message that is read.
pub(super) const MAX_MESSAGE_BYTES: usize = 4 << 20;
/// Items in one message: more than its largest size holds puzzles. Lines that are no puzzle can be one
/// byte long, and each would take 41 here.
pub(super) const MAX_MESSAGE_ITEMS: u64 = 128 * 1024;
/// Bytes of a reply, but for its small fixed fields: default clients refuse 4 MiB, and a proxy's buffer
/// is often 1 MiB.
pub(super) const MAX_REPLY_BYTES: usize = (1 << 20) - 4096;

/// Items a message of results, if the client does not say.
pub(super) const DEFAULT_BATCH_ITEMS: usize = 4096;
/// Items a message of results, at most.
pub(super) const MAX_BATCH_ITEMS: usize = 8192;
/// Items a page of results, if the client does not say; at most [`MAX_BATCH_ITEMS`].
pub(super) const DEFAULT_RESULTS_PAGE: usize = 1000;
/// Jobs or failures a page, if the client does not say.
pub(super) const DEFAULT_PAGE: usize = 50;
/// Jobs or failures a page, at most.
pub(super) const MAX_PAGE: usize = 1000;

/// How long `WaitJob` may wait.
pub(super) const MAX_WAIT: Duration = Duration::from_mins(1);
/// A stream says something at least this often: proxies end silent ones.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(15);
/// Time between two looks at a job whose hints may come from another replica, or never.
pub(super) const POLL: Duration = Duration::from_secs(1);
/// A stream that was not read for this long ends, and gives back what it holds.
pub(super) const STALL: Duration = Duration::from_mins(2);
