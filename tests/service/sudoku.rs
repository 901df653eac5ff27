//! `SudokuService`: Solve and SolveStream, and what comes later.

use gridmill::rpc::pb;
use gridmill::rpc::pb::Outcome::{Malformed, Multiple, Unique};
use gridmill::sudoku::Puzzle;
use tonic::{Code, Status};

use crate::client::{PUZZLE, SOLUTION, Service, batch, lines, refusal};

fn ask(puzzle: &str) -> pb::SolveRequest {
    pb::SolveRequest {
        puzzle: puzzle.to_owned(),
        ..pb::SolveRequest::default()
    }
}

#[expect(clippy::unnecessary_wraps, reason = "a field of a message")]
fn limits(count_limit: u64, step_limit: u64) -> Option<pb::SolveOptions> {
    Some(pb::SolveOptions {
        count_limit,
        step_limit,
    })
}

async fn solve(service: &Service, request: pb::SolveRequest) -> pb::SolveResponse {
    let answer = service.sudoku().solve(request).await;
    answer.expect("an answer").into_inner()
}

#[tokio::test]
async fn a_puzzle_has_one_solution_or_several_or_none() {
    let service = Service::start().await;
    let unique = solve(&service, ask(PUZZLE)).await;
    assert_eq!(unique.outcome(), pb::Outcome::Unique);
    assert_eq!(unique.solutions, [SOLUTION]);
    assert_eq!((unique.solution_count, unique.count_is_exact), (1, true));
    assert!(unique.conflicts.is_empty());

    let several = solve(&service, ask(&".".repeat(81))).await;
    assert_eq!(several.outcome(), pb::Outcome::Multiple);
    assert_eq!((several.solution_count, several.count_is_exact), (2, false));
    assert_eq!(several.solutions.len(), 1);

    let mut twice = ".".repeat(81);
    twice.replace_range(0..2, "55");
    let none = solve(&service, ask(&twice)).await;
    assert_eq!(none.outcome(), pb::Outcome::None);
    assert!(none.solutions.is_empty());
    let conflict = &none.conflicts[0];
    assert_eq!(
        (&conflict.cells[..], conflict.digit),
        (&[0, 1][..], Some(5))
    );
    let house = conflict.house.expect("a house");
    assert_eq!((house.kind(), house.number), (pb::house::Kind::Row, 1));
    service.stop().await;
}

#[tokio::test]
async fn limits_say_how_far_a_search_goes() {
    let service = Service::start().await;
    let any = pb::SolveRequest {
        options: limits(1, 0),
        ..ask(PUZZLE)
    };
    assert_eq!(solve(&service, any).await.outcome(), pb::Outcome::Solved);

    let many = pb::SolveRequest {
        options: limits(100, 0),
        return_solutions: 7,
        ..ask(&".".repeat(81))
    };
    let many = solve(&service, many).await;
    assert_eq!((many.solutions.len(), many.solution_count), (7, 100));
    let mut distinct = many.solutions.clone();
    distinct.dedup();
    assert_eq!(distinct.len(), 7);

    let short = pb::SolveRequest {
        options: limits(1_000_000, 10),
        ..ask(&".".repeat(81))
    };
    let short = solve(&service, short).await;
    assert_eq!(short.outcome(), pb::Outcome::StepLimit);
    assert!(!short.count_is_exact);
    service.stop().await;
}

#[tokio::test]
async fn text_is_read_as_people_write_it_and_errors_have_a_place() {
    let service = Service::start().await;
    let rows: Vec<String> = (0..9)
        .map(|row| PUZZLE[row * 9..][..9].to_owned())
        .collect();
    let boxed = format!(
        "\u{feff}{}\r\n------+------\r\n{}\n",
        rows[..3].join("\r\n"),
        rows[3..].join("\n")
    );
    assert_eq!(solve(&service, ask(&boxed)).await.solutions, [SOLUTION]);

    let mut bad = rows;
    bad[1].replace_range(4..5, "x");
    let refused = refusal(service.sudoku().solve(ask(&bad.join("\n"))).await);
    let refused = refused
        .is(Code::InvalidArgument, "BAD_FIELD")
        .names("puzzle");
    assert!(refused.message.contains("line 2, column 5"), "{refused:?}");
    for text in ["", "123", &"1".repeat(82), &"9".repeat(100_000), "\0"] {
        refusal(service.sudoku().solve(ask(text)).await)
            .is(Code::InvalidArgument, "BAD_FIELD")
            .names("puzzle");
    }
    service.stop().await;
}

#[tokio::test]
async fn what_is_out_of_range_is_named() {
    let service = Service::start().await;
    let many = pb::SolveRequest {
        return_solutions: 10_001,
        ..ask(PUZZLE)
    };
    refusal(service.sudoku().solve(many).await)
        .is(Code::InvalidArgument, "TOO_LARGE")
        .names("return_solutions")
        .says("limit", "10000");
    let long = pb::SolveRequest {
        options: limits(2, 2_000_001),
        ..ask(PUZZLE)
    };
    let refused = refusal(service.sudoku().solve(long).await)
        .is(Code::InvalidArgument, "TOO_LARGE")
        .names("options.step_limit")
        .says("limit", "2000000");
    assert!(refused.message.contains("use a job"), "{refused:?}");
    service.stop().await;
}

/// Thousands of guesses and no end.
fn endless() -> String {
    ".".repeat(81)
}

#[tokio::test]
async fn a_call_without_limits_ends_at_those_of_calls() {
    let service = Service::start().await;
    let request = pb::SolveRequest {
        options: limits(u64::MAX, 0),
        ..ask(&endless())
    };
    let answer = service.sudoku().solve(request).await.expect("an answer");
    let answer = answer.into_inner();
    assert_eq!(answer.outcome(), pb::Outcome::StepLimit);
    assert!(answer.guesses <= 2_000_000, "{}", answer.guesses);
    service.stop().await;
}

