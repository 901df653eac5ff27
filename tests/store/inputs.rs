//! Inputs: received in any pieces, delivered to the chunks they belong to.

use gridmill::jobs::error::StoreError;
use gridmill::jobs::id::{JobRef, Tenant};
use gridmill::jobs::items::Inputs;
use gridmill::jobs::job::JobState;
use gridmill::jobs::spec::{Solve, Work};
use gridmill::jobs::store::{JobStore, Submission};

use crate::backend::Backend;
use crate::place::{Place, SOLVE_CHUNK, assert_refused, inputs, solve, spec, submission};

pub(crate) async fn appends_add_up_and_a_gap_is_named<B: Backend>() {
    let mut place = Place::<B>::new().await;
    let job = place.create(solve()).await;
    assert_eq!(place.append(&job, 0, &inputs(0..10)).await, 10);
    assert_eq!(place.append(&job, 10, &inputs(10..11)).await, 11);
    assert_eq!(place.append(&job, 11, &Inputs::default()).await, 11);
    assert_refused!(
        place.store.append(&job, 12, inputs(12..13)).await,
        StoreError::InputGap {
            first_index: 12,
            received: 11
        }
    );
    place.crash().await;
    let progress = place.job(&job).await.progress;
    assert_eq!((progress.received, progress.total), (11, 11));
    place.audit().await;
}

pub(crate) async fn what_was_received_before_must_be_equal<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create(solve()).await;
    // 9 and 19 are malformed.
    place.append(&job, 0, &inputs(0..15)).await;
    place.append(&job, 15, &inputs(15..20)).await;
    let revision = place.job(&job).await.revision;
    assert_eq!(place.append(&job, 0, &inputs(0..20)).await, 20, "all of it");
    assert_eq!(
        place.append(&job, 12, &inputs(12..18)).await,
        20,
        "a piece of two"
    );
    assert_eq!(place.job(&job).await.revision, revision, "nothing changed");
    assert_eq!(place.append(&job, 8, &inputs(8..25)).await, 25, "and more");

    let differs =
        |numbers: &[u64], first| place.store.append(&job, first, inputs(numbers.to_vec()));
    assert_refused!(
        differs(&[7, 8, 9, 11], 7).await,
        StoreError::InputConflict { index: 10 }
    );
    // Malformed is equal to malformed, whatever it said, and to nothing else.
    assert_eq!(place.append(&job, 9, &inputs([19])).await, 25);
    assert_refused!(
        differs(&[9], 8).await,
        StoreError::InputConflict { index: 8 }
    );
    assert_refused!(
        differs(&[8], 9).await,
        StoreError::InputConflict { index: 9 }
    );
    assert_refused!(
        differs(&[24, 25, 26], 23).await,
        StoreError::InputConflict { index: 23 }
    );
    assert_eq!(place.job(&job).await.progress.received, 25);
    place.audit().await;
}

pub(crate) async fn nothing_is_taken_after_the_commit<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create_solve(&inputs(0..5)).await;
    assert_refused!(
        place.store.append(&job, 5, inputs(5..6)).await,
        StoreError::WrongState {
            state: JobState::Queued,
            ..
        }
    );
    let cancelled = place.create(solve()).await;
    place
        .store
        .cancel(&cancelled)
        .await
        .expect("a cancellation");
    assert_refused!(
        place.store.append(&cancelled, 0, inputs(0..1)).await,
        StoreError::WrongState {
            state: JobState::Cancelled,
            ..
        }
    );
    assert_refused!(
        place.store.commit(&cancelled, 0).await,
        StoreError::WrongState {
            state: JobState::Cancelled,
            ..
        }
    );
}

pub(crate) async fn a_commit_needs_the_right_count<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create(solve()).await;
    place.append(&job, 0, &inputs(0..5)).await;
    for wrong in [0, 4, 6] {
        assert_refused!(
            place.store.commit(&job, wrong).await,
            StoreError::WrongState {
                state: JobState::Uploading,
                ..
            }
        );
    }
    let committed = place.store.commit(&job, 5).await.expect("five");
    assert_eq!(
        (committed.state, committed.spec.count),
        (JobState::Queued, Some(5))
    );
    let again = place.store.commit(&job, 5).await.expect("idempotent");
    assert_eq!(again.revision, committed.revision);
    assert_refused!(
        place.store.commit(&job, 6).await,
        StoreError::WrongState { .. }
    );
    place.work_it_off().await;
    let again = place.store.commit(&job, 5).await.expect("idempotent");
    assert_eq!(again.state, JobState::Succeeded);

    let empty = place.create(solve()).await;
    let committed = place
        .store
        .commit(&empty, 0)
        .await
        .expect("zero is a count");
    assert_eq!(committed.state, JobState::Succeeded);
    place.audit().await;
}

