//! One job from submission to its last byte, whatever happens to the server.

use gridmill::jobs::alike::{Remakes, Sealed};
use gridmill::jobs::chunk::Span;
use gridmill::jobs::items::Inputs;
use gridmill::jobs::run::Runner;
use gridmill::jobs::spec::{Distribution, Generate, MakePuzzle, Rate, Solve, Work};
use gridmill::rpc::pb::job_service_client::JobServiceClient;
use gridmill::rpc::pb::{self, grid_batch, job, stream_results_response};
use gridmill::sudoku::packed;
use gridmill::sudoku::{Cancel, Distinct, Puzzle, Symmetry, Uniform};
use sha2::{Digest, Sha256};
use tokio_stream::StreamExt;

use crate::client::{Client, died};

const STEPS: u64 = 100_000;

pub(crate) struct Order {
    request_id: String,
    work: Work,
    count: u64,
    inputs: Inputs,
}

impl Order {
    pub(crate) fn generate(seed: u64, count: u64) -> Self {
        let work = Work::Generate(Generate {
            seed,
            distribution: Distribution::Distinct,
            first_digit: None,
        });
        Self::new(work, count, Inputs::default())
    }

    pub(crate) fn make(seed: u64, count: u64) -> Self {
        let work = Work::MakePuzzle(MakePuzzle {
            symmetry: Symmetry::Rotational180,
            minimal: true,
            ..MakePuzzle::any(seed, STEPS)
        });
        Self::new(work, count, Inputs::default())
    }

    /// Puzzles as hard as wanted.
    pub(crate) fn hard(seed: u64, count: u64) -> Self {
        let work = Work::MakePuzzle(MakePuzzle {
            er: Some((30, 44)),
            rate: true,
            ..MakePuzzle::any(seed, STEPS)
        });
        Self::new(work, count, Inputs::default())
    }

    /// Puzzles of few solutions with nearly all cells given, so that many are alike and made again.
    pub(crate) fn unlike(seed: u64, count: u64) -> Self {
        let grids = Uniform::new(seed, None);
        let mut inputs = Inputs::default();
        for index in 0..count {
            let cells = *grids.grid(index % 10).cells();
            inputs.push(Some(&Puzzle::from_cells(cells).expect("digits")));
        }
        let work = Work::MakePuzzle(MakePuzzle {
            givens: Some((79, 80)),
            // Of no effect but that chunks are small.
            givens_per_house: Some((0, 9)),
            from_solutions: true,
            distinct_up_to_symmetry: true,
            ..MakePuzzle::any(seed, STEPS)
        });
        Self::new(work, count, inputs)
    }

    /// Grids with some cells emptied: solutions none, one and many; every fiftieth is no puzzle.
    pub(crate) fn solve(seed: u64, count: u64) -> Self {
        let grids = Distinct::new(seed, None);
        let mut inputs = Inputs::default();
        for index in 0..count {
            let mut cells = *grids.grid(index).cells();
            for step in 0..50 + index % 8 {
                let cell = (index * 31 + step * 17) % 81;
                cells[usize::try_from(cell).expect("below 81")] = 0;
            }
            if index % 10 == 3 {
                // A wrong digit: most of these have no solution.
                cells[usize::try_from(index % 81).expect("below 81")] = 1;
            }
            let puzzle = Puzzle::from_cells(cells).expect("digits");
            inputs.push((index % 50 != 7).then_some(&puzzle));
        }
        let work = Work::Solve(Solve {
            count_limit: 3,
            step_limit: STEPS,
        });
        Self::new(work, count, inputs)
    }

    /// The ratings of the same inputs.
    pub(crate) fn rate(seed: u64, count: u64) -> Self {
        let inputs = Self::solve(seed, count).inputs;
        let work = Work::Rate(Rate {
            technique_counts: true,
            step_limit: 5_000,
        });
        Self::new(work, count, inputs)
    }

    /// The canonical forms of the same inputs.
    pub(crate) fn canonicalize(seed: u64, count: u64) -> Self {
        let inputs = Self::solve(seed, count).inputs;
        Self::new(Work::Canonicalize, count, inputs)
    }

