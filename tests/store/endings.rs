//! How jobs end, and what is left of them.

use std::time::Duration;

use gridmill::jobs::error::StoreError;
use gridmill::jobs::items::Outcome;
use gridmill::jobs::job::JobState;
use gridmill::jobs::record::{HEADER_KEPT, UPLOAD_IDLE};
use gridmill::jobs::store::{JobFilter, JobStore};

use crate::backend::Backend;
use crate::place::{
    CHUNK, Place, SOLVE_CHUNK, START, assert_refused, generate, inputs, make, solve,
};
use crate::snapshot::picture;

pub(crate) async fn an_idle_job_is_cancelled_at_once<B: Backend>() {
    let place = Place::<B>::new().await;
    let queued = place.create(make(1)).await;
    let uploading = place.create(solve()).await;
    let paused = place.create(make(1)).await;
    place.store.pause(&paused).await.expect("a pause");
    for job in [&queued, &uploading, &paused] {
        let cancelled = place.store.cancel(job).await.expect("a cancellation");
        assert_eq!(cancelled.state, JobState::Cancelled);
        assert_eq!(cancelled.end_time, Some(START));
        let again = place.store.cancel(job).await.expect("idempotent");
        assert_eq!(again, cancelled);
        assert_eq!(place.job(job).await, cancelled);
    }
    let done = place.create(make(0)).await;
    let still = place.store.cancel(&done).await.expect("OK on an ended job");
    assert_eq!(still.state, JobState::Succeeded);
    assert!(place.claim().await.is_none());
    place.audit().await;
}

pub(crate) async fn a_running_job_is_cancelled_when_its_chunks_are_back<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create(make(5 * CHUNK)).await;
    let (released, failed) = (place.claim_some().await, place.claim_some().await);
    let (expired, waiting) = (place.claim_some().await, place.claim_some().await);
    place.store.release(&waiting.lease).await.expect("held");
    let cancelling = place.store.cancel(&job).await.expect("a cancellation");
    assert_eq!(
        (cancelling.state, cancelling.end_time),
        (JobState::Cancelling, None)
    );
    assert!(place.claim().await.is_none());
    for refused in [
        place.store.pause(&job).await,
        place.store.resume(&job).await,
    ] {
        assert_refused!(
            refused,
            StoreError::WrongState {
                state: JobState::Cancelling,
                ..
            }
        );
    }
    place.store.release(&released.lease).await.expect("held");
    let message = "the last panic".to_owned();
    place
        .store
        .fail(&failed.lease, message)
        .await
        .expect("held");
    assert_eq!(place.state(&job).await, JobState::Cancelling);
    place.wait(Duration::from_secs(30));
    place.store.reap().await.expect("reaped");
    assert_eq!(place.state(&job).await, JobState::Cancelled);
    assert!(place.store.release(&expired.lease).await.is_err());
    assert!(place.claim().await.is_none());
    place.audit().await;
}

pub(crate) async fn a_cancelled_job_has_its_finished_chunks_and_skips_the_rest<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create_solve(&inputs(0..6 * SOLVE_CHUNK)).await;
    let mut claims = Vec::new();
    while let Some(claim) = place.claim().await {
        claims.push(claim);
    }
    for finished in [1, 4] {
        place.complete(&claims[finished]).await;
    }
    place.store.cancel(&job).await.expect("a cancellation");
    assert!(place.results(&job, 0).await.is_empty(), "not ended yet");
    for unfinished in [0, 2, 3, 5] {
        place
            .store
            .release(&claims[unfinished].lease)
            .await
            .expect("held");
    }
    assert_eq!(place.state(&job).await, JobState::Cancelled);
    let chunk = usize::try_from(SOLVE_CHUNK).expect("small");
    let wanted: Vec<Outcome> = [
        (Outcome::Skipped, chunk),
        (Outcome::Unique, chunk),
        (Outcome::Skipped, 2 * chunk),
        (Outcome::Unique, chunk),
    ]
    .into_iter()
    .flat_map(|(outcome, items)| std::iter::repeat_n(outcome, items))
    .collect();
    assert_eq!(
        place.outcomes(&job).await,
        wanted,
        "and ends with the last finished one"
    );
    let total = 6 * SOLVE_CHUNK;
    for start in [5 * SOLVE_CHUNK, total] {
        assert!(place.results(&job, start).await.is_empty(), "{start}");
    }
    assert_refused!(
        place.store.results(&job, total + 1, false).await,
        StoreError::PastEnd { .. }
    );
    let gap = place.store.results(&job, SOLVE_CHUNK * 2 + 7, true).await;
    let gap = gap.expect("a page").inputs.expect("inputs");
    assert_eq!(gap, inputs(SOLVE_CHUNK * 2 + 7..SOLVE_CHUNK * 4));

    // A gap wider than a chunk's worth comes in several pages.
    let wide = place.create(generate(8 * 8192)).await;
    let mut last = None;
    while let Some(claim) = place.claim().await {
        last = Some(claim);
    }
    place.complete(&last.expect("eight chunks")).await;
    place.store.cancel(&wide).await.expect("a cancellation");
    place.wait(Duration::from_secs(30));
    place.store.reap().await.expect("reaped");
    assert_eq!(place.outcomes(&wide).await.len(), 8 * 8192);
    place.audit().await;
}

