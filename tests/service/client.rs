//! A server, its clients, and what the tests say again and again.

use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use gridmill::cli::host::{Host, HostSettings};
use gridmill::config::Database;
use gridmill::rpc::Settings;
use gridmill::rpc::pb;
use gridmill::rpc::pb::admin_service_client::AdminServiceClient;
use gridmill::rpc::pb::grid_batch::Layout as Cells;
use gridmill::rpc::pb::job_service_client::JobServiceClient;
use gridmill::rpc::pb::stream_results_response::Event;
use gridmill::rpc::pb::sudoku_service_client::SudokuServiceClient;
use gridmill::store::StoreLimits;
use gridmill::sudoku::Distinct;
use gridmill::worker::Priority;
use tempfile::TempDir;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Status, Streaming};
use tonic_types::StatusExt;

/// Has exactly one solution, [`SOLUTION`].
pub(crate) const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
pub(crate) const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// A server with a private database.
pub(crate) struct Service {
    host: Host,
    channel: Channel,
    directory: TempDir,
}

impl Service {
    pub(crate) async fn start() -> Self {
        Self::with(|_| {}).await
    }

    /// A server with settings of its own.
    pub(crate) async fn with(change: impl FnOnce(&mut HostSettings)) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let two = NonZeroUsize::new(2).expect("not zero");
        let many = NonZeroUsize::new(4096).expect("not zero");
        let mut settings = HostSettings {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            database: Database::at(directory.path().join("jobs.db")),
            limits: StoreLimits {
                live_jobs: 1000,
                tenant_bytes: 1 << 30,
                disk_bytes: 4 << 30,
            },
            workers: two,
            priority: Priority::Normal,
            rpc: Settings {
                workers: two,
                backup_dir: Some(directory.path().to_owned()),
                max_connection_age: None,
                lame_duck: Duration::ZERO,
                drain: Duration::from_secs(10),
                max_streams: many,
                max_calls: many,
                interactive_threads: two,
            },
        };
        change(&mut settings);
        let host = Host::start(settings)
            .await
            .expect("a free port and a new database");
        let channel = connect(host.address()).await;
        Self {
            host,
            channel,
            directory,
        }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.host.address()
    }

    /// A connection of its own.
    pub(crate) async fn connect(&self) -> Channel {
        connect(self.address()).await
    }

    pub(crate) fn channel(&self) -> Channel {
        self.channel.clone()
    }

    pub(crate) fn sudoku(&self) -> SudokuServiceClient<Channel> {
        SudokuServiceClient::new(self.channel())
    }

    pub(crate) fn jobs(&self) -> JobServiceClient<Channel> {
        JobServiceClient::new(self.channel())
    }

    pub(crate) fn admin(&self) -> AdminServiceClient<Channel> {
        AdminServiceClient::new(self.channel())
    }

    pub(crate) fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// Stops the server; nothing may hold that up.
    pub(crate) async fn stop(self) {
        drop(self.channel);
        self.host.stop().await.expect("a clean stop");
    }

    /// The server alone, for tests in which it stops while clients stay.
    pub(crate) fn into_host(self) -> (Host, TempDir) {
        (self.host, self.directory)
    }

    pub(crate) async fn pause_queue(&self) {
        let request = pb::PauseQueueRequest {};
        self.admin().pause_queue(request).await.expect("paused");
    }

    pub(crate) async fn resume_queue(&self) {
        let request = pb::ResumeQueueRequest {};
        self.admin().resume_queue(request).await.expect("resumed");
    }

    /// The server's clock, and a span later.
    pub(crate) async fn clock(&self, seconds: i64, nanos: i32) -> prost_types::Timestamp {
        let job = self.create(generate(0, 1)).await;
        let now = job.create_time.expect("a time");
        let mut later = prost_types::Timestamp {
            seconds: now.seconds + seconds,
            nanos: now.nanos + nanos,
        };
        later.normalize();
        later
    }

    /// Creates the job and returns it.
    pub(crate) async fn create(&self, request: pb::CreateJobRequest) -> pb::Job {
        let created = self.jobs().create_job(request).await.expect("created");
        created.into_inner().job.expect("a job")
    }

    /// The job once it has ended.
    pub(crate) async fn ended(&self, name: &str) -> pb::Job {
        self.wait_for(name, has_ended).await
    }

    /// The job once `is_so` of it.
    pub(crate) async fn wait_for(&self, name: &str, is_so: impl Fn(&pb::Job) -> bool) -> pb::Job {
        let mut known_revision = 0;
        loop {
            let request = pb::WaitJobRequest {
                name: name.to_owned(),
                known_revision,
                timeout: None,
            };
            let answer = self
                .jobs()
                .wait_job(request)
                .await
                .expect("the job is there");
            let job = answer.into_inner().job.expect("a job");
            if is_so(&job) {
                return job;
            }
            assert!(!has_ended(&job), "the job ended otherwise: {job:?}");
            known_revision = job.revision;
        }
    }

    /// All that a stream of results says.
    pub(crate) async fn results(&self, request: pb::StreamResultsRequest) -> Told {
        let stream = self.jobs().stream_results(request).await.expect("a stream");
        Told::of(stream.into_inner()).await.expect("a good end")
    }
}