    fn new(work: Work, count: u64, inputs: Inputs) -> Self {
        Self {
            request_id: uuid::Uuid::now_v7().to_string(),
            work,
            count,
            inputs,
        }
    }

    /// Submits, uploads, reads, and compares with the library; the number of items.
    pub(crate) async fn fulfil(self, client: Client) -> u64 {
        let name = self.submit(&client).await;
        if self.work.takes_inputs() {
            self.upload(&client, &name).await;
        }
        let (sum, job) = self.read(&client, &name).await;
        assert_eq!(job.state(), pb::JobState::Succeeded, "{job:?}");
        assert_eq!(job.count, Some(self.count));
        let progress = job.progress.as_ref().expect("progress");
        assert_eq!((progress.done, progress.faults), (self.count, 0));
        assert_eq!(sum, self.expected(), "{name} differs from the library");
        self.count
    }

    async fn submit(&self, client: &Client) -> String {
        let (work, count) = match &self.work {
            Work::Solve(solve) => (
                job::Work::Solve(pb::SolveOptions {
                    count_limit: solve.count_limit,
                    step_limit: solve.step_limit,
                }),
                None,
            ),
            Work::Generate(generate) => (
                job::Work::Generate(pb::GenerateOptions {
                    seed: Some(generate.seed),
                    ..Default::default()
                }),
                Some(self.count),
            ),
            Work::Rate(rate) => (
                job::Work::Rate(pb::RateOptions {
                    technique_counts: rate.technique_counts,
                    step_limit: rate.step_limit,
                }),
                None,
            ),
            Work::Canonicalize => (job::Work::Canonicalize(pb::CanonicalizeOptions {}), None),
            Work::MakePuzzle(make) => (
                job::Work::MakePuzzle(pb::MakePuzzleOptions {
                    seed: Some(make.seed),
                    symmetry: match make.symmetry {
                        Symmetry::Rotational180 => pb::Symmetry::Rotational180,
                        _ => pb::Symmetry::None,
                    }
                    .into(),
                    givens: make.givens.map(range),
                    givens_per_house: make.givens_per_house.map(range),
                    minimal: make.minimal,
                    er_tenths: make.er.map(range),
                    distinct_up_to_symmetry: make.distinct_up_to_symmetry,
                    step_limit: make.step_limit,
                    ..Default::default()
                }),
                (!make.from_solutions).then_some(self.count),
            ),
        };
        let request = pb::CreateJobRequest {
            job: Some(pb::Job {
                work: Some(work),
                count,
                ..Default::default()
            }),
            request_id: self.request_id.clone(),
            ..Default::default()
        };
        let create = || {
            client.retry(|channel| {
                let request = request.clone();
                async move { JobServiceClient::new(channel).create_job(request).await }
            })
        };
        let name = create()
            .await
            .expect("it is taken")
            .job
            .expect("a job")
            .name;
        let again = create().await.expect("a replay").job.expect("a job").name;
        assert_eq!(name, again, "a request id makes one job");
        name
    }

    async fn upload(&self, client: &Client, name: &str) {
        let mut received = 0;
        while received < self.count {
            let first = usize::try_from(received).expect("few");
            // An overlap of up to 100 items, as after a lost answer.
            let first = first.saturating_sub(100);
            let piece = self.inputs.slice(first, 1_500);
            let request = pb::AppendInputsRequest {
                name: name.to_owned(),
                first_index: first as u64,
                inputs: Some(lines(&piece)),
            };
            let answer = client
                .retry(|channel| {
                    let request = request.clone();
                    async move { JobServiceClient::new(channel).append_inputs(request).await }
                })
                .await
                .expect("it is taken");
            assert!(
                answer.received > received,
                "an acknowledged watermark never goes back"
            );
            received = answer.received;
        }
        let request = pb::CommitJobRequest {
            name: name.to_owned(),
            expected_count: Some(self.count),
        };
        client
            .retry(|channel| {
                let request = request.clone();
                async move { JobServiceClient::new(channel).commit_job(request).await }
            })
            .await
            .expect("it is committed");
    }

