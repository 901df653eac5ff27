//! What goes over the wire beneath the messages.

use std::net::SocketAddr;

use bytes::Bytes;
use gridmill::rpc::pb;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tonic::Code;

use crate::client::{PUZZLE, Service, generate, refusal, results_of};
use crate::wire::{Answer, Wire, frame, framed};

const SOLVE: &str = "/gridmill.v1.SudokuService/Solve";
const SOLVE_STREAM: &str = "/gridmill.v1.SudokuService/SolveStream";
const GENERATE: &str = "/gridmill.v1.SudokuService/Generate";
const STREAM_RESULTS: &str = "/gridmill.v1.JobService/StreamResults";

fn puzzle() -> Bytes {
    frame(&pb::SolveRequest {
        puzzle: PUZZLE.to_owned(),
        ..pb::SolveRequest::default()
    })
}

#[tokio::test]
async fn an_answer_has_headers_a_message_and_trailers() {
    let service = Service::start().await;
    let mut wire = Wire::connect(service.address()).await;
    // Every encoding is offered and none is taken: compressing grids costs more than sending them.
    let offered = [("grpc-accept-encoding", "gzip,zstd,deflate")];
    let answer = wire.call(SOLVE, &offered, puzzle()).await;
    assert_eq!(answer.end().code(), Code::Ok);
    assert_eq!(answer.body[0], 0, "not compressed");
    assert!(!answer.headers.contains_key("grpc-encoding"));
    drop(wire);
    service.stop().await;
}

#[tokio::test]
async fn errors_come_without_headers() {
    let service = Service::start().await;
    let mut wire = Wire::connect(service.address()).await;
    let no_puzzle = frame(&pb::SolveRequest::default());
    let unknown = frame(&results_of("jobs/none"));
    let too_many = frame(&pb::GenerateRequest {
        count: 1 << 40,
        ..pb::GenerateRequest::default()
    });
    let torn = frame(&pb::SolveStreamRequest {
        options: None,
        puzzles: Some(pb::GridBatch {
            layout: Some(pb::grid_batch::Layout::Packed(vec![1].into())),
        }),
    });
    for (method, message, reason) in [
        (SOLVE, no_puzzle, "BAD_FIELD"),
        (STREAM_RESULTS, unknown, "JOB_NOT_FOUND"),
        (GENERATE, too_many, "TOO_LARGE"),
        (SOLVE_STREAM, torn, "BAD_FIELD"),
    ] {
        let answer = wire.call(method, &[], message).await;
        let refused = answer.refusal();
        assert_eq!(refused.reason, reason, "{method}");
    }
    drop(wire);
    service.stop().await;
}

#[tokio::test]
async fn bytes_that_are_no_message_are_the_clients_fault() {
    let service = Service::start().await;
    let mut wire = Wire::connect(service.address()).await;
    let garbage = framed(&[0xff; 100]);
    let mut not_utf8 = vec![0x0a, 2];
    not_utf8.extend([0xc3, 0x28]);
    let compressed = Bytes::from_static(&[1, 0, 0, 0, 1, 0]);
    let bad_flag = Bytes::from_static(&[7, 0, 0, 0, 1, 0]);
    for frames in [
        garbage,
        framed(&not_utf8),
        compressed,
        bad_flag,
        Bytes::new(),
    ] {
        for method in [SOLVE, GENERATE] {
            let answer = wire.call(method, &[], frames.clone()).await;
            answer.refusal().is(Code::InvalidArgument, "BAD_FIELD");
        }
    }
    // In a stream as well: the first message is waited for.
    let answer = wire.call(SOLVE_STREAM, &[], framed(&[0xff; 100])).await;
    answer.refusal().is(Code::InvalidArgument, "BAD_FIELD");
    // Half a message and no more.
    let cut = puzzle().slice(..50);
    let answer = wire.call(SOLVE, &[], cut).await;
    answer.refusal().is(Code::InvalidArgument, "BAD_FIELD");
    drop(wire);
    service.stop().await;
}

#[tokio::test]
async fn a_message_that_is_too_large_is_told_the_limit() {
    let service = Service::start().await;
    let mut wire = Wire::connect(service.address()).await;
    let exactly = pb::SolveRequest {
        puzzle: "1".repeat((4 << 20) - 5),
        ..pb::SolveRequest::default()
    };
    let exactly = frame(&exactly);
    assert_eq!(exactly.len(), 5 + (4 << 20));
    let answer = wire.call(SOLVE, &[], exactly).await;
    let read = answer.refusal();
    read.is(Code::InvalidArgument, "BAD_FIELD").names("puzzle");
    let more = pb::SolveRequest {
        puzzle: "1".repeat((4 << 20) - 4),
        ..pb::SolveRequest::default()
    };
    for method in [SOLVE, SOLVE_STREAM] {
        let answer = wire.call(method, &[], frame(&more)).await;
        answer
            .refusal()
            .is(Code::InvalidArgument, "TOO_LARGE")
            .says("limit", "4194304");
    }
    // A length that is only claimed costs nothing.
    let claimed = Bytes::from_static(&[0, 0xff, 0xff, 0xff, 0xff]);
    let answer = wire.call(SOLVE, &[], claimed).await;
    answer.refusal().is(Code::InvalidArgument, "TOO_LARGE");
    drop(wire);
    service.stop().await;
}

