//! A store at work: opened in a place of its own, with time that is moved by hand.

use std::future::Future;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use gridmill::jobs::clock::{ManualClock, Timestamp};
use gridmill::jobs::error::StoreError;
use gridmill::jobs::id::{JobId, JobRef, Tenant, WorkerId};
use gridmill::jobs::items::{Inputs, Outcome, Results};
use gridmill::jobs::job::{Job, JobState};
use gridmill::jobs::lease::Claim;
use gridmill::jobs::run::Runner;
use gridmill::jobs::spec::{
    DEFAULT_TTL, Distribution, Generate, JobSpec, Labels, MakePuzzle, Priority, Solve, Work,
};
use gridmill::jobs::store::{Completion, JobStore, Submission};
use gridmill::store::StoreLimits;
use gridmill::sudoku::packed::BYTES;
use gridmill::sudoku::{Cancel, Puzzle};

use crate::backend::Backend;

/// When time begins.
pub(crate) const START: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

/// More than any test takes.
pub(crate) const NO_LIMITS: StoreLimits = StoreLimits {
    live_jobs: 1_000_000,
    tenant_bytes: 1 << 40,
    disk_bytes: 1 << 40,
};

/// Items a chunk of [`make`].
pub(crate) const CHUNK: u64 = 8;
/// Items a chunk of [`solve`].
pub(crate) const SOLVE_CHUNK: u64 = 64;

/// A store, its place and its time.
pub(crate) struct Place<B: Backend> {
    pub(crate) backend: B,
    pub(crate) clock: ManualClock,
    pub(crate) store: B::Store,
    pub(crate) worker: WorkerId,
    limits: StoreLimits,
}

impl<B: Backend> Place<B> {
    const LAST: Duration = Duration::from_micros(1);

    /// An empty store.
    pub(crate) async fn new() -> Self {
        Self::with(NO_LIMITS).await
    }

    /// An empty store that takes only so much.
    pub(crate) async fn with(limits: StoreLimits) -> Self {
        let backend = B::new();
        let clock = ManualClock::new(START);
        Self {
            store: backend.open(&clock, limits).await,
            worker: WorkerId::draw(),
            backend,
            clock,
            limits,
        }
    }

    /// Closes and opens.
    pub(crate) async fn restart(&mut self) {
        self.backend.close(self.store.clone()).await;
        self.reopen().await;
    }

    /// Closes, and opens with other limits.
    pub(crate) async fn restart_with(&mut self, limits: StoreLimits) {
        self.limits = limits;
        self.restart().await;
    }

    /// Dies and comes back.
    pub(crate) async fn crash(&mut self) {
        self.backend.crash(self.store.clone()).await;
        self.reopen().await;
    }

    async fn reopen(&mut self) {
        self.store = self.backend.open(&self.clock, self.limits).await;
    }

    /// Lets time pass.
    pub(crate) fn wait(&self, span: Duration) {
        self.clock.advance(span);
    }

    /// Lets time pass up to the last microsecond before the end of the span.
    pub(crate) fn wait_nearly(&self, span: Duration) {
        self.wait(span.saturating_sub(Self::LAST));
    }

    /// Lets that microsecond pass.
    pub(crate) fn wait_the_last(&self) {
        self.wait(Self::LAST);
    }

    /// A new job of the default tenant.
    pub(crate) async fn create(&self, spec: JobSpec) -> JobRef {
        self.create_as(&Tenant::default(), spec).await
    }

    /// A new job.
    pub(crate) async fn create_as(&self, tenant: &Tenant, spec: JobSpec) -> JobRef {
        let submission = submission(tenant, spec);
        let job = JobRef {
            tenant: tenant.clone(),
            id: submission.id.clone(),
        };
        self.store.create(submission).await.expect("a new job");
        job
    }

    /// A solve job of [`SOLVE_CHUNK`] items a chunk with these inputs, committed.
    pub(crate) async fn create_solve(&self, inputs: &Inputs) -> JobRef {
        let job = self.create(solve()).await;
        let count = self.append(&job, 0, inputs).await;
        self.store.commit(&job, count).await.expect("all are there");
        job
    }

    /// Appends inputs that are taken.
    pub(crate) async fn append(&self, job: &JobRef, first: u64, inputs: &Inputs) -> u64 {
        let appended = self.store.append(job, first, inputs.clone()).await;
        appended.expect("inputs are taken")
    }

    /// The job now.
    pub(crate) async fn job(&self, job: &JobRef) -> Job {
        self.store.job(job).await.expect("the job is there")
    }

    /// The job's state now.
    pub(crate) async fn state(&self, job: &JobRef) -> JobState {
        self.job(job).await.state
    }

    /// The next chunk, if there is one.
    pub(crate) async fn claim(&self) -> Option<Claim> {
        self.store
            .claim(&self.worker)
            .await
            .expect("claiming works")
    }

    /// The next chunk, which there must be.
    pub(crate) async fn claim_some(&self) -> Claim {
        self.claim().await.expect("a chunk to claim")
    }

    /// Completes a chunk with [`answers`].
    pub(crate) async fn complete(&self, claim: &Claim) {
        let completed = self.store.complete(&claim.lease, &answers(claim)).await;
        completed.expect("the lease is held");
    }

    /// Claims and completes until nothing is left, with the pure run.
    pub(crate) async fn work_it_off(&self) {
        while let Some(claim) = self.claim().await {
            let completed = self.store.complete(&claim.lease, &pure(&claim)).await;
            completed.expect("the lease is held");
        }
    }

