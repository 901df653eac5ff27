//! Completed chunks: whose results count, and how they are read.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use gridmill::jobs::chunk::Span;
use gridmill::jobs::error::StoreError;
use gridmill::jobs::items::{Inputs, Outcome, Results};
use gridmill::jobs::job::JobState;
use gridmill::jobs::lease::{HEARTBEAT, LEASE, Lease, Standing};
use gridmill::jobs::run::run;
use gridmill::jobs::spec::{JobSpec, Solve, Work};
use gridmill::jobs::store::JobStore;
use gridmill::sudoku::Cancel;

use crate::backend::Backend;
use crate::place::{CHUNK, Place, answers, assert_refused, generate, inputs, make, soon, spec};

pub(crate) async fn results_are_those_of_the_pure_run<B: Backend>() {
    let mut place = Place::<B>::new().await;
    let made = JobSpec {
        count: Some(40),
        ..make(0)
    };
    for spec in [generate(20_000), made] {
        let work = spec.work.clone();
        let count = spec.count.expect("a count");
        let job = place.create(spec).await;
        place.work_it_off().await;
        place.restart().await;
        let span = Span {
            first: 0,
            len: count,
        };
        let never = AtomicBool::new(false);
        let whole = run(&work, span, &Inputs::default(), Cancel(&never)).expect("not cancelled");
        assert_eq!(joined(place.results(&job, 0).await), whole.results);
        let job = place.job(&job).await;
        assert_eq!(job.state, JobState::Succeeded);
        assert_eq!(job.progress.done, count);
        assert_eq!(job.progress.tally, whole.results.tally());
        assert_eq!(job.progress.rejections, whole.rejections);
    }
    place.audit().await;
}

pub(crate) async fn solved_inputs_come_back_beside_their_results<B: Backend>() {
    let place = Place::<B>::new().await;
    let work = Work::Solve(Solve {
        count_limit: 3,
        step_limit: 100,
    });
    let job = place.create(spec(work.clone(), None)).await;
    let all = inputs(0..5000);
    place.append(&job, 0, &all).await;
    place.store.commit(&job, 5000).await.expect("all are there");
    place.work_it_off().await;
    let never = AtomicBool::new(false);
    let span = Span {
        first: 0,
        len: 5000,
    };
    let whole = run(&work, span, &all, Cancel(&never)).expect("not cancelled");
    assert!(whole.results.tally().of(Outcome::Malformed) > 0);
    assert_eq!(joined(place.results(&job, 0).await), whole.results);
    for start in [0, 1, 2047, 2048, 4999] {
        let page = place
            .store
            .results(&job, start, true)
            .await
            .expect("a page");
        let results = page.results.expect("results");
        let beside = page.inputs.expect("inputs");
        let first = usize::try_from(start).expect("small");
        assert_eq!(beside, all.slice(first, results.len()));
        assert_eq!(results, whole.results.slice(first, results.len()));
        let without = place
            .store
            .results(&job, start, false)
            .await
            .expect("a page");
        assert_eq!(without.inputs, None);
    }
}

pub(crate) async fn results_begin_anywhere_and_end_at_the_total<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create(make(3 * CHUNK + 5)).await;
    while let Some(claim) = place.claim().await {
        place.complete(&claim).await;
    }
    let whole = joined(place.results(&job, 0).await);
    for start in 0..=whole.len() {
        let rest = joined(place.results(&job, start as u64).await);
        assert_eq!(rest, whole.slice(start, usize::MAX), "from {start}");
    }
    let total = whole.len() as u64;
    assert_refused!(
        place.store.results(&job, total + 1, false).await,
        StoreError::PastEnd { start, total: 29 } if *start == total + 1
    );
    assert_refused!(
        place.store.results(&job, u64::MAX, false).await,
        StoreError::PastEnd { .. }
    );
}

pub(crate) async fn chunks_may_finish_in_any_order<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create(make(4 * CHUNK)).await;
    let mut claims = Vec::new();
    while let Some(claim) = place.claim().await {
        claims.push(claim);
    }
    for (chunk, done, contiguous) in [(2, 1, 0), (0, 2, 1), (3, 3, 1), (1, 4, 4)] {
        place.complete(&claims[chunk]).await;
        let progress = place.job(&job).await.progress;
        assert_eq!(progress.done, done * CHUNK);
        assert_eq!(progress.contiguous_done, contiguous * CHUNK);
        let readable = joined(place.results(&job, 0).await).len() as u64;
        assert_eq!(readable, contiguous * CHUNK, "only what is contiguous");
        place.audit().await;
    }
    assert_eq!(place.state(&job).await, JobState::Succeeded);
}

