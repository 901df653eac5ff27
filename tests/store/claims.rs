//! Which chunk is next.

use std::time::Duration;

use gridmill::jobs::chunk::Span;
use gridmill::jobs::id::{JobRef, Tenant};
use gridmill::jobs::job::JobState;
use gridmill::jobs::spec::Priority;
use gridmill::jobs::store::JobStore;

use crate::backend::Backend;
use crate::place::{CHUNK, Place, START, make, soon};

pub(crate) async fn a_job_is_claimed_chunk_by_chunk<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create(make(2 * CHUNK + 3)).await;
    place.wait(Duration::from_secs(1));
    for (first, len) in [(0, CHUNK), (CHUNK, CHUNK), (2 * CHUNK, 3)] {
        let claim = place.claim_some().await;
        assert_eq!(claim.lease.span, Span { first, len });
        assert_eq!(claim.lease.id, job.id);
        assert_eq!((claim.attempt, claim.inputs), (1, None));
    }
    assert!(place.claim().await.is_none());
    let job = place.job(&job).await;
    assert_eq!((job.state, job.revision), (JobState::Running, 2));
    assert_eq!(job.start_time, Some(START.after(Duration::from_secs(1))));
    place.audit().await;
}

pub(crate) async fn higher_priority_goes_first<B: Backend>() {
    let place = Place::<B>::new().await;
    let mut jobs = Vec::new();
    for priority in [-100, 0, 100, 7] {
        let mut spec = make(2 * CHUNK);
        spec.priority = Priority::new(priority).expect("in range");
        jobs.push(place.create(spec).await);
    }
    for wanted in [2, 2, 3, 3, 1, 1, 0, 0] {
        assert_eq!(place.claim_some().await.lease.id, jobs[wanted].id);
    }
}

pub(crate) async fn tenants_take_turns_and_so_do_their_jobs<B: Backend>() {
    let place = Place::<B>::new().await;
    let (a, b) = (tenant("a"), tenant("b"));
    let first = place.create_as(&a, make(100 * CHUNK)).await;
    for _ in 0..10 {
        place.claim_some().await;
    }
    // One tenant has three jobs and the other one: each gets half.
    let second = place.create_as(&a, make(100 * CHUNK)).await;
    let third = place.create_as(&a, make(100 * CHUNK)).await;
    let alone = place.create_as(&b, make(100 * CHUNK)).await;
    let counts = claims_of(&place, 60, &[&first, &second, &third, &alone]).await;
    assert!((29..=31).contains(&counts[3]), "{counts:?}");
    for job in 0..3 {
        assert!((9..=11).contains(&counts[job]), "{counts:?}");
    }
}

pub(crate) async fn a_small_job_does_not_wait_for_a_large_one<B: Backend>() {
    let mut place = Place::<B>::new().await;
    place.create(make(1000 * CHUNK)).await;
    for round in 0..20 {
        for _ in 0..5 {
            let claim = place.claim_some().await;
            place.complete(&claim).await;
        }
        let small = place.create(make(1)).await;
        // What runs already, and one chunk more where the large job has a turn to make up for.
        let next = [place.claim_some().await, place.claim_some().await];
        assert!(
            next.iter().any(|claim| claim.lease.id == small.id),
            "{round}"
        );
        for claim in &next {
            place.complete(claim).await;
        }
        if round == 10 {
            // Turns are kept over a restart.
            place.restart().await;
        }
    }
}

pub(crate) async fn max_parallelism_is_kept<B: Backend>() {
    let place = Place::<B>::new().await;
    let mut spec = make(10 * CHUNK);
    spec.max_parallelism = Some(2);
    let job = place.create(spec).await;
    let first = place.claim_some().await;
    place.claim_some().await;
    assert!(place.claim().await.is_none(), "two run");
    let other = place.create(make(1)).await;
    assert_eq!(place.claim_some().await.lease.id, other.id);
    place.complete(&first).await;
    assert_eq!(place.claim_some().await.lease.id, job.id);
    assert!(place.claim().await.is_none());
}

pub(crate) async fn nothing_is_claimed_before_its_time<B: Backend>() {
    let place = Place::<B>::new().await;
    let mut spec = make(1);
    spec.not_before = Some(START.after(Duration::from_mins(1)));
    let job = place.create(spec).await;
    place.wait_nearly(Duration::from_mins(1));
    assert!(place.claim().await.is_none());
    place.wait_the_last();
    assert_eq!(place.claim_some().await.lease.id, job.id);
}

