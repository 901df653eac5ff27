//! Ratings, in a call and in a job.

use gridmill::rpc::pb::{self, Outcome};
use gridmill::sudoku::logic::RATER_VERSION;
use tonic::Code;

use crate::client::{PUZZLE, SOLUTION, Service, Told, batch, refusal};

/// Rated 3.6, 3.6 and 3.0 by Sudoku Explainer.
const HARD: &str =
    ".7....3.....43....5..7...2..8..7.43.....6..79...1..2..2..89.6..6.....9....1.4....";

/// What is asked: puzzles of all kinds, and lines that have no rating.
fn lines() -> Vec<String> {
    let empty = ".".repeat(81);
    let none = format!("11{}", &PUZZLE[2..]);
    let lines = [PUZZLE, HARD, "no puzzle", &empty, &none, SOLUTION];
    lines.map(str::to_owned).to_vec()
}

async fn rated(service: &Service, lines: &[&str], options: pb::RateOptions) -> Told {
    let request = pb::RateRequest {
        puzzles: batch(lines),
        options: Some(options),
    };
    let answer = service.sudoku().rate(request).await.expect("ratings");
    let answer = answer.into_inner();
    assert_eq!(answer.rater_version, RATER_VERSION);
    let mut told = Told::default();
    told.add(answer.results.expect("results"));
    told
}

fn counted() -> pb::RateOptions {
    pb::RateOptions {
        technique_counts: true,
        ..pb::RateOptions::default()
    }
}

#[tokio::test]
async fn a_rating_tells_how_hard_a_puzzle_is_and_an_outcome_why_it_has_none() {
    let service = Service::start().await;
    let lines = lines();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let told = rated(&service, &lines, pb::RateOptions::default()).await;
    let expected = [
        Outcome::Unique,
        Outcome::Unique,
        Outcome::Malformed,
        Outcome::Multiple,
        Outcome::None,
        Outcome::Unique,
    ];
    assert_eq!(told.outcomes, expected);
    for item in [0, 1, 3, 4, 5] {
        assert_eq!(told.grids[item], lines[item], "a puzzle keeps its place");
    }
    let hard = pb::Rating {
        er_tenths: 36,
        ep_tenths: 36,
        ed_tenths: 30,
        hardest_technique: "Naked Triplet".to_owned(),
        difficulty: pb::Difficulty::Hard.into(),
        givens: 24,
        guesses: told.ratings[1].guesses,
        ..pb::Rating::default()
    };
    assert_eq!(told.ratings[1], hard);
    assert_eq!(told.ratings[0].difficulty(), pb::Difficulty::Easy);
    for none in [2, 3, 4] {
        assert_eq!(told.ratings[none], pb::Rating::default());
    }
    // There is no step in a complete grid, and so no level.
    let complete = pb::Rating {
        givens: 81,
        ..pb::Rating::default()
    };
    assert_eq!(told.ratings[5], complete);
    service.stop().await;
}

#[tokio::test]
async fn techniques_are_counted_when_asked_for() {
    let service = Service::start().await;
    let told = rated(&service, &[HARD], counted()).await;
    let rating = &told.ratings[0];
    let counts = &rating.technique_counts;
    assert_eq!(counts[&rating.hardest_technique], 1);
    // Each empty cell is filled in by a step.
    let placing = ["Single", "Full House", "Direct"];
    let placed = counts
        .iter()
        .filter(|(name, _)| placing.iter().any(|of| name.contains(of)));
    assert_eq!(
        placed.map(|(_, count)| count).sum::<u32>(),
        81 - rating.givens
    );
    service.stop().await;
}

#[tokio::test]
async fn a_job_tells_the_same_as_a_call() {
    let service = Service::start().await;
    let lines = lines();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let told = rated(&service, &lines, counted()).await;
    let job = pb::CreateJobRequest {
        job: Some(pb::Job {
            work: Some(pb::job::Work::Rate(counted())),
            ..pb::Job::default()
        }),
        inputs: batch(&lines),
        commit: true,
        ..pb::CreateJobRequest::default()
    };
    let job = service.create(job).await;
    assert_eq!(job.rater_version, RATER_VERSION);
    let results = pb::StreamResultsRequest {
        name: job.name,
        follow: true,
        ..pb::StreamResultsRequest::default()
    };
    let in_job = service.results(results).await;
    assert_eq!(in_job.outcomes, told.outcomes);
    assert_eq!(in_job.grids, told.grids);
    assert_eq!(in_job.ratings, told.ratings);
    service.stop().await;
}

