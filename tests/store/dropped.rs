//! A client that goes away drops its call half-way, all day long.

use std::future::Future;
use std::task::Poll;

use gridmill::jobs::job::JobState;
use gridmill::jobs::lease::LEASE;
use gridmill::jobs::store::{JobFilter, JobStore};

use crate::backend::Backend;
use crate::model::Chance;
use crate::place::{Place, answers, inputs, make, solve, submission};

const CALLS: u64 = 2000;

pub(crate) async fn calls_that_are_dropped_leave_the_store_whole<B: Backend>() {
    let place = Place::<B>::new().await;
    let mut chance = Chance::new(11);
    let upload = place.create(solve()).await;
    let job = place.create(make(100_000)).await;
    let mut finished = 0;
    for _ in 0..CALLS {
        let polls = chance.below(6);
        let store = &place.store;
        let received = place.job(&upload).await.progress.received;
        let done = match chance.below(10) {
            0 => polled(polls, store.create(submission(&job.tenant, make(1)))).await,
            1 => {
                polled(
                    polls,
                    store.append(&upload, received, inputs(received..received + 9)),
                )
                .await
            }
            2 => polled(polls, store.job(&job)).await,
            3 => polled(polls, store.results(&job, 0, true)).await,
            4 => polled(polls, store.claim(&place.worker)).await,
            5 => {
                let Some(claim) = place.claim().await else {
                    continue;
                };
                polled(polls, store.complete(&claim.lease, &answers(&claim))).await
            }
            6 => {
                let Some(claim) = place.claim().await else {
                    continue;
                };
                polled(polls, store.fail(&claim.lease, "a panic".to_owned())).await
            }
            7 => {
                polled(
                    polls,
                    store.jobs(&job.tenant, &JobFilter::default(), None, 9),
                )
                .await
            }
            8 => polled(polls, store.queue()).await,
            _ => polled(polls, store.pause(&job)).await && polled(9, store.resume(&job)).await,
        };
        finished += u64::from(done);
    }
    assert!(
        finished > 0 && finished < CALLS,
        "{finished} of them finished"
    );

    // Claims whose caller went away run out like any other.
    place.wait(LEASE);
    place.store.resume(&job).await.expect("the writer answers");
    place.store.reap().await.expect("reaped");
    let status = place.store.queue().await.expect("a status");
    assert_eq!(status.running_chunks, 0);
    place.audit().await;
    let received = place.job(&upload).await.progress.received;
    place
        .store
        .commit(&upload, received)
        .await
        .expect("all are there");
    place.store.cancel(&job).await.expect("a cancellation");
    assert_eq!(place.state(&job).await, JobState::Cancelled);
    place.work_it_off().await;
    assert_eq!(place.state(&upload).await, JobState::Succeeded);
    place.audit().await;
}

/// Polls at most so many times, giving others the thread in between; whether the end came.
async fn polled<T>(polls: u64, call: impl Future<Output = T>) -> bool {
    let mut call = std::pin::pin!(call);
    for _ in 0..polls {
        let once = std::future::poll_fn(|context| Poll::Ready(call.as_mut().poll(context)));
        if once.await.is_ready() {
            return true;
        }
        tokio::task::yield_now().await;
    }
    false
}
