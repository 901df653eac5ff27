//! Jobs from their creation to their end.

use gridmill::rpc::pb;
use gridmill::rpc::pb::Outcome::{Malformed, Multiple, Unique};
use gridmill::rpc::pb::watch_job_response::Event;
use tonic::Code;
use tonic_types::StatusExt;

use crate::client::{
    PUZZLE, SOLUTION, Service, batch, generate, grids, has_ended, refusal, results_of, solve,
};

fn named(name: &str) -> pb::GetJobRequest {
    pb::GetJobRequest {
        name: name.to_owned(),
    }
}

#[tokio::test]
async fn a_job_generates_what_its_seed_says() {
    let service = Service::start().await;
    let created = service.create(generate(20_000, 11)).await;
    assert!(created.name.starts_with("jobs/"));
    assert_eq!(created.tenant, "default");
    let job = service.ended(&created.name).await;
    assert_eq!(job.state(), pb::JobState::Succeeded);
    assert!(job.revision > created.revision);
    let progress = job.progress.expect("progress");
    assert_eq!(
        (progress.total, progress.done, progress.contiguous_done),
        (20_000, 20_000, 20_000)
    );
    assert_eq!(progress.outcome_counts["made"], 20_000);
    assert!(progress.stored_bytes > 0);
    for time in [
        job.create_time,
        job.start_time,
        job.end_time,
        job.expire_time,
    ] {
        assert!(time.is_some(), "{time:?}");
    }
    let told = service.results(results_of(&job.name)).await;
    assert_eq!(told.grids, grids(11, 0..20_000));
    let last = told.last.expect("the final job");
    assert_eq!(
        (last.state(), last.revision),
        (pb::JobState::Succeeded, job.revision)
    );
    service.stop().await;
}

#[tokio::test]
async fn a_job_of_nothing_succeeds_at_once() {
    let service = Service::start().await;
    for request in [
        generate(0, 1),
        pb::CreateJobRequest {
            commit: true,
            ..solve()
        },
    ] {
        let job = service.create(request).await;
        assert_eq!(
            service.ended(&job.name).await.state(),
            pb::JobState::Succeeded
        );
        let told = service.results(results_of(&job.name)).await;
        assert!(told.grids.is_empty() && told.last.is_some());
    }
    service.stop().await;
}

#[tokio::test]
async fn a_drawn_seed_is_told() {
    let service = Service::start().await;
    let mut request = generate(3, 0);
    request.job.as_mut().expect("a job").work =
        Some(pb::job::Work::Generate(pb::GenerateOptions::default()));
    let job = service.create(request).await;
    let Some(pb::job::Work::Generate(options)) = job.work else {
        panic!("it generates: {job:?}");
    };
    let told = service.results(results_of(&job.name)).await;
    assert_eq!(
        told.grids,
        grids(options.seed.expect("the one that was drawn"), 0..3)
    );
    service.stop().await;
}

#[tokio::test]
async fn puzzles_are_made_by_jobs_as_by_calls() {
    let service = Service::start().await;
    let options = pb::MakePuzzleOptions {
        seed: Some(5),
        ..pb::MakePuzzleOptions::default()
    };
    let job = service
        .create(pb::CreateJobRequest {
            job: Some(pb::Job {
                work: Some(pb::job::Work::MakePuzzle(options.clone())),
                count: Some(30),
                ..pb::Job::default()
            }),
            ..pb::CreateJobRequest::default()
        })
        .await;
    let told = service.results(results_of(&job.name)).await;
    let request = pb::MakePuzzleRequest {
        count: 30,
        options: Some(options),
        ..pb::MakePuzzleRequest::default()
    };
    let mut stream = service
        .sudoku()
        .make_puzzle(request)
        .await
        .expect("a stream")
        .into_inner();
    let mut called = crate::client::Told::default();
    while let Some(message) = stream.message().await.expect("no error") {
        called.add(message.results.expect("results"));
    }
    assert_eq!(
        (told.grids, told.solutions),
        (called.grids, called.solutions)
    );
    assert_eq!(told.ratings, called.ratings);
    service.stop().await;
}

