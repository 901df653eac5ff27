//! Moments and spans.

use std::time::Duration;

use crate::jobs::clock::Timestamp;

const NANOS: i32 = 1_000_000_000;
/// 0001-01-01 and the end of 9999, the range of a `google.protobuf.Timestamp`.
const SECONDS: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;

/// To the wire.
pub(in crate::rpc) fn timestamp(moment: Timestamp) -> prost_types::Timestamp {
    let micros = moment.micros();
    let nanos = i32::try_from(micros.rem_euclid(1_000_000) * 1000).expect("below 10^9");
    prost_types::Timestamp {
        seconds: micros.div_euclid(1_000_000),
        nanos,
    }
}

/// To the wire, saturating.
pub(in crate::rpc) fn duration(span: Duration) -> prost_types::Duration {
    prost_types::Duration {
        seconds: i64::try_from(span.as_secs()).unwrap_or(i64::MAX),
        nanos: span.subsec_nanos().cast_signed(),
    }
}

/// From the wire, to the microsecond below.
///
/// # Errors
/// When it is outside the years 1 to 9999.
pub(in crate::rpc) fn read_timestamp(
    timestamp: prost_types::Timestamp,
) -> Result<Timestamp, &'static str> {
    let prost_types::Timestamp { seconds, nanos } = timestamp;
    if SECONDS.contains(&seconds) && (0..NANOS).contains(&nanos) {
        Ok(Timestamp::from_micros(
            seconds * 1_000_000 + i64::from(nanos) / 1000,
        ))
    } else {
        Err("expected a time in the years 1 to 9999, with nanos in 0..=999999999")
    }
}

/// From the wire.
///
/// # Errors
/// When it is negative or no span at all.
pub(in crate::rpc) fn read_duration(
    duration: prost_types::Duration,
) -> Result<Duration, &'static str> {
    let prost_types::Duration { seconds, nanos } = duration;
    let whole = u64::try_from(seconds).ok();
    let part = u32::try_from(nanos).ok().filter(|_| nanos < NANOS);
    match (whole, part) {
        (Some(seconds), Some(nanos)) => Ok(Duration::new(seconds, nanos)),
        _ => Err("expected a time span of zero or more, with nanos in 0..=999999999"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_come_back_before_and_after_the_epoch() {
        for micros in [-1, 0, 1, -62_135_596_800_000_000, 1_700_000_000_123_456] {
            let moment = Timestamp::from_micros(micros);
            assert_eq!(read_timestamp(timestamp(moment)), Ok(moment));
        }
    }

    #[test]
    fn what_is_no_moment_is_refused() {
        for (seconds, nanos) in [
            (0, -1),
            (0, NANOS),
            (i64::MAX, 0),
            (i64::MIN, 0),
            (253_402_300_800, 0),
        ] {
            assert!(read_timestamp(prost_types::Timestamp { seconds, nanos }).is_err());
        }
    }

    #[test]
    fn spans_come_back_and_negative_ones_do_not() {
        let span = Duration::new(5, 250_000_000);
        assert_eq!(read_duration(duration(span)), Ok(span));
        for (seconds, nanos) in [(-1, 0), (0, -1), (1, NANOS), (i64::MIN, i32::MIN)] {
            assert!(read_duration(prost_types::Duration { seconds, nanos }).is_err());
        }
        let longest = prost_types::Duration {
            seconds: i64::MAX,
            nanos: NANOS - 1,
        };
        assert!(read_duration(longest).is_ok());
    }
}