pub(crate) async fn a_deadline_ends_a_job_in_any_live_state<B: Backend>() {
    let place = Place::<B>::new().await;
    let hour = Duration::from_hours(1) / 2;
    let with_deadline = |mut spec: gridmill::jobs::spec::JobSpec| {
        spec.deadline = Some(START.after(hour));
        spec
    };
    let cancelling = place.create(with_deadline(make(1))).await;
    place.claim_some().await;
    place
        .store
        .cancel(&cancelling)
        .await
        .expect("a cancellation");
    let running = place.create(with_deadline(make(1))).await;
    place.claim_some().await;
    let paused = place.create(with_deadline(make(1))).await;
    place.store.pause(&paused).await.expect("a pause");
    let queued = place.create(with_deadline(make(1))).await;
    let uploading = place.create(with_deadline(solve())).await;
    let ended = place.create(with_deadline(make(0))).await;
    let endless = place.create(make(1)).await;
    let live = [&cancelling, &running, &paused, &queued, &uploading];

    place.wait_nearly(hour);
    let running_chunks = 2;
    assert_eq!(place.store.reap().await.expect("reaped"), running_chunks);
    assert_eq!(place.state(&cancelling).await, JobState::Cancelled);
    place.wait_the_last();
    assert_eq!(
        place.store.reap().await.expect("reaped"),
        live.len() as u64 - 1
    );
    for job in &live[1..] {
        let expired = place.job(job).await;
        assert_eq!(expired.state, JobState::Expired);
        assert_eq!(expired.error.expect("a reason").reason, "DEADLINE");
        assert_eq!(expired.end_time, Some(START.after(hour)));
    }
    assert_eq!(place.state(&ended).await, JobState::Succeeded);
    assert_eq!(place.state(&endless).await, JobState::Queued);
    assert_eq!(place.store.reap().await.expect("reaped"), 0);
    place.audit().await;
}

pub(crate) async fn an_upload_is_given_up_after_an_idle_hour<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create(solve()).await;
    place.wait_nearly(UPLOAD_IDLE);
    place.append(&job, 0, &inputs(0..SOLVE_CHUNK)).await;
    place.work_it_off().await;
    place.wait_nearly(UPLOAD_IDLE);
    assert_eq!(place.store.reap().await.expect("reaped"), 0);
    let committed = place.create_solve(&inputs(0..1)).await;
    place.wait_the_last();
    assert_eq!(place.store.reap().await.expect("reaped"), 1);
    let expired = place.job(&job).await;
    assert_eq!(expired.state, JobState::Expired);
    assert!(
        expired
            .error
            .expect("a reason")
            .message
            .contains("abandoned")
    );
    assert_refused!(
        place.store.append(&job, SOLVE_CHUNK, inputs(0..1)).await,
        StoreError::WrongState {
            state: JobState::Expired,
            ..
        }
    );
    assert_eq!(
        place.outcomes(&job).await.len() as u64,
        SOLVE_CHUNK,
        "they stay"
    );
    place.wait(10 * UPLOAD_IDLE);
    assert_eq!(place.store.reap().await.expect("reaped"), 0);
    assert_eq!(place.state(&committed).await, JobState::Queued);
}

pub(crate) async fn results_expire_and_the_header_a_week_later<B: Backend>() {
    let place = Place::<B>::new().await;
    for collected in [false, true] {
        let mut spec = make(CHUNK);
        spec.ttl = Duration::from_mins(1);
        let job = place.create(spec).await;
        place.work_it_off().await;
        let collect = async || {
            while collected && place.store.collect().await.expect("a slice") {}
        };
        let expire_time = place.job(&job).await.expire_time.expect("it has ended");

        place.wait_nearly(Duration::from_mins(1));
        collect().await;
        assert_eq!(place.outcomes(&job).await.len(), 8);
        place.wait_the_last();
        collect().await;
        for refused in [
            place.store.results(&job, 0, false).await.err(),
            place.store.failures(&job, 0, 9).await.err(),
        ] {
            assert!(
                matches!(&refused, Some(StoreError::ResultsExpired { expire_time: at, .. })
                    if *at == expire_time),
                "{refused:?}"
            );
        }
        assert_eq!(
            place.state(&job).await,
            JobState::Succeeded,
            "the header stays"
        );
        assert_eq!(list(&place).await, 1);

        place.wait_nearly(HEADER_KEPT);
        collect().await;
        assert_eq!(list(&place).await, 1);
        place.wait_the_last();
        collect().await;
        assert_refused!(place.store.job(&job).await, StoreError::JobNotFound(_));
        let results = place.store.results(&job, 0, false).await;
        assert_refused!(results, StoreError::JobNotFound(_));
        assert_eq!(list(&place).await, 0);
        place.audit().await;
    }
}

