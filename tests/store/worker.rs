//! A pool of workers on a store.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use gridmill::jobs::items::Outcome;
use gridmill::jobs::job::JobState;
use gridmill::jobs::lease::Claim;
use gridmill::jobs::store::Completion;
use gridmill::jobs::store::JobStore;
use gridmill::sudoku::{Cancel, Cancelled};
use gridmill::worker::{Pool, PoolSettings, Priority};
use tokio::sync::mpsc;

use crate::backend::Backend;
use crate::place::{CHUNK, Place, SOLVE_CHUNK, answers, generate, inputs, make, pure, soon, until};
use crate::refusing::Refusing;

const SETTINGS: PoolSettings = PoolSettings {
    workers: NonZeroUsize::new(3).expect("three"),
    priority: Priority::Normal,
};

pub(crate) async fn a_pool_answers_what_the_pure_run_answers<B: Backend>() {
    let place = Place::<B>::new().await;
    let reference = Place::<B>::new().await;
    let pool = Pool::start(place.store.clone(), SETTINGS);
    let mut pairs = Vec::new();
    for spec in [generate(50_000), make(30)] {
        pairs.push((
            place.create(spec.clone()).await,
            reference.create(spec).await,
        ));
    }
    let upload = inputs(0..=10 * SOLVE_CHUNK);
    pairs.push((
        place.create_solve(&upload).await,
        reference.create_solve(&upload).await,
    ));
    reference.work_it_off().await;
    for (job, wanted) in &pairs {
        let ended = until(&place.store, job, |job| job.state.has_ended()).await;
        assert_eq!(ended.state, JobState::Succeeded);
        let mut start = 0;
        while start < ended.progress.total {
            let (a, b) = (
                place.store.results(job, start, true).await.expect("a page"),
                reference
                    .store
                    .results(wanted, start, true)
                    .await
                    .expect("a page"),
            );
            assert_eq!((&a.results, &a.inputs), (&b.results, &b.inputs));
            start += a.results.expect("results").len() as u64;
        }
    }
    soon("the pool to stop", pool.stop()).await;
    place.audit().await;
}

pub(crate) async fn a_poison_item_is_isolated_to_itself<B: Backend>() {
    const POISON: u64 = 5;
    let place = Place::<B>::new().await;
    let job = place.create(make(3 * CHUNK)).await;
    let mut changes = place.store.signals().job(&job.id);
    let poisoned = |claim: &Claim, _: Cancel<'_>| {
        assert!(
            !claim.lease.span.range().contains(&POISON),
            "item {POISON} is poison"
        );
        Ok(answers(claim))
    };
    let pool = Pool::start_with(place.store.clone(), SETTINGS, poisoned);
    let ended = loop {
        changes.mark_unchanged();
        let now = place.job(&job).await;
        if now.state.has_ended() {
            break now;
        }
        soon("an attempt to end", changes.changed())
            .await
            .expect("the store lives");
        // Whatever waits for its back-off has waited long enough.
        place.wait(Duration::from_millis(500));
        place.store.signals().publish_work();
    };
    soon("the pool to stop", pool.stop()).await;
    assert_eq!(ended.state, JobState::PartiallyFailed);
    let outcomes = place.outcomes(&job).await;
    for (item, outcome) in (0..).zip(outcomes) {
        assert_eq!(outcome == Outcome::Fault, item == POISON, "item {item}");
    }
    let failures = place.store.failures(&job, 0, 9).await.expect("a list");
    assert_eq!(failures.len(), 1);
    assert_eq!(failures[0].error.message, "item 5 is poison");
    place.audit().await;
}

pub(crate) async fn a_cancel_stops_a_running_chunk<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create(make(10 * CHUNK)).await;
    let (begun, mut begins) = mpsc::unbounded_channel();
    let pool = Pool::start_with(place.store.clone(), SETTINGS, blocking(begun));
    for _ in 0..3 {
        soon("a chunk to begin", begins.recv())
            .await
            .expect("the pool lives");
    }
    let cancelling = place.store.cancel(&job).await.expect("a cancellation");
    assert_eq!(cancelling.state, JobState::Cancelling);
    let ended = until(&place.store, &job, |job| job.state.has_ended()).await;
    assert_eq!((ended.state, ended.progress.done), (JobState::Cancelled, 0));
    assert!(begins.try_recv().is_err(), "no further chunk was begun");
    soon("the pool to stop", pool.stop()).await;
    place.audit().await;
}

