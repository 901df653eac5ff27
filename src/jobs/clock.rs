//! Time as an argument. Leases, back-off, deadlines and expiry are pure functions of a [`Clock`],
//! so that tests move time by hand.
//!
//! Two readings, because they answer two questions: *when* (the wall clock: what people see, deadlines
//! and times-to-live, which must survive a restart) and *how long* (a monotonic one: leases and
//! back-off, which must not move when an operator or NTP sets the wall clock).
//! tokio's paused clock was rejected: it makes database pools time out.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Microseconds since the Unix epoch, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// From microseconds since the Unix epoch.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Microseconds since the Unix epoch.
    #[must_use]
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// This moment and `span` later, at most the end of time.
    #[must_use]
    pub fn after(self, span: Duration) -> Self {
        Self(self.0.saturating_add(micros(span)))
    }

    /// How long ago `earlier` was; zero when it lies ahead.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }
}

/// A span as whole microseconds, saturating.
#[must_use]
pub fn micros(span: Duration) -> i64 {
    i64::try_from(span.as_micros()).unwrap_or(i64::MAX)
}

/// Where the time comes from.
pub trait Clock: Send + Sync + 'static {
    /// The wall clock.
    fn now(&self) -> Timestamp;

    /// Microseconds since some moment before the process's work began; never goes back.
    fn monotonic(&self) -> i64;
}

/// The machine's own clocks.
#[derive(Debug)]
pub struct SystemClock {
    start: Instant,
}

impl SystemClock {
    /// A clock whose monotonic reading begins now.
    #[must_use]
    #[expect(
        clippy::new_without_default,
        reason = "a default would hide that time starts here"
    )]
    pub fn new() -> Self {
        Self {
            start: Instant::now(),
        }
    }
}

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that reads the wall clock"
    )]
    fn now(&self) -> Timestamp {
        match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(span) => Timestamp(micros(span)),
            Err(before) => Timestamp(-micros(before.duration())),
        }
    }

    fn monotonic(&self) -> i64 {
        micros(self.start.elapsed())
    }
}

/// A clock that stands still until it is moved; for tests.
#[derive(Clone, Debug)]
pub struct ManualClock(Arc<AtomicI64>);

impl ManualClock {
    /// Begins at `start`.
    #[must_use]
    pub fn new(start: Timestamp) -> Self {
        Self(Arc::new(AtomicI64::new(start.0)))
    }

    /// Moves both readings forward by `span`.
    pub fn advance(&self, span: Duration) {
        self.0.fetch_add(micros(span), Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::SeqCst))
    }

    fn monotonic(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}