pub(crate) async fn a_paused_job_is_passed_over<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create(make(3 * CHUNK)).await;
    let (first, second) = (place.claim_some().await, place.claim_some().await);
    place.store.pause(&job).await.expect("a pause");
    assert!(place.claim().await.is_none());
    // What runs may finish or be given back.
    place.complete(&first).await;
    place.store.release(&second.lease).await.expect("held");
    assert!(place.claim().await.is_none());
    assert_eq!(place.state(&job).await, JobState::Paused);
    let resumed = place.store.resume(&job).await.expect("resumed");
    assert_eq!(resumed.state, JobState::Running);
    assert_eq!(place.claim_some().await.lease.span, second.lease.span);
    place.audit().await;
}

pub(crate) async fn a_paused_queue_stays_paused_over_a_restart<B: Backend>() {
    let mut place = Place::<B>::new().await;
    let job = place.create(make(1)).await;
    place.store.set_queue_paused(true).await.expect("a pause");
    assert!(place.claim().await.is_none());
    place.restart().await;
    assert!(place.store.queue().await.expect("a status").paused);
    assert!(place.claim().await.is_none());
    assert_eq!(place.state(&job).await, JobState::Queued);
    place.store.set_queue_paused(false).await.expect("resumed");
    place.claim_some().await;
}

pub(crate) async fn chunks_that_were_given_back_go_first<B: Backend>() {
    let place = Place::<B>::new().await;
    place.create(make(10 * CHUNK)).await;
    let (first, second) = (place.claim_some().await, place.claim_some().await);
    place.store.release(&second.lease).await.expect("held");
    place.store.release(&first.lease).await.expect("held");
    for given_back in [&first, &second] {
        let again = place.claim_some().await;
        assert_eq!(again.lease.span, given_back.lease.span);
        assert_eq!(again.attempt, 1, "a release counts no attempt");
    }
    let third = place.claim_some().await;
    assert_eq!(third.lease.span.first, 2 * CHUNK);
    // One that waits for its back-off holds nobody up.
    let failed = place.store.fail(&third.lease, "a panic".to_owned());
    failed.await.expect("held");
    assert_eq!(place.claim_some().await.lease.span.first, 3 * CHUNK);
    place.wait(Duration::from_secs(1));
    let again = place.claim_some().await;
    assert_eq!((again.lease.span, again.attempt), (third.lease.span, 2));
    place.audit().await;
}

pub(crate) async fn tokens_only_grow<B: Backend>() {
    let mut place = Place::<B>::new().await;
    place.create(make(1000 * CHUNK)).await;
    let mut last = 0;
    for round in 0..30 {
        let token = place.claim_some().await.lease.token;
        assert!(token > last, "{token} after {last}");
        last = token;
        match round % 10 {
            3 => place.restart().await,
            7 => place.crash().await,
            _ => {}
        }
    }
}

pub(crate) async fn the_queue_says_who_waits_and_for_how_long<B: Backend>() {
    let place = Place::<B>::new().await;
    let mut waiting = Vec::new();
    for priority in [0, 0, 50] {
        let mut spec = make(1);
        spec.priority = Priority::new(priority).expect("in range");
        waiting.push(place.create(spec).await);
        place.wait(Duration::from_secs(10));
    }
    for (job, position) in waiting.iter().zip([2, 3, 1]) {
        assert_eq!(place.job(job).await.progress.queue_position, position);
    }
    let claim = place.claim_some().await;
    assert_eq!(claim.lease.id, waiting[2].id);
    for (job, position) in waiting.iter().zip([1, 2, 0]) {
        assert_eq!(place.job(job).await.progress.queue_position, position);
    }
    let status = place.store.queue().await.expect("a status");
    assert_eq!((status.queued_jobs, status.running_chunks), (2, 1));
    assert_eq!(status.oldest_wait, Duration::from_secs(30));
    assert!(!status.paused);
    assert!(status.stored_bytes > 0 && status.stored_bytes < status.stored_bytes_limit);
}

pub(crate) async fn a_claim_is_announced<B: Backend>() {
    let place = Place::<B>::new().await;
    let mut work = place.store.signals().work();
    let job = place.create(make(CHUNK)).await;
    soon("work to be announced", work.changed())
        .await
        .expect("the store lives");
    let mut changes = place.store.signals().job(&job.id);
    let claim = place.claim_some().await;
    soon("the start", changes.changed())
        .await
        .expect("the store lives");
    work.mark_unchanged();
    place.store.release(&claim.lease).await.expect("held");
    soon("work to come back", work.changed())
        .await
        .expect("the store lives");
}

fn tenant(name: &str) -> Tenant {
    Tenant::stored(name.to_owned())
}

/// Of so many claims, how many went to each job.
async fn claims_of<B: Backend>(place: &Place<B>, claims: usize, jobs: &[&JobRef]) -> Vec<usize> {
    let mut counts = vec![0; jobs.len()];
    for _ in 0..claims {
        let id = place.claim_some().await.lease.id;
        let job = jobs.iter().position(|job| job.id == id);
        counts[job.expect("one of the jobs")] += 1;
    }
    counts
}