pub(crate) async fn a_lease_that_ran_out_changes_nothing<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create(make(CHUNK)).await;
    let late = place.claim_some().await;
    place.wait(LEASE);
    assert_eq!(place.store.reap().await.expect("reaped"), 1);
    refused_all(&place, &late.lease).await;
    let next = place.claim_some().await;
    assert_eq!((next.lease.span, next.attempt), (late.lease.span, 2));
    assert!(next.lease.token > late.lease.token);
    let before = place.job(&job).await;
    refused_all(&place, &late.lease).await;
    assert_eq!(place.job(&job).await, before);
    place.complete(&next).await;
    refused_all(&place, &late.lease).await;
    assert_eq!(place.state(&job).await, JobState::Succeeded);
    place.audit().await;
}

pub(crate) async fn a_chunk_is_completed_once<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create(make(2 * CHUNK)).await;
    let claim = place.claim_some().await;
    place.complete(&claim).await;
    let before = place.job(&job).await;
    refused_all(&place, &claim.lease).await;
    assert_eq!(place.job(&job).await, before);
    place.audit().await;
}

pub(crate) async fn heartbeats_keep_leases_and_tell_how_they_stand<B: Backend>() {
    let place = Place::<B>::new().await;
    let kept = place.create(make(CHUNK)).await;
    let kept_lease = place.claim_some().await.lease;
    let lost = place.create(make(CHUNK)).await;
    let lost_lease = place.claim_some().await.lease;
    assert_eq!((&kept_lease.id, &lost_lease.id), (&kept.id, &lost.id));
    for _ in 0..10 {
        place.wait(HEARTBEAT);
        let renewed = place
            .store
            .heartbeat(std::slice::from_ref(&kept_lease))
            .await;
        assert_eq!(renewed.expect("renewed"), [Standing::Held]);
        place.store.reap().await.expect("reaped");
    }
    let both = [kept_lease.clone(), lost_lease];
    let standing = place.store.standing(&both).await.expect("standings");
    assert_eq!(standing, [Standing::Held, Standing::Lost]);
    // Asking how a lease stands does not renew it.
    place.wait(LEASE);
    place.store.standing(&both).await.expect("standings");
    assert_eq!(place.store.reap().await.expect("reaped"), 1);
    let renewed = place.store.heartbeat(&both).await.expect("standings");
    assert_eq!(renewed, [Standing::Lost, Standing::Lost]);

    let (a, b) = (
        place.claim_some().await.lease,
        place.claim_some().await.lease,
    );
    place.store.pause(&kept).await.expect("a pause");
    let standing = place.store.standing(&[a.clone(), b.clone()]).await;
    assert_eq!(
        standing.expect("standings"),
        [Standing::Held, Standing::Held]
    );
    place.store.cancel(&kept).await.expect("a cancellation");
    place.store.delete(&lost, true).await.expect("a deletion");
    let standing = place.store.heartbeat(&[a, b]).await;
    assert_eq!(
        standing.expect("standings"),
        [Standing::Revoked, Standing::Revoked]
    );
}

pub(crate) async fn a_completion_while_cancelling_is_kept<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create(make(2 * CHUNK)).await;
    let (first, second) = (place.claim_some().await, place.claim_some().await);
    place.store.cancel(&job).await.expect("a cancellation");
    place.complete(&first).await;
    let now = place.job(&job).await;
    assert_eq!(
        (now.state, now.progress.done),
        (JobState::Cancelling, CHUNK)
    );
    // All items have answers, yet its owner was told that it is being cancelled.
    place.complete(&second).await;
    assert_eq!(place.state(&job).await, JobState::Cancelled);
    assert_eq!(joined(place.results(&job, 0).await).len() as u64, 2 * CHUNK);
    place.audit().await;
}

pub(crate) async fn a_completion_after_the_end_is_not<B: Backend>() {
    let place = Place::<B>::new().await;
    let mut spec = make(2 * CHUNK);
    spec.deadline = Some(crate::place::START.after(Duration::from_secs(5)));
    let job = place.create(spec).await;
    let (first, second) = (place.claim_some().await, place.claim_some().await);
    place.complete(&second).await;
    place.wait(Duration::from_secs(5));
    assert_eq!(place.store.reap().await.expect("reaped"), 1);
    let standing = place
        .store
        .standing(std::slice::from_ref(&first.lease))
        .await;
    assert_eq!(standing.expect("standings"), [Standing::Revoked]);
    let ended = place.job(&job).await;
    assert_eq!(ended.state, JobState::Expired);
    let late = place.store.complete(&first.lease, &answers(&first)).await;
    assert_refused!(late, StoreError::LeaseLost);
    assert_eq!(place.job(&job).await, ended, "nothing changes any more");
    assert_eq!(
        place.store.queue().await.expect("a status").running_chunks,
        0
    );
    place.audit().await;
}