    /// Follows the stream from cut to cut; the sum over all that it brought, and the ended job.
    async fn read(&self, client: &Client, name: &str) -> (Vec<u8>, pb::Job) {
        let mut sum = Sha256::new();
        let mut next = 0;
        loop {
            let Some(mut jobs) = client.jobs().await else {
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
                continue;
            };
            let request = pb::StreamResultsRequest {
                name: name.to_owned(),
                start_index: next,
                follow: true,
                ..Default::default()
            };
            let mut stream = match jobs.stream_results(request).await {
                Ok(stream) => stream.into_inner(),
                Err(status) if died(&status) => continue,
                Err(status) => panic!("{status}"),
            };
            while let Some(message) = stream.next().await {
                let message = match message {
                    Ok(message) => message,
                    Err(status) if died(&status) => break,
                    Err(status) => panic!("{status}"),
                };
                match message.event {
                    Some(stream_results_response::Event::Results(batch)) => {
                        assert_eq!(batch.first_index, next, "no gap and no repeat");
                        next += batch.outcomes.len() as u64;
                        take_in(&mut sum, &batch);
                    }
                    Some(stream_results_response::Event::FinalJob(job)) => {
                        assert_eq!(next, self.count, "the stream ends with the last item");
                        return (sum.finalize().to_vec(), job);
                    }
                    _ => {}
                }
                assert_eq!(message.next_index, next);
            }
        }
    }

    /// The same sum, from the library alone.
    fn expected(&self) -> Vec<u8> {
        let mut sum = Sha256::new();
        let span = Span {
            first: 0,
            len: self.count,
        };
        let mut runner = Runner::default();
        let mut remakes = Remakes::new();
        let results = loop {
            let done = runner.run(&self.work, span, &self.inputs, &remakes, Cancel::never());
            let done = done.expect("not cancelled");
            let again = Sealed::default().seal(&done.forms);
            if again.is_empty() {
                break done.results;
            }
            remakes.extend(again);
        };
        let (grids, _) = results.grids.as_chunks();
        for (item, outcome) in results.outcomes.iter().enumerate() {
            let mut line = [0; 82];
            packed::to_line(&grids[item], &mut line);
            sum.update([*outcome as u8]);
            sum.update(line);
            if let Some(counts) = &results.counts {
                sum.update(counts[item].to_le_bytes());
            }
            if let Some(ratings) = &results.ratings {
                let rating = &ratings[item];
                add_rating(&mut sum, [rating.er, rating.ep, rating.ed].map(u32::from));
            }
        }
        sum.finalize().to_vec()
    }
}

/// Of what is rated; others have zeros.
fn add_rating(sum: &mut Sha256, tenths: [u32; 3]) {
    for number in tenths.into_iter().filter(|&number| number > 0) {
        sum.update(number.to_le_bytes());
    }
}

fn range<T: Into<u32>>((min, max): (T, T)) -> pb::Range {
    pb::Range {
        min: Some(min.into()),
        max: Some(max.into()),
    }
}

fn take_in(sum: &mut Sha256, batch: &pb::ResultBatch) {
    let Some(grid_batch::Layout::Lines(lines)) =
        batch.grids.as_ref().and_then(|g| g.layout.as_ref())
    else {
        panic!("lines were asked for");
    };
    assert_eq!(crc32c::crc32c(lines.as_bytes()), batch.crc32c);
    assert_eq!(lines.len(), batch.outcomes.len() * 82);
    for (item, line) in lines.as_bytes().chunks(82).enumerate() {
        sum.update([u8::try_from(batch.outcomes[item]).expect("few outcomes")]);
        sum.update(line);
        if let Some(count) = batch.solution_counts.get(item) {
            sum.update(count.to_le_bytes());
        }
        if let Some(rating) = batch.ratings.get(item) {
            let tenths = [rating.er_tenths, rating.ep_tenths, rating.ed_tenths];
            add_rating(sum, tenths);
        }
    }
}

fn lines(inputs: &Inputs) -> pb::GridBatch {
    let lines: Vec<String> = inputs
        .iter()
        .map(|puzzle| puzzle.map_or("no puzzle".to_owned(), |puzzle| puzzle.to_line()))
        .collect();
    pb::GridBatch {
        layout: Some(grid_batch::Layout::Lines(lines.join("\n"))),
    }
}