#[tokio::test]
async fn a_batch_of_hard_puzzles_shares_its_thread() {
    let one = std::num::NonZeroUsize::MIN;
    let service = Service::with(|settings| settings.rpc.interactive_threads = one).await;
    let (requests, waiting) = tokio::sync::mpsc::channel(1);
    let hard = pb::SolveStreamRequest {
        options: limits(u64::MAX, 100_000),
        puzzles: batch(&vec![endless(); 1000]),
    };
    requests.send(hard).await.expect("room");
    let mut client = service.sudoku();
    let requests_in_order = tokio_stream::wrappers::ReceiverStream::new(waiting);
    let stream = client.solve_stream(requests_in_order).await;
    let mut stream = stream.expect("it began").into_inner();
    // The batch takes a minute; these have their turns before its answer.
    for _ in 0..3 {
        let mut client = service.sudoku();
        let quick = client.solve(ask(PUZZLE));
        tokio::select! {
            biased;
            answer = stream.message() => panic!("the batch was first: {answer:?}"),
            solved = quick => assert!(solved.is_ok(), "{solved:?}"),
        }
    }
    drop((requests, stream));
    service.stop().await;
}

async fn pipeline(
    service: &Service,
    requests: Vec<pb::SolveStreamRequest>,
) -> Result<Vec<pb::ResultBatch>, Status> {
    let requests = tokio_stream::iter(requests);
    let mut answers = service.sudoku().solve_stream(requests).await?.into_inner();
    let mut batches = Vec::new();
    while let Some(answer) = answers.message().await? {
        batches.push(answer.results.expect("results"));
    }
    Ok(batches)
}

fn puzzles(lines: &[&str]) -> pb::SolveStreamRequest {
    pb::SolveStreamRequest {
        options: None,
        puzzles: batch(lines),
    }
}

#[tokio::test]
async fn batches_are_answered_in_order_and_in_their_own_layout() {
    let service = Service::start().await;
    let packed = {
        let puzzle: Puzzle = PUZZLE.parse().expect("a puzzle");
        let mut bytes = puzzle.to_packed().to_vec();
        bytes.extend([0xff; 41]);
        pb::SolveStreamRequest {
            options: None,
            puzzles: Some(pb::GridBatch {
                layout: Some(pb::grid_batch::Layout::Packed(bytes.into())),
            }),
        }
    };
    let with_counts = pb::SolveStreamRequest {
        options: limits(5, 0),
        ..puzzles(&[PUZZLE, "nonsense", &".".repeat(81)])
    };
    let answers = pipeline(&service, vec![with_counts, packed, puzzles(&[])]).await;
    let answers = answers.expect("answers");
    let [first, second, third] = &answers[..] else {
        panic!("an answer a request: {answers:?}");
    };
    assert!(first.outcomes().eq([Unique, Malformed, Multiple]));
    assert_eq!(first.solution_counts, [1, 0, 5]);
    assert_eq!(lines(first.grids.as_ref().expect("grids"))[0], SOLUTION);
    assert_eq!(
        lines(first.grids.as_ref().expect("grids"))[1],
        ".".repeat(81)
    );
    assert_eq!(
        (first.first_index, second.first_index, third.first_index),
        (0, 3, 5)
    );
    assert!(second.outcomes().eq([Unique, Malformed]));
    let layout = second
        .grids
        .as_ref()
        .and_then(|grids| grids.layout.as_ref());
    assert!(matches!(layout, Some(pb::grid_batch::Layout::Packed(_))));
    assert!(third.outcomes.is_empty());
    service.stop().await;
}

#[tokio::test]
async fn a_pipeline_that_breaks_its_rules_ends() {
    let service = Service::start().await;
    let late = pb::SolveStreamRequest {
        options: limits(2, 0),
        ..puzzles(&[PUZZLE])
    };
    let refused = pipeline(&service, vec![puzzles(&[PUZZLE]), late]).await;
    refusal(refused)
        .is(Code::InvalidArgument, "BAD_FIELD")
        .names("options");

    let many = pipeline(&service, vec![puzzles(&[PUZZLE; 1001])]).await;
    refusal(many)
        .is(Code::InvalidArgument, "TOO_LARGE")
        .names("puzzles")
        .says("limit", "1000");

    let torn = pb::SolveStreamRequest {
        options: None,
        puzzles: Some(pb::GridBatch {
            layout: Some(pb::grid_batch::Layout::Packed(vec![0; 42].into())),
        }),
    };
    let torn = pipeline(&service, vec![torn]).await;
    refusal(torn)
        .is(Code::InvalidArgument, "BAD_FIELD")
        .names("puzzles.packed");
    assert!(
        pipeline(&service, vec![])
            .await
            .expect("nothing")
            .is_empty()
    );
    service.stop().await;
}

#[tokio::test]
async fn a_client_that_waits_for_headers_before_it_speaks_gets_them() {
    let service = Service::start().await;
    let (requests, incoming) = tokio::sync::mpsc::channel(1);
    let incoming = tokio_stream::wrappers::ReceiverStream::new(incoming);
    let answers = service.sudoku().solve_stream(incoming).await;
    let mut answers = answers.expect("headers").into_inner();
    for _ in 0..3 {
        requests
            .send(puzzles(&[PUZZLE]))
            .await
            .expect("the call lives");
        let answer = answers
            .message()
            .await
            .expect("no error")
            .expect("an answer");
        assert_eq!(answer.results.expect("results").outcomes, [1]);
    }
    drop(requests);
    assert!(answers.message().await.expect("a good end").is_none());
    service.stop().await;
}
