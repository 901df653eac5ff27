//! Inputs: appended, uploaded, committed.

use gridmill::rpc::pb;
use gridmill::rpc::pb::Outcome::{Malformed, Multiple, Unique};
use tonic::{Code, Status};

use crate::client::{PUZZLE, SOLUTION, Service, batch, refusal, results_of, solve};

async fn append(
    service: &Service,
    name: &str,
    first_index: u64,
    lines: &[&str],
) -> Result<u64, Status> {
    let request = pb::AppendInputsRequest {
        name: name.to_owned(),
        first_index,
        inputs: batch(lines),
    };
    let answer = service.jobs().append_inputs(request).await?;
    Ok(answer.into_inner().received)
}

async fn commit(service: &Service, name: &str, count: Option<u64>) -> Result<pb::Job, Status> {
    let request = pb::CommitJobRequest {
        name: name.to_owned(),
        expected_count: count,
    };
    let answer = service.jobs().commit_job(request).await?;
    Ok(answer.into_inner().job.expect("a job"))
}

/// Uploads the messages and returns the watermarks that came back.
async fn upload(
    service: &Service,
    messages: Vec<pb::UploadInputsRequest>,
) -> Result<Vec<u64>, Status> {
    let messages = tokio_stream::iter(messages);
    let mut answers = service.jobs().upload_inputs(messages).await?.into_inner();
    let mut marks = Vec::new();
    while let Some(answer) = answers.message().await? {
        marks.push(answer.received);
    }
    Ok(marks)
}

fn piece(name: &str, first_index: u64, lines: &[&str]) -> pb::UploadInputsRequest {
    pb::UploadInputsRequest {
        name: name.to_owned(),
        first_index,
        inputs: batch(lines),
    }
}

#[tokio::test]
async fn appending_is_idempotent_by_index() {
    let service = Service::start().await;
    let job = service.create(solve()).await;
    assert_eq!(job.state(), pb::JobState::Uploading);
    let name = &job.name;
    let other = ".".repeat(81);
    let mark = append(&service, name, 0, &[PUZZLE, "bad", PUZZLE]).await;
    assert_eq!(mark.expect("appended"), 3);
    // Again, in another spelling; malformed equals malformed; and with more behind it.
    let spelled = PUZZLE.replace('.', "0");
    let mark = append(&service, name, 1, &["also bad", &spelled, &other]).await;
    assert_eq!(mark.expect("appended"), 4);
    assert_eq!(append(&service, name, 4, &[]).await.expect("nothing"), 4);

    refusal(append(&service, name, 6, &[PUZZLE]).await)
        .is(Code::FailedPrecondition, "INPUT_GAP")
        .says("received", "4");
    refusal(append(&service, name, 1, &["bad", &other]).await)
        .is(Code::AlreadyExists, "INPUT_CONFLICT")
        .says("index", "2");
    refusal(append(&service, name, u64::MAX, &[PUZZLE]).await)
        .is(Code::FailedPrecondition, "INPUT_GAP");

    refusal(commit(&service, name, None).await)
        .is(Code::InvalidArgument, "BAD_FIELD")
        .names("expected_count");
    refusal(commit(&service, name, Some(5)).await).is(Code::FailedPrecondition, "WRONG_STATE");
    let committed = commit(&service, name, Some(4)).await.expect("committed");
    assert_eq!(committed.count, Some(4));
    commit(&service, name, Some(4)).await.expect("idempotent");
    refusal(append(&service, name, 4, &[PUZZLE]).await).is(Code::FailedPrecondition, "WRONG_STATE");

    let told = service.results(results_of(name)).await;
    assert_eq!(told.outcomes, [Unique, Malformed, Unique, Multiple]);
    assert_eq!(told.grids[2], SOLUTION);
    service.stop().await;
}

#[tokio::test]
async fn an_upload_is_answered_with_the_durable_watermark_and_goes_on_from_there() {
    let service = Service::start().await;
    let job = service.create(solve()).await;
    let lines = vec![PUZZLE; 5000];
    let messages = (0..4).map(|part| {
        let name = if part == 0 { job.name.as_str() } else { "" };
        piece(name, part * 5000, &lines)
    });
    let marks = upload(&service, messages.collect())
        .await
        .expect("uploaded");
    assert!(marks.is_sorted(), "{marks:?}");
    assert_eq!(marks.last(), Some(&20_000));

    // A new connection after a cut: what overlaps is passed over.
    let more = upload(&service, vec![piece(&job.name, 17_500, &lines)]).await;
    assert_eq!(more.expect("uploaded"), [22_500]);
    let seen = service
        .jobs()
        .get_job(pb::GetJobRequest {
            name: job.name.clone(),
        })
        .await
        .expect("it is there");
    let progress = seen
        .into_inner()
        .job
        .expect("a job")
        .progress
        .expect("progress");
    assert_eq!(progress.received, 22_500);
    commit(&service, &job.name, Some(22_500))
        .await
        .expect("committed");
    let told = service.results(results_of(&job.name)).await;
    assert_eq!(told.grids.len(), 22_500);
    assert!(told.grids.iter().all(|grid| grid == SOLUTION));
    service.stop().await;
}