    /// Every result from `start` on, page by page.
    pub(crate) async fn results(&self, job: &JobRef, start: u64) -> Vec<Results> {
        let mut pages = Vec::new();
        let mut next = start;
        loop {
            let page = self.store.results(job, next, false).await;
            let Some(results) = page.expect("results are served").results else {
                return pages;
            };
            assert!(!results.is_empty(), "an empty page at {next}");
            assert!(results.is_consistent());
            next += results.len() as u64;
            pages.push(results);
        }
    }

    /// The outcome of every item from the first on.
    pub(crate) async fn outcomes(&self, job: &JobRef) -> Vec<Outcome> {
        let pages = self.results(job, 0).await;
        pages.into_iter().flat_map(|page| page.outcomes).collect()
    }

    /// Fails when anything stored contradicts anything else.
    pub(crate) async fn audit(&self) {
        let found = self.backend.contradictions().await;
        assert!(found.is_empty(), "{found:#?}");
    }
}

/// A request for a job with this much work and all else left out.
pub(crate) fn spec(work: Work, count: Option<u64>) -> JobSpec {
    JobSpec {
        work,
        count,
        priority: Priority::default(),
        max_parallelism: None,
        not_before: None,
        deadline: None,
        ttl: DEFAULT_TTL,
        labels: Labels::new(),
    }
}

/// Grids, in the largest chunks.
pub(crate) fn generate(count: u64) -> JobSpec {
    let work = Work::Generate(Generate {
        seed: 7,
        distribution: Distribution::Distinct,
        first_digit: None,
    });
    spec(work, Some(count))
}

/// Puzzles in chunks of [`CHUNK`].
pub(crate) fn make(count: u64) -> JobSpec {
    make_with(count, (20, 22))
}

/// Puzzles in chunks of one.
pub(crate) fn singles(count: u64) -> JobSpec {
    make_with(count, (17, 19))
}

fn make_with(count: u64, givens: (u8, u8)) -> JobSpec {
    let work = Work::MakePuzzle(MakePuzzle {
        givens: Some(givens),
        ..MakePuzzle::any(3, 1)
    });
    spec(work, Some(count))
}

/// An upload in chunks of [`SOLVE_CHUNK`].
pub(crate) fn solve() -> JobSpec {
    let work = Work::Solve(Solve {
        count_limit: 1001,
        step_limit: 10,
    });
    spec(work, None)
}

/// Different inputs, one of them malformed, by their numbers.
pub(crate) fn inputs(numbers: impl IntoIterator<Item = u64>) -> Inputs {
    let mut inputs = Inputs::default();
    for number in numbers {
        inputs.push(puzzle(number).as_ref());
    }
    inputs
}

/// Digits of the number in the first row; every tenth is malformed.
fn puzzle(number: u64) -> Option<Puzzle> {
    if number % 10 == 9 {
        return None;
    }
    let mut cells = [0; 81];
    let mut rest = number;
    for cell in &mut cells[..9] {
        *cell = u8::try_from(rest % 10).expect("a digit");
        rest /= 10;
    }
    Some(Puzzle::from_cells(cells).expect("digits"))
}

/// A request without inputs.
pub(crate) fn submission(tenant: &Tenant, spec: JobSpec) -> Submission {
    Submission {
        tenant: tenant.clone(),
        id: JobId::draw(),
        spec,
        inputs: Inputs::default(),
        commit: false,
        request: None,
    }
}

/// Cheap answers that tell every item from every other.
pub(crate) fn answers(claim: &Claim) -> Completion {
    let span = claim.lease.span;
    let items = usize::try_from(span.len).expect("a chunk");
    let mut results = Results::all(Outcome::Unique, items);
    for (index, grid) in span.range().zip(results.grids.chunks_mut(BYTES)) {
        grid[..8].copy_from_slice(&index.to_le_bytes());
    }
    Completion::from(results)
}

/// What the core says.
pub(crate) fn pure(claim: &Claim) -> Completion {
    let none = Inputs::default();
    let inputs = claim.inputs.as_ref().unwrap_or(&none);
    let never = AtomicBool::new(false);
    let (work, span) = (&claim.work, claim.lease.span);
    Runner::default()
        .run(work, span, inputs, &claim.remakes, Cancel(&never))
        .expect("nobody cancels")
}

/// Waits for something that must come soon, however slow the machine.
pub(crate) async fn soon<T>(what: &str, coming: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_mins(1), coming)
        .await
        .unwrap_or_else(|_| panic!("waited too long for {what}"))
}

/// Waits until the job is as wanted, woken by its signal alone.
pub(crate) async fn until<S: JobStore>(
    store: &S,
    job: &JobRef,
    wanted: impl Fn(&Job) -> bool,
) -> Job {
    let mut changes = store.signals().job(&job.id);
    soon("a job", async {
        loop {
            changes.mark_unchanged();
            let now = store.job(job).await.expect("the job is there");
            if wanted(&now) {
                return now;
            }
            changes.changed().await.expect("the store lives");
        }
    })
    .await
}

/// The refusal of what must be refused.
pub(crate) fn refusal<T: std::fmt::Debug>(result: Result<T, StoreError>) -> StoreError {
    result.expect_err("a refusal")
}

/// Asserts that something is refused in one way.
macro_rules! assert_refused {
    ($result:expr, $pattern:pat $(if $guard:expr)?) => {
        let refusal = crate::place::refusal($result);
        assert!(matches!(&refusal, $pattern $(if $guard)?), "{refusal:?}");
    };
}
pub(crate) use assert_refused;
