//! Pages of jobs, results and failures, and their tokens.

use gridmill::rpc::pb;
use tonic::Code;

use crate::client::{Service, Told, generate, grids, refusal};

fn list(page_size: i32, page_token: &str) -> pb::ListJobsRequest {
    pb::ListJobsRequest {
        page_size,
        page_token: page_token.to_owned(),
        ..pb::ListJobsRequest::default()
    }
}

fn labelled(count: u64, label: &str) -> pb::CreateJobRequest {
    let mut request = generate(count, 1);
    let labels = [("kind".to_owned(), label.to_owned())];
    request.job.as_mut().expect("a job").labels = labels.into();
    request
}

#[tokio::test]
async fn jobs_come_in_pages_newest_first() {
    let service = Service::start().await;
    let mut names = Vec::new();
    for _ in 0..7 {
        names.push(service.create(generate(0, 1)).await.name);
    }
    names.reverse();
    let mut seen = Vec::new();
    let mut token = String::new();
    loop {
        let page = service
            .jobs()
            .list_jobs(list(3, &token))
            .await
            .expect("a page")
            .into_inner();
        assert!(page.jobs.len() <= 3);
        seen.extend(page.jobs.into_iter().map(|job| job.name));
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
        // Jobs that come meanwhile are newer than the page and shift nothing.
        service.create(generate(0, 1)).await;
    }
    assert_eq!(seen, names);
    service.stop().await;
}

#[tokio::test]
async fn filters_must_all_hold() {
    let service = Service::start().await;
    let a = service.create(labelled(0, "a")).await;
    let b = service.create(labelled(0, "b")).await;
    service.ended(&a.name).await;
    service.ended(&b.name).await;
    service.pause_queue().await;
    let c = service.create(labelled(1, "b")).await;
    let names = async |change: &dyn Fn(&mut pb::ListJobsRequest)| {
        let mut request = list(0, "");
        change(&mut request);
        let page = service
            .jobs()
            .list_jobs(request)
            .await
            .expect("a page")
            .into_inner();
        page.jobs
            .into_iter()
            .map(|job| job.name)
            .collect::<Vec<_>>()
    };
    let b_only = |request: &mut pb::ListJobsRequest| {
        request.labels = [("kind".to_owned(), "b".to_owned())].into();
    };
    assert_eq!(names(&|_| {}).await, [&c.name[..], &b.name, &a.name]);
    assert_eq!(names(&b_only).await, [&c.name[..], &b.name]);
    let queued = |request: &mut pb::ListJobsRequest| {
        b_only(request);
        request.states = vec![pb::JobState::Queued.into(), pb::JobState::Failed.into()];
    };
    assert_eq!(names(&queued).await, [&c.name[..]]);
    assert_eq!(
        names(&|request| request.created_after = b.create_time).await,
        [&c.name[..]]
    );
    assert_eq!(
        names(&|request| request.created_before = b.create_time).await,
        [&a.name[..]]
    );

    let mut bad = list(0, "");
    bad.states = vec![0];
    refusal(service.jobs().list_jobs(bad).await)
        .is(Code::InvalidArgument, "BAD_FIELD")
        .names("states[0]");
    service.stop().await;
}

#[tokio::test]
async fn tokens_are_good_for_their_own_request_only() {
    let service = Service::start().await;
    for _ in 0..3 {
        service.create(generate(1, 1)).await;
    }
    let page = service
        .jobs()
        .list_jobs(list(1, ""))
        .await
        .expect("a page")
        .into_inner();
    let token = page.next_page_token;
    // Another page size is the same request.
    let rest = service
        .jobs()
        .list_jobs(list(9, &token))
        .await
        .expect("a page")
        .into_inner();
    assert_eq!(rest.jobs.len(), 2);
    let mut other = list(1, &token);
    other.states = vec![pb::JobState::Succeeded.into()];
    let foreign = Service::start().await;
    let refusals = [
        refusal(service.jobs().list_jobs(other).await),
        refusal(service.jobs().list_jobs(list(1, "garbage")).await),
        refusal(foreign.jobs().list_jobs(list(1, &token)).await),
        refusal(
            service
                .jobs()
                .list_results(pb::ListResultsRequest {
                    name: page.jobs[0].name.clone(),
                    page_token: token.clone(),
                    ..pb::ListResultsRequest::default()
                })
                .await,
        ),
    ];
    for refused in refusals {
        refused.is(Code::InvalidArgument, "BAD_TOKEN");
    }
    refusal(service.jobs().list_jobs(list(-1, "")).await)
        .is(Code::InvalidArgument, "BAD_FIELD")
        .names("page_size");
    service
        .jobs()
        .list_jobs(list(i32::MAX, ""))
        .await
        .expect("clamped");
    foreign.stop().await;
    service.stop().await;
}

