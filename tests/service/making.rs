//! `SudokuService`: Generate and MakePuzzle.

use gridmill::rpc::pb;
use gridmill::sudoku::{Cancel, Digit, House, Puzzle, SolveLimits, Solver, Uniform, Verdict};
use tokio_stream::StreamExt;
use tonic::{Code, Status, Streaming};

use crate::client::{PUZZLE, SOLUTION, Service, Told, batch, grids, refusal};

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

pub(crate) async fn made(
    service: &Service,
    request: pb::MakePuzzleRequest,
) -> Result<Told, Status> {
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
    service.stop().await;
}

#[tokio::test]
async fn uniform_grids_are_the_same_in_a_call_and_in_a_job() {
    let service = Service::start().await;
    let options = pb::GenerateOptions {
        seed: Some(11),
        distribution: pb::generate_options::Distribution::Uniform.into(),
        first_digit: 3,
    };
    let request = pb::GenerateRequest {
        options: Some(options),
        ..count(300, None)
    };
    let (told, _) = generated(&service, request).await.expect("grids");
    let expected = Uniform::new(11, Digit::new(3));
    let expected: Vec<_> = (0..300).map(|i| expected.grid(i).to_line()).collect();
    assert_eq!(told.grids, expected);
    let job = pb::CreateJobRequest {
        job: Some(pb::Job {
            work: Some(pb::job::Work::Generate(options)),
            count: Some(300),
            ..pb::Job::default()
        }),
        ..pb::CreateJobRequest::default()
    };
    let job = service.create(job).await;
    assert_eq!(job.work, Some(pb::job::Work::Generate(options)));
    assert_eq!(all(&service, &job).await.grids, expected);
    service.stop().await;
}

/// All results of a job, when it has ended.
pub(crate) async fn all(service: &Service, job: &pb::Job) -> Told {
    let request = pb::StreamResultsRequest {
        name: job.name.clone(),
        follow: true,
        ..pb::StreamResultsRequest::default()
    };
    service.results(request).await
}

#[tokio::test]
async fn wishes_are_met_or_openly_not() {
    let service = Service::start().await;
    let range = |min, max| Some(pb::Range { min, max });
    let border = "x".repeat(27) + &"xxx...xxx".repeat(3) + &"x".repeat(27);
    let options = pb::MakePuzzleOptions {
        seed: Some(5),
        pattern: border.clone(),
        givens_per_house: range(None, Some(6)),
        guesses: range(Some(1), None),
        ..pb::MakePuzzleOptions::default()
    };
    let request = pb::MakePuzzleRequest {
        count: 20,
        options: Some(options.clone()),
        ..pb::MakePuzzleRequest::default()
    };
    let told = made(&service, request).await.expect("puzzles");
    for (line, rating) in told.grids.iter().zip(&told.ratings) {
        assert!(rating.guesses >= 1, "{line}");
        let outside = line.bytes().zip(border.bytes());
        assert!(
            outside
                .filter(|&(_, mark)| mark == b'.')
                .all(|(cell, _)| cell == b'.')
        );
        for house in House::all() {
            let cells = house.cells();
            let given = cells
                .iter()
                .filter(|cell| line.as_bytes()[cell.index()] != b'.');
            assert!(given.count() <= 6, "{line}");
        }
    }
    // What cannot be found is said, and what was in the way.
    let hard = pb::MakePuzzleOptions {
        guesses: range(Some(1_000_000), None),
        step_limit: 20,
        ..options
    };
    let job = pb::CreateJobRequest {
        job: Some(pb::Job {
            work: Some(pb::job::Work::MakePuzzle(hard.clone())),
            count: Some(3),
            ..pb::Job::default()
        }),
        ..pb::CreateJobRequest::default()
    };
    let job = service.create(job).await;
    assert_eq!(
        job.work,
        Some(pb::job::Work::MakePuzzle(pb::MakePuzzleOptions {
            symmetry: pb::Symmetry::None.into(),
            givens_per_house: range(Some(0), Some(6)),
            ..hard
        }))
    );
    let told = all(&service, &job).await;
    assert_eq!(told.outcomes, [pb::Outcome::NotFound; 3]);
    let progress = told.last.and_then(|job| job.progress).expect("progress");
    let rejections: u64 = progress.rejections.values().sum();
    assert_eq!(rejections, 60, "{:?}", progress.rejections);
    assert!(
        progress.rejections["guesses"] > 0,
        "{:?}",
        progress.rejections
    );
    service.stop().await;
}

#[tokio::test]
async fn puzzles_are_made_from_the_clients_solutions() {
    let service = Service::start().await;
    let mut wrong = SOLUTION.to_owned();
    wrong.replace_range(0..1, if SOLUTION.starts_with('9') { "8" } else { "9" });
    let solutions = batch(&[SOLUTION, &wrong, PUZZLE, SOLUTION]);
    let options = pb::MakePuzzleOptions {
        seed: Some(2),
        ..pb::MakePuzzleOptions::default()
    };
    let request = pb::MakePuzzleRequest {
        options: Some(options.clone()),
        solutions: solutions.clone(),
        ..pb::MakePuzzleRequest::default()
    };
    let told = made(&service, request.clone()).await.expect("puzzles");
    let (unique, malformed) = (pb::Outcome::Unique, pb::Outcome::Malformed);
    assert_eq!(told.outcomes, [unique, malformed, malformed, unique]);
    assert_eq!([&told.solutions[0], &told.solutions[3]], [SOLUTION; 2]);
    assert_ne!(told.grids[0], told.grids[3]);
    for line in [&told.grids[0], &told.grids[3]] {
        let puzzle: Puzzle = line.parse().expect("a puzzle");
        let answer = Solver::new().solve(&puzzle, SolveLimits::UNIQUENESS, 1, Cancel::never());
        let answer = answer.expect("nobody cancels");
        assert_eq!(answer.verdict, Verdict::Unique);
        assert_eq!(answer.solutions[0].to_line(), SOLUTION);
    }
    let miscounted = pb::MakePuzzleRequest {
        count: 3,
        ..request
    };
    refusal(made(&service, miscounted).await)
        .is(Code::InvalidArgument, "BAD_FIELD")
        .names("count");

    let job = pb::CreateJobRequest {
        job: Some(pb::Job {
            work: Some(pb::job::Work::MakePuzzle(options)),
            ..pb::Job::default()
        }),
        inputs: solutions,
        commit: true,
        ..pb::CreateJobRequest::default()
    };
    let mut counted = job.clone();
    let job = service.create(job).await;
    assert_eq!(job.count, Some(4));
    let in_job = all(&service, &job).await;
    assert_eq!((in_job.grids, in_job.outcomes), (told.grids, told.outcomes));
    counted.job.as_mut().expect("a job").count = Some(4);
    refusal(service.jobs().create_job(counted).await)
        .is(Code::InvalidArgument, "BAD_FIELD")
        .names("job.count");
    service.stop().await;
}
