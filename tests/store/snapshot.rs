//! The whole queue as text. Every struct is taken apart without `..`, so that a new field cannot be
//! forgotten here.

use std::fmt::Write;
use std::time::Duration;

use gridmill::jobs::clock::Timestamp;
use gridmill::jobs::id::{JobRef, Tenant};
use gridmill::jobs::items::Tally;
use gridmill::jobs::job::{Failure, Job, JobError};
use gridmill::jobs::progress::{Progress, Rate};
use gridmill::jobs::spec::{JobSpec, Priority};
use gridmill::jobs::store::{JobFilter, JobStore, QueueStatus, ResultPage};

use crate::backend::Backend;
use crate::place::{Place, START, generate, make, singles, solve};

pub(crate) async fn the_whole_queue<B: Backend>() {
    let place = Place::<B>::new().await;
    // Done in part, its first chunk out.
    let mut spec = make(20);
    spec.priority = Priority::new(5).expect("in range");
    let running = place.create(spec).await;
    let first = place.claim_some().await;
    place.wait(Duration::from_secs(1));
    let second = place.claim_some().await;
    place.complete(&second).await;
    // One item, a fault.
    let mut spec = singles(1);
    spec.priority = Priority::new(9).expect("in range");
    spec.labels.insert("name".to_owned(), "unlucky".to_owned());
    place.create(spec).await;
    for _ in 0..3 {
        place.wait(Duration::from_secs(30));
        let claim = place.claim_some().await;
        let failed = place.store.fail(&claim.lease, "no luck".to_owned());
        failed.await.expect("the lease is held");
    }
    let mut spec = generate(10_000);
    spec.max_parallelism = Some(2);
    spec.not_before = Some(START.after(Duration::from_hours(1)));
    spec.deadline = Some(START.after(Duration::from_hours(2)));
    place.create(spec).await;
    let upload = place.create(solve()).await;
    place.append(&upload, 0, &crate::place::inputs(0..10)).await;
    let paused = place.create(make(1)).await;
    place.store.pause(&paused).await.expect("a pause");
    let cancelled = place.create(make(1)).await;
    place
        .store
        .cancel(&cancelled)
        .await
        .expect("a cancellation");
    place.store.set_queue_paused(true).await.expect("a pause");

    assert_eq!(queue(&place.store).await, QUEUE);
    place.store.cancel(&running).await.expect("a cancellation");
    assert_eq!(picture(&place.store, &running).await, CANCELLING);
    place.complete(&first).await;
    assert_eq!(picture(&place.store, &running).await, CANCELLED);
    place.audit().await;
}

const QUEUE: &str = "\
CANCELLED r2 of default v3/0
  MakePuzzle(MakePuzzle { seed: 3, symmetry: None, givens: Some((20, 22)), minimal: false, pattern: Pattern(xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx), givens_per_house: None, guesses: None, er: None, require_techniques: Techniques(0), forbid_techniques: Techniques(0), rate: false, from_solutions: false, distinct_up_to_symmetry: false, step_limit: 1 })
  count=Some(1) priority=0 parallel=None not_before=- deadline=- ttl=259200s labels={}
  0/1 to 0, received 0, 0.00/s+0, place 0, [], {}
  created 91s started - ended 91s expires 259291s
PAUSED r2 of default v3/0
  MakePuzzle(MakePuzzle { seed: 3, symmetry: None, givens: Some((20, 22)), minimal: false, pattern: Pattern(xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx), givens_per_house: None, guesses: None, er: None, require_techniques: Techniques(0), forbid_techniques: Techniques(0), rate: false, from_solutions: false, distinct_up_to_symmetry: false, step_limit: 1 })
  count=Some(1) priority=0 parallel=None not_before=- deadline=- ttl=259200s labels={}
  0/1 to 0, received 0, 0.00/s+0, place 0, [], {}
  created 91s started - ended - expires -
