//! Jobs whose work fails or is cut short half-way: a server with workers that do as a test says.

use std::net::Ipv4Addr;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use gridmill::jobs::clock::SystemClock;
use gridmill::jobs::items::Inputs;
use gridmill::jobs::lease::Claim;
use gridmill::jobs::run::run;
use gridmill::jobs::store::Completion;
use gridmill::rpc::pb::job_service_client::JobServiceClient;
use gridmill::rpc::{self, Settings, pb};
use gridmill::store::StoreLimits;
use gridmill::store::sqlite::{SqliteSettings, SqliteStore};
use gridmill::sudoku::{Cancel, Cancelled};
use gridmill::worker::{Pool, PoolSettings, Priority};
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tonic::Code;
use tonic::transport::Channel;

use crate::client::{Told, generate, grids, has_ended, refusal, results_of};

/// A server without a host, so that its workers can be others.
struct Rig {
    jobs: JobServiceClient<Channel>,
    store: SqliteStore,
    pool: Pool,
    shutdown: CancellationToken,
    server: JoinHandle<Result<(), rpc::ServeError>>,
    directory: TempDir,
}

impl Rig {
    async fn start<E>(execute: E) -> Self
    where
        E: Fn(&Claim, Cancel<'_>) -> Result<Completion, Cancelled> + Clone + Send + 'static,
    {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
        let listener = listener.expect("a free port");
        let address = listener.local_addr().expect("an address").to_string();
        let clock = Arc::new(SystemClock::new());
        let sqlite = SqliteSettings {
            path: directory.path().join("jobs.db"),
            address: address.clone(),
            limits: StoreLimits {
                live_jobs: 10,
                tenant_bytes: 1 << 30,
                disk_bytes: 4 << 30,
            },
        };
        let store = SqliteStore::open(sqlite, clock.clone())
            .await
            .expect("a new database");
        let two = NonZeroUsize::new(2).expect("not zero");
        let settings = PoolSettings {
            workers: two,
            priority: Priority::Normal,
        };
        let pool = Pool::start_with(store.clone(), settings, execute);
        let shutdown = CancellationToken::new();
        let settings = Settings {
            workers: two,
            backup_dir: None,
            max_connection_age: None,
            lame_duck: Duration::ZERO,
            drain: Duration::from_secs(10),
            max_streams: two,
            max_calls: two,
            interactive_threads: two,
        };
        let serving = rpc::serve(listener, store.clone(), clock, settings, shutdown.clone());
        let server = tokio::spawn(serving);
        let jobs = JobServiceClient::connect(format!("http://{address}")).await;
        Self {
            jobs: jobs.expect("the server listens"),
            store,
            pool,
            shutdown,
            server,
            directory,
        }
    }

    async fn create(&mut self, request: pb::CreateJobRequest) -> String {
        let created = self.jobs.create_job(request).await.expect("created");
        created.into_inner().job.expect("a job").name
    }

    /// The job once `is_so` of it.
    async fn wait_for(&mut self, name: &str, is_so: impl Fn(&pb::Job) -> bool) -> pb::Job {
        let mut known_revision = 0;
        loop {
            let request = pb::WaitJobRequest {
                name: name.to_owned(),
                known_revision,
                timeout: None,
            };
            let answer = self.jobs.wait_job(request).await.expect("the job is there");
            let job = answer.into_inner().job.expect("a job");
            if is_so(&job) {
                return job;
            }
            known_revision = job.revision;
        }
    }

    async fn stop(self) {
        drop(self.jobs);
        self.shutdown.cancel();
        self.pool.stop().await;
        self.server.await.expect("no panic").expect("a clean end");
        self.store.close().await;
    }
}

fn as_usual(claim: &Claim, cancel: Cancel<'_>) -> Result<Completion, Cancelled> {
    run(&claim.work, claim.lease.span, &Inputs::default(), cancel)
}

#[tokio::test]
async fn faults_are_isolated_told_and_listed() {
    const BAD: [u64; 3] = [0, 2, 5];
    let mut rig = Rig::start(|claim: &Claim, cancel: Cancel<'_>| {
        let bad = BAD
            .iter()
            .any(|index| claim.lease.span.range().contains(index));
        assert!(!bad, "this item makes the worker fail");
        as_usual(claim, cancel)
    })
    .await;
    let name = rig.create(generate(6, 1)).await;
    let job = rig.wait_for(&name, has_ended).await;
    assert_eq!(job.state(), pb::JobState::PartiallyFailed);
    let progress = job.progress.expect("progress");
    assert_eq!((progress.done, progress.faults), (6, 3));

