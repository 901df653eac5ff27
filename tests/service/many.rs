//! Many streams, and readers that do not read: a fixed cost each, and nobody else notices.

use std::fs;

use h2::RecvStream;
use h2::client::ResponseFuture;
use http::StatusCode;
use tokio::sync::Mutex;
use tokio::task::JoinSet;

use crate::client::{Service, Told, generate, grids, results_of};
use crate::wire::{Wire, frame};

const STREAM_RESULTS: &str = "/gridmill.v1.JobService/StreamResults";
const STREAMS: usize = 1000;
const PER_CONNECTION: usize = 250;

/// Memory is the whole process's, so these tests run one after the other.
static ALONE: Mutex<()> = Mutex::const_new(());

/// Resident bytes of this process: the server, and the clients with their windows.
fn resident() -> usize {
    let status = fs::read_to_string("/proc/self/statm").expect("Linux");
    let pages = status
        .split(' ')
        .nth(1)
        .and_then(|pages| pages.parse::<usize>().ok());
    pages.expect("the second number") * 4096
}

/// Opens a stream of a job's results and reads nothing but its headers.
async fn open(wire: &mut Wire, name: &str) -> RecvStream {
    let (response, mut body) = wire.open(STREAM_RESULTS, &[]).await;
    body.send_data(frame(&results_of(name)), true)
        .expect("sent");
    opened(response).await
}

/// Opens all `STREAMS` of them; they stay open with what is returned.
async fn stall(service: &Service, name: &str) -> (Vec<RecvStream>, Vec<Wire>) {
    let mut wires = Vec::new();
    let mut stalled = Vec::new();
    for _ in 0..STREAMS / PER_CONNECTION {
        let mut wire = Wire::connect(service.address()).await;
        for _ in 0..PER_CONNECTION {
            stalled.push(open(&mut wire, name).await);
        }
        wires.push(wire);
    }
    (stalled, wires)
}

async fn opened(response: ResponseFuture) -> RecvStream {
    let response = response.await.expect("headers");
    assert_eq!(response.status(), StatusCode::OK);
    response.into_body()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_streams_that_are_not_read_cost_a_fixed_amount_and_disturb_nobody() {
    let _alone = ALONE.lock().await;
    let service = Service::start().await;
    let total = 200_000;
    let job = service.create(generate(total, 9)).await;
    service.ended(&job.name).await;
    let before = resident();
    let stalled = stall(&service, &job.name).await;
    // Somebody who reads gets everything, while the others do not.
    let channel = service.connect().await;
    let mut jobs = gridmill::rpc::pb::job_service_client::JobServiceClient::new(channel);
    let stream = jobs
        .stream_results(results_of(&job.name))
        .await
        .expect("a stream");
    let told = Told::of(stream.into_inner()).await.expect("a good end");
    assert!(told.grids == grids(9, 0..total));
    // The whole job is 16 MB a stream. Those that came first hold the most, about a megabyte.
    let held = resident().saturating_sub(before);
    assert!(held < STREAMS * (3 << 19), "{held} bytes are held");
    drop(stalled);
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_more_streams_are_open_the_smaller_their_messages() {
    let _alone = ALONE.lock().await;
    let service = Service::start().await;
    let total = 20_000;
    let job = service.create(generate(total, 9)).await;
    service.ended(&job.name).await;
    let largest = |told: &Told| told.batches.iter().copied().max().expect("a batch");
    let alone = service.results(results_of(&job.name)).await;
    assert_eq!(largest(&alone), 4096);
    let stalled = stall(&service, &job.name).await;
    let told = service.results(results_of(&job.name)).await;
    assert!(told.grids == grids(9, 0..total));
    // Of each stream a message is on its way and one waits.
    let held = 2 * STREAMS * largest(&told) * 83;
    assert!(held <= 64 << 20, "{held} bytes are held");
    drop(stalled);
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_followers_of_a_job_all_see_it_whole() {
    let _alone = ALONE.lock().await;
    let service = Service::start().await;
    service.pause_queue().await;
    let total = 20_000;
    let job = service.create(generate(total, 2)).await;
    let mut followers = JoinSet::new();
    for _ in 0..STREAMS / PER_CONNECTION {
        let channel = service.connect().await;
        for _ in 0..PER_CONNECTION {
            let channel = channel.clone();
            let mut jobs = gridmill::rpc::pb::job_service_client::JobServiceClient::new(channel);
            let stream = jobs
                .stream_results(results_of(&job.name))
                .await
                .expect("a stream");
            followers.spawn(Told::of(stream.into_inner()));
        }
    }
    service.resume_queue().await;
    let expected = grids(2, 0..total);
    while let Some(told) = followers.join_next().await {
        let told = told.expect("no panic").expect("a good end");
        assert!(told.grids == expected);
    }
    service.stop().await;
}

#[tokio::test]
async fn a_reader_of_a_byte_at_a_time_gets_on() {
    let _alone = ALONE.lock().await;
    let service = Service::start().await;
    let job = service.create(generate(100_000, 4)).await;
    service.ended(&job.name).await;
    let mut wire = Wire::connect(service.address()).await;
    let mut body = open(&mut wire, &job.name).await;
    let chunk = body.data().await.expect("data").expect("no reset");
    // The window is opened byte by byte; the others are served meanwhile.
    for _ in 0..100 {
        body.flow_control()
            .release_capacity(1)
            .expect("within what came");
        let told = service.results(gridmill::rpc::pb::StreamResultsRequest {
            start_index: 99_000,
            ..results_of(&job.name)
        });
        assert_eq!(told.await.grids.len(), 1000);
    }
    let rest = chunk.len() - 100;
    body.flow_control()
        .release_capacity(rest)
        .expect("within what came");
    let mut bytes = chunk.len();
    while let Some(chunk) = body.data().await {
        let chunk = chunk.expect("no reset");
        bytes += chunk.len();
        body.flow_control()
            .release_capacity(chunk.len())
            .expect("within what came");
    }
    assert!(bytes > 100_000 * 82);
    let trailers = body.trailers().await.expect("no reset").expect("trailers");
    assert_eq!(trailers["grpc-status"], "0");
    drop(wire);
    service.stop().await;
}