UPLOADING r2 of default v3/0
  Solve(Solve { count_limit: 1001, step_limit: 10 })
  count=None priority=0 parallel=None not_before=- deadline=- ttl=259200s labels={}
  0/10 to 0, received 10, 0.00/s+0, place 0, [], {}
  created 91s started - ended - expires -
QUEUED r1 of default v3/0
  Generate(Generate { seed: 7, distribution: Distinct, first_digit: None })
  count=Some(10000) priority=0 parallel=Some(2) not_before=3600s deadline=7200s ttl=259200s labels={}
  0/10000 to 0, received 0, 0.00/s+0, place 1, [], {}
  created 91s started - ended - expires -
PARTIALLY_FAILED r3 of default v3/0
  MakePuzzle(MakePuzzle { seed: 3, symmetry: None, givens: Some((17, 19)), minimal: false, pattern: Pattern(xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx), givens_per_house: None, guesses: None, er: None, require_techniques: Techniques(0), forbid_techniques: Techniques(0), rate: false, from_solutions: false, distinct_up_to_symmetry: false, step_limit: 1 })
  count=Some(1) priority=9 parallel=None not_before=- deadline=- ttl=259200s labels={\"name\": \"unlucky\"}
  1/1 to 1, received 0, 0.02/s+0, place 0, [fault=1], {}
  created 1s started 31s ended 91s expires 259291s
  results 0..1: [fault=1]
  failure 0+1 at 91s, attempt 3: PANICKED, no luck
RUNNING r3 of default v3/0
  MakePuzzle(MakePuzzle { seed: 3, symmetry: None, givens: Some((20, 22)), minimal: false, pattern: Pattern(xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx), givens_per_house: None, guesses: None, er: None, require_techniques: Techniques(0), forbid_techniques: Techniques(0), rate: false, from_solutions: false, distinct_up_to_symmetry: false, step_limit: 1 })
  count=Some(20) priority=5 parallel=None not_before=- deadline=- ttl=259200s labels={}
  8/20 to 0, received 0, 8.00/s+0, place 0, [unique=8], {}
  created 0ns started 0ns ended - expires -
queue paused=true queued=1 running=1 oldest=0ns
";

/// How the running one goes on, once it is cancelled and once its chunk is completed.
const CANCELLING: &str = "\
CANCELLING r4 of default v3/0
  MakePuzzle(MakePuzzle { seed: 3, symmetry: None, givens: Some((20, 22)), minimal: false, pattern: Pattern(xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx), givens_per_house: None, guesses: None, er: None, require_techniques: Techniques(0), forbid_techniques: Techniques(0), rate: false, from_solutions: false, distinct_up_to_symmetry: false, step_limit: 1 })
  count=Some(20) priority=5 parallel=None not_before=- deadline=- ttl=259200s labels={}
  8/20 to 0, received 0, 8.00/s+0, place 0, [unique=8], {}
  created 0ns started 0ns ended - expires -
";
const CANCELLED: &str = "\
CANCELLED r5 of default v3/0
  MakePuzzle(MakePuzzle { seed: 3, symmetry: None, givens: Some((20, 22)), minimal: false, pattern: Pattern(xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx), givens_per_house: None, guesses: None, er: None, require_techniques: Techniques(0), forbid_techniques: Techniques(0), rate: false, from_solutions: false, distinct_up_to_symmetry: false, step_limit: 1 })
  count=Some(20) priority=5 parallel=None not_before=- deadline=- ttl=259200s labels={}
  16/20 to 16, received 0, 0.09/s+0, place 0, [unique=16], {}
  created 0ns started 0ns ended 91s expires 259291s
  results 0..8: [unique=8]
  results 8..16: [unique=8]
";

/// All jobs of the default tenant, newest first, and the queue's own status.
async fn queue<S: JobStore>(store: &S) -> String {
    let tenant = Tenant::default();
    let jobs = store.jobs(&tenant, &JobFilter::default(), None, 100).await;
    let mut text = String::new();
    for (_, job) in jobs.expect("a list") {
        let job = JobRef {
            tenant: tenant.clone(),
            id: job.id,
        };
        text += &picture(store, &job).await;
    }
    let QueueStatus {
        paused,
        queued_jobs,
        running_chunks,
        oldest_wait,
        // Depends on the backend.
        stored_bytes: _,
        stored_bytes_limit: _,
    } = store.queue().await.expect("a status");
    writeln!(
        text,
        "queue paused={paused} queued={queued_jobs} running={running_chunks} oldest={oldest_wait:?}"
    )
    .expect("text");
    text
}

/// A job with its results and failures; ids, names of workers and bytes are left out, since they are
/// drawn or depend on the backend.
pub(crate) async fn picture<S: JobStore>(store: &S, job: &JobRef) -> String {
    let mut text = describe(&store.job(job).await.expect("the job is there"));
    let mut start = 0;
    loop {
        let page = store.results(job, start, false).await.expect("results");
        let ResultPage {
            job: _,
            results,
            inputs: _,
        } = page;
        let Some(results) = results else { break };
        let end = start + results.len() as u64;
        writeln!(
            text,
            "  results {start}..{end}: {}",
            counts(&results.tally())
        )
        .expect("text");
        start = end;
    }
    for failure in store.failures(job, 0, 100).await.expect("failures") {
        let Failure {
            first_index,
            count,
            attempts,
            error: JobError { reason, message },
            time,
            worker: _,
        } = failure;
        let time = after_start(time);
        writeln!(
            text,
            "  failure {first_index}+{count} at {time}, attempt {attempts}: {reason}, {message}"
        )
        .expect("text");
    }
    text
}

fn describe(job: &Job) -> String {
    let Job {
        id: _,
        tenant,
        spec,
        state,
        revision,
        progress,
        error,
        create_time,
        start_time,
        end_time,
        expire_time,
        generator_version,
        rater_version,
    } = job;
    let JobSpec {
        work,
        count,
        priority,
        max_parallelism,
        not_before,
        deadline,
        ttl,
        labels,
    } = spec;
    let Progress {
        total,
        received,
        done,
        contiguous_done,
        rate: Rate {
            items_per_second,
            pending,
        },
        queue_position,
        tally,
        stored_bytes: _,
        rejections,
    } = progress;
    let time = |time: &Option<Timestamp>| time.map_or_else(|| "-".to_owned(), after_start);
    let mut text = format!(
        "{} r{revision} of {} v{generator_version}/{rater_version}\n",
        state.name(),
        tenant.as_str()
    );
    writeln!(text, "  {work:?}").expect("text");
    writeln!(
        text,
        "  count={count:?} priority={} parallel={max_parallelism:?} not_before={} deadline={} \
         ttl={ttl:?} labels={labels:?}",
        priority.value(),
        time(not_before),
        time(deadline)
    )
    .expect("text");
    writeln!(
        text,
        "  {done}/{total} to {contiguous_done}, received {received}, {items_per_second:.2}/s+{pending}, \
         place {queue_position}, {}, {rejections:?}",
        counts(tally)
    )
    .expect("text");
    writeln!(
        text,
        "  created {} started {} ended {} expires {}",
        after_start(*create_time),
        time(start_time),
        time(end_time),
        time(expire_time)
    )
    .expect("text");
    if let Some(JobError { reason, message }) = error {
        writeln!(text, "  {reason}: {message}").expect("text");
    }
    text
}

fn counts(tally: &Tally) -> String {
    let named = tally
        .iter()
        .map(|(outcome, items)| format!("{}={items}", outcome.name()));
    format!("[{}]", named.collect::<Vec<_>>().join(" "))
}

fn after_start(time: Timestamp) -> String {
    format!("{:?}", time.since(START))
}
