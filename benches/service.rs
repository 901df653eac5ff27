//! How fast the service answers while its workers are busy: the real binary, over a real socket, with
//! each priority of its worker threads, and optionally beside a busy neighbour.
//!
//! ```text
//! cargo bench --bench service
//! GRIDMILL_NEIGHBOUR=2 cargo bench --bench service    # with two threads that spin beside it
//! ```
//!
//! Not criterion: what matters is a tail under load, not the mean of something alone.

#![expect(clippy::print_stdout, reason = "a benchmark reports")]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{env, hint, thread};

use gridmill::rpc::pb::job_service_client::JobServiceClient;
use gridmill::rpc::pb::{self, job};
use tonic::transport::Channel;

const CALLS: usize = 2_000;
/// Puzzles in the job that keeps the workers busy: more than they make meanwhile.
const LARGE: u64 = 1_000_000;
const SMALL: u64 = 10;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let neighbours = env::var("GRIDMILL_NEIGHBOUR").map_or(0, |n| n.parse().expect("a number"));
    let stop = Arc::new(AtomicBool::new(false));
    for _ in 0..neighbours {
        let stop = Arc::clone(&stop);
        thread::spawn(move || {
            while !stop.load(Ordering::Relaxed) {
                hint::spin_loop();
            }
        });
    }
    println!("neighbours {neighbours}; times in microseconds");
    for priority in ["idle", "normal"] {
        measure(priority).await;
    }
    stop.store(true, Ordering::Relaxed);
}

async fn measure(priority: &str) {
    let dir = tempfile::tempdir().expect("a folder");
    let (mut server, address) = serve(dir.path(), priority);
    let mut jobs = JobServiceClient::connect(address)
        .await
        .expect("it listens");

    let idle = create(&mut jobs, 0).await;
    let get_idle = polls(&mut jobs, &idle).await;
    let create_idle = creations(&mut jobs).await;

    let large = create(&mut jobs, LARGE).await;
    until_it_runs(&mut jobs, &large).await;
    let before = done(&mut jobs, &large).await;
    let begun = Instant::now();
    let get_busy = polls(&mut jobs, &large).await;
    let create_busy = creations(&mut jobs).await;
    let small_waits = small_jobs(&mut jobs).await;
    let made = done(&mut jobs, &large).await - before;
    #[expect(clippy::cast_precision_loss, reason = "a rate")]
    let rate = made as f64 / begun.elapsed().as_secs_f64();
    assert!(made > 0, "the workers were busy");

    println!("worker priority {priority}: {rate:.0} puzzles/s meanwhile");
    for (what, times) in [
        ("GetJob, idle", get_idle),
        ("GetJob, busy", get_busy),
        ("CreateJob, idle", create_idle),
        ("CreateJob, busy", create_busy),
        ("ten-puzzle job behind a large one", small_waits),
    ] {
        let [p50, p99, max] = [50, 99, 100].map(|p| percentile(&times, p).as_micros());
        println!("  {what:34} p50 {p50:>8}  p99 {p99:>8}  max {max:>8}");
    }
    server.kill().expect("it can be ended");
    server.wait().expect("it is reaped");
}

fn serve(dir: &Path, priority: &str) -> (Child, String) {
    let mut server = Command::new(env!("CARGO_BIN_EXE_gridmill"))
        .args([
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--worker-priority",
            priority,
        ])
        .arg("--database")
        .arg(format!("sqlite:{}", dir.join("bench.db").display()))
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut lines = BufReader::new(server.stderr.take().expect("it is piped")).lines();
    let address = lines
        .by_ref()
        .map_while(Result::ok)
        .find_map(|line| Some(line.split_once("listening on ")?.1.trim().to_owned()))
        .expect("it says where it listens");
    thread::spawn(move || lines.for_each(drop));
    (server, format!("http://{address}"))
}

async fn create(jobs: &mut JobServiceClient<Channel>, count: u64) -> String {
    let make = pb::MakePuzzleOptions {
        seed: Some(1),
        minimal: true,
        ..Default::default()
    };
    let request = pb::CreateJobRequest {
        job: Some(pb::Job {
            work: Some(job::Work::MakePuzzle(make)),
            count: Some(count),
            ..Default::default()
        }),
        ..Default::default()
    };
    let job = jobs.create_job(request).await.expect("it is taken");
    job.into_inner().job.expect("a job").name
}

async fn get(jobs: &mut JobServiceClient<Channel>, name: &str) -> pb::Job {
    let request = pb::GetJobRequest {
        name: name.to_owned(),
    };
    let job = jobs.get_job(request).await.expect("it is there");
    job.into_inner().job.expect("a job")
}

async fn done(jobs: &mut JobServiceClient<Channel>, name: &str) -> u64 {
    get(jobs, name).await.progress.expect("progress").done
}

async fn until_it_runs(jobs: &mut JobServiceClient<Channel>, name: &str) {
    while get(jobs, name).await.progress.expect("progress").done == 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

async fn polls(jobs: &mut JobServiceClient<Channel>, name: &str) -> Vec<Duration> {
    let mut times = Vec::with_capacity(CALLS);
    for _ in 0..CALLS {
        let begun = Instant::now();
        get(jobs, name).await;
        times.push(begun.elapsed());
    }
    times
}

async fn creations(jobs: &mut JobServiceClient<Channel>) -> Vec<Duration> {
    let mut times = Vec::with_capacity(CALLS / 4);
    for _ in 0..CALLS / 4 {
        let begun = Instant::now();
        create(jobs, 0).await;
        times.push(begun.elapsed());
    }
    times
}

/// From submission to the end.
async fn small_jobs(jobs: &mut JobServiceClient<Channel>) -> Vec<Duration> {
    let mut times = Vec::new();
    for _ in 0..20 {
        let begun = Instant::now();
        let name = create(jobs, SMALL).await;
        let mut job = get(jobs, &name).await;
        while job.state() != pb::JobState::Succeeded {
            let request = pb::WaitJobRequest {
                name: name.clone(),
                known_revision: job.revision,
                timeout: None,
            };
            let answer = jobs.wait_job(request).await.expect("it is there");
            job = answer.into_inner().job.expect("a job");
        }
        times.push(begun.elapsed());
    }
    times
}

fn percentile(times: &[Duration], percent: usize) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    sorted[(sorted.len() - 1) * percent / 100]
}