#[tokio::test]
async fn a_small_job_takes_one_round_trip() {
    let service = Service::start().await;
    let job = service
        .create(pb::CreateJobRequest {
            inputs: batch(&[PUZZLE, "x", &".".repeat(81)]),
            commit: true,
            ..solve()
        })
        .await;
    assert_eq!(job.count, Some(3));
    let told = service.results(results_of(&job.name)).await;
    assert_eq!(told.outcomes, [Unique, Malformed, Multiple]);
    assert_eq!(told.grids[0], SOLUTION);
    let progress = told.last.expect("the job").progress.expect("progress");
    assert_eq!(progress.outcome_counts.values().sum::<u64>(), 3);
    service.stop().await;
}

#[tokio::test]
async fn a_request_that_comes_again_makes_no_second_job() {
    let service = Service::start().await;
    let request = pb::CreateJobRequest {
        request_id: "0190a6b0-0000-7000-8000-000000000001".to_owned(),
        ..generate(10, 1)
    };
    let first = service.create(request.clone()).await;
    let ended = service.ended(&first.name).await;
    let again = service.create(request.clone()).await;
    assert_eq!(again.state(), ended.state());
    assert_eq!(again.name, first.name);

    let other = pb::CreateJobRequest {
        request_id: request.request_id.clone(),
        ..generate(11, 1)
    };
    refusal(service.jobs().create_job(other).await).is(Code::AlreadyExists, "REQUEST_ID_REUSED");
    let bad = pb::CreateJobRequest {
        request_id: "not a uuid".to_owned(),
        ..generate(1, 1)
    };
    refusal(service.jobs().create_job(bad).await)
        .is(Code::InvalidArgument, "BAD_FIELD")
        .names("request_id");
    service.stop().await;
}

#[tokio::test]
async fn a_chosen_id_is_taken_once() {
    let service = Service::start().await;
    let request = pb::CreateJobRequest {
        job_id: "nightly-1".to_owned(),
        ..generate(1, 1)
    };
    let job = service.create(request.clone()).await;
    assert_eq!(job.name, "jobs/nightly-1");
    let taken = refusal(service.jobs().create_job(request).await);
    let taken = taken.is(Code::AlreadyExists, "JOB_EXISTS");
    let resource = taken
        .status
        .get_details_resource_info()
        .expect("ResourceInfo");
    assert_eq!(resource.resource_name, "jobs/nightly-1");
    let bad = pb::CreateJobRequest {
        job_id: "Nightly".to_owned(),
        ..generate(1, 1)
    };
    refusal(service.jobs().create_job(bad).await)
        .is(Code::InvalidArgument, "BAD_FIELD")
        .names("job_id");
    service.stop().await;
}

#[tokio::test]
async fn a_job_that_is_only_validated_is_not_there() {
    let service = Service::start().await;
    let request = pb::CreateJobRequest {
        job_id: "dry".to_owned(),
        validate_only: true,
        ..generate(9, 4)
    };
    let job = service.create(request).await;
    assert_eq!((job.name.as_str(), job.count), ("jobs/dry", Some(9)));
    assert_eq!(job.state(), pb::JobState::Queued);
    assert_eq!(job.ttl.expect("the default").seconds, 72 * 3600);
    let missing = refusal(service.jobs().get_job(named("jobs/dry")).await);
    missing.is(Code::NotFound, "JOB_NOT_FOUND");
    let bad = pb::CreateJobRequest {
        validate_only: true,
        inputs: batch(&[PUZZLE]),
        ..generate(1, 1)
    };
    refusal(service.jobs().create_job(bad).await)
        .is(Code::InvalidArgument, "BAD_FIELD")
        .names("inputs");
    service.stop().await;
}

