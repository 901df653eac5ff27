//! What happens to a chunk that did not finish.
//!
//! A panic is a fault of the work: it retries with back-off, then narrows down to the one item that
//! causes it. The death of the process is not: it only ever narrows, since a kill -9 must never
//! change a result. An item that was running alone at five deaths stops its job for a person to look
//! at, so that the service does not crash in a loop.

use std::time::Duration;

use super::chunk::Span;

/// Panics after which a chunk of several items is split.
const PANICS_TO_SPLIT: u32 = 2;
/// Panics after which an item that ran alone is a fault.
const PANICS_TO_FAULT: u32 = 3;
/// Deaths of the process after which a chunk of several items is split.
const DEATHS_TO_SPLIT: u32 = 3;
/// Deaths of the process after which an item that ran alone is put in quarantine.
const DEATHS_TO_QUARANTINE: u32 = 5;

const FIRST_BACKOFF: Duration = Duration::from_millis(100);
const LONGEST_BACKOFF: Duration = Duration::from_secs(30);

/// How often a chunk has failed so far, the last time included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Failures {
    /// Panics of the work.
    pub panics: u32,
    /// Deaths of the process while it ran.
    pub deaths: u32,
}

/// What to do with the chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Run it again, not before this long.
    Retry(Duration),
    /// Run the halves, each with a clean record.
    Split(Span, Span),
    /// The item is a fault; its job goes on.
    Fault,
    /// The item may be killing the process: pause its job.
    Quarantine,
}

/// Decides after a panic. `jitter` in 0..1 spreads retries over the second half of the back-off.
#[must_use]
pub fn after_panic(span: Span, failures: Failures, jitter: f64) -> Verdict {
    match span.halves() {
        Some((a, b)) if failures.panics >= PANICS_TO_SPLIT => Verdict::Split(a, b),
        None if failures.panics >= PANICS_TO_FAULT => Verdict::Fault,
        _ => Verdict::Retry(backoff(failures.panics, jitter)),
    }
}

/// Decides after a death of the process.
#[must_use]
pub fn after_death(span: Span, failures: Failures) -> Verdict {
    match span.halves() {
        Some((a, b)) if failures.deaths >= DEATHS_TO_SPLIT => Verdict::Split(a, b),
        None if failures.deaths >= DEATHS_TO_QUARANTINE => Verdict::Quarantine,
        _ => Verdict::Retry(Duration::ZERO),
    }
}

/// Doubles with each failure up to half a minute; the second half of it is chance.
fn backoff(failures: u32, jitter: f64) -> Duration {
    let doublings = failures.saturating_sub(1).min(16);
    let full = (FIRST_BACKOFF * (1 << doublings)).min(LONGEST_BACKOFF);
    full.mul_f64(0.5 + 0.5 * jitter.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHUNK: Span = Span { first: 0, len: 8 };
    const ITEM: Span = Span { first: 3, len: 1 };

    fn panics(panics: u32) -> Failures {
        Failures { panics, deaths: 0 }
    }

    fn deaths(deaths: u32) -> Failures {
        Failures { panics: 0, deaths }
    }

    #[test]
    fn a_chunk_that_panics_twice_is_split() {
        assert!(matches!(
            after_panic(CHUNK, panics(1), 0.5),
            Verdict::Retry(_)
        ));
        assert!(matches!(
            after_panic(CHUNK, panics(2), 0.5),
            Verdict::Split(..)
        ));
    }

    #[test]
    fn an_item_is_a_fault_at_its_third_panic_and_never_by_death() {
        assert!(matches!(
            after_panic(ITEM, panics(2), 0.5),
            Verdict::Retry(_)
        ));
        assert_eq!(after_panic(ITEM, panics(3), 0.5), Verdict::Fault);
        for n in 0..20 {
            assert_ne!(after_death(ITEM, deaths(n)), Verdict::Fault);
        }
    }

    #[test]
    fn deaths_split_at_three_and_quarantine_an_item_at_five() {
        assert_eq!(
            after_death(CHUNK, deaths(2)),
            Verdict::Retry(Duration::ZERO)
        );
        assert!(matches!(after_death(CHUNK, deaths(3)), Verdict::Split(..)));
        assert_eq!(after_death(ITEM, deaths(4)), Verdict::Retry(Duration::ZERO));
        assert_eq!(after_death(ITEM, deaths(5)), Verdict::Quarantine);
    }

    #[test]
    fn backoff_doubles_within_bounds() {
        assert_eq!(backoff(1, 1.0), Duration::from_millis(100));
        assert_eq!(backoff(1, 0.0), Duration::from_millis(50));
        assert_eq!(backoff(3, 1.0), Duration::from_millis(400));
        assert_eq!(backoff(u32::MAX, 1.0), LONGEST_BACKOFF);
    }
}