#[tokio::test]
async fn results_in_pages_are_those_of_the_stream() {
    let service = Service::start().await;
    let job = service.create(generate(20_000, 6)).await;
    service.ended(&job.name).await;
    for (layout, page_size, start_index) in [
        (pb::Layout::Lines, 0, 0),
        (pb::Layout::Packed, 3000, 7),
        (pb::Layout::Lines, 9000, 20_000),
    ] {
        let mut told = Told::default();
        let mut token = String::new();
        loop {
            let request = pb::ListResultsRequest {
                name: job.name.clone(),
                start_index,
                page_size,
                page_token: token,
                layout: layout.into(),
                include_inputs: false,
            };
            let page = service
                .jobs()
                .list_results(request)
                .await
                .expect("a page")
                .into_inner();
            let batch = page.results.expect("results");
            assert_eq!(batch.first_index, start_index + told.grids.len() as u64);
            if !batch.outcomes.is_empty() {
                told.add(batch);
            }
            token = page.next_page_token;
            if token.is_empty() {
                break;
            }
        }
        assert!(told.grids == grids(6, start_index..20_000));
        let most = if page_size == 0 { 1000 } else { 8192 };
        assert!(told.batches.iter().all(|&items| items <= most));
    }
    let past = pb::ListResultsRequest {
        name: job.name.clone(),
        start_index: 20_001,
        ..pb::ListResultsRequest::default()
    };
    refusal(service.jobs().list_results(past).await).is(Code::OutOfRange, "PAST_END");
    service.stop().await;
}

#[tokio::test]
async fn pages_of_a_job_that_runs_do_not_end() {
    let service = Service::start().await;
    service.pause_queue().await;
    let job = service.create(generate(10, 1)).await;
    let request = |page_token: &str| pb::ListResultsRequest {
        name: job.name.clone(),
        page_token: page_token.to_owned(),
        ..pb::ListResultsRequest::default()
    };
    let page = service
        .jobs()
        .list_results(request(""))
        .await
        .expect("a page")
        .into_inner();
    assert!(page.results.expect("a batch").outcomes.is_empty());
    assert!(!page.next_page_token.is_empty());
    service.resume_queue().await;
    service.ended(&job.name).await;
    let request = request(&page.next_page_token);
    let page = service
        .jobs()
        .list_results(request)
        .await
        .expect("a page")
        .into_inner();
    assert_eq!(page.results.expect("a batch").outcomes.len(), 10);
    service.stop().await;
}

#[tokio::test]
async fn a_job_without_faults_has_no_failures() {
    let service = Service::start().await;
    let job = service.create(generate(10, 1)).await;
    service.ended(&job.name).await;
    let request = |page_size| pb::ListFailuresRequest {
        name: job.name.clone(),
        page_size,
        page_token: String::new(),
    };
    let page = service
        .jobs()
        .list_failures(request(0))
        .await
        .expect("a page")
        .into_inner();
    assert!(page.failures.is_empty() && page.next_page_token.is_empty());
    refusal(service.jobs().list_failures(request(-5)).await)
        .is(Code::InvalidArgument, "BAD_FIELD")
        .names("page_size");
    service.stop().await;
}

#[tokio::test]
async fn a_page_of_large_jobs_stays_under_a_default_clients_limit() {
    use prost::Message;
    let service = Service::start().await;
    let mut request = generate(0, 1);
    let labels = (0..64).map(|n| (format!("{n:063}"), "é".repeat(63)));
    request.job.as_mut().expect("a job").labels = labels.collect();
    for _ in 0..120 {
        service.create(request.clone()).await;
    }
    let mut seen = 0;
    let mut token = String::new();
    loop {
        let page = service
            .jobs()
            .list_jobs(list(1000, &token))
            .await
            .expect("a page");
        let page = page.into_inner();
        assert!(page.encoded_len() < 1 << 20, "{}", page.encoded_len());
        seen += page.jobs.len();
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    assert_eq!(seen, 120);
    service.stop().await;
}