#[tokio::test]
async fn chunks_run_before_the_upload_is_complete() {
    let service = Service::start().await;
    let job = service.create(solve()).await;
    let lines = vec![PUZZLE; 5000];
    append(&service, &job.name, 0, &lines)
        .await
        .expect("appended");
    let seen = service
        .wait_for(&job.name, |job| {
            job.progress.as_ref().is_some_and(|p| p.done > 0)
        })
        .await;
    assert_eq!(seen.count, None);
    commit(&service, &job.name, Some(5000))
        .await
        .expect("committed");
    assert_eq!(
        service.ended(&job.name).await.state(),
        pb::JobState::Succeeded
    );
    service.stop().await;
}

#[tokio::test]
async fn an_upload_that_breaks_its_rules_ends_and_what_was_acknowledged_stays() {
    let service = Service::start().await;
    let job = service.create(solve()).await;
    let name = job.name.as_str();
    let gap = upload(
        &service,
        vec![piece(name, 0, &[PUZZLE]), piece("", 5, &[PUZZLE])],
    )
    .await;
    refusal(gap)
        .is(Code::FailedPrecondition, "INPUT_GAP")
        .says("received", "1");
    let other = upload(
        &service,
        vec![piece(name, 1, &[]), piece("jobs/other", 1, &[])],
    )
    .await;
    refusal(other)
        .is(Code::InvalidArgument, "BAD_FIELD")
        .names("name");
    let unnamed = upload(&service, vec![piece("", 0, &[PUZZLE])]).await;
    refusal(unnamed)
        .is(Code::InvalidArgument, "BAD_FIELD")
        .names("name");
    let unknown = upload(&service, vec![piece("jobs/none", 0, &[PUZZLE])]).await;
    refusal(unknown).is(Code::NotFound, "JOB_NOT_FOUND");
    assert!(upload(&service, vec![]).await.expect("nothing").is_empty());
    assert_eq!(append(&service, name, 1, &[]).await.expect("kept"), 1);
    service.stop().await;
}

#[tokio::test]
async fn an_upload_is_acknowledged_while_it_waits_for_more() {
    let service = Service::start().await;
    let job = service.create(solve()).await;
    let (messages, incoming) = tokio::sync::mpsc::channel(1);
    let incoming = tokio_stream::wrappers::ReceiverStream::new(incoming);
    let answers = service
        .jobs()
        .upload_inputs(incoming)
        .await
        .expect("headers");
    let mut answers = answers.into_inner();
    for index in 0..5 {
        let message = piece(&job.name, index, &[PUZZLE]);
        messages.send(message).await.expect("the call lives");
        let answer = answers
            .message()
            .await
            .expect("no error")
            .expect("a watermark");
        assert_eq!(answer.received, index + 1);
    }
    drop(messages);
    assert!(answers.message().await.expect("a good end").is_none());
    service.stop().await;
}

#[tokio::test]
async fn a_client_that_reads_nothing_before_it_has_sent_all_is_not_held_up() {
    let service = Service::start().await;
    let job = service.create(solve()).await;
    let messages: Vec<_> = (0..500).map(|i| piece(&job.name, i, &[PUZZLE])).collect();
    let marks = upload(&service, messages).await.expect("uploaded");
    assert_eq!(marks.last(), Some(&500));
    service.stop().await;
}

#[tokio::test]
async fn a_message_holds_no_more_items_than_are_taken() {
    let service = Service::start().await;
    let job = service.create(solve()).await;
    let request = pb::AppendInputsRequest {
        name: job.name.clone(),
        first_index: 0,
        inputs: Some(pb::GridBatch {
            layout: Some(pb::grid_batch::Layout::Lines("\n".repeat(1 << 20))),
        }),
    };
    refusal(service.jobs().append_inputs(request).await)
        .is(Code::InvalidArgument, "TOO_LARGE")
        .names("inputs");
    service.stop().await;
}

#[tokio::test]
async fn work_that_takes_no_inputs_says_so() {
    let service = Service::start().await;
    service.pause_queue().await;
    let job = service.create(crate::client::generate(5, 1)).await;
    refusal(append(&service, &job.name, 0, &[PUZZLE]).await)
        .is(Code::FailedPrecondition, "WRONG_STATE");
    service.stop().await;
}
