//! `StreamResults`: in index order from any index, following a running job if asked to.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};
use tonic::Status;

use super::reader::{Found, Reader};
use super::share::Streams;
use crate::jobs::clock::Clock;
use crate::jobs::store::JobStore;
use crate::rpc::convert::batch::Layout;
use crate::rpc::convert::{job, name};
use crate::rpc::job_service::changes::Changes;
use crate::rpc::pb::stream_results_response::Event;
use crate::rpc::producer::{Produced, Sender};
use crate::rpc::{limits, pb};

/// Time between two looks for more: a job may complete a thousand chunks a second, and then one look
/// finds several.
const PAUSE: Duration = Duration::from_millis(5);

/// Begins a stream. The first look is taken here, so that what is wrong is told without headers.
///
/// # Errors
/// Those of the request, and the store's.
pub(in crate::rpc::job_service) async fn open<S: JobStore>(
    store: S,
    clock: Arc<dyn Clock>,
    streams: &Streams,
    request: &pb::StreamResultsRequest,
) -> Result<Produced<pb::StreamResultsResponse>, Status> {
    let job = name::job(&request.name)?;
    let layout = Layout::read(request.layout)?;
    let max_items = match usize::try_from(request.max_batch_items) {
        Ok(0) => limits::DEFAULT_BATCH_ITEMS,
        asked => asked
            .map_or(usize::MAX, |items| items)
            .min(limits::MAX_BATCH_ITEMS),
    };
    let changes = Changes::of(store.signals(), &job.id);
    let mut reader = Reader::new(store, job, request.start_index, max_items, layout)
        .with_inputs(request.include_inputs)
        .with_share(streams.share());
    let first = reader.next().await?;
    let stream = Results {
        reader,
        changes,
        clock,
        follow: request.follow,
    };
    Ok(Produced::by(|sender| stream.run(first, sender)))
}

struct Results<S> {
    reader: Reader<S>,
    changes: Changes,
    clock: Arc<dyn Clock>,
    follow: bool,
}

impl<S: JobStore> Results<S> {
    /// A batch is read when there is room for it, so that a stream that is not read holds one of them.
    async fn run(
        mut self,
        first: Found,
        sender: Sender<pb::StreamResultsResponse>,
    ) -> Result<(), Status> {
        let mut spoke = Instant::now();
        let mut first = Some(first);
        loop {
            let room = sender.room().await?;
            let looked = Instant::now();
            let found = match first.take() {
                Some(found) => found,
                None => self.reader.next().await?,
            };
            let next_index = self.reader.next_index();
            let message = |event| pb::StreamResultsResponse {
                event: Some(event),
                next_index,
            };
            match found {
                Found::Results(batch) => {
                    room.send(message(Event::Results(batch)));
                    spoke = Instant::now();
                }
                Found::Nothing(job) if !self.follow || job.state.has_ended() => {
                    let job = job::job(job, self.clock.now());
                    room.send(message(Event::FinalJob(job)));
                    return Ok(());
                }
                Found::Nothing(_) => {
                    if spoke.elapsed() >= limits::HEARTBEAT {
                        room.send(message(Event::Heartbeat(pb::Heartbeat {})));
                        spoke = Instant::now();
                    }
                    self.changes.wait(spoke + limits::HEARTBEAT).await;
                    sleep_until(looked + PAUSE).await;
                }
            }
        }
    }
}