async fn connect(address: SocketAddr) -> Channel {
    Endpoint::from_shared(format!("http://{address}"))
        .expect("an address")
        .connect()
        .await
        .expect("the server listens")
}

pub(crate) fn has_ended(job: &pb::Job) -> bool {
    job.state >= pb::JobState::Succeeded as i32
}

/// A stream of results, read to its end.
#[derive(Debug, Default)]
pub(crate) struct Told {
    pub(crate) outcomes: Vec<pb::Outcome>,
    pub(crate) grids: Vec<String>,
    pub(crate) inputs: Vec<String>,
    pub(crate) solutions: Vec<String>,
    pub(crate) counts: Vec<u64>,
    pub(crate) ratings: Vec<pb::Rating>,
    pub(crate) canonicals: Vec<pb::Canonical>,
    pub(crate) batches: Vec<usize>,
    pub(crate) next_index: u64,
    pub(crate) last: Option<pb::Job>,
}

impl Told {
    /// Reads on, and checks that nothing is missing, doubled or garbled on the way.
    pub(crate) async fn of(
        mut stream: Streaming<pb::StreamResultsResponse>,
    ) -> Result<Self, Status> {
        let mut told = Self::default();
        while let Some(message) = stream.message().await? {
            told.take(message);
        }
        Ok(told)
    }

    pub(crate) fn take(&mut self, message: pb::StreamResultsResponse) {
        assert!(self.last.is_none(), "the final job is the last message");
        match message.event.expect("an event") {
            Event::Results(batch) => {
                let items = batch.outcomes.len();
                if !self.batches.is_empty() {
                    assert_eq!(batch.first_index, self.next_index, "no gap and no repeat");
                }
                assert!(items > 0, "a batch holds something");
                assert_eq!(message.next_index, batch.first_index + items as u64);
                self.add(batch);
            }
            Event::Heartbeat(_) => {}
            Event::FinalJob(job) => self.last = Some(job),
        }
        self.next_index = message.next_index;
    }

    pub(crate) fn add(&mut self, batch: pb::ResultBatch) {
        let items = batch.outcomes.len();
        self.batches.push(items);
        self.outcomes.extend(batch.outcomes());
        let grids = batch.grids.expect("grids");
        assert_eq!(batch.crc32c, crc32c::crc32c(bytes(&grids)), "the checksum");
        let own = lines(&grids);
        assert_eq!(own.len(), items);
        self.grids.extend(own);
        self.inputs.extend(batch.inputs.iter().flat_map(lines));
        self.solutions
            .extend(batch.solutions.iter().flat_map(lines));
        self.counts.extend(batch.solution_counts);
        self.ratings.extend(batch.ratings);
        self.canonicals.extend(batch.canonicals);
    }
}

/// The grids of a batch as lines of 81, whatever its layout.
pub(crate) fn lines(batch: &pb::GridBatch) -> Vec<String> {
    match batch.layout.as_ref().expect("a layout") {
        Cells::Lines(text) => {
            assert_eq!(text.len() % 82, 0, "82 bytes a line");
            text.lines().map(str::to_owned).collect()
        }
        Cells::Packed(bytes) => {
            let (grids, rest) = bytes.as_chunks::<41>();
            assert!(rest.is_empty(), "41 bytes a grid");
            grids.iter().map(unpacked).collect()
        }
    }
}