#[tokio::test]
async fn a_limit_ends_a_rating_and_not_its_neighbours() {
    let service = Service::start().await;
    let few = pb::RateOptions {
        step_limit: 60,
        ..pb::RateOptions::default()
    };
    let chains =
        "....6.3.........2613.5..9.......6.9.2.7......4..8531....8.39....9...5..1...28..6.";
    let told = rated(&service, &[PUZZLE, chains, PUZZLE], few).await;
    let expected = [Outcome::Unique, Outcome::StepLimit, Outcome::Unique];
    assert_eq!(told.outcomes, expected);
    assert_eq!(told.ratings[1], pb::Rating::default());
    assert_eq!(told.ratings[0], told.ratings[2]);
    let many = pb::RateRequest {
        options: Some(pb::RateOptions {
            step_limit: 5_000_001,
            ..pb::RateOptions::default()
        }),
        ..pb::RateRequest::default()
    };
    refusal(service.sudoku().rate(many).await)
        .is(Code::InvalidArgument, "TOO_LARGE")
        .names("options.step_limit")
        .says("limit", "5000000");
    service.stop().await;
}

#[tokio::test]
async fn a_call_takes_a_thousand() {
    let service = Service::start().await;
    let told = rated(&service, &[PUZZLE; 1_000], pb::RateOptions::default()).await;
    assert_eq!(told.ratings, vec![told.ratings[0].clone(); 1_000]);
    let request = pb::RateRequest {
        puzzles: batch(&[PUZZLE; 1_001]),
        ..pb::RateRequest::default()
    };
    refusal(service.sudoku().rate(request).await)
        .is(Code::InvalidArgument, "TOO_LARGE")
        .names("puzzles")
        .says("limit", "1000");
    let none = rated(&service, &[], pb::RateOptions::default()).await;
    assert!(none.outcomes.is_empty());
    service.stop().await;
}

#[tokio::test]
async fn puzzles_are_made_as_hard_as_wanted() {
    let service = Service::start().await;
    for (level, least, most) in [
        (pb::Difficulty::Easy, 10, 15),
        (pb::Difficulty::Medium, 17, 29),
        (pb::Difficulty::Hard, 30, 44),
        (pb::Difficulty::Fiendish, 45, 69),
        (pb::Difficulty::Extreme, 70, 200),
    ] {
        let options = pb::MakePuzzleOptions {
            seed: Some(6),
            difficulty: level.into(),
            ..pb::MakePuzzleOptions::default()
        };
        let (told, version) = made(&service, options).await;
        assert_eq!(version, RATER_VERSION);
        let puzzles: Vec<&str> = told.grids.iter().map(String::as_str).collect();
        let again = rated(&service, &puzzles, pb::RateOptions::default()).await;
        assert_eq!(told.ratings, again.ratings);
        for rating in &told.ratings {
            assert_eq!(rating.difficulty(), level);
            assert!((least..=most).contains(&rating.er_tenths), "{rating:?}");
        }
    }
    service.stop().await;
}

#[tokio::test]
async fn techniques_are_required_and_forbidden() {
    let service = Service::start().await;
    let options = pb::MakePuzzleOptions {
        seed: Some(2),
        require_techniques: vec!["Naked Pair".to_owned()],
        forbid_techniques: vec!["Claiming".to_owned()],
        ..pb::MakePuzzleOptions::default()
    };
    let (told, _) = made(&service, options).await;
    let puzzles: Vec<&str> = told.grids.iter().map(String::as_str).collect();
    for rating in rated(&service, &puzzles, counted()).await.ratings {
        assert!(rating.technique_counts.contains_key("Naked Pair"));
        assert!(!rating.technique_counts.contains_key("Claiming"));
    }
    service.stop().await;
}

#[tokio::test]
async fn a_made_puzzle_is_rated_only_if_that_is_wished() {
    let service = Service::start().await;
    let options = |rate| pb::MakePuzzleOptions {
        seed: Some(1),
        rate,
        ..pb::MakePuzzleOptions::default()
    };
    let (plain, none) = made(&service, options(false)).await;
    let (told, version) = made(&service, options(true)).await;
    assert_eq!((none, version), (0, RATER_VERSION));
    assert_eq!(plain.grids, told.grids);
    assert!(plain.ratings.iter().all(|rating| rating.er_tenths == 0));
    assert!(told.ratings.iter().all(|rating| rating.er_tenths >= 10));
    service.stop().await;
}

/// Eight puzzles, and the version of their ratings.
async fn made(service: &Service, options: pb::MakePuzzleOptions) -> (Told, u32) {
    let request = pb::MakePuzzleRequest {
        count: 8,
        options: Some(options),
        ..pb::MakePuzzleRequest::default()
    };
    let messages = service
        .sudoku()
        .make_puzzle(request)
        .await
        .expect("puzzles");
    let mut messages = messages.into_inner();
    let (mut told, mut version) = (Told::default(), 0);
    while let Some(message) = messages.message().await.expect("no error") {
        version = message.rater_version;
        told.add(message.results.expect("results"));
    }
    assert_eq!(told.outcomes, [Outcome::Unique; 8]);
    (told, version)
}
