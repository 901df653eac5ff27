//! What the server refuses because it has enough already.

use std::num::NonZeroUsize;
use std::time::Duration;

use gridmill::rpc::pb;
use tonic::Code;
use tonic_types::StatusExt;

use crate::client::{PUZZLE, Service, batch, generate, refusal, results_of, solve};

#[tokio::test]
async fn a_tenant_has_a_quota_of_live_jobs() {
    let service = Service::with(|settings| settings.limits.live_jobs = 2).await;
    service.pause_queue().await;
    let first = service.create(generate(1, 1)).await;
    service.create(generate(1, 1)).await;
    let refused = refusal(service.jobs().create_job(generate(1, 1)).await);
    let refused = refused.is(Code::ResourceExhausted, "TENANT_QUOTA");
    assert!(refused.status.get_details_quota_failure().is_some());
    assert!(refused.status.get_details_retry_info().is_some());
    // One that ends makes room for another.
    let cancel = pb::CancelJobRequest { name: first.name };
    service
        .jobs()
        .cancel_job(cancel)
        .await
        .expect("always admitted");
    service.create(generate(1, 1)).await;
    service.stop().await;
}

#[tokio::test]
async fn a_tenant_has_a_quota_of_bytes() {
    let service = Service::with(|settings| settings.limits.tenant_bytes = 500).await;
    let request = pb::CreateJobRequest {
        inputs: batch(&(0..100).map(distinct).collect::<Vec<_>>()),
        ..solve()
    };
    refusal(service.jobs().create_job(request).await).is(Code::ResourceExhausted, "TENANT_QUOTA");
    service.stop().await;
}

/// Texts that compress badly.
fn distinct(n: u64) -> String {
    let mut state = n;
    let cells = (0..81).map(|_| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        char::from_digit(u32::try_from(state >> 60).expect("4 bits") % 10, 10).expect("a digit")
    });
    cells.collect()
}

#[tokio::test]
async fn a_full_store_refuses_new_work_and_nothing_else() {
    let service = Service::with(|settings| settings.limits.disk_bytes = 1).await;
    let refused = refusal(service.jobs().create_job(generate(1, 1)).await);
    let refused = refused.is(Code::ResourceExhausted, "STORE_FULL");
    let retry = refused.status.get_details_retry_info().expect("RetryInfo");
    assert_eq!(retry.retry_delay, Some(Duration::from_secs(30)));
    let list = pb::ListJobsRequest::default();
    service
        .jobs()
        .list_jobs(list)
        .await
        .expect("reading goes on");
    service.stop().await;
}

#[tokio::test]
async fn one_stream_too_many_is_told_to_come_back() {
    let service = Service::with(|settings| settings.rpc.max_streams = NonZeroUsize::MIN).await;
    service.pause_queue().await;
    let job = service.create(generate(1, 1)).await;
    let stream = service
        .jobs()
        .stream_results(results_of(&job.name))
        .await
        .expect("a place");
    let refused = refusal(service.jobs().stream_results(results_of(&job.name)).await);
    let refused = refused.is(Code::Unavailable, "OVERLOADED");
    assert!(refused.status.get_details_retry_info().is_some());
    // Calls have places of their own.
    let get = pb::GetJobRequest {
        name: job.name.clone(),
    };
    service.jobs().get_job(get).await.expect("not a stream");
    drop(stream);
    // The place is free as soon as the server hears of it.
    while service
        .jobs()
        .stream_results(results_of(&job.name))
        .await
        .is_err()
    {
        tokio::task::yield_now().await;
    }
    service.stop().await;
}

#[tokio::test]
async fn one_call_too_many_is_told_to_come_back_and_health_is_not() {
    let service = Service::with(|settings| settings.rpc.max_calls = NonZeroUsize::MIN).await;
    service.pause_queue().await;
    // The only place is needed for this one itself.
    let job = service.create(generate(1, 1)).await;
    let wait = pb::WaitJobRequest {
        name: job.name.clone(),
        known_revision: job.revision,
        timeout: None,
    };
    let waiting = tokio::spawn({
        let mut jobs = service.jobs();
        // The calls below may take the place first.
        async move { while jobs.wait_job(wait.clone()).await.is_err() {} }
    });
    let get = || pb::GetJobRequest {
        name: job.name.clone(),
    };
    let refused = loop {
        match service.jobs().get_job(get()).await {
            Ok(_) => tokio::task::yield_now().await,
            Err(status) => break refusal(Err::<(), _>(status)),
        }
    };
    refused.is(Code::Unavailable, "OVERLOADED");
    let mut health = tonic_health::pb::health_client::HealthClient::new(service.channel());
    let check = tonic_health::pb::HealthCheckRequest::default();
    health.check(check).await.expect("health is always told");
    waiting.abort();
    while service.jobs().get_job(get()).await.is_err() {
        tokio::task::yield_now().await;
    }
    service.stop().await;
}

/// A puzzle with more solutions than anybody counts.
fn endless() -> pb::SolveRequest {
    pb::SolveRequest {
        puzzle: ".".repeat(81),
        options: Some(pb::SolveOptions {
            count_limit: u64::MAX,
            step_limit: 2_000_000,
        }),
        return_solutions: 1,
    }
}

#[tokio::test]
async fn a_call_that_is_dropped_gives_its_thread_back() {
    let one = NonZeroUsize::MIN;
    let service = Service::with(|settings| settings.rpc.interactive_threads = one).await;
    for _ in 0..3 {
        let endless = tokio::spawn({
            let mut client = service.sudoku();
            async move { client.solve(endless()).await }
        });
        // Whichever comes first: the thread is taken, or this call was before it.
        let request = pb::SolveRequest {
            puzzle: PUZZLE.to_owned(),
            ..pb::SolveRequest::default()
        };
        let mut client = service.sudoku();
        let short = client.solve(request.clone());
        let soon = tokio::time::timeout(Duration::from_millis(50), short).await;
        endless.abort();
        if soon.is_err() {
            service
                .sudoku()
                .solve(request)
                .await
                .expect("the thread is free again");
        }
    }
    service.stop().await;
}
