//! Panics, deaths of the process, and stored data that are not what was written.

use std::time::Duration;

use gridmill::jobs::error::StoreError;
use gridmill::jobs::id::JobRef;
use gridmill::jobs::items::Outcome;
use gridmill::jobs::job::JobState;
use gridmill::jobs::lease::Claim;
use gridmill::jobs::record::QUARANTINED;
use gridmill::jobs::store::JobStore;

use crate::backend::{Backend, Payload};
use crate::place::{
    CHUNK, Place, SOLVE_CHUNK, answers, assert_refused, inputs, make, singles, solve,
};

pub(crate) async fn a_panic_is_retried_after_a_pause<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create(singles(1)).await;
    let claim = place.claim_some().await;
    fail(&place, &claim, "first").await;
    // Half of a tenth of a second at least, the whole of it at most.
    place.wait(Duration::from_millis(49));
    assert!(place.claim().await.is_none());
    place.wait(Duration::from_millis(51));
    let claim = place.claim_some().await;
    assert_eq!(claim.attempt, 2);
    fail(&place, &claim, "second").await;
    place.wait(Duration::from_millis(99));
    assert!(place.claim().await.is_none());
    place.wait(Duration::from_millis(101));
    let claim = place.claim_some().await;
    assert_eq!(claim.attempt, 3);
    place.complete(&claim).await;
    assert_eq!(place.state(&job).await, JobState::Succeeded);
    assert!(failed_items(&place, &job).await.is_empty());
}

pub(crate) async fn a_poison_item_is_found_and_its_neighbours_have_answers<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create(make(3 * CHUNK)).await;
    let poison = CHUNK + 5;
    let mut runs = 0;
    while !place.state(&job).await.has_ended() {
        place.wait(Duration::from_secs(30));
        let claim = place.claim_some().await;
        runs += 1;
        if claim.lease.span.range().contains(&poison) {
            fail(&place, &claim, "poison").await;
        } else {
            place.complete(&claim).await;
        }
    }
    let ended = place.job(&job).await;
    assert_eq!(ended.state, JobState::PartiallyFailed);
    assert_eq!(ended.progress.tally.of(Outcome::Fault), 1);
    assert_eq!(ended.progress.tally.of(Outcome::Unique), 3 * CHUNK - 1);
    let mut wanted = vec![Outcome::Unique; 24];
    wanted[13] = Outcome::Fault;
    assert_eq!(place.outcomes(&job).await, wanted);

    let failures = place.store.failures(&job, 0, 10).await.expect("a list");
    let [failure] = &failures[..] else {
        panic!("{failures:?}");
    };
    assert_eq!((failure.first_index, failure.count), (poison, 1));
    assert_eq!(failure.attempts, 3);
    assert_eq!(failure.error.reason, "PANICKED");
    assert_eq!(failure.error.message, "poison");
    assert_eq!(failure.worker, place.worker.to_string());
    // Two panics at 8, 4 and 2 items, three at one; two other chunks and three halves.
    assert_eq!(runs, 9 + 5);
    place.audit().await;
}

pub(crate) async fn a_single_item_has_three_tries<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create(singles(5)).await;
    let message = "long ".repeat(1000);
    while let Some(claim) = place.claim().await {
        fail(&place, &claim, &message).await;
        place.wait(Duration::from_secs(30));
    }
    assert_eq!(place.state(&job).await, JobState::PartiallyFailed);
    assert_eq!(failed_items(&place, &job).await, [0, 1, 2, 3, 4]);
    // In pages.
    let page = place.store.failures(&job, 2, 2).await.expect("a page");
    assert_eq!(page.len(), 2);
    assert_eq!((page[0].first_index, page[1].first_index), (2, 3));
    assert!(page[0].error.message.len() <= 500, "kept short");
    place.audit().await;
}

pub(crate) async fn a_death_gives_leases_back_at_once_and_burns_no_attempt<B: Backend>() {
    let mut place = Place::<B>::new().await;
    let job = place.create(make(10 * CHUNK)).await;
    let done = place.claim_some().await;
    place.complete(&done).await;
    let (a, b) = (place.claim_some().await, place.claim_some().await);
    // One that had panicked keeps its record, and its back-off ends with the process.
    let panicked = place.claim_some().await;
    fail(&place, &panicked, "a panic").await;

    place.crash().await;
    assert_eq!(
        place.store.queue().await.expect("a status").running_chunks,
        0
    );
    assert_eq!(place.job(&job).await.progress.done, CHUNK);
    for dead in [&a, &b] {
        let late = place.store.complete(&dead.lease, &answers(dead)).await;
        assert_refused!(late, StoreError::LeaseLost);
        let again = place.claim_some().await;
        assert_eq!((again.lease.span, again.attempt), (dead.lease.span, 1));
    }
    let again = place.claim_some().await;
    assert_eq!((again.lease.span, again.attempt), (panicked.lease.span, 2));
    place.audit().await;
}

pub(crate) async fn three_deaths_split_a_chunk<B: Backend>() {
    let mut place = Place::<B>::new().await;
    let job = place.create(make(CHUNK)).await;
    for _ in 0..2 {
        assert_eq!(place.claim_some().await.lease.span.range(), 0..8);
        place.crash().await;
    }
    // A release in good order is no death.
    let claim = place.claim_some().await;
    place.store.release(&claim.lease).await.expect("held");
    place.restart().await;
    assert_eq!(place.claim_some().await.lease.span.range(), 0..8);
    place.crash().await;
    let (left, right) = (place.claim_some().await, place.claim_some().await);
    assert_eq!(left.lease.span.range(), 0..4);
    assert_eq!(right.lease.span.range(), 4..8);
    assert!(place.claim().await.is_none());
    place.complete(&right).await;
    place.complete(&left).await;
    let ended = place.job(&job).await;
    assert_eq!(
        (ended.state, ended.progress.contiguous_done),
        (JobState::Succeeded, 8)
    );
    assert_eq!(place.outcomes(&job).await, [Outcome::Unique; 8]);
    place.audit().await;
}

