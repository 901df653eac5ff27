//! `WaitJob` and `WatchJob`.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep};
use tonic::Status;

use super::Jobs;
use super::changes::Changes;
use crate::jobs::clock::Clock;
use crate::jobs::id::JobRef;
use crate::jobs::job::Job;
use crate::jobs::store::JobStore;
use crate::rpc::convert::{job, name, time};
use crate::rpc::pb::watch_job_response::Event;
use crate::rpc::producer::{Produced, Sender};
use crate::rpc::status::{bad_field, draining};
use crate::rpc::{limits, pb};

/// Pause after a job was sent: at most four a second.
const PAUSE: Duration = Duration::from_millis(250);

impl<S: JobStore> Jobs<S> {
    /// The job once its revision has passed the known one or it has ended, or at the timeout.
    ///
    /// # Errors
    /// BAD_FIELD, DRAINING, and the store's.
    pub(super) async fn wait(&self, request: &pb::WaitJobRequest) -> Result<Job, Status> {
        let job = name::job(&request.name)?;
        let end = Instant::now() + timeout(request.timeout)?;
        let mut changes = Changes::of(self.store.signals(), &job.id);
        loop {
            let seen = self.store.job(&job).await?;
            let is_news = seen.revision > request.known_revision || seen.state.has_ended();
            if is_news || Instant::now() >= end {
                return Ok(seen);
            }
            tokio::select! {
                () = changes.wait(end) => {}
                () = self.drain.cancelled() => return Err(draining()),
            }
        }
    }

    /// The job at each change, until it has ended.
    ///
    /// # Errors
    /// BAD_FIELD, and the store's.
    pub(super) async fn watch(
        &self,
        request: &pb::WatchJobRequest,
    ) -> Result<Produced<pb::WatchJobResponse>, Status> {
        let job = name::job(&request.name)?;
        // An unknown job is told without headers.
        self.store.job(&job).await?;
        let watch = Watch {
            store: self.store.clone(),
            clock: Arc::clone(&self.clock),
            job,
        };
        let known = request.known_revision;
        Ok(Produced::by(|sender| watch.run(known, sender)))
    }
}

/// A minute at most, and that if nothing is said.
fn timeout(asked: Option<prost_types::Duration>) -> Result<Duration, Status> {
    let Some(asked) = asked else {
        return Ok(limits::MAX_WAIT);
    };
    let timeout = time::read_duration(asked).map_err(|error| bad_field("timeout", error))?;
    if timeout > limits::MAX_WAIT {
        let description = format!("at most {} s", limits::MAX_WAIT.as_secs());
        return Err(bad_field("timeout", description));
    }
    Ok(timeout)
}

struct Watch<S> {
    store: S,
    clock: Arc<dyn Clock>,
    job: JobRef,
}

impl<S: JobStore> Watch<S> {
    async fn run(self, mut known: i64, sender: Sender<pb::WatchJobResponse>) -> Result<(), Status> {
        let send = async |event| {
            let event = Some(event);
            sender.send(pb::WatchJobResponse { event }).await
        };
        let mut changes = Changes::of(self.store.signals(), &self.job.id);
        let mut spoke = Instant::now();
        loop {
            let seen = self.store.job(&self.job).await?;
            let has_ended = seen.state.has_ended();
            if has_ended || seen.revision > known {
                known = seen.revision;
                send(Event::Job(job::job(seen, self.clock.now()))).await?;
                if has_ended {
                    return Ok(());
                }
                spoke = Instant::now();
                sleep(PAUSE).await;
            } else if spoke.elapsed() >= limits::HEARTBEAT {
                send(Event::Heartbeat(pb::Heartbeat {})).await?;
                spoke = Instant::now();
            }
            changes.wait(spoke + limits::HEARTBEAT).await;
        }
    }
}
