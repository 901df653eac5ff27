//! Notices that a job stands still because its server has no room left.
//!
//! A store that is nearly full lets its jobs wait until there is room. On a server that is right: an
//! operator makes room. Nobody does for a command's own server, so the command has to end.

use std::cell::OnceCell;
use std::time::{Duration, Instant};

use super::client::Client;
use super::results::present;
use crate::rpc::pb::{GetJobRequest, GetQueueRequest, Job, JobState};

/// Between two looks.
const INTERVAL: Duration = Duration::from_secs(1);

/// How long nothing may happen.
const PATIENCE: Duration = Duration::from_secs(10);

/// The share of its room, in percent, from which on a store counts as full. It stops claims a little
/// later.
const FULL_PERCENT: u64 = 80;

/// Returns when the job has stood still for a while, and nothing runs or the store is nearly full. A
/// hard puzzle may take longer than a while, but then something runs.
pub(super) async fn of(client: &Client, name: &OnceCell<String>) {
    let mut seen = None;
    let mut since = Instant::now();
    loop {
        tokio::time::sleep(INTERVAL).await;
        let Some(done) = waiting(client, name).await else {
            seen = None;
            continue;
        };
        if seen != Some(done) {
            seen = Some(done);
            since = Instant::now();
        } else if since.elapsed() >= PATIENCE && is_held_up(client).await {
            return;
        }
    }
}

/// How many items are done, if there are others that could be.
async fn waiting(client: &Client, name: &OnceCell<String>) -> Option<u64> {
    let name = name.get()?.clone();
    // A server that does not answer is the business of the calls that do the work.
    let answer = client.jobs().get_job(GetJobRequest { name }).await.ok()?;
    let job = present(answer.into_inner().job).ok()?;
    undone(&job)
}

fn undone(job: &Job) -> Option<u64> {
    let progress = job.progress.as_ref()?;
    let known = match job.state() {
        JobState::Uploading => progress.received,
        JobState::Queued | JobState::Running => progress.total,
        _ => return None,
    };
    (progress.done < known).then_some(progress.done)
}

async fn is_held_up(client: &Client) -> bool {
    match client.admin().get_queue(GetQueueRequest {}).await {
        Ok(answer) => {
            let queue = answer.into_inner();
            let is_full = u128::from(queue.stored_bytes) * 100
                >= u128::from(queue.stored_bytes_limit) * u128::from(FULL_PERCENT);
            is_full || queue.running_chunks == 0
        }
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rpc::pb::JobProgress;

    #[test]
    fn only_a_job_with_something_to_do_can_stand_still() {
        for (state, undone_items) in [
            (JobState::Running, Some(5)),
            (JobState::Queued, Some(5)),
            // All that came was done: it waits for whoever uploads.
            (JobState::Uploading, None),
            (JobState::Paused, None),
            (JobState::Succeeded, None),
        ] {
            let job = Job {
                state: state.into(),
                progress: Some(JobProgress {
                    total: 9,
                    received: 5,
                    done: 5,
                    ..JobProgress::default()
                }),
                ..Job::default()
            };
            assert_eq!(undone(&job), undone_items, "{state:?}");
        }
    }
}