    let stream = rig
        .jobs
        .stream_results(results_of(&name))
        .await
        .expect("a stream");
    let told = Told::of(stream.into_inner()).await.expect("a good end");
    let expected = grids(1, 0..6);
    for (index, grid) in expected.iter().enumerate() {
        if BAD.contains(&(index as u64)) {
            assert_eq!(told.outcomes[index], pb::Outcome::Fault);
            assert_eq!(told.grids[index], ".".repeat(81));
        } else {
            assert_eq!(told.outcomes[index], pb::Outcome::Made);
            assert_eq!(told.grids[index], *grid);
        }
    }

    let mut listed = Vec::new();
    let mut page_token = String::new();
    loop {
        let request = pb::ListFailuresRequest {
            name: name.clone(),
            page_size: 2,
            page_token,
        };
        let page = rig
            .jobs
            .list_failures(request)
            .await
            .expect("a page")
            .into_inner();
        assert!(page.failures.len() <= 2);
        listed.extend(page.failures);
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    let indices: Vec<u64> = listed.iter().map(|failure| failure.first_index).collect();
    assert_eq!(indices, BAD);
    for failure in listed {
        assert_eq!((failure.count, failure.attempts), (1, 3));
        assert!(failure.fail_time.is_some() && !failure.worker.is_empty());
        let error = failure.error.expect("an error");
        assert!(error.message.contains("makes the worker fail"), "{error:?}");
    }
    rig.stop().await;
}

#[tokio::test]
async fn what_a_cancelled_job_never_ran_is_skipped_and_the_rest_is_there() {
    const CHUNK: u64 = 8192;
    let mut rig = Rig::start(|claim: &Claim, cancel: Cancel<'_>| {
        if claim.lease.span.first == CHUNK {
            while !cancel.is_set() {
                thread::yield_now();
            }
            return Err(Cancelled);
        }
        as_usual(claim, cancel)
    })
    .await;
    let name = rig.create(generate(4 * CHUNK, 7)).await;
    let done = |job: &pb::Job| job.progress.as_ref().map_or(0, |progress| progress.done);
    let stuck = rig.wait_for(&name, |job| done(job) == 3 * CHUNK).await;
    assert_eq!(stuck.progress.expect("progress").contiguous_done, CHUNK);
    let cancel = pb::CancelJobRequest { name: name.clone() };
    rig.jobs.cancel_job(cancel).await.expect("cancelled");
    let job = rig.wait_for(&name, has_ended).await;
    assert_eq!(job.state(), pb::JobState::Cancelled);

    let stream = rig
        .jobs
        .stream_results(results_of(&name))
        .await
        .expect("a stream");
    let told = Told::of(stream.into_inner()).await.expect("a good end");
    let gap = usize::try_from(CHUNK).expect("small");
    assert_eq!(told.outcomes.len(), 4 * gap);
    for (index, outcome) in told.outcomes.iter().enumerate() {
        let skipped = (gap..2 * gap).contains(&index);
        let expected = if skipped {
            pb::Outcome::Skipped
        } else {
            pb::Outcome::Made
        };
        assert_eq!(*outcome, expected, "{index}");
    }
    assert!(told.grids[2 * gap..] == grids(7, 2 * CHUNK..4 * CHUNK));
    assert!(
        told.grids[gap..2 * gap]
            .iter()
            .all(|grid| *grid == ".".repeat(81))
    );
    rig.stop().await;
}

#[tokio::test]
async fn a_payload_that_is_not_what_was_written_is_data_loss() {
    let mut rig = Rig::start(as_usual).await;
    let name = rig.create(generate(10, 1)).await;
    rig.wait_for(&name, has_ended).await;
    let file = rig.directory.path().join("jobs.db");
    let mut database = SqliteConnectOptions::new()
        .filename(file)
        .connect()
        .await
        .expect("open");
    // The last byte is the payload's own, behind its header.
    let spoil = "update results set payload = \
                 cast(substr(payload, 1, length(payload) - 1) || x'00' as blob)";
    sqlx::query(spoil)
        .execute(&mut database)
        .await
        .expect("spoilt");
    let status = rig
        .jobs
        .stream_results(results_of(&name))
        .await
        .expect_err("no results");
    let refused = refusal(Err::<(), _>(status)).is(Code::DataLoss, "CORRUPT");
    assert!(refused.metadata.contains_key("incident"), "{refused:?}");
    rig.stop().await;
}
