//! Jobs from one state to the next.

use super::*;
use crate::jobs::id::{JobId, Tenant};
use crate::jobs::progress::Progress;
use crate::jobs::spec::{Distribution, Generate, JobSpec, Labels, Priority, Work};

const NOW: Timestamp = Timestamp::from_micros(1_000_000);

fn record(count: Option<u64>, state: JobState) -> Record {
    let spec = JobSpec {
        work: Work::Generate(Generate {
            seed: 1,
            distribution: Distribution::Distinct,
            first_digit: None,
        }),
        count,
        priority: Priority::default(),
        max_parallelism: None,
        not_before: None,
        deadline: None,
        ttl: Duration::from_mins(1),
        labels: Labels::new(),
    };
    Record {
        key: JobKey(1),
        job: Job {
            id: JobId::draw(),
            tenant: Tenant::default(),
            spec,
            state,
            revision: 1,
            progress: Progress::default(),
            error: None,
            create_time: NOW,
            start_time: None,
            end_time: None,
            expire_time: None,
            generator_version: 1,
            rater_version: 0,
        },
        chunk_items: 4,
        next_index: 0,
        running: 0,
        waiting: 0,
        upload_time: NOW,
        rate_time: None,
        purged: false,
    }
}

fn made(items: u64, contiguous_done: u64) -> Completed {
    let mut tally = Tally::default();
    tally.set(Outcome::Made, items);
    Completed {
        tally,
        rejections: Rejections::new(),
        bytes: 10,
        contiguous_done,
    }
}

#[test]
fn a_job_runs_to_its_end() {
    let mut record = record(Some(6), JobState::Queued);
    record.claimed(4, NOW);
    assert_eq!(record.job.state, JobState::Running);
    record.claimed(2, NOW);
    record.completed(made(2, 0), NOW);
    assert_eq!(record.job.state, JobState::Running);
    record.completed(made(4, 6), NOW);
    assert_eq!(record.job.state, JobState::Succeeded);
    assert_eq!(
        record.job.expire_time,
        Some(NOW.after(Duration::from_mins(1)))
    );
    assert_eq!((record.running, record.next_index), (0, 6));
}

#[test]
fn only_whole_chunks_run_while_inputs_come() {
    let mut record = record(None, JobState::Uploading);
    record.received(6, 100, NOW);
    assert_eq!(record.available(), 4);
    assert!(matches!(
        record.commit(5, NOW),
        Err(StoreError::WrongState { .. })
    ));
    record.commit(6, NOW).expect("six were received");
    record.commit(6, NOW).expect("idempotent by count");
    assert!(record.commit(7, NOW).is_err());
    assert_eq!(
        (record.available(), record.job.state),
        (6, JobState::Queued)
    );
}

#[test]
fn an_empty_upload_succeeds_when_committed() {
    let mut record = record(None, JobState::Uploading);
    record.commit(0, NOW).expect("zero is a count too");
    assert_eq!(record.job.state, JobState::Succeeded);
}

#[test]
fn cancelling_waits_for_what_runs() {
    let mut record = record(Some(8), JobState::Queued);
    record.claimed(4, NOW);
    record.cancel(NOW);
    assert_eq!(record.job.state, JobState::Cancelling);
    record.given_back(0, NOW);
    assert_eq!(record.job.state, JobState::Cancelled);
    let revision = record.job.revision;
    record.cancel(NOW);
    assert_eq!(record.job.revision, revision, "cancel is idempotent");
    assert!(record.pause(NOW).is_err());
}

#[test]
fn the_revision_grows_by_one_with_each_visible_change() {
    let mut idle = record(Some(8), JobState::Queued);
    idle.cancel(NOW);
    // Nobody can see it between the two states.
    assert_eq!(
        (idle.job.state, idle.job.revision),
        (JobState::Cancelled, 2)
    );
    let mut busy = record(Some(8), JobState::Queued);
    busy.claimed(4, NOW);
    busy.cancel(NOW);
    let cancelling = busy.job.revision;
    busy.given_back(0, NOW);
    assert_eq!(
        (busy.job.state, busy.job.revision),
        (JobState::Cancelled, cancelling + 1)
    );
}

