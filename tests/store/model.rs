//! A random sequence of operations against the store and a small model of what it promised.

use std::collections::HashMap;
use std::time::Duration;

use gridmill::jobs::error::StoreError;
use gridmill::jobs::id::{JobRef, Tenant};
use gridmill::jobs::items::Outcome;
use gridmill::jobs::job::JobState;
use gridmill::jobs::lease::{Claim, LEASE};
use gridmill::jobs::store::{Completion, JobStore};
use gridmill::sudoku::packed::BYTES;

use crate::backend::Backend;
use crate::place::{Place, SOLVE_CHUNK, answers, assert_refused, inputs, make, singles, solve};

const SEEDS: u64 = 6;
const STEPS: u64 = 250;

pub(crate) async fn any_order_of_operations_keeps_the_promises<B: Backend>() {
    for seed in 0..SEEDS {
        let mut world = World::<B> {
            place: Place::new().await,
            chance: Chance::new(seed),
            jobs: Vec::new(),
            claims: Vec::new(),
            states: HashMap::new(),
        };
        for step in 0..STEPS {
            world.step().await;
            if step % 25 == 0 {
                world.check(seed, step).await;
            }
        }
        world.finish(seed).await;
    }
}

/// A job as the model knows it.
struct Known {
    job: JobRef,
    received: u64,
    /// Once committed.
    count: Option<u64>,
    /// Which items have an answer that the store acknowledged.
    answered: Vec<bool>,
}

struct World<B: Backend> {
    place: Place<B>,
    chance: Chance,
    jobs: Vec<Known>,
    /// Claims that were neither ended nor lost as far as the model knows, with the time they last.
    claims: Vec<(Claim, Duration)>,
    /// The last state that was seen of each job.
    states: HashMap<JobRef, JobState>,
}

impl<B: Backend> World<B> {
    async fn step(&mut self) {
        match self.chance.below(100) {
            0..8 => self.create().await,
            8..20 => self.append().await,
            20..25 => self.commit().await,
            25..50 => self.claim().await,
            50..70 => self.end_a_claim().await,
            70..75 => self.beat().await,
            75..79 => self.switch().await,
            79..81 => self.stop_a_job().await,
            81..91 => {
                let span = Duration::from_millis(self.chance.below(12_000));
                self.place.wait(span);
                for (_, left) in &mut self.claims {
                    *left = left.saturating_sub(span);
                }
            }
            91..95 => {
                self.place.store.reap().await.expect("reaped");
                self.claims.retain(|(_, left)| !left.is_zero());
            }
            95..97 => {
                self.place.store.collect().await.expect("a slice");
            }
            97 => {
                self.place.restart().await;
                self.claims.clear();
            }
            _ => {
                self.place.crash().await;
                self.claims.clear();
            }
        }
    }

    async fn create(&mut self) {
        let count = self.chance.below(40);
        let spec = match self.chance.below(3) {
            0 => make(count),
            1 => singles(count / 8),
            _ => solve(),
        };
        let count = spec.count;
        let items = usize::try_from(count.unwrap_or(0)).expect("few");
        self.jobs.push(Known {
            job: self.place.create(spec).await,
            received: 0,
            count,
            answered: vec![false; items],
        });
    }

    async fn append(&mut self) {
        let more = self.chance.below(SOLVE_CHUNK);
        let back = self.chance.below(10);
        let Some(known) = self.chance.pick(&mut self.jobs) else {
            return;
        };
        let first = known.received.saturating_sub(back);
        let appended = self
            .place
            .store
            .append(&known.job, first, inputs(first..first + more));
        match appended.await {
            Ok(received) => {
                assert_eq!(received, known.received.max(first + more));
                known.received = received;
                known
                    .answered
                    .resize(usize::try_from(received).expect("few"), false);
            }
            Err(StoreError::WrongState { state, .. }) => {
                assert!(known.count.is_some() || has_stopped(state), "{state:?}");
            }
            Err(error) => panic!("{error:?}"),
        }
    }

