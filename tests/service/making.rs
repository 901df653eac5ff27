//! `SudokuService`: Generate and MakePuzzle.

use gridmill::rpc::pb;
use gridmill::sudoku::{Cancel, Puzzle, SolveLimits, Solver, Verdict};
use tokio_stream::StreamExt;
use tonic::{Code, Status, Streaming};

use crate::client::{SOLUTION, Service, Told, batch, grids, refusal};

async fn generated(service: &Service, request: pb::GenerateRequest) -> Result<(Told, u64), Status> {
    let mut stream: Streaming<pb::GenerateResponse> =
        service.sudoku().generate(request).await?.into_inner();
    let mut told = Told::default();
    let mut seed = None;
    while let Some(message) = stream.next().await {
        let message = message?;
        assert!(seed.is_none_or(|seed| seed == message.seed));
        assert_eq!(
            message.generator_version,
            gridmill::sudoku::GENERATOR_VERSION
        );
        seed = Some(message.seed);
        told.add(message.results.expect("results"));
    }
    Ok((told, seed.expect("at least one message")))
}

fn count(count: u64, seed: Option<u64>) -> pb::GenerateRequest {
    pb::GenerateRequest {
        count,
        options: Some(pb::GenerateOptions {
            seed,
            ..pb::GenerateOptions::default()
        }),
        ..pb::GenerateRequest::default()
    }
}

#[tokio::test]
async fn n_asked_for_is_n_made_and_the_seed_says_which() {
    let service = Service::start().await;
    for n in [0, 1, 10_000] {
        let (told, seed) = generated(&service, count(n, Some(7))).await.expect("grids");
        assert_eq!((told.grids, seed), (grids(7, 0..n), 7));
        assert!(
            told.outcomes
                .iter()
                .all(|&outcome| outcome == pb::Outcome::Made)
        );
    }
    let (drawn, seed) = generated(&service, count(5, None)).await.expect("grids");
    assert_eq!(drawn.grids, grids(seed, 0..5));
    let (_, other) = generated(&service, count(0, None)).await.expect("no grids");
    assert_ne!(seed, other);

    let part = pb::GenerateRequest {
        first_index: 5000,
        layout: pb::Layout::Packed.into(),
        ..count(10, Some(7))
    };
    let (part, _) = generated(&service, part).await.expect("grids");
    assert_eq!(part.grids, grids(7, 5000..5010));
    service.stop().await;
}

#[tokio::test]
async fn the_first_digit_may_be_fixed() {
    let service = Service::start().await;
    let mut request = count(100, Some(1));
    request.options.as_mut().expect("set").first_digit = 4;
    let (told, _) = generated(&service, request).await.expect("grids");
    assert!(told.grids.iter().all(|grid| grid.starts_with('4')));
    request.options.as_mut().expect("set").first_digit = 10;
    refusal(generated(&service, request).await.map(|_| ()))
        .is(Code::InvalidArgument, "BAD_FIELD")
        .names("options.first_digit");
    service.stop().await;
}

#[tokio::test]
async fn a_call_for_too_much_is_sent_to_a_job() {
    let service = Service::start().await;
    let refused = generated(&service, count(100_001, None)).await.map(|_| ());
    let refused = refusal(refused)
        .is(Code::InvalidArgument, "TOO_LARGE")
        .names("count");
    assert!(
        refused
            .says("limit", "100000")
            .message
            .contains("use a job")
    );
    let past = pb::GenerateRequest {
        first_index: u64::MAX,
        ..count(1, Some(1))
    };
    refusal(generated(&service, past).await.map(|_| ()))
        .is(Code::InvalidArgument, "TOO_LARGE")
        .names("first_index + count");
    let past = pb::GenerateRequest {
        first_index: 1_218_998_108_159,
        ..count(2, Some(1))
    };
    let refused = refusal(generated(&service, past).await.map(|_| ()))
        .is(Code::InvalidArgument, "TOO_LARGE")
        .names("first_index + count")
        .says("limit", "1218998108160");
    assert!(refused.message.contains("1218998108160"), "{refused:?}");
    let past = pb::MakePuzzleRequest {
        first_index: u64::MAX,
        count: 1,
        ..pb::MakePuzzleRequest::default()
    };
    refusal(service.sudoku().make_puzzle(past).await)
        .is(Code::InvalidArgument, "TOO_LARGE")
        .names("first_index + count")
        .says("limit", "18446744073709551615");
    let long = pb::MakePuzzleRequest {
        count: 1,
        options: Some(pb::MakePuzzleOptions {
            step_limit: 100_001,
            ..pb::MakePuzzleOptions::default()
        }),
        ..pb::MakePuzzleRequest::default()
    };
    refusal(service.sudoku().make_puzzle(long).await)
        .is(Code::InvalidArgument, "TOO_LARGE")
        .names("options.step_limit")
        .says("limit", "100000");
    let many = pb::MakePuzzleRequest {
        count: 1001,
        ..pb::MakePuzzleRequest::default()
    };
    refusal(service.sudoku().make_puzzle(many).await)
        .is(Code::InvalidArgument, "TOO_LARGE")
        .says("limit", "1000");
    let strange = pb::GenerateRequest {
        layout: 3,
        ..count(1, None)
    };
    refusal(generated(&service, strange).await.map(|_| ()))
        .is(Code::InvalidArgument, "BAD_FIELD")
        .names("layout");
    service.stop().await;
}