fn unpacked(grid: &[u8; 41]) -> String {
    let nibbles = grid.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    let cell = |nibble| match nibble {
        0 => '.',
        1..=9 => char::from(b'0' + nibble),
        _ => '?',
    };
    nibbles.take(81).map(cell).collect()
}

pub(crate) fn bytes(batch: &pb::GridBatch) -> &[u8] {
    match batch.layout.as_ref().expect("a layout") {
        Cells::Lines(text) => text.as_bytes(),
        Cells::Packed(bytes) => bytes,
    }
}

/// Lines as the batch of a request.
#[expect(clippy::unnecessary_wraps, reason = "a field of a message")]
pub(crate) fn batch<T: AsRef<str>>(lines: &[T]) -> Option<pb::GridBatch> {
    let text = lines.iter().map(|line| format!("{}\n", line.as_ref()));
    Some(pb::GridBatch {
        layout: Some(Cells::Lines(text.collect())),
    })
}

/// A request for a job that generates.
pub(crate) fn generate(count: u64, seed: u64) -> pb::CreateJobRequest {
    pb::CreateJobRequest {
        job: Some(pb::Job {
            work: Some(pb::job::Work::Generate(pb::GenerateOptions {
                seed: Some(seed),
                ..pb::GenerateOptions::default()
            })),
            count: Some(count),
            ..pb::Job::default()
        }),
        ..pb::CreateJobRequest::default()
    }
}

/// A request for a job that solves, without inputs.
pub(crate) fn solve() -> pb::CreateJobRequest {
    pb::CreateJobRequest {
        job: Some(pb::Job {
            work: Some(pb::job::Work::Solve(pb::SolveOptions::default())),
            ..pb::Job::default()
        }),
        ..pb::CreateJobRequest::default()
    }
}

/// A request for all results of a job.
pub(crate) fn results_of(name: &str) -> pb::StreamResultsRequest {
    pb::StreamResultsRequest {
        name: name.to_owned(),
        follow: true,
        ..pb::StreamResultsRequest::default()
    }
}

/// The grids of a seed, from the library itself.
pub(crate) fn grids(seed: u64, indices: std::ops::Range<u64>) -> Vec<String> {
    let sequence = Distinct::new(seed, None);
    indices
        .map(|index| sequence.grid(index).to_line())
        .collect()
}

/// Why a call was refused.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) code: Code,
    pub(crate) reason: String,
    pub(crate) metadata: HashMap<String, String>,
    /// The fields that are named, by violations or in the metadata.
    pub(crate) fields: Vec<String>,
    pub(crate) message: String,
    pub(crate) status: Status,
}

/// Reads a refusal, and checks what holds for each of them.
pub(crate) fn refusal<T: std::fmt::Debug>(answer: Result<T, Status>) -> Refusal {
    let status = answer.expect_err("a refusal");
    let info = status
        .get_details_error_info()
        .unwrap_or_else(|| panic!("no ErrorInfo: {status:?}"));
    assert_eq!(info.domain, "gridmill.dev");
    assert!(status.details().len() < 4096, "details stay small");
    let request = status.get_details_bad_request();
    let violations = request
        .into_iter()
        .flat_map(|request| request.field_violations);
    let mut fields: Vec<String> = violations.map(|violation| violation.field).collect();
    fields.extend(info.metadata.get("field").cloned());
    Refusal {
        code: status.code(),
        reason: info.reason,
        metadata: info.metadata,
        fields,
        message: status.message().to_owned(),
        status,
    }
}

impl Refusal {
    /// Checks code and reason.
    #[track_caller]
    pub(crate) fn is(self, code: Code, reason: &str) -> Self {
        assert_eq!(
            (self.code, self.reason.as_str()),
            (code, reason),
            "{self:?}"
        );
        self
    }

    /// Checks that the field is named.
    #[track_caller]
    pub(crate) fn names(self, field: &str) -> Self {
        assert!(self.fields.iter().any(|named| named == field), "{self:?}");
        self
    }

    /// Checks an entry of the metadata.
    #[track_caller]
    pub(crate) fn says(self, key: &str, value: &str) -> Self {
        let said = self.metadata.get(key).map(String::as_str);
        assert_eq!(said, Some(value), "{self:?}");
        self
    }
}
