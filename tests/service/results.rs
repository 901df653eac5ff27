//! Results as streams: resumed, followed, cut short, expired.

use gridmill::rpc::pb;
use gridmill::rpc::pb::stream_results_response::Event;
use tonic::Code;
use tonic_types::StatusExt;

use crate::client::{PUZZLE, Service, Told, batch, generate, grids, refusal, results_of, solve};

#[tokio::test]
async fn a_stream_goes_on_from_any_index_without_gap_or_repeat() {
    let service = Service::start().await;
    let total = 30_000;
    let job = service.create(generate(total, 3)).await;
    service.ended(&job.name).await;
    let all = grids(3, 0..total);
    for start in [0, 1, 4095, 8191, 8192, 8193, 29_999] {
        let told = service
            .results(pb::StreamResultsRequest {
                start_index: start,
                ..results_of(&job.name)
            })
            .await;
        let from = usize::try_from(start).expect("small");
        assert!(told.grids == all[from..], "from {start}");
        assert_eq!(told.next_index, total);
    }
    // Cut off after every message, and resumed from where that one said.
    let mut told = Told::default();
    while told.last.is_none() {
        let request = pb::StreamResultsRequest {
            start_index: told.next_index,
            max_batch_items: 5000,
            ..results_of(&job.name)
        };
        let mut stream = service
            .jobs()
            .stream_results(request)
            .await
            .expect("a stream");
        let message = stream.get_mut().message().await.expect("no error");
        told.take(message.expect("a message"));
    }
    assert!(told.grids == all);
    service.stop().await;
}

#[tokio::test]
async fn the_end_is_a_place_to_begin_and_past_it_is_not() {
    let service = Service::start().await;
    let job = service.create(generate(10, 1)).await;
    service.ended(&job.name).await;
    let at = |start_index| pb::StreamResultsRequest {
        start_index,
        ..results_of(&job.name)
    };
    let told = service.results(at(10)).await;
    assert!(told.grids.is_empty() && told.last.is_some());
    assert_eq!(told.next_index, 10);
    for start in [11, u64::MAX] {
        refusal(service.jobs().stream_results(at(start)).await)
            .is(Code::OutOfRange, "PAST_END")
            .says("total", "10");
    }
    service.stop().await;
}

#[tokio::test]
async fn a_stream_follows_a_job_from_before_its_first_chunk_to_its_end() {
    let service = Service::start().await;
    service.pause_queue().await;
    let job = service.create(generate(100_000, 5)).await;
    let without = pb::StreamResultsRequest {
        follow: false,
        ..results_of(&job.name)
    };
    let told = service.results(without).await;
    assert!(told.grids.is_empty());
    assert_eq!(
        told.last.expect("the job as it is").state(),
        pb::JobState::Queued
    );

    let stream = service
        .jobs()
        .stream_results(results_of(&job.name))
        .await
        .expect("a stream");
    let following = tokio::spawn(Told::of(stream.into_inner()));
    service.resume_queue().await;
    let told = following.await.expect("no panic").expect("a good end");
    assert!(told.grids == grids(5, 0..100_000));
    assert_eq!(told.last.expect("the end").state(), pb::JobState::Succeeded);
    service.stop().await;
}

#[tokio::test]
async fn both_layouts_and_any_batch_size_say_the_same() {
    let service = Service::start().await;
    let job = service.create(generate(20_000, 8)).await;
    service.ended(&job.name).await;
    let all = grids(8, 0..20_000);
    for (layout, max_batch_items) in [
        (pb::Layout::Lines, 0),
        (pb::Layout::Lines, 8192),
        (pb::Layout::Packed, 1000),
        (pb::Layout::Packed, u32::MAX),
    ] {
        let told = service
            .results(pb::StreamResultsRequest {
                layout: layout.into(),
                max_batch_items,
                ..results_of(&job.name)
            })
            .await;
        assert!(told.grids == all);
        let most = match max_batch_items {
            0 => 4096,
            n => n.min(8192) as usize,
        };
        assert!(
            told.batches.iter().all(|&items| items <= most),
            "{:?}",
            told.batches
        );
    }
    let strange = pb::StreamResultsRequest {
        layout: 7,
        ..results_of(&job.name)
    };
    refusal(service.jobs().stream_results(strange).await)
        .is(Code::InvalidArgument, "BAD_FIELD")
        .names("layout");
    service.stop().await;
}