async fn made(service: &Service, request: pb::MakePuzzleRequest) -> Result<Told, Status> {
    let mut stream = service.sudoku().make_puzzle(request).await?.into_inner();
    let mut told = Told::default();
    while let Some(message) = stream.message().await? {
        told.add(message.results.expect("results"));
    }
    Ok(told)
}

#[tokio::test]
async fn made_puzzles_have_the_one_solution_that_comes_with_them() {
    let service = Service::start().await;
    let request = pb::MakePuzzleRequest {
        count: 40,
        options: Some(pb::MakePuzzleOptions {
            seed: Some(3),
            symmetry: pb::Symmetry::Rotational180.into(),
            givens: Some(pb::Range {
                min: Some(26),
                max: Some(32),
            }),
            ..pb::MakePuzzleOptions::default()
        }),
        ..pb::MakePuzzleRequest::default()
    };
    let told = made(&service, request.clone()).await.expect("puzzles");
    assert_eq!(told.grids.len(), 40);
    let mut solver = Solver::new();
    for (item, line) in told.grids.iter().enumerate() {
        let puzzle: Puzzle = line.parse().expect("a puzzle");
        let answer = solver.solve(&puzzle, SolveLimits::UNIQUENESS, 1, Cancel::never());
        let answer = answer.expect("nobody cancels");
        assert_eq!(answer.verdict, Verdict::Unique);
        assert_eq!(answer.solutions[0].to_line(), told.solutions[item]);
        let rating = &told.ratings[item];
        assert_eq!(rating.givens, u32::from(puzzle.givens()));
        assert_eq!(rating.guesses, answer.guesses);
        assert!((26..=32).contains(&rating.givens));
        let given = |cell: usize| puzzle.cells()[cell] != 0;
        assert!(
            (0..81).all(|cell| given(cell) == given(80 - cell)),
            "{line}"
        );
    }
    // The first puzzle does not wait for the others, and cutting differently changes nothing.
    assert_eq!(told.batches[0], 1);
    let part = pb::MakePuzzleRequest {
        count: 10,
        first_index: 30,
        ..request
    };
    let part = made(&service, part).await.expect("puzzles");
    assert_eq!(part.grids, told.grids[30..]);
    service.stop().await;
}

#[tokio::test]
async fn contradictions_and_what_comes_later_are_told_apart() {
    let service = Service::start().await;
    let ask = |options| pb::MakePuzzleRequest {
        count: 1,
        options: Some(options),
        ..pb::MakePuzzleRequest::default()
    };
    let none = pb::MakePuzzleOptions {
        givens: Some(pb::Range {
            min: None,
            max: Some(16),
        }),
        ..pb::MakePuzzleOptions::default()
    };
    refusal(made(&service, ask(none)).await)
        .is(Code::InvalidArgument, "IMPOSSIBLE")
        .names("options.givens");
    let later = pb::MakePuzzleOptions {
        distinct_up_to_symmetry: true,
        ..pb::MakePuzzleOptions::default()
    };
    refusal(made(&service, ask(later)).await)
        .is(Code::Unimplemented, "NOT_IMPLEMENTED")
        .names("options.distinct_up_to_symmetry");
    let from_grids = pb::MakePuzzleRequest {
        solutions: batch(&[SOLUTION]),
        ..pb::MakePuzzleRequest::default()
    };
    refusal(made(&service, from_grids).await)
        .is(Code::Unimplemented, "NOT_IMPLEMENTED")
        .names("solutions");
    service.stop().await;
}
