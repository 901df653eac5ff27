//! Puzzles of which no two are images of one another, in a call and in a job.

use gridmill::rpc::pb;
use gridmill::sudoku::symmetry::Canonicalizer;
use tonic::Code;

use crate::client::{SOLUTION, Service, batch, refusal};
use crate::making::{all, made};

#[tokio::test]
async fn no_two_puzzles_of_a_call_or_a_job_are_images_of_one_another() {
    let service = Service::start().await;
    // A grid and an image of it, from which 81 puzzles of 80 givens can be made.
    let image: String = SOLUTION
        .chars()
        .rev()
        .map(|digit| match digit {
            '9' => '1',
            digit => char::from(digit as u8 + 1),
        })
        .collect();
    let grids = [SOLUTION, image.as_str()].repeat(35);
    let options = pb::MakePuzzleOptions {
        seed: Some(4),
        givens: Some(pb::Range {
            min: Some(80),
            max: Some(80),
        }),
        distinct_up_to_symmetry: true,
        ..pb::MakePuzzleOptions::default()
    };
    let request = pb::MakePuzzleRequest {
        options: Some(options.clone()),
        solutions: batch(&grids),
        ..pb::MakePuzzleRequest::default()
    };
    let told = made(&service, request.clone()).await.expect("puzzles");
    assert!(told.batches.len() > 2, "over several messages");
    let mut canonicalizer = Canonicalizer::new();
    let mut form = |line: &String| {
        canonicalizer
            .canonical(&line.parse().expect("a puzzle"))
            .form
    };
    let mut forms: Vec<_> = told.grids.iter().map(|line| form(line).to_line()).collect();
    forms.sort();
    forms.dedup();
    assert_eq!(forms.len(), 70);
    let plain = pb::MakePuzzleRequest {
        options: Some(pb::MakePuzzleOptions {
            distinct_up_to_symmetry: false,
            ..options.clone()
        }),
        ..request.clone()
    };
    let plain = made(&service, plain).await.expect("puzzles");
    assert_ne!(plain.grids, told.grids, "some are alike by chance");
    assert_eq!(plain.grids[0], told.grids[0]);

    let later = pb::MakePuzzleRequest {
        first_index: 5,
        ..request
    };
    refusal(made(&service, later).await)
        .is(Code::InvalidArgument, "BAD_FIELD")
        .names("first_index");

    let job = pb::CreateJobRequest {
        job: Some(pb::Job {
            work: Some(pb::job::Work::MakePuzzle(options)),
            ..pb::Job::default()
        }),
        inputs: batch(&grids),
        commit: true,
        ..pb::CreateJobRequest::default()
    };
    let job = service.create(job).await;
    let in_job = all(&service, &job).await;
    assert_eq!(in_job.grids, told.grids);
    service.stop().await;
}