#[tokio::test]
async fn what_the_client_says_about_a_job_stays_with_it() {
    let service = Service::start().await;
    let mut request = generate(1, 1);
    {
        let job = request.job.as_mut().expect("a job");
        job.priority = -7;
        job.max_parallelism = 3;
        job.labels = [("team".to_owned(), "a".to_owned())].into();
        job.ttl = Some(prost_types::Duration {
            seconds: 60,
            nanos: 0,
        });
        // Output only: passed over.
        job.state = pb::JobState::Failed.into();
        job.revision = 99;
        job.name = "jobs/other".to_owned();
        job.tenant = "other".to_owned();
    }
    let created = service.create(request).await;
    let job = service.ended(&created.name).await;
    assert_eq!((job.priority, job.max_parallelism), (-7, 3));
    assert_eq!(job.labels["team"], "a");
    assert_eq!(job.tenant, "default");
    assert_ne!(job.name, "jobs/other");
    let (end, expire) = (
        job.end_time.expect("ended"),
        job.expire_time.expect("ended"),
    );
    assert_eq!(expire.seconds - end.seconds, 60);
    service.stop().await;
}

#[tokio::test]
async fn everything_wrong_with_a_job_is_told_at_once() {
    let service = Service::start().await;
    let mut request = generate(1, 1);
    let job = request.job.as_mut().expect("a job");
    job.count = None;
    job.priority = 1000;
    job.ttl = Some(prost_types::Duration {
        seconds: -1,
        nanos: 0,
    });
    refusal(service.jobs().create_job(request).await)
        .is(Code::InvalidArgument, "BAD_FIELD")
        .names("job.count")
        .names("job.priority")
        .names("job.ttl");
    let mut many = generate(u64::MAX, 1);
    refusal(service.jobs().create_job(many.clone()).await)
        .is(Code::InvalidArgument, "TOO_LARGE")
        .says("limit", "1000000000000");
    many.job = None;
    refusal(service.jobs().create_job(many).await)
        .is(Code::InvalidArgument, "BAD_FIELD")
        .names("job");
    for (work, field) in [
        (pb::job::Work::Rate(pb::RateOptions::default()), "job.rate"),
        (
            pb::job::Work::Canonicalize(pb::CanonicalizeOptions {}),
            "job.canonicalize",
        ),
    ] {
        let mut request = solve();
        request.job.as_mut().expect("a job").work = Some(work);
        refusal(service.jobs().create_job(request).await)
            .is(Code::Unimplemented, "NOT_IMPLEMENTED")
            .names(field);
    }
    service.stop().await;
}

#[tokio::test]
async fn a_job_waits_for_its_time() {
    let service = Service::start().await;
    let mut request = generate(1, 1);
    request.job.as_mut().expect("a job").not_before = Some(service.clock(3600, 0).await);
    let job = service.create(request).await;
    let seen = service
        .jobs()
        .get_job(named(&job.name))
        .await
        .expect("it is there");
    assert_eq!(
        seen.into_inner().job.expect("a job").state(),
        pb::JobState::Queued
    );
    // Another one goes past it.
    let other = service.create(generate(1, 1)).await;
    service.ended(&other.name).await;
    let seen = service
        .jobs()
        .get_job(named(&job.name))
        .await
        .expect("it is there");
    assert_eq!(
        seen.into_inner().job.expect("a job").state(),
        pb::JobState::Queued
    );
    service.stop().await;
}

#[tokio::test]
async fn a_deadline_ends_a_job_that_does_not() {
    let service = Service::start().await;
    service.pause_queue().await;
    let mut request = generate(1, 1);
    request.job.as_mut().expect("a job").deadline = Some(service.clock(0, 300_000_000).await);
    let job = service.create(request).await;
    assert_eq!(
        service.ended(&job.name).await.state(),
        pb::JobState::Expired
    );
    service.stop().await;
}

