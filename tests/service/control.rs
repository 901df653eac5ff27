//! Jobs held, paused, cancelled, deleted, waited for and watched.

use gridmill::rpc::pb;
use gridmill::rpc::pb::watch_job_response::Event;
use tonic::Code;
use tonic_types::StatusExt;

use crate::client::{Service, generate, has_ended, refusal, results_of};

fn named(name: &str) -> pb::GetJobRequest {
    pb::GetJobRequest {
        name: name.to_owned(),
    }
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
