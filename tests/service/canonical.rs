//! Canonical forms, in a call and in a job.

use gridmill::rpc::pb;
use tonic::Code;

use crate::client::{PUZZLE, SOLUTION, Service, Told, batch, refusal};

async fn canonical(service: &Service, lines: &[&str]) -> Told {
    let request = pb::CanonicalizeRequest {
        grids: batch(lines),
    };
    let answer = service.sudoku().canonicalize(request).await.expect("forms");
    let mut told = Told::default();
    told.add(answer.into_inner().results.expect("results"));
    told
}

/// What the transformation makes of the line.
fn image(line: &str, canonical: &pb::Canonical) -> String {
    let cell = |row: u32, column: u32| {
        let (row, column) = if canonical.transposed {
            (column, row)
        } else {
            (row, column)
        };
        match line.as_bytes()[(9 * row + column) as usize] {
            b'.' => '.',
            digit => {
                let name = canonical.digits[usize::from(digit - b'0')];
                char::from_digit(name, 10).expect("a digit")
            }
        }
    };
    let rows = canonical.rows.iter();
    rows.flat_map(|&row| {
        canonical
            .columns
            .iter()
            .map(move |&column| cell(row, column))
    })
    .collect()
}

#[tokio::test]
async fn the_transformation_leads_to_the_form_and_images_share_it() {
    let service = Service::start().await;
    // Rows become columns, and digits change places.
    let transposed = |line: &str| -> String {
        let cells = (0..81).map(|cell| line.as_bytes()[cell % 9 * 9 + cell / 9]);
        cells
            .map(|cell| {
                if cell == b'.' {
                    '.'
                } else {
                    char::from(b'9' - cell + b'1')
                }
            })
            .collect()
    };
    let lines = [
        PUZZLE,
        &transposed(PUZZLE),
        "no puzzle",
        SOLUTION,
        &transposed(SOLUTION),
    ];
    let told = canonical(&service, &lines).await;
    let (made, malformed) = (pb::Outcome::Made, pb::Outcome::Malformed);
    assert_eq!(told.outcomes, [made, made, malformed, made, made]);
    assert_eq!(told.grids[0], told.grids[1]);
    assert_eq!(told.grids[3], told.grids[4]);
    assert!(told.grids[3].starts_with("123456789"));
    for i in [0, 1, 3, 4] {
        assert_eq!(image(lines[i], &told.canonicals[i]), told.grids[i]);
        assert!(told.canonicals[i].automorphisms >= 1);
    }
    // A form is its own form.
    let again = canonical(&service, &[&told.grids[0]]).await;
    assert_eq!(again.grids[0], told.grids[0]);

    let job = pb::CreateJobRequest {
        job: Some(pb::Job {
            work: Some(pb::job::Work::Canonicalize(pb::CanonicalizeOptions {})),
            ..pb::Job::default()
        }),
        inputs: batch(&lines),
        commit: true,
        ..pb::CreateJobRequest::default()
    };
    let job = service.create(job).await;
    let results = pb::StreamResultsRequest {
        name: job.name,
        follow: true,
        include_inputs: true,
        ..pb::StreamResultsRequest::default()
    };
    let in_job = service.results(results).await;
    assert_eq!(in_job.grids, told.grids);
    assert_eq!(in_job.outcomes, told.outcomes);
    assert_eq!(in_job.canonicals, told.canonicals);
    assert_eq!(in_job.inputs[0], PUZZLE);
    service.stop().await;
}

#[tokio::test]
async fn a_call_takes_a_thousand() {
    let service = Service::start().await;
    assert_eq!(
        canonical(&service, &[PUZZLE; 1_000]).await.grids.len(),
        1_000
    );
    let request = pb::CanonicalizeRequest {
        grids: batch(&[PUZZLE; 1_001]),
    };
    refusal(service.sudoku().canonicalize(request).await)
        .is(Code::InvalidArgument, "TOO_LARGE")
        .names("grids")
        .says("limit", "1000");
    assert!(canonical(&service, &[]).await.grids.is_empty());
    service.stop().await;
}