pub(crate) async fn collecting_takes_slices_until_nothing_is_left<B: Backend>() {
    let mut place = Place::<B>::new().await;
    assert!(
        !place.store.collect().await.expect("a slice"),
        "nothing yet"
    );
    let kept = place.create(make(CHUNK)).await;
    let job = place.create(make(200 * CHUNK)).await;
    while let Some(claim) = place.claim().await {
        place.complete(&claim).await;
    }
    let poison = place.create(crate::place::singles(1)).await;
    for _ in 0..3 {
        let claim = place.claim_some().await;
        place
            .store
            .fail(&claim.lease, String::new())
            .await
            .expect("held");
        place.wait(Duration::from_secs(30));
    }
    let before = picture(&place.store, &kept).await;
    place.store.delete(&job, false).await.expect("a deletion");
    place
        .store
        .delete(&poison, false)
        .await
        .expect("a deletion");
    let mut slices = 0;
    while place.store.collect().await.expect("a slice") {
        slices += 1;
        if slices == 2 {
            place.crash().await;
        }
        place.audit().await;
    }
    assert!(slices > 3, "{slices}");
    assert_eq!(picture(&place.store, &kept).await, before);
    assert!(!place.store.collect().await.expect("a slice"));
}

pub(crate) async fn pausing_and_resuming_are_idempotent<B: Backend>() {
    let place = Place::<B>::new().await;
    let job = place.create(make(1)).await;
    let resumed = place.store.resume(&job).await.expect("not paused");
    assert_eq!((resumed.state, resumed.revision), (JobState::Queued, 1));
    let paused = place.store.pause(&job).await.expect("a pause");
    assert_eq!((paused.state, paused.revision), (JobState::Paused, 2));
    assert_eq!(place.store.pause(&job).await.expect("idempotent"), paused);
    let resumed = place.store.resume(&job).await.expect("resumed");
    assert_eq!((resumed.state, resumed.revision), (JobState::Queued, 3));
    place.work_it_off().await;
    for refused in [
        place.store.pause(&job).await,
        place.store.resume(&job).await,
    ] {
        assert_refused!(
            refused,
            StoreError::WrongState {
                state: JobState::Succeeded,
                ..
            }
        );
    }
    let upload = place.create(solve()).await;
    assert_refused!(
        place.store.pause(&upload).await,
        StoreError::WrongState {
            state: JobState::Uploading,
            ..
        }
    );
}

pub(crate) async fn a_restart_keeps_everything<B: Backend>() {
    let mut place = Place::<B>::new().await;
    let made = place.create(make(3 * CHUNK)).await;
    let claim = place.claim_some().await;
    place.complete(&claim).await;
    let poison = place.create(crate::place::singles(2)).await;
    for _ in 0..4 {
        place.wait(Duration::from_secs(30));
        let claim = place.claim_some().await;
        if claim.lease.id == poison.id {
            place
                .store
                .fail(&claim.lease, "poison".to_owned())
                .await
                .expect("held");
        } else {
            place.complete(&claim).await;
        }
    }
    let upload = place.create(solve()).await;
    place.append(&upload, 0, &inputs(0..100)).await;
    let secret = place.store.secret();
    for crash in [false, true, true] {
        let mut before = String::new();
        let mut after = String::new();
        for job in [&made, &poison, &upload] {
            before += &picture(&place.store, job).await;
        }
        if crash {
            place.crash().await;
        } else {
            place.restart().await;
        }
        for job in [&made, &poison, &upload] {
            after += &picture(&place.store, job).await;
        }
        assert_eq!(after, before);
        assert_eq!(place.store.secret(), secret, "page tokens stay good");
        place.audit().await;
    }
}

async fn list<B: Backend>(place: &Place<B>) -> usize {
    let tenant = gridmill::jobs::id::Tenant::default();
    let list = place
        .store
        .jobs(&tenant, &JobFilter::default(), None, 9)
        .await;
    list.expect("a list").len()
}
