//! The end of a server: announced, with a moment of grace, and never held up.

use std::time::Duration;

use gridmill::rpc::pb;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::client::{Service, Told, generate, refusal, results_of};
use crate::wire::{Answer, Wire, frame};

#[tokio::test]
async fn streams_end_with_draining_and_have_said_where_to_go_on() {
    let service = Service::start().await;
    let job = service.create(generate(2_000_000_000, 1)).await;
    let mut jobs = service.jobs();
    let stream = jobs
        .stream_results(results_of(&job.name))
        .await
        .expect("a stream");
    let mut stream = stream.into_inner();
    let mut told = Told::default();
    told.take(
        stream
            .message()
            .await
            .expect("no error")
            .expect("a message"),
    );
    let watch = pb::WatchJobRequest {
        name: job.name.clone(),
        known_revision: i64::MAX,
    };
    let mut watch = jobs.watch_job(watch).await.expect("a stream").into_inner();
    let waiting = tokio::spawn({
        let mut jobs = service.jobs();
        let request = pb::WaitJobRequest {
            name: job.name.clone(),
            known_revision: i64::MAX,
            timeout: None,
        };
        async move { jobs.wait_job(request).await }
    });
    // It is in the server once another call on the connection has been answered.
    let get = pb::GetJobRequest {
        name: job.name.clone(),
    };
    jobs.get_job(get).await.expect("answered");

    let (host, _directory) = service.into_host();
    let stopping = tokio::spawn(host.stop());
    let end = loop {
        match stream.message().await {
            Ok(message) => told.take(message.expect("no good end")),
            Err(status) => break status,
        }
    };
    refusal(Err::<(), _>(end)).is(Code::Unavailable, "DRAINING");
    assert_eq!(told.next_index, told.grids.len() as u64);
    let end = watch.message().await.expect_err("an end");
    refusal(Err::<(), _>(end)).is(Code::Unavailable, "DRAINING");
    let waited = waiting.await.expect("no panic").expect_err("an end");
    assert_eq!(waited.code(), Code::Unavailable);
    stopping.await.expect("no panic").expect("a clean stop");
}

#[tokio::test]
async fn health_is_not_serving_while_the_server_still_serves() {
    let service = Service::with(|settings| settings.rpc.lame_duck = Duration::from_secs(2)).await;
    let mut health = HealthClient::new(service.channel());
    let request = HealthCheckRequest::default();
    let mut watch = health.watch(request).await.expect("a stream").into_inner();
    let first = watch.message().await.expect("no error").expect("a status");
    assert_eq!(first.status(), ServingStatus::Serving);
    let mut admin = service.admin();
    let (host, _directory) = service.into_host();
    let stopping = tokio::spawn(host.stop());
    let second = watch.message().await.expect("no error").expect("a status");
    assert_eq!(second.status(), ServingStatus::NotServing);
    // A lame duck still answers.
    let request = pb::GetServerInfoRequest {};
    admin.get_server_info(request).await.expect("still serving");
    // And an open health watch does not hold up the end.
    assert!(watch.message().await.is_err());
    stopping.await.expect("no panic").expect("a clean stop");
}

#[tokio::test]
async fn silent_connections_do_not_hold_up_the_end() {
    let service = Service::with(|settings| settings.rpc.drain = Duration::from_millis(300)).await;
    let mut silent = TcpStream::connect(service.address())
        .await
        .expect("connected");
    let mut partial = TcpStream::connect(service.address())
        .await
        .expect("connected");
    partial.write_all(b"PRI * HT").await.expect("sent");
    // Both have been accepted once a later connection is served.
    let request = pb::GetServerInfoRequest {};
    let channel = service.connect().await;
    let mut admin = pb::admin_service_client::AdminServiceClient::new(channel);
    admin.get_server_info(request).await.expect("served");
    service.stop().await;
    // The server closed them; it did not just go away.
    let mut said = Vec::new();
    for socket in [&mut silent, &mut partial] {
        // It may reset the one whose bytes it has not read.
        let _ = socket.read_to_end(&mut said).await;
    }
}

#[tokio::test]
async fn a_call_that_runs_gets_its_answer() {
    let service = Service::start().await;
    let mut sudoku = service.sudoku();
    // Half a second or so: one puzzle a message, asked for before the end and made after it.
    let running = tokio::spawn(async move {
        let request = pb::SolveRequest {
            puzzle: ".".repeat(81),
            options: Some(pb::SolveOptions {
                count_limit: 200_000,
                step_limit: 0,
            }),
            return_solutions: 1,
        };
        sudoku.solve(request).await
    });
    let request = pb::GetServerInfoRequest {};
    service
        .admin()
        .get_server_info(request)
        .await
        .expect("served");
    let (host, _directory) = service.into_host();
    host.stop().await.expect("a clean stop");
    match running.await.expect("no panic") {
        Ok(answer) => assert_eq!(answer.into_inner().solution_count, 200_000),
        // It came after the drain had begun.
        Err(status) => assert_eq!(status.code(), Code::Unavailable),
    }
}

#[tokio::test]
async fn a_connection_ends_at_its_age_and_its_calls_do_not() {
    let age = Duration::from_millis(100);
    let service = Service::with(|settings| settings.rpc.max_connection_age = Some(age)).await;
    // An idle one is gone.
    Wire::connect(service.address())
        .await
        .ended()
        .await
        .expect("GOAWAY and no error");
    // One that is busy is kept until its stream has ended.
    service.pause_queue().await;
    let job = service.create(generate(10, 1)).await;
    let mut wire = Wire::connect(service.address()).await;
    let (response, mut body) = wire
        .open("/gridmill.v1.JobService/StreamResults", &[])
        .await;
    body.send_data(frame(&results_of(&job.name)), true)
        .expect("sent");
    Wire::connect(service.address())
        .await
        .ended()
        .await
        .expect("as old as the other");
    service.resume_queue().await;
    assert_eq!(Answer::of(response).await.end().code(), Code::Ok);
    wire.ended().await.expect("GOAWAY and no error");
    service.stop().await;
}