pub(crate) async fn a_completion_after_deletion_is_not<B: Backend>() {
    let place = Place::<B>::new().await;
    for collected in [false, true] {
        let job = place.create(make(3 * CHUNK)).await;
        let done = place.claim_some().await;
        place.complete(&done).await;
        let (a, b) = (place.claim_some().await, place.claim_some().await);
        place.store.delete(&job, true).await.expect("a deletion");
        if collected {
            while place.store.collect().await.expect("a slice") {}
        }
        refused_all(&place, &a.lease).await;
        let released = place.store.release(&b.lease).await;
        assert_eq!(released.is_ok(), !collected, "{released:?}");
        assert_refused!(place.store.job(&job).await, StoreError::JobNotFound(_));
        assert_eq!(
            place.store.queue().await.expect("a status").running_chunks,
            0
        );
        place.audit().await;
    }
}

pub(crate) async fn rate_and_estimate_are_sane<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create(make(1000 * CHUNK)).await;
    place.wait(Duration::from_hours(5));
    // A chunk each five milliseconds: faster than a reading is taken.
    for _ in 0..200 {
        let claim = place.claim_some().await;
        place.wait(Duration::from_millis(5));
        place.complete(&claim).await;
    }
    let now = place.job(&job).await;
    let rate = now.progress.rate.items_per_second;
    assert!((rate - 1600.0).abs() < 1.0, "{rate}");
    let end = now
        .progress
        .estimated_end(crate::place::START)
        .expect("it moves");
    let left = end.since(crate::place::START).as_secs_f64();
    assert!((left - 4.0).abs() < 0.1, "{left}");
    // A pause does not count.
    place.store.pause(&job).await.expect("a pause");
    place.wait(Duration::from_hours(5));
    place.store.resume(&job).await.expect("resumed");
    let claim = place.claim_some().await;
    place.wait(Duration::from_secs(1));
    place.complete(&claim).await;
    let rate = place.job(&job).await.progress.rate.items_per_second;
    assert!((1000.0..1600.0).contains(&rate), "{rate}");
}

pub(crate) async fn a_completion_is_announced<B: Backend>() {
    let place = Place::<B>::new().await;
    let mut spec = make(3 * CHUNK);
    spec.max_parallelism = Some(1);
    let job = place.create(spec).await;
    let claim = place.claim_some().await;
    let mut changes = place.store.signals().job(&job.id);
    let mut work = place.store.signals().work();
    place.complete(&claim).await;
    soon("the completion", changes.changed())
        .await
        .expect("the store lives");
    soon("the next chunk", work.changed())
        .await
        .expect("the store lives");
}

/// Asserts that a lease is not held, by every means.
async fn refused_all<B: Backend>(place: &Place<B>, lease: &Lease) {
    let items = usize::try_from(lease.span.len).expect("a chunk");
    let results = Results::all(Outcome::None, items);
    let store = &place.store;
    assert_refused!(
        store.complete(lease, &results.into()).await,
        StoreError::LeaseLost
    );
    assert_refused!(
        store.fail(lease, "late".to_owned()).await,
        StoreError::LeaseLost
    );
    assert_refused!(store.release(lease).await, StoreError::LeaseLost);
    let standing = store.heartbeat(std::slice::from_ref(lease)).await;
    assert_eq!(standing.expect("standings"), [Standing::Lost]);
}

/// Pages as one.
fn joined(pages: Vec<Results>) -> Results {
    let mut pages = pages.into_iter();
    let Some(mut all) = pages.next() else {
        return Results::default();
    };
    for page in pages {
        all.outcomes.extend(page.outcomes);
        all.grids.extend(page.grids);
        if let (Some(all), Some(more)) = (&mut all.solutions, page.solutions) {
            all.extend(more);
        }
        if let (Some(all), Some(more)) = (&mut all.counts, page.counts) {
            all.extend(more);
        }
        if let (Some(all), Some(more)) = (&mut all.guesses, page.guesses) {
            all.extend(more);
        }
    }
    all
}
