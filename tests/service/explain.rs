//! Explain and Hint: a puzzle step by step, to its ending, or the next step alone.

use gridmill::rpc::pb;
use gridmill::rpc::pb::explain_response::Event;
use gridmill::rpc::pb::step::Kind;
use tonic::{Code, Status};

use crate::client::{PUZZLE, SOLUTION, Service, refusal};

/// Its four empty cells can be filled in two ways.
const SEVERAL: &str =
    "534678912672195348198342567859761423426853791713924856961.3728.287.1963.345286179";

async fn explained(
    service: &Service,
    puzzle: &str,
    max_er_tenths: u32,
) -> Result<(Vec<pb::Step>, pb::Ending), Status> {
    let request = pb::ExplainRequest {
        puzzle: puzzle.to_owned(),
        max_er_tenths,
    };
    let mut events = service.sudoku().explain(request).await?.into_inner();
    let mut steps = Vec::new();
    loop {
        let event = events.message().await?.expect("an ending comes last");
        match event.event.expect("a step or an ending") {
            Event::Step(step) => steps.push(step),
            Event::Ending(ending) => {
                assert!(
                    events.message().await?.is_none(),
                    "nothing behind the ending"
                );
                return Ok((steps, ending));
            }
        }
    }
}

#[tokio::test]
async fn steps_lead_to_the_solution_and_take_none_of_it_away() {
    let service = Service::start().await;
    let (steps, ending) = explained(&service, PUZZLE, 0)
        .await
        .expect("an explanation");
    assert_eq!(ending.outcome(), pb::Outcome::Unique);
    let rating = ending.rating.expect("it needed no guess");
    let most = steps.iter().map(|step| step.er_tenths).max();
    assert_eq!(Some(rating.er_tenths), most);
    assert_eq!(rating.ed_tenths, steps[0].er_tenths);
    let solution = SOLUTION.as_bytes();
    let is_true = |candidate: u32| {
        let digit = u32::from(solution[candidate as usize / 9] - b'0');
        digit == candidate % 9 + 1
    };
    for (number, step) in (1..).zip(&steps) {
        assert_eq!((step.number, step.kind()), (number, Kind::Deduction));
        assert!(
            step.placements.iter().all(|&placed| is_true(placed)),
            "{step:?}"
        );
        assert!(
            !step.eliminations.iter().any(|&gone| is_true(gone)),
            "{step:?}"
        );
        assert!(!step.placements.is_empty() || !step.eliminations.is_empty());
        assert!(step.text.ends_with('.') && !step.technique.is_empty());
        assert_eq!((step.board.len(), step.candidates.len()), (81, 81));
        let fits = step.board.chars().zip(SOLUTION.chars());
        assert!({ fits }.all(|(cell, digit)| cell == '.' || cell == digit));
    }
    assert_eq!(steps.last().expect("steps").board, SOLUTION);
    service.stop().await;
}

#[tokio::test]
async fn below_the_bound_guesses_are_made_and_taken_back() {
    let service = Service::start().await;
    let (steps, ending) = explained(&service, PUZZLE, 10)
        .await
        .expect("an explanation");
    assert_eq!(ending.outcome(), pb::Outcome::Unique);
    assert_eq!(ending.rating, None, "guesses have no rating");
    assert_eq!(steps.last().expect("steps").board, SOLUTION);
    let mut level = 0;
    for step in &steps {
        match step.kind() {
            Kind::Guess => level += 1,
            Kind::Deduction => assert!(step.er_tenths <= 10),
            _ => {}
        }
        assert_eq!(step.guess_level, level, "{step:?}");
        level -= u32::from(step.kind() == Kind::Contradiction);
    }
    let guesses = steps.iter().filter(|step| step.kind() == Kind::Guess);
    assert!(guesses.count() > 0);
    service.stop().await;
}

#[tokio::test]
async fn a_puzzle_that_is_none_ends_with_what_is_wrong() {
    let service = Service::start().await;
    let (steps, ending) = explained(&service, SEVERAL, 0).await.expect("an ending");
    assert_eq!((steps.len(), ending.outcome()), (0, pb::Outcome::Multiple));
    assert_eq!(ending.solutions.len(), 2);
    assert_ne!(ending.solutions[0], ending.solutions[1]);
    let twice = format!("11{}", ".".repeat(79));
    let (steps, ending) = explained(&service, &twice, 0).await.expect("an ending");
    assert_eq!((steps.len(), ending.outcome()), (0, pb::Outcome::None));
    assert_eq!(ending.conflicts[0].digit, Some(1));
    refusal(explained(&service, "12345", 0).await)
        .is(Code::InvalidArgument, "BAD_FIELD")
        .names("puzzle");
    service.stop().await;
}

async fn hinted(service: &Service, request: pb::HintRequest) -> Result<pb::HintResponse, Status> {
    Ok(service.sudoku().hint(request).await?.into_inner())
}

#[tokio::test]
async fn hints_lead_from_any_board_to_the_solution() {
    use pb::hint_response::Event;
    let service = Service::start().await;
    let mut request = pb::HintRequest {
        givens: PUZZLE.to_owned(),
        ..pb::HintRequest::default()
    };
    // Hint after hint is the explanation.
    let (steps, _) = explained(&service, PUZZLE, 0)
        .await
        .expect("an explanation");
    for expected in steps {
        let answer = hinted(&service, request.clone()).await.expect("a hint");
        let Some(Event::Step(step)) = answer.event else {
            panic!("{answer:?}")
        };
        assert_eq!(
            (&step.technique, &step.board),
            (&expected.technique, &expected.board)
        );
        request.entries = step.board;
        request.eliminated.extend(step.eliminations);
    }
    let answer = hinted(&service, request.clone()).await.expect("an answer");
    let Some(Event::Ending(ending)) = answer.event else {
        panic!("{answer:?}")
    };
    assert_eq!(ending.outcome(), pb::Outcome::Unique);

    // A wrong entry is named and does not mislead; nor does a candidate wrongly crossed out.
    let mut entries = SOLUTION.as_bytes().to_vec();
    entries[2] = if entries[2] == b'1' { b'2' } else { b'1' };
    entries[80] = b'.';
    let digit = u32::from(SOLUTION.as_bytes()[80] - b'0');
    let wrong = pb::HintRequest {
        entries: String::from_utf8(entries).expect("digits"),
        eliminated: vec![9 * 80 + digit - 1],
        ..request.clone()
    };
    let answer = hinted(&service, wrong).await.expect("a hint");
    assert_eq!(answer.wrong_cells, [2]);
    let Some(Event::Step(step)) = answer.event else {
        panic!("{answer:?}")
    };
    assert_eq!(step.placements.len(), 1);

    let several = pb::HintRequest {
        givens: SEVERAL.to_owned(),
        ..pb::HintRequest::default()
    };
    let answer = hinted(&service, several).await.expect("an ending");
    let Some(Event::Ending(ending)) = answer.event else {
        panic!("{answer:?}")
    };
    assert_eq!(
        (ending.outcome(), ending.solutions.len()),
        (pb::Outcome::Multiple, 2)
    );
    for (givens, entries, eliminated, field) in [
        ("1", "", 0, "givens"),
        (PUZZLE, "1", 0, "entries"),
        (PUZZLE, "", 729, "eliminated[0]"),
    ] {
        let bad = pb::HintRequest {
            givens: givens.to_owned(),
            entries: entries.to_owned(),
            eliminated: vec![eliminated],
        };
        refusal(hinted(&service, bad).await)
            .is(Code::InvalidArgument, "BAD_FIELD")
            .names(field);
    }
    service.stop().await;
}