pub(crate) async fn a_stopped_pool_gives_its_chunks_back<B: Backend>() {
    let mut place = Place::<B>::new().await;
    let job = place.create(make(10 * CHUNK)).await;
    let (begun, mut begins) = mpsc::unbounded_channel();
    let pool = Pool::start_with(place.store.clone(), SETTINGS, blocking(begun));
    for _ in 0..3 {
        soon("a chunk to begin", begins.recv())
            .await
            .expect("the pool lives");
    }
    soon("the pool to stop", pool.stop()).await;
    assert_eq!(
        place.store.queue().await.expect("a status").running_chunks,
        0
    );
    place.audit().await;
    // Neither an attempt nor a death is counted, however often.
    for _ in 0..6 {
        place.restart().await;
        let claim = place.claim_some().await;
        assert_eq!((claim.attempt, claim.lease.span.range()), (1, 0..CHUNK));
        place.store.release(&claim.lease).await.expect("held");
    }

    let runs = Arc::new(Mutex::new(Vec::new()));
    let ran = Arc::clone(&runs);
    let attempts = Arc::new(AtomicU64::new(0));
    let attempted = Arc::clone(&attempts);
    let pool = Pool::start_with(
        place.store.clone(),
        SETTINGS,
        move |claim: &Claim, _: Cancel<'_>| {
            attempted.fetch_add(u64::from(claim.attempt), Ordering::Relaxed);
            let mut ran = ran.lock().unwrap_or_else(PoisonError::into_inner);
            ran.extend(claim.lease.span.range());
            Ok(pure(claim))
        },
    );
    until(&place.store, &job, |job| job.state == JobState::Succeeded).await;
    soon("the pool to stop", pool.stop()).await;
    let mut runs = runs.lock().expect("no panic").clone();
    runs.sort_unstable();
    assert_eq!(
        runs,
        (0..10 * CHUNK).collect::<Vec<_>>(),
        "each item ran once"
    );
    assert_eq!(attempts.load(Ordering::Relaxed), 10);
    place.audit().await;
}

pub(crate) async fn a_full_disk_throws_no_work_away<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create(make(5 * CHUNK)).await;
    let runs = Arc::new(AtomicU64::new(0));
    let ran = Arc::clone(&runs);
    let store = Refusing::new(place.store.clone(), 2);
    let pool = Pool::start_with(store, SETTINGS, move |claim: &Claim, _: Cancel<'_>| {
        ran.fetch_add(claim.lease.span.len, Ordering::Relaxed);
        Ok(answers(claim))
    });
    until(&place.store, &job, |job| job.state == JobState::Succeeded).await;
    soon("the pool to stop", pool.stop()).await;
    assert_eq!(
        runs.load(Ordering::Relaxed),
        5 * CHUNK,
        "each item ran once"
    );
    place.audit().await;
}

pub(crate) async fn a_pool_that_stops_on_a_full_disk_gives_its_chunk_back<B: Backend>() {
    let place = Place::<B>::new().await;
    place.create(make(CHUNK)).await;
    let (begun, mut begins) = mpsc::unbounded_channel();
    let store = Refusing::new(place.store.clone(), u64::MAX);
    let pool = Pool::start_with(store, SETTINGS, move |claim: &Claim, _: Cancel<'_>| {
        begun.send(()).expect("the test lives");
        Ok(answers(claim))
    });
    soon("the chunk to begin", begins.recv())
        .await
        .expect("the pool lives");
    soon("the pool to stop", pool.stop()).await;
    let again = place.claim_some().await;
    assert_eq!((again.lease.span.range(), again.attempt), (0..CHUNK, 1));
    place.audit().await;
}

/// Says that it has begun and runs until it is cancelled.
fn blocking(
    begun: mpsc::UnboundedSender<()>,
) -> impl Fn(&Claim, Cancel<'_>) -> Result<Completion, Cancelled> + Clone + Send + 'static {
    move |_, cancel| {
        begun.send(()).expect("the test lives");
        while !cancel.is_set() {
            thread::yield_now();
        }
        Err(Cancelled)
    }
}
