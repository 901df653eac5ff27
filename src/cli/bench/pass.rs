//! One measured pass.

use std::thread;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;

/// A pass that is shorter says more about the machine's mood than about the code.
const SHORTEST: Duration = Duration::from_secs(1);

/// What a pass came to.
#[derive(Debug, Serialize)]
pub(super) struct Measured {
    /// Items, over all rounds.
    items: u64,
    /// How often the input was gone through.
    rounds: u64,
    seconds: f64,
    /// Of all threads together.
    cpu_seconds: f64,
    items_per_second: f64,
    /// CRC-32C of the answers of one round, in order.
    checksum: String,
}

/// Answers `items` items, in as many rounds as it takes, each thread its own run of them. `new` makes
/// what a thread works with, `answer` writes the answers to the run that begins with an item.
pub(super) fn measure<T, const SLOT: usize>(
    items: usize,
    threads: u16,
    new: impl Fn() -> T + Sync,
    answer: impl Fn(&mut T, usize, &mut [[u8; SLOT]]) + Sync,
) -> anyhow::Result<Measured> {
    let mut answers = vec![[0; SLOT]; items];
    let share = items.div_ceil(usize::from(threads)).max(1);
    let mut rounds = 1;
    loop {
        let (begin, cpu) = (Instant::now(), cpu_time());
        thread::scope(|scope| {
            for (part, slots) in answers.chunks_mut(share).enumerate() {
                let (new, answer) = (&new, &answer);
                scope.spawn(move || {
                    let mut worker = new();
                    for _ in 0..rounds {
                        answer(&mut worker, part * share, slots);
                    }
                });
            }
        });
        let (taken, cpu) = (begin.elapsed(), cpu_time().saturating_sub(cpu));
        if taken >= SHORTEST {
            let items = items as u64 * rounds;
            #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
            let items_per_second = items as f64 / taken.as_secs_f64();
            return Ok(Measured {
                items,
                rounds,
                seconds: taken.as_secs_f64(),
                cpu_seconds: cpu.as_secs_f64(),
                items_per_second: items_per_second.round(),
                checksum: format!("{:08x}", crc32c::crc32c(answers.as_flattened())),
            });
        }
        rounds = more(rounds, taken);
    }
}

/// An answer to a run of items, from one to a single item.
pub(super) fn each<T, const SLOT: usize>(
    answer: impl Fn(&mut T, usize, &mut [u8; SLOT]) + Sync,
) -> impl Fn(&mut T, usize, &mut [[u8; SLOT]]) + Sync {
    move |worker, first, slots| {
        for (i, slot) in (first..).zip(slots) {
            answer(worker, i, slot);
        }
    }
}

/// Enough rounds for a pass of a second and a fifth, at most a hundred times as many as there were.
fn more(rounds: u64, taken: Duration) -> u64 {
    let wanted = SHORTEST.as_micros() * 6 / 5;
    let factor = wanted.div_ceil(taken.as_micros().max(1)).clamp(2, 100);
    rounds * u64::try_from(factor).unwrap_or(2)
}

/// CPU time of this process, all threads.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_share_the_items_and_change_no_answer() {
        let answer = |(): &mut (), i: usize, slot: &mut [u8; 8]| {
            *slot = i.to_le_bytes();
            thread::sleep(Duration::from_millis(100));
        };
        let one = measure(12, 1, || (), each(answer)).expect("it runs");
        let five = measure(12, 5, || (), each(answer)).expect("it runs");
        assert_eq!(one.checksum, five.checksum);
        assert_eq!(one.items, 12 * one.rounds);
        assert!(one.seconds >= 1.0 && five.seconds >= 1.0);
    }

    #[test]
    fn rounds_grow_to_a_second() {
        assert_eq!(more(1, Duration::ZERO), 100);
        assert_eq!(more(10, Duration::from_millis(100)), 120);
        assert_eq!(more(7, Duration::from_millis(999)), 14);
    }
}