#[tokio::test]
async fn answers_come_with_their_puzzles_when_asked_for() {
    let service = Service::start().await;
    let empty = ".".repeat(81);
    let mut lines = vec![PUZZLE, "bad"];
    lines.resize(10_000, &empty);
    let mut request = pb::CreateJobRequest {
        inputs: batch(&lines),
        commit: true,
        ..solve()
    };
    request.job.as_mut().expect("a job").work = Some(pb::job::Work::Solve(pb::SolveOptions {
        count_limit: 3,
        step_limit: 0,
    }));
    let job = service.create(request).await;
    let told = service
        .results(pb::StreamResultsRequest {
            include_inputs: true,
            max_batch_items: 8192,
            ..results_of(&job.name)
        })
        .await;
    assert_eq!(told.inputs.len(), 10_000);
    assert_eq!(told.inputs[0], PUZZLE);
    // No character of it is a cell, so it stays malformed wherever it goes.
    assert_eq!(told.inputs[1], "?".repeat(81));
    assert!(told.inputs[2..].iter().all(|line| *line == empty));
    assert_eq!(told.counts[..3], [1, 0, 3]);
    let without = service.results(results_of(&job.name)).await;
    assert!(without.inputs.is_empty());
    assert_eq!(without.grids, told.grids);
    service.stop().await;
}

#[tokio::test]
async fn small_chunks_are_joined_to_large_messages() {
    let service = Service::start().await;
    let options = pb::MakePuzzleOptions {
        seed: Some(1),
        ..pb::MakePuzzleOptions::default()
    };
    let job = service
        .create(pb::CreateJobRequest {
            job: Some(pb::Job {
                work: Some(pb::job::Work::MakePuzzle(options)),
                count: Some(1000),
                ..pb::Job::default()
            }),
            ..pb::CreateJobRequest::default()
        })
        .await;
    service.ended(&job.name).await;
    let told = service.results(results_of(&job.name)).await;
    assert_eq!(told.batches, [1000]);
    assert_eq!((told.solutions.len(), told.ratings.len()), (1000, 1000));
    service.stop().await;
}

#[tokio::test]
async fn results_expire_and_the_header_stays() {
    let service = Service::start().await;
    let mut request = generate(10, 1);
    request.job.as_mut().expect("a job").ttl = Some(prost_types::Duration {
        seconds: 0,
        nanos: 1_000_000,
    });
    let job = service.create(request).await;
    service.ended(&job.name).await;
    let refused = loop {
        match service.jobs().stream_results(results_of(&job.name)).await {
            Ok(_) => tokio::task::yield_now().await,
            Err(status) => break refusal(Err::<(), _>(status)),
        }
    };
    let refused = refused.is(Code::NotFound, "RESULTS_EXPIRED");
    assert!(
        refused.metadata["expire_time"].ends_with('Z'),
        "{refused:?}"
    );
    assert!(refused.status.get_details_resource_info().is_some());
    let list = pb::ListResultsRequest {
        name: job.name.clone(),
        ..pb::ListResultsRequest::default()
    };
    refusal(service.jobs().list_results(list).await).is(Code::NotFound, "RESULTS_EXPIRED");
    let failures = pb::ListFailuresRequest {
        name: job.name.clone(),
        ..pb::ListFailuresRequest::default()
    };
    refusal(service.jobs().list_failures(failures).await).is(Code::NotFound, "RESULTS_EXPIRED");
    assert_eq!(
        service.ended(&job.name).await.state(),
        pb::JobState::Succeeded
    );
    service.stop().await;
}

#[tokio::test]
async fn a_job_that_is_deleted_ends_the_streams_that_follow_it() {
    let service = Service::start().await;
    service.pause_queue().await;
    let job = service.create(generate(10, 1)).await;
    let stream = service
        .jobs()
        .stream_results(results_of(&job.name))
        .await
        .expect("a stream");
    let delete = pb::DeleteJobRequest {
        name: job.name.clone(),
        force: true,
        allow_missing: false,
    };
    service.jobs().delete_job(delete).await.expect("deleted");
    refusal(Told::of(stream.into_inner()).await).is(Code::NotFound, "JOB_NOT_FOUND");
    service.stop().await;
}

#[tokio::test]
async fn every_message_says_where_to_go_on() {
    let service = Service::start().await;
    let job = service.create(generate(10_000, 1)).await;
    let stream = service
        .jobs()
        .stream_results(results_of(&job.name))
        .await
        .expect("a stream");
    let mut stream = stream.into_inner();
    let mut expected = 0;
    while let Some(message) = stream.message().await.expect("no error") {
        if let Some(Event::Results(batch)) = &message.event {
            expected += batch.outcomes.len() as u64;
        }
        assert_eq!(message.next_index, expected);
    }
    assert_eq!(expected, 10_000);
    service.stop().await;
}
