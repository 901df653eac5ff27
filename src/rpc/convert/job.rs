//! Jobs as clients see them.

use super::{time, work};
use crate::jobs::clock::Timestamp;
use crate::jobs::job::{Failure, Job, JobError, JobState};
use crate::jobs::progress::Progress;
use crate::jobs::spec::JobSpec;
use crate::rpc::pb;

/// To the wire; `now` is what the estimated end is counted from.
pub(in crate::rpc) fn job(job: Job, now: Timestamp) -> pb::Job {
    pb::Job {
        name: job.id.name(),
        state: state(job.state).into(),
        revision: job.revision,
        progress: Some(progress(&job.progress, job.state, now)),
        error: job.error.map(error),
        create_time: Some(time::timestamp(job.create_time)),
        start_time: job.start_time.map(time::timestamp),
        end_time: job.end_time.map(time::timestamp),
        expire_time: job.expire_time.map(time::timestamp),
        tenant: job.tenant.as_str().to_owned(),
        generator_version: job.generator_version,
        rater_version: job.rater_version,
        ..spec(job.spec)
    }
}

/// What was asked for, as it was understood, and nothing that comes of running it.
pub(in crate::rpc) fn spec(spec: JobSpec) -> pb::Job {
    pb::Job {
        work: Some(work::write(&spec.work)),
        count: spec.count,
        priority: spec.priority.value(),
        max_parallelism: spec.max_parallelism.unwrap_or(0),
        not_before: spec.not_before.map(time::timestamp),
        deadline: spec.deadline.map(time::timestamp),
        ttl: Some(time::duration(spec.ttl)),
        labels: spec.labels,
        ..pb::Job::default()
    }
}

/// To the wire.
pub(in crate::rpc) fn failure(failure: Failure) -> pb::Failure {
    pb::Failure {
        first_index: failure.first_index,
        count: failure.count,
        attempts: failure.attempts,
        error: Some(error(failure.error)),
        fail_time: Some(time::timestamp(failure.time)),
        worker: failure.worker,
    }
}

/// From the wire; `None` for a number that is no state.
pub(in crate::rpc) fn read_state(number: i32) -> Option<JobState> {
    JobState::from_number(u8::try_from(number).ok()?)
}

/// The numbers agree.
const fn state(state: JobState) -> pb::JobState {
    match state {
        JobState::Uploading => pb::JobState::Uploading,
        JobState::Queued => pb::JobState::Queued,
        JobState::Running => pb::JobState::Running,
        JobState::Paused => pb::JobState::Paused,
        JobState::Cancelling => pb::JobState::Cancelling,
        JobState::Succeeded => pb::JobState::Succeeded,
        JobState::PartiallyFailed => pb::JobState::PartiallyFailed,
        JobState::Failed => pb::JobState::Failed,
        JobState::Cancelled => pb::JobState::Cancelled,
        JobState::Expired => pb::JobState::Expired,
    }
}

fn error(error: JobError) -> pb::JobError {
    pb::JobError {
        reason: error.reason,
        message: error.message,
    }
}

fn progress(progress: &Progress, state: JobState, now: Timestamp) -> pb::JobProgress {
    let tally = progress.tally.iter();
    // A job that does not run has no pace, whatever its last one was.
    let runs = state == JobState::Running;
    let end = progress.estimated_end(now).filter(|_| runs);
    pb::JobProgress {
        total: progress.total,
        received: progress.received,
        done: progress.done,
        contiguous_done: progress.contiguous_done,
        faults: progress.tally.of(crate::jobs::items::Outcome::Fault),
        items_per_second: progress.rate.items_per_second,
        estimated_end_time: end.map(time::timestamp),
        queue_position: progress.queue_position,
        outcome_counts: tally.map(|(o, n)| (o.name().to_owned(), n)).collect(),
        stored_bytes: progress.stored_bytes,
        rejections: progress.rejections.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::items::Outcome;

    #[test]
    fn states_and_outcomes_have_the_numbers_of_the_contract() {
        for each in JobState::ALL {
            assert_eq!(state(each) as i32, each as i32);
            let name = format!("JOB_STATE_{}", each.name());
            assert_eq!(state(each).as_str_name(), name);
            assert_eq!(read_state(each as i32), Some(each));
        }
        for outcome in Outcome::ALL {
            let theirs = pb::Outcome::try_from(outcome as i32).expect("a number of the contract");
            let name = format!("OUTCOME_{}", outcome.name().to_uppercase());
            assert_eq!(theirs.as_str_name(), name);
        }
        for number in [0, 11, -1, 256 + 1] {
            assert_eq!(read_state(number), None);
        }
    }
}