#[test]
fn a_cancelled_job_ends_as_cancelled_even_when_its_last_chunk_came_through() {
    let mut record = record(Some(4), JobState::Queued);
    record.claimed(4, NOW);
    record.cancel(NOW);
    record.completed(made(4, 4), NOW);
    assert_eq!(record.job.state, JobState::Cancelled);
    assert_eq!(record.job.progress.done, 4, "its results stay");
}

#[test]
fn an_upload_goes_on_in_quarantine() {
    let mut record = record(None, JobState::Uploading);
    record.received(4, 10, NOW);
    record.claimed(4, NOW);
    record.given_back(1, NOW);
    record.quarantine(0, 5, NOW);
    record.check_uploading().expect("more inputs may come");
    record.received(2, 10, NOW);
    record.commit(6, NOW).expect("and may be committed");
    assert_eq!(record.job.state, JobState::Paused);
    record.resume(NOW).expect("a person decides");
    assert_eq!(record.job.state, JobState::Running);
}

#[test]
fn a_job_that_stops_is_not_put_in_quarantine() {
    let mut record = record(Some(8), JobState::Queued);
    record.claimed(4, NOW);
    record.cancel(NOW);
    record.quarantine(0, 5, NOW);
    assert_eq!(
        (record.job.state, &record.job.error),
        (JobState::Cancelling, &None)
    );
}

#[test]
fn the_rate_of_a_fast_job_is_sane_from_its_first_reading() {
    let mut record = record(Some(1000), JobState::Queued);
    let mut now = NOW;
    for done in (4..=100).step_by(4) {
        record.claimed(4, now);
        now = now.after(Duration::from_millis(4));
        record.completed(made(4, done), now);
    }
    let rate = record.job.progress.rate.items_per_second;
    assert!((rate - 1000.0).abs() < 1.0, "{rate}");
}

#[test]
fn a_paused_job_goes_back_to_where_it_was() {
    let mut record = record(Some(8), JobState::Queued);
    record.pause(NOW).expect("queued jobs pause");
    record.resume(NOW).expect("paused jobs resume");
    assert_eq!(record.job.state, JobState::Queued);
    record.claimed(4, NOW);
    record.pause(NOW).expect("running jobs pause");
    record.completed(made(4, 4), NOW);
    assert_eq!(
        record.job.state,
        JobState::Paused,
        "its running chunk was kept"
    );
    record.resume(NOW).expect("paused jobs resume");
    assert_eq!(record.job.state, JobState::Running);
}

#[test]
fn a_quarantined_job_says_why_until_it_is_resumed() {
    let mut record = record(Some(8), JobState::Running);
    record.quarantine(3, 5, NOW);
    let error = record.job.error.as_ref().expect("a reason");
    assert_eq!(error.reason, QUARANTINED);
    record.resume(NOW).expect("a person decides");
    assert_eq!(record.job.error, None);
}

#[test]
fn faults_are_partial_failure() {
    let mut record = record(Some(1), JobState::Queued);
    record.claimed(1, NOW);
    let mut fault = made(0, 1);
    fault.tally.set(Outcome::Fault, 1);
    record.completed(fault, NOW);
    assert_eq!(record.job.state, JobState::PartiallyFailed);
}

#[test]
fn time_ends_any_live_job_once() {
    let mut record = record(Some(8), JobState::Paused);
    record.expire("past its deadline", NOW);
    assert_eq!(record.job.state, JobState::Expired);
    let revision = record.job.revision;
    record.expire("again", NOW.after(Duration::from_secs(1)));
    assert_eq!(
        (record.job.revision, record.job.end_time),
        (revision, Some(NOW))
    );
}