#[tokio::test]
async fn a_cancelled_job_stays_cancelled() {
    let service = Service::start().await;
    let job = service.create(generate(1_000_000_000, 1)).await;
    service
        .wait_for(&job.name, |job| {
            job.progress.as_ref().is_some_and(|p| p.done > 0)
        })
        .await;
    let cancel = || pb::CancelJobRequest {
        name: job.name.clone(),
    };
    service
        .jobs()
        .cancel_job(cancel())
        .await
        .expect("cancelled");
    let ended = service.ended(&job.name).await;
    assert_eq!(ended.state(), pb::JobState::Cancelled);
    let again = service
        .jobs()
        .cancel_job(cancel())
        .await
        .expect("idempotent");
    assert_eq!(
        again.into_inner().job.expect("a job").revision,
        ended.revision
    );
    // What was finished can be read.
    let told = service.results(results_of(&job.name)).await;
    let done = ended.progress.expect("progress").done;
    let made = told
        .outcomes
        .iter()
        .filter(|&&o| o == pb::Outcome::Made)
        .count();
    assert_eq!(made as u64, done);
    service.stop().await;
}

#[tokio::test]
async fn a_paused_job_goes_on_when_it_is_resumed() {
    let service = Service::start().await;
    service.pause_queue().await;
    let job = service.create(generate(5, 1)).await;
    let name = || job.name.clone();
    let pause = || pb::PauseJobRequest { name: name() };
    for _ in 0..2 {
        let paused = service
            .jobs()
            .pause_job(pause())
            .await
            .expect("paused")
            .into_inner();
        assert_eq!(paused.job.expect("a job").state(), pb::JobState::Paused);
    }
    service.resume_queue().await;
    for _ in 0..2 {
        let request = pb::ResumeJobRequest { name: name() };
        service.jobs().resume_job(request).await.expect("resumed");
    }
    assert_eq!(
        service.ended(&job.name).await.state(),
        pb::JobState::Succeeded
    );
    let refused = refusal(service.jobs().pause_job(pause()).await);
    let refused = refused
        .is(Code::FailedPrecondition, "WRONG_STATE")
        .says("state", "SUCCEEDED");
    assert!(refused.status.get_details_precondition_failure().is_some());
    service.stop().await;
}

#[tokio::test]
async fn a_deleted_job_is_gone() {
    let service = Service::start().await;
    service.pause_queue().await;
    let job = service.create(generate(1, 1)).await;
    let delete = |force, allow_missing| pb::DeleteJobRequest {
        name: job.name.clone(),
        force,
        allow_missing,
    };
    refusal(service.jobs().delete_job(delete(false, false)).await)
        .is(Code::FailedPrecondition, "WRONG_STATE");
    service
        .jobs()
        .delete_job(delete(true, false))
        .await
        .expect("deleted");
    refusal(service.jobs().delete_job(delete(true, false)).await)
        .is(Code::NotFound, "JOB_NOT_FOUND");
    service
        .jobs()
        .delete_job(delete(true, true))
        .await
        .expect("nothing to delete");
    refusal(service.jobs().get_job(named(&job.name)).await).is(Code::NotFound, "JOB_NOT_FOUND");
    service.stop().await;
}

