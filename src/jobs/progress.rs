//! How far a job is, how fast it goes and when it may end.

use std::collections::BTreeMap;
use std::time::Duration;

use super::clock::Timestamp;
use super::items::Tally;

/// How far a job is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// Items in all; what was received so far while inputs are not committed.
    pub total: u64,
    /// Inputs that are durable.
    pub received: u64,
    /// Items that have their result.
    pub done: u64,
    /// Results `0..contiguous_done` can be read in order.
    pub contiguous_done: u64,
    /// Items a second, of late.
    pub rate: Rate,
    /// Place among the jobs that wait, from 1; 0 when it does not wait, and wherever a job is given
    /// otherwise than by `JobStore::job`.
    pub queue_position: u32,
    /// Items by outcome.
    pub tally: Tally,
    /// Bytes that inputs and results take in the store.
    pub stored_bytes: u64,
    /// Candidates turned down, by the option that did it.
    pub rejections: Rejections,
}

/// Candidates turned down, by option, in key order.
pub type Rejections = BTreeMap<String, u64>;

impl Progress {
    /// When the last item should be done at the present rate.
    #[must_use]
    pub fn estimated_end(&self, now: Timestamp) -> Option<Timestamp> {
        let left = self.total.saturating_sub(self.done);
        let rate = self.rate.items_per_second;
        if left == 0 || rate <= 0.0 {
            return None;
        }
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let seconds = left as f64 / rate;
        Some(now.after(Duration::try_from_secs_f64(seconds).ok()?))
    }
}

/// A rate that forgets: each reading counts with weight 1 - e^(-t/10 s), where t is the time since the
/// one before, but at least with its share of the job's life, so that a young job has its plain mean. A
/// plain mean over the whole life would lie for an hour after a pause.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rate {
    /// Items a second.
    pub items_per_second: f64,
    /// Items that came too soon after the last reading and are not in it yet.
    pub pending: u64,
}

const MEMORY_SECONDS: f64 = 10.0;
/// Below this a reading says more about the clock than about the job.
const SHORTEST: Duration = Duration::from_millis(20);

impl Rate {
    /// Takes in `items` that were completed `since` the last reading, `age` after the start. Says
    /// whether a reading was taken, which is when the caller's watch starts again.
    #[must_use]
    pub fn completed(self, items: u64, since: Duration, age: Duration) -> (Self, bool) {
        let pending = self.pending + items;
        if since < SHORTEST {
            return (Self { pending, ..self }, false);
        }
        let seconds = since.as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let latest = pending as f64 / seconds;
        let of_life = seconds / age.as_secs_f64().max(seconds);
        let weight = of_life.max(1.0 - (-seconds / MEMORY_SECONDS).exp());
        let items_per_second = self.items_per_second + weight * (latest - self.items_per_second);
        let rate = Self {
            items_per_second,
            pending: 0,
        };
        (rate, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_job_is_measured_and_estimated() {
        let mut rate = Rate::default();
        for step in 1..=100 {
            let age = Duration::from_millis(500) * step;
            (rate, _) = rate.completed(50, Duration::from_millis(500), age);
        }
        assert!((rate.items_per_second - 100.0).abs() < 1e-9);
        let progress = Progress {
            total: 1500,
            done: 500,
            rate,
            ..Progress::default()
        };
        let now = Timestamp::from_micros(0);
        let end = progress.estimated_end(now).expect("it moves");
        assert!((end.micros() - 10_000_000).abs() <= 1);
    }

    #[test]
    fn a_young_job_has_its_plain_mean() {
        let tenth = Duration::from_millis(100);
        let (rate, _) = Rate::default().completed(10, tenth, tenth);
        let (rate, _) = rate.completed(30, tenth, tenth * 2);
        assert!((rate.items_per_second - 200.0).abs() < 1e-9);
    }

    #[test]
    fn an_old_job_forgets_its_youth() {
        let second = Duration::from_secs(1);
        let mut rate = Rate::default();
        for age in 1..=100 {
            (rate, _) = rate.completed(100, second, second * age);
        }
        for age in 101..=160 {
            (rate, _) = rate.completed(10, second, second * age);
        }
        assert!((10.0..11.0).contains(&rate.items_per_second), "{rate:?}");
    }

    #[test]
    fn chunks_at_one_moment_are_counted_together() {
        let (rate, taken) = Rate::default().completed(8, Duration::ZERO, Duration::ZERO);
        assert!(!taken);
        let second = Duration::from_secs(1);
        let (rate, taken) = rate.completed(8, second, second);
        assert!(taken);
        assert!((rate.items_per_second - 16.0).abs() < 1e-9);
    }

    #[test]
    fn a_job_that_stands_still_has_no_end() {
        let progress = Progress {
            total: 10,
            ..Progress::default()
        };
        assert_eq!(progress.estimated_end(Timestamp::from_micros(0)), None);
    }
}