pub(crate) async fn a_message_may_be_larger_than_a_chunk<B: Backend>() {
    let place = Place::<B>::new().await;
    let work = Work::Solve(Solve {
        count_limit: 2,
        step_limit: 10,
    });
    let job = place.create(spec(work, None)).await;
    place.append(&job, 0, &inputs(0..3)).await;
    place.append(&job, 3, &inputs(3..20_000)).await;
    place
        .store
        .commit(&job, 20_000)
        .await
        .expect("all are there");
    assert_eq!(delivered(&place).await, inputs(0..20_000));
    assert_eq!(place.state(&job).await, JobState::Succeeded);
    place.audit().await;
}

pub(crate) async fn tiny_messages_make_whole_chunks<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create(solve()).await;
    let mut received = 0;
    while received < 300 {
        let more = received..received + 1 + received % 3;
        received = place.append(&job, received, &inputs(more)).await;
    }
    place
        .store
        .commit(&job, received)
        .await
        .expect("all are there");
    assert_eq!(delivered(&place).await, inputs(0..received));
    assert_eq!(read_back(&place, &job).await, inputs(0..received));
    place.audit().await;
}

pub(crate) async fn whole_chunks_run_while_inputs_come<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create(solve()).await;
    place.append(&job, 0, &inputs(0..SOLVE_CHUNK - 1)).await;
    assert!(place.claim().await.is_none(), "the chunk is not whole");
    place
        .append(&job, SOLVE_CHUNK - 1, &inputs([SOLVE_CHUNK - 1]))
        .await;
    let claim = place.claim_some().await;
    assert_eq!(claim.inputs, Some(inputs(0..SOLVE_CHUNK)));
    assert_eq!(place.state(&job).await, JobState::Uploading);
    place.complete(&claim).await;
    assert_eq!(place.results(&job, 0).await.len(), 1, "and can be read");

    let end = SOLVE_CHUNK + 10;
    place
        .append(&job, SOLVE_CHUNK, &inputs(SOLVE_CHUNK..end))
        .await;
    assert!(place.claim().await.is_none());
    let committed = place.store.commit(&job, end).await.expect("all are there");
    assert_eq!(committed.state, JobState::Running);
    let claim = place.claim_some().await;
    assert_eq!(claim.lease.span.range(), SOLVE_CHUNK..end);
    place.complete(&claim).await;
    assert_eq!(place.state(&job).await, JobState::Succeeded);

    // Whole chunks only, all of them done: the commit is the end.
    let job = place.create(solve()).await;
    place.append(&job, 0, &inputs(0..SOLVE_CHUNK)).await;
    place.work_it_off().await;
    assert_eq!(place.state(&job).await, JobState::Uploading);
    let committed = place.store.commit(&job, SOLVE_CHUNK).await.expect("all");
    assert_eq!(committed.state, JobState::Succeeded);
    place.audit().await;
}

pub(crate) async fn a_small_job_comes_in_one_call<B: Backend>() {
    let place = Place::<B>::new().await;
    let whole = Submission {
        inputs: inputs(0..100),
        commit: true,
        ..submission(&Tenant::default(), solve())
    };
    let job = place.store.create(whole).await.expect("a job");
    assert_eq!((job.state, job.spec.count), (JobState::Queued, Some(100)));
    assert_eq!((job.progress.received, job.progress.total), (100, 100));
    assert_eq!(delivered(&place).await, inputs(0..100));

    let begun = Submission {
        inputs: inputs(0..100),
        ..submission(&Tenant::default(), solve())
    };
    let job = place.store.create(begun).await.expect("a job");
    assert_eq!(
        (job.state, job.progress.received),
        (JobState::Uploading, 100)
    );
    let nothing = Submission {
        commit: true,
        ..submission(&Tenant::default(), solve())
    };
    let job = place.store.create(nothing).await.expect("a job");
    assert_eq!((job.state, job.spec.count), (JobState::Succeeded, Some(0)));
    place.audit().await;
}

/// Claims and completes everything; the inputs in the order of their chunks.
async fn delivered<B: Backend>(place: &Place<B>) -> Inputs {
    let mut delivered = Inputs::default();
    while let Some(claim) = place.claim().await {
        assert_eq!(delivered.len() as u64, claim.lease.span.first);
        let inputs = claim.inputs.as_ref().expect("the work takes inputs");
        assert_eq!(inputs.len() as u64, claim.lease.span.len);
        delivered.append(inputs);
        place.complete(&claim).await;
    }
    delivered
}

/// The inputs as they come beside the results.
async fn read_back<B: Backend>(place: &Place<B>, job: &JobRef) -> Inputs {
    let mut read = Inputs::default();
    loop {
        let start = read.len() as u64;
        let page = place.store.results(job, start, true).await.expect("a page");
        match page.inputs {
            Some(inputs) => read.append(&inputs),
            None => return read,
        }
    }
}
