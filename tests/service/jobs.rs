//! Jobs from their creation to their end.

use gridmill::rpc::pb;
use gridmill::rpc::pb::Outcome::{Malformed, Multiple, Unique};
use tonic::Code;
use tonic_types::StatusExt;

use crate::client::{
    PUZZLE, SOLUTION, Service, batch, generate, grids, refusal, results_of, solve,
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
    let taken = pb::CreateJobRequest {
        job_id: "taken".to_owned(),
        ..generate(1, 1)
    };
    service.create(taken.clone()).await;
    let again = pb::CreateJobRequest {
        validate_only: true,
        ..taken
    };
    refusal(service.jobs().create_job(again).await).is(Code::AlreadyExists, "JOB_EXISTS");
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
