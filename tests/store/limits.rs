//! How much a store takes.

use gridmill::jobs::error::StoreError;
use gridmill::jobs::id::Tenant;
use gridmill::jobs::job::JobState;
use gridmill::jobs::spec::Priority;
use gridmill::jobs::store::{JobStore, Submission};
use gridmill::store::StoreLimits;

use crate::backend::Backend;
use crate::place::{
    CHUNK, NO_LIMITS, Place, assert_refused, generate, inputs, make, pure, solve, submission,
};

pub(crate) async fn a_tenant_has_so_many_live_jobs<B: Backend>() {
    let limits = StoreLimits {
        live_jobs: 2,
        ..NO_LIMITS
    };
    let place = Place::<B>::with(limits).await;
    let me = Tenant::default();
    let first = place.create(make(1)).await;
    let second = place.create(make(1)).await;
    place.store.pause(&second).await.expect("a pause");
    let third = || place.store.create(submission(&me, make(1)));
    assert_refused!(third().await, StoreError::TenantQuota { .. });
    let other = Tenant::stored("other".to_owned());
    place.create_as(&other, make(1)).await;
    place.store.cancel(&first).await.expect("a cancellation");
    third().await.expect("one has ended");
    assert_refused!(third().await, StoreError::TenantQuota { .. });
    place.store.delete(&second, true).await.expect("a deletion");
    third().await.expect("one is gone");
}

pub(crate) async fn a_tenant_stores_so_many_bytes<B: Backend>() {
    let limits = StoreLimits {
        tenant_bytes: 20_000,
        ..NO_LIMITS
    };
    let place = Place::<B>::with(limits).await;
    let job = place.create(solve()).await;
    let mut received = 0;
    let refusal = loop {
        let more = inputs(received..received + 500);
        match place.store.append(&job, received, more).await {
            Ok(watermark) => received = watermark,
            Err(refusal) => break refusal,
        }
    };
    assert!(
        matches!(refusal, StoreError::TenantQuota { .. }),
        "{refusal:?}"
    );
    assert!(received > 0);
    assert!(place.job(&job).await.progress.stored_bytes <= 20_000);
    let with_inputs = Submission {
        inputs: inputs(0..50_000),
        ..submission(&Tenant::default(), solve())
    };
    assert_refused!(
        place.store.create(with_inputs.clone()).await,
        StoreError::TenantQuota { .. }
    );
    let theirs = Submission {
        tenant: Tenant::stored("other".to_owned()),
        ..with_inputs
    };
    assert_refused!(
        place.store.create(theirs).await,
        StoreError::TenantQuota { .. }
    );

    // What was accepted is finished, quota or not.
    let second = place.create(solve()).await;
    place
        .store
        .commit(&job, received)
        .await
        .expect("all are there");
    place.work_it_off().await;
    assert_eq!(place.state(&job).await, JobState::Succeeded);
    let more = || place.store.append(&second, 0, inputs(0..500));
    assert_refused!(more().await, StoreError::TenantQuota { .. });
    place.store.delete(&job, false).await.expect("a deletion");
    while place.store.collect().await.expect("a slice") {}
    more().await.expect("the bytes are free again");
    place.audit().await;
}

pub(crate) async fn a_full_store_refuses_new_work_only<B: Backend>() {
    let mut place = Place::<B>::new().await;
    let named = submission(&Tenant::default(), make(3 * CHUNK));
    place.store.create(named.clone()).await.expect("a job");
    let upload = place.create(solve()).await;
    place.append(&upload, 0, &inputs(0..10)).await;
    let idle = place.create(make(1)).await;
    let gone = place.create(make(1)).await;
    // Enough that what the test itself writes is little beside it.
    let mut bulk = generate(40 * 8192);
    bulk.priority = Priority::new(1).expect("in range");
    let bulk = place.create(bulk).await;
    while !place.state(&bulk).await.has_ended() {
        let claim = place.claim_some().await;
        let completed = place.store.complete(&claim.lease, &pure(&claim)).await;
        completed.expect("the lease is held");
    }
    place.restart().await;
    let used = place.store.queue().await.expect("a status").stored_bytes;
    let limits = StoreLimits {
        disk_bytes: used * 100 / 90,
        ..NO_LIMITS
    };
    place.restart_with(limits).await;

    let store = &place.store;
    let new = submission(&Tenant::default(), make(1));
    assert_refused!(store.create(new).await, StoreError::Full(_));
    assert_refused!(store.create(named).await, StoreError::JobExists(_));
    assert_refused!(
        store.append(&upload, 10, inputs(10..11)).await,
        StoreError::Full(_)
    );
    assert_eq!(
        place.append(&upload, 5, &inputs(5..10)).await,
        10,
        "nothing new"
    );
    store.cancel(&idle).await.expect("cancelling goes");
    store.delete(&gone, true).await.expect("deleting goes");
    store.commit(&upload, 10).await.expect("it adds nothing");
    let mut completed = 0;
    while let Some(claim) = place.claim().await {
        place.complete(&claim).await;
        completed += 1;
    }
    assert_eq!(completed, 4, "what was accepted is finished");
    place.audit().await;
}

pub(crate) async fn a_store_at_its_limit_claims_nothing<B: Backend>() {
    let mut place = Place::<B>::new().await;
    let job = place.create(make(2 * CHUNK)).await;
    place.restart().await;
    let used = place.store.queue().await.expect("a status").stored_bytes;
    let limits = StoreLimits {
        disk_bytes: used / 2,
        ..NO_LIMITS
    };
    place.restart_with(limits).await;
    assert!(place.claim().await.is_none());
    assert_eq!(place.state(&job).await, JobState::Queued);
    let status = place.store.queue().await.expect("a status");
    assert_eq!(status.stored_bytes_limit, used / 2);
    place.restart_with(NO_LIMITS).await;
    place.claim_some().await;
}