#[tokio::test]
async fn what_is_not_there_is_not_implemented() {
    let service = Service::start().await;
    let mut wire = Wire::connect(service.address()).await;
    for method in [
        "/gridmill.v1.SudokuService/Nothing",
        "/gridmill.v2.SudokuService/Solve",
        "/",
        "/a/b/c/d",
    ] {
        let answer = wire.call(method, &[], puzzle()).await;
        answer
            .refusal()
            .is(Code::Unimplemented, "NOT_IMPLEMENTED")
            .names(method);
    }
    let answer = wire
        .call(SOLVE, &[("grpc-encoding", "gzip")], puzzle())
        .await;
    let refused = answer.refusal();
    let refused = refused
        .is(Code::Unimplemented, "NOT_IMPLEMENTED")
        .names("grpc-encoding");
    assert!(refused.message.contains("gzip"), "{refused:?}");
    drop(wire);
    service.stop().await;
}

#[tokio::test]
async fn a_deadline_holds_for_calls_and_inside_streams() {
    let service = Service::start().await;
    let mut wire = Wire::connect(service.address()).await;
    let endless = frame(&pb::SolveRequest {
        puzzle: ".".repeat(81),
        options: Some(pb::SolveOptions {
            count_limit: u64::MAX,
            step_limit: 2_000_000,
        }),
        return_solutions: 1,
    });
    let answer = wire.call(SOLVE, &[("grpc-timeout", "20m")], endless).await;
    answer.refusal().is(Code::DeadlineExceeded, "DEADLINE");

    service.pause_queue().await;
    let job = service.create(generate(1, 1)).await;
    let follow = frame(&results_of(&job.name));
    let answer = wire
        .call(STREAM_RESULTS, &[("grpc-timeout", "100m")], follow)
        .await;
    refusal(Err::<(), _>(answer.end())).is(Code::DeadlineExceeded, "DEADLINE");

    let answer = wire
        .call(SOLVE, &[("grpc-timeout", "soon")], puzzle())
        .await;
    answer
        .refusal()
        .is(Code::InvalidArgument, "BAD_FIELD")
        .names("grpc-timeout");
    let answer = wire
        .call(SOLVE, &[("grpc-timeout", "99999999H")], puzzle())
        .await;
    assert_eq!(answer.end().code(), Code::Ok);
    drop(wire);
    service.stop().await;
}

#[tokio::test]
async fn a_deadline_gives_the_thread_back() {
    let one = std::num::NonZeroUsize::MIN;
    let service = Service::with(|settings| settings.rpc.interactive_threads = one).await;
    let mut wire = Wire::connect(service.address()).await;
    let endless = frame(&pb::SolveRequest {
        puzzle: ".".repeat(81),
        options: Some(pb::SolveOptions {
            count_limit: u64::MAX,
            step_limit: 2_000_000,
        }),
        return_solutions: 1,
    });
    wire.call(SOLVE, &[("grpc-timeout", "20m")], endless)
        .await
        .trailers_only();
    let answer = wire.call(SOLVE, &[], puzzle()).await;
    assert_eq!(answer.end().code(), Code::Ok);
    drop(wire);
    service.stop().await;
}

#[tokio::test]
async fn header_lists_are_bounded() {
    let service = Service::start().await;
    let mut wire = Wire::connect(service.address()).await;
    let large = "x".repeat(20 << 10);
    let (response, mut body) = wire.open(SOLVE, &[("x-large", &large)]).await;
    let _ = body.send_data(puzzle(), true);
    let refused = match response.await {
        Ok(response) => response.status().is_client_error(),
        Err(_) => true,
    };
    assert!(refused);
    let mut wire = Wire::connect(service.address()).await;
    let answer: Answer = wire.call(SOLVE, &[], puzzle()).await;
    assert_eq!(answer.end().code(), Code::Ok);
    drop(wire);
    service.stop().await;
}

/// Sends streams that are malformed, each of which the server resets, until it says GOAWAY.
async fn flood(address: SocketAddr, streams: u32) -> bool {
    let mut socket = TcpStream::connect(address)
        .await
        .expect("the server listens");
    socket
        .write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        .await
        .expect("sent");
    socket
        .write_all(&http2_frame(4, 0, 0, &[]))
        .await
        .expect("sent");
    let (mut incoming, mut outgoing) = socket.into_split();
    let writing = tokio::spawn(async move {
        for stream in 0..streams {
            // A literal header whose name is in upper case, which HTTP/2 forbids.
            let headers = [0x00, 1, b'X', 1, b'y'];
            let frame = http2_frame(1, 0x05, stream * 2 + 1, &headers);
            if outgoing.write_all(&frame).await.is_err() {
                break;
            }
        }
        // Kept open until the other side closes.
        outgoing
    });
    let goaway = loop {
        let mut head = [0; 9];
        if incoming.read_exact(&mut head).await.is_err() {
            break false;
        }
        let length = usize::from(head[0]) << 16 | usize::from(head[1]) << 8 | usize::from(head[2]);
        let mut payload = vec![0; length];
        if incoming.read_exact(&mut payload).await.is_err() {
            break false;
        }
        if head[3] == 7 {
            break true;
        }
    };
    writing.abort();
    goaway
}

fn http2_frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).expect("short").to_be_bytes();
    let mut frame = vec![length[1], length[2], length[3], kind, flags];
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

#[tokio::test]
async fn a_flood_of_malformed_streams_is_cut_off() {
    let service = Service::start().await;
    assert!(flood(service.address(), 6000).await, "GOAWAY");
    let answer = Wire::connect(service.address())
        .await
        .call(SOLVE, &[], puzzle())
        .await;
    assert_eq!(answer.end().code(), Code::Ok);
    service.stop().await;
}