    async fn commit(&mut self) {
        let Some(known) = self.chance.pick(&mut self.jobs) else {
            return;
        };
        match self.place.store.commit(&known.job, known.received).await {
            Ok(job) => {
                assert_eq!(job.spec.count, Some(known.received));
                known.count = Some(known.received);
            }
            Err(StoreError::WrongState { state, .. }) => {
                assert!(known.count.is_some() || has_stopped(state), "{state:?}");
            }
            Err(error) => panic!("{error:?}"),
        }
    }

    async fn claim(&mut self) {
        let Some(claim) = self.place.claim().await else {
            return;
        };
        let known = self
            .jobs
            .iter()
            .find(|known| known.job.id == claim.lease.id);
        let known = known.expect("a job that was made and not deleted");
        for index in claim.lease.span.range() {
            let index = usize::try_from(index).expect("few");
            assert!(!known.answered[index], "{index} has an answer");
        }
        for (other, _) in &self.claims {
            assert!(claim.lease.token > other.lease.token);
            let same_job = other.lease.key == claim.lease.key;
            let (a, b) = (other.lease.span, claim.lease.span);
            assert!(!same_job || a.end() <= b.first || b.end() <= a.first);
        }
        if let Some(given) = &claim.inputs {
            assert_eq!(*given, inputs(claim.lease.span.range()));
        }
        self.claims.push((claim, LEASE));
    }

    /// Completes, fails or gives back some claim, which the model thinks is held.
    async fn end_a_claim(&mut self) {
        if self.claims.is_empty() {
            return;
        }
        let at = self.chance.below(self.claims.len() as u64);
        let (claim, _) = self.claims.swap_remove(usize::try_from(at).expect("few"));
        let lease = &claim.lease;
        let how = self.chance.below(10);
        let ended = match how {
            0..7 => self.place.store.complete(lease, &answers(&claim)).await,
            7..9 => self.place.store.fail(lease, "by chance".to_owned()).await,
            _ => self.place.store.release(lease).await,
        };
        match ended {
            Ok(()) if how < 7 => {
                let known = self.jobs.iter_mut().find(|known| known.job.id == lease.id);
                let known = known.expect("a job that was made and not deleted");
                for index in lease.span.range() {
                    known.answered[usize::try_from(index).expect("few")] = true;
                }
            }
            Ok(()) => {}
            Err(StoreError::LeaseLost) => {
                let job = JobRef {
                    tenant: Tenant::default(),
                    id: lease.id.clone(),
                };
                match self.place.store.job(&job).await {
                    Ok(job) => assert!(job.state.has_ended(), "{:?}", job.state),
                    Err(error) => assert!(matches!(error, StoreError::JobNotFound(_))),
                }
            }
            Err(error) => panic!("{error:?}"),
        }
        // Whoever comes late changes nothing.
        let late: Completion = answers(&claim);
        assert_refused!(
            self.place.store.complete(lease, &late).await,
            StoreError::LeaseLost
        );
    }

    async fn beat(&mut self) {
        let leases: Vec<_> = self
            .claims
            .iter()
            .map(|(claim, _)| claim.lease.clone())
            .collect();
        self.place
            .store
            .heartbeat(&leases)
            .await
            .expect("standings");
        for (_, left) in &mut self.claims {
            *left = LEASE;
        }
    }

    async fn switch(&mut self) {
        let pause = self.chance.below(2) == 0;
        let Some(known) = self.chance.pick(&mut self.jobs) else {
            return;
        };
        let switched = if pause {
            self.place.store.pause(&known.job).await
        } else {
            self.place.store.resume(&known.job).await
        };
        if let Err(error) = switched {
            assert!(matches!(error, StoreError::WrongState { .. }), "{error:?}");
        }
    }

    /// Cancels, or deletes by force.
    async fn stop_a_job(&mut self) {
        if self.jobs.is_empty() {
            return;
        }
        let at = self.chance.below(self.jobs.len() as u64);
        let at = usize::try_from(at).expect("few");
        if self.chance.below(3) > 0 {
            let job = &self.jobs[at].job;
            let cancelled = self.place.store.cancel(job).await.expect("a cancellation");
            assert!(has_stopped(cancelled.state));
        } else {
            let known = self.jobs.swap_remove(at);
            self.states.remove(&known.job);
            let deleted = self.place.store.delete(&known.job, true).await;
            deleted.expect("a deletion");
        }
    }

