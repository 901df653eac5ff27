//! The caller's deadline, from the `grpc-timeout` header. It holds for the whole call, streams included.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use http::HeaderMap;
use tokio::time::{Instant, sleep_until};
use tonic::Status;

use crate::rpc::status;

const HEADER: &str = "grpc-timeout";

/// When the caller stops waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Deadline(Instant);

impl Deadline {
    /// The deadline of a request that came now, if it has one.
    ///
    /// # Errors
    /// BAD_FIELD when the header is no timeout: it would be wrong to run without one that was meant.
    pub(super) fn of(headers: &HeaderMap) -> Result<Option<Self>, Status> {
        let Some(value) = headers.get(HEADER) else {
            return Ok(None);
        };
        match value.to_str().ok().and_then(parse) {
            // Longer than the clock can say is no deadline.
            Some(timeout) => Ok(Instant::now().checked_add(timeout).map(Self)),
            None => Err(status::bad_field(
                HEADER,
                "expected up to 8 digits and one of H M S m u n",
            )),
        }
    }

    /// Whether it lies behind.
    fn is_over(self) -> bool {
        Instant::now() >= self.0
    }

    /// Returns once the deadline has passed; never if there is none.
    ///
    /// It reads the clock at each poll and does not trust the timer alone: tonic's own timer, set a
    /// little later, may be the first to wake the task.
    pub(super) async fn passed(deadline: Option<Self>) {
        let Some(deadline) = deadline else {
            return std::future::pending().await;
        };
        let mut timer = pin!(sleep_until(deadline.0));
        poll_fn(|cx| {
            if deadline.is_over() {
                Poll::Ready(())
            } else {
                timer.as_mut().poll(cx)
            }
        })
        .await;
    }
}

/// At most eight digits and a unit, as the gRPC protocol has it.
fn parse(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.is_empty() || digits.len() > 8 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let n: u64 = digits.parse().ok()?;
    Some(match unit {
        "H" => Duration::from_secs(n * 3600),
        "M" => Duration::from_secs(n * 60),
        "S" => Duration::from_secs(n),
        "m" => Duration::from_millis(n),
        "u" => Duration::from_micros(n),
        "n" => Duration::from_nanos(n),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_those_of_the_protocol() {
        assert_eq!(parse("2H"), Some(Duration::from_hours(2)));
        assert_eq!(parse("3M"), Some(Duration::from_mins(3)));
        assert_eq!(parse("0S"), Some(Duration::ZERO));
        assert_eq!(parse("99999999m"), Some(Duration::from_millis(99_999_999)));
        assert_eq!(parse("5u"), Some(Duration::from_micros(5)));
        assert_eq!(parse("7n"), Some(Duration::from_nanos(7)));
        for bad in [
            "",
            "S",
            "1",
            "1s",
            "-1S",
            "+1S",
            "1.5S",
            "123456789S",
            "1é",
            "é",
        ] {
            assert_eq!(parse(bad), None, "{bad:?}");
        }
    }

    #[tokio::test]
    async fn a_deadline_passes() {
        let mut headers = HeaderMap::new();
        assert_eq!(Deadline::of(&headers).expect("none"), None);
        headers.insert(HEADER, "1m".parse().expect("a header"));
        let deadline = Deadline::of(&headers).expect("a timeout");
        Deadline::passed(deadline).await;
        assert!(deadline.expect("set").is_over());
        headers.insert(HEADER, "soon".parse().expect("a header"));
        assert!(Deadline::of(&headers).is_err());
    }
}