pub(crate) async fn five_deaths_put_an_item_in_quarantine<B: Backend>() {
    let mut place = Place::<B>::new().await;
    let job = place.create(singles(2)).await;
    let neighbour = {
        let poison = place.claim_some().await;
        let neighbour = place.claim_some().await;
        place.store.release(&poison.lease).await.expect("held");
        neighbour
    };
    place.complete(&neighbour).await;
    for round in 0..2 {
        for death in 0..5 {
            assert_eq!(
                place.state(&job).await,
                JobState::Running,
                "{round} {death}"
            );
            assert_eq!(place.claim_some().await.lease.span.range(), 0..1);
            place.crash().await;
        }
        let paused = place.job(&job).await;
        assert_eq!(paused.state, JobState::Paused);
        let error = paused.error.expect("a reason");
        assert_eq!(error.reason, QUARANTINED);
        assert!(error.message.contains("item 0"), "{}", error.message);
        assert_eq!(
            paused.progress.tally.of(Outcome::Fault),
            0,
            "no death is a fault"
        );
        assert!(place.claim().await.is_none());
        let resumed = place.store.resume(&job).await.expect("a person decides");
        assert_eq!((resumed.state, resumed.error), (JobState::Running, None));
    }
    let claim = place.claim_some().await;
    place.complete(&claim).await;
    assert_eq!(place.state(&job).await, JobState::Succeeded);
    place.audit().await;
}

pub(crate) async fn a_death_ends_what_was_being_cancelled<B: Backend>() {
    let mut place = Place::<B>::new().await;
    let job = place.create(singles(2)).await;
    for _ in 0..4 {
        place.claim_some().await;
        place.crash().await;
    }
    place.claim_some().await;
    let cancelling = place.store.cancel(&job).await.expect("a cancellation");
    assert_eq!(cancelling.state, JobState::Cancelling);
    // The fifth death of an item that nobody wants any more.
    place.crash().await;
    let ended = place.job(&job).await;
    assert_eq!((ended.state, ended.error), (JobState::Cancelled, None));
    assert!(place.claim().await.is_none());
    place.audit().await;
}

pub(crate) async fn a_quarantine_does_not_stop_an_upload<B: Backend>() {
    let mut place = Place::<B>::new().await;
    let job = place.create(solve()).await;
    place.append(&job, 0, &inputs(0..SOLVE_CHUNK)).await;
    // Down to one item: three deaths a halving, then five.
    let mut deaths = 0;
    while place.state(&job).await == JobState::Uploading {
        place.claim_some().await;
        place.crash().await;
        deaths += 1;
    }
    assert_eq!(deaths, 6 * 3 + 5);
    assert_eq!(place.state(&job).await, JobState::Paused);
    let received = place
        .append(&job, SOLVE_CHUNK, &inputs(SOLVE_CHUNK..70))
        .await;
    let committed = place
        .store
        .commit(&job, received)
        .await
        .expect("all are there");
    assert_eq!(committed.state, JobState::Paused);
    let resumed = place.store.resume(&job).await.expect("a person decides");
    assert_eq!(resumed.state, JobState::Running);
    place.work_it_off().await;
    assert_eq!(place.state(&job).await, JobState::Succeeded);
    place.audit().await;
}

pub(crate) async fn corrupt_results_are_not_served<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create(make(CHUNK)).await;
    let claim = place.claim_some().await;
    place.complete(&claim).await;
    place.backend.corrupt(Payload::Results).await;
    let read = place.store.results(&job, 3, false).await;
    assert_refused!(read, StoreError::Corrupt(_));
    assert_eq!(
        place.state(&job).await,
        JobState::Succeeded,
        "the rest is served"
    );
    place.create(make(1)).await;
}

pub(crate) async fn corrupt_inputs_fail_their_job<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create(solve()).await;
    place.append(&job, 0, &inputs(0..3 * SOLVE_CHUNK)).await;
    let (done, running) = (place.claim_some().await, place.claim_some().await);
    place.complete(&done).await;
    place.backend.corrupt(Payload::Inputs).await;
    let again = place.store.append(&job, 0, inputs(0..1)).await;
    assert_refused!(again, StoreError::Corrupt(_));
    let mut work = place.store.signals().work();
    assert!(place.claim().await.is_none());
    assert!(
        work.has_changed().expect("the store lives"),
        "others may have work"
    );
    work.mark_unchanged();

    let failed = place.job(&job).await;
    assert_eq!(failed.state, JobState::Failed);
    assert_eq!(failed.error.expect("a reason").reason, "CORRUPT");
    let late = place
        .store
        .complete(&running.lease, &answers(&running))
        .await;
    assert_refused!(late, StoreError::LeaseLost);
    let kept = place.store.results(&job, 0, false).await.expect("a page");
    assert_eq!(kept.results.map(|r| r.len() as u64), Some(SOLVE_CHUNK));
    place.create(make(1)).await;
    place.claim_some().await;
}

async fn fail<B: Backend>(place: &Place<B>, claim: &Claim, message: &str) {
    let failed = place.store.fail(&claim.lease, message.to_owned()).await;
    failed.expect("the lease is held");
}

async fn failed_items<B: Backend>(place: &Place<B>, job: &JobRef) -> Vec<u64> {
    let failures = place.store.failures(job, 0, 100).await.expect("a list");
    failures.iter().map(|failure| failure.first_index).collect()
}