#[tokio::test]
async fn names_are_checked_and_unknown_jobs_are_unknown_to_every_method() {
    let service = Service::start().await;
    let bad = refusal(service.jobs().get_job(named("nightly")).await);
    bad.is(Code::InvalidArgument, "BAD_FIELD").names("name");
    let mut jobs = service.jobs();
    let name = || "jobs/none".to_owned();
    let refusals = [
        refusal(jobs.get_job(named("jobs/none")).await),
        refusal(jobs.cancel_job(pb::CancelJobRequest { name: name() }).await),
        refusal(jobs.pause_job(pb::PauseJobRequest { name: name() }).await),
        refusal(jobs.resume_job(pb::ResumeJobRequest { name: name() }).await),
        refusal(
            jobs.wait_job(pb::WaitJobRequest {
                name: name(),
                ..Default::default()
            })
            .await,
        ),
        refusal(
            jobs.watch_job(pb::WatchJobRequest {
                name: name(),
                known_revision: 0,
            })
            .await,
        ),
        refusal(
            jobs.commit_job(pb::CommitJobRequest {
                name: name(),
                expected_count: Some(0),
            })
            .await,
        ),
        refusal(
            jobs.append_inputs(pb::AppendInputsRequest {
                name: name(),
                ..Default::default()
            })
            .await,
        ),
        refusal(jobs.stream_results(results_of("jobs/none")).await),
        refusal(
            jobs.list_results(pb::ListResultsRequest {
                name: name(),
                ..Default::default()
            })
            .await,
        ),
        refusal(
            jobs.list_failures(pb::ListFailuresRequest {
                name: name(),
                ..Default::default()
            })
            .await,
        ),
    ];
    for refused in refusals {
        let refused = refused.is(Code::NotFound, "JOB_NOT_FOUND");
        let resource = refused
            .status
            .get_details_resource_info()
            .expect("ResourceInfo");
        assert_eq!(resource.resource_name, "jobs/none");
    }
    service.stop().await;
}

#[tokio::test]
async fn waiting_returns_at_news_or_at_the_timeout() {
    let service = Service::start().await;
    service.pause_queue().await;
    let job = service.create(generate(1, 1)).await;
    let wait = |known_revision, seconds, nanos| pb::WaitJobRequest {
        name: job.name.clone(),
        known_revision,
        timeout: Some(prost_types::Duration { seconds, nanos }),
    };
    let mut jobs = service.jobs();
    let news = jobs
        .wait_job(wait(0, 60, 0))
        .await
        .expect("at once")
        .into_inner();
    assert_eq!(news.job.expect("a job").revision, job.revision);
    let none = jobs
        .wait_job(wait(job.revision, 0, 1_000_000))
        .await
        .expect("soon");
    assert_eq!(none.into_inner().job.expect("a job").revision, job.revision);
    let waiting = tokio::spawn({
        let (mut jobs, request) = (service.jobs(), wait(job.revision, 60, 0));
        async move { jobs.wait_job(request).await }
    });
    service.resume_queue().await;
    let news = waiting.await.expect("no panic").expect("news").into_inner();
    assert!(news.job.expect("a job").revision > job.revision);
    for (seconds, nanos) in [(61, 0), (-1, 0), (0, -1)] {
        refusal(jobs.wait_job(wait(0, seconds, nanos)).await)
            .is(Code::InvalidArgument, "BAD_FIELD")
            .names("timeout");
    }
    service.stop().await;
}

#[tokio::test]
async fn watching_ends_with_the_end_of_the_job() {
    let service = Service::start().await;
    service.pause_queue().await;
    let job = service.create(generate(100_000, 1)).await;
    let request = |known_revision| pb::WatchJobRequest {
        name: job.name.clone(),
        known_revision,
    };
    let mut stream = service
        .jobs()
        .watch_job(request(0))
        .await
        .expect("a stream")
        .into_inner();
    let mut next = async || stream.message().await.expect("no error").map(|m| m.event);
    let first = next().await;
    assert!(matches!(first, Some(Some(Event::Job(seen))) if seen.revision == job.revision));
    service.resume_queue().await;
    let mut last: Option<pb::Job> = None;
    while let Some(event) = next().await {
        if let Some(Event::Job(seen)) = event {
            assert!(
                last.as_ref()
                    .is_none_or(|last| last.revision < seen.revision)
            );
            last = Some(seen);
        }
    }
    let last = last.expect("the end");
    assert!(has_ended(&last));
    // Whoever knows the end already is told it again, and nothing else.
    let known = request(last.revision);
    let mut stream = service
        .jobs()
        .watch_job(known)
        .await
        .expect("a stream")
        .into_inner();
    let only = stream
        .message()
        .await
        .expect("no error")
        .and_then(|m| m.event);
    assert!(matches!(only, Some(Event::Job(seen)) if seen.revision == last.revision));
    assert!(stream.message().await.expect("no error").is_none());
    service.stop().await;
}