    async fn check(&mut self, seed: u64, step: u64) {
        let at = format!("seed {seed}, step {step}");
        self.place.audit().await;
        for known in &self.jobs {
            let job = self.place.job(&known.job).await;
            let progress = &job.progress;
            let answered = known.answered.iter().filter(|&&answered| answered).count() as u64;
            let faults = progress.tally.of(Outcome::Fault);
            assert_eq!(progress.done, answered + faults, "{at}");
            assert_eq!(progress.received, known.received, "{at}");
            assert_eq!(job.spec.count, known.count, "{at}");
            let counted: u64 = progress.tally.iter().map(|(_, items)| items).sum();
            assert_eq!(counted, progress.done, "{at}");
            if let Some(before) = self.states.insert(known.job.clone(), job.state) {
                assert!(
                    may_follow(before, job.state),
                    "{at}: {before:?} {:?}",
                    job.state
                );
            }
        }
    }

    /// Lets everything run to its end, then reads every result.
    async fn finish(&mut self, seed: u64) {
        self.check(seed, STEPS).await;
        for known in &mut self.jobs {
            let store = &self.place.store;
            // Refused where there is nothing to resume or to commit.
            let _ = store.resume(&known.job).await;
            if store.commit(&known.job, known.received).await.is_ok() {
                known.count = Some(known.received);
            }
        }
        for (claim, _) in std::mem::take(&mut self.claims) {
            // Refused where the job has ended.
            let _ = self.place.store.release(&claim.lease).await;
        }
        self.place.wait(LEASE);
        self.place.store.reap().await.expect("reaped");
        while let Some(claim) = self.place.claim().await {
            self.place.complete(&claim).await;
            self.place.wait(Duration::from_secs(30));
        }
        for known in &self.jobs {
            let job = self.place.job(&known.job).await;
            let outcomes = self.place.outcomes(&known.job).await;
            let at = format!("seed {seed}, {:?}", job.state);
            match job.state {
                JobState::Succeeded | JobState::PartiallyFailed => {
                    assert_eq!(outcomes.len() as u64, job.progress.total, "{at}");
                }
                JobState::Cancelled | JobState::Expired => {}
                state => panic!("{at}: {state:?} is no end"),
            }
            let failures = self.place.store.failures(&known.job, 0, 999).await;
            let failed: Vec<u64> = failures
                .expect("a list")
                .iter()
                .map(|f| f.first_index)
                .collect();
            let mut faults = Vec::new();
            let mut index = 0;
            for page in self.place.results(&known.job, 0).await {
                for (outcome, grid) in page.outcomes.iter().zip(page.grids.chunks(BYTES)) {
                    match outcome {
                        Outcome::Unique => {
                            assert_eq!(grid[..8], u64::to_le_bytes(index), "{at}: {index}");
                        }
                        Outcome::Fault => faults.push(index),
                        Outcome::Skipped => {
                            let answered = known.answered[usize::try_from(index).expect("few")];
                            assert!(!answered, "{at}: {index} was answered");
                        }
                        other => panic!("{at}: {other:?}"),
                    }
                    index += 1;
                }
            }
            assert_eq!(faults, failed, "{at}");
        }
        self.place.audit().await;
    }
}

/// Whether nothing runs or will.
fn has_stopped(state: JobState) -> bool {
    state.has_ended() || state == JobState::Cancelling
}

/// Whether a job that was seen in one state may be seen in another later.
fn may_follow(before: JobState, after: JobState) -> bool {
    use JobState::{Cancelled, Cancelling, Expired, Paused, Queued, Running, Uploading};
    match before {
        _ if before == after => true,
        Uploading => true,
        Queued | Running | Paused => {
            !matches!(after, Uploading) && (before, after) != (Running, Queued)
        }
        Cancelling => matches!(after, Cancelled | Expired),
        _ => false,
    }
}

/// Chance with a seed (splitmix64).
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of `0..end`, or 0.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }

    fn pick<'a, T>(&mut self, among: &'a mut [T]) -> Option<&'a mut T> {
        let at = self.below(among.len() as u64);
        among.get_mut(usize::try_from(at).expect("few"))
    }
}
