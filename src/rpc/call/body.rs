//! The body of a streamed answer, with the three ends that do not come from its producer: the
//! caller's deadline, the drain of the server, and a reader that stopped reading.
//!
//! A body's frames are whole gRPC messages, so a stream may be ended between any two of them, and the
//! last message the client has says where to go on.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::HeaderMap;
use http_body::{Body as HttpBody, Frame};
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::{Code, Status};

use super::admission::Permit;
use super::deadline::Deadline;
use super::log::CallLog;
use super::rewrite;
use crate::rpc::{limits, status};

type Ending = Pin<Box<dyn Future<Output = Status> + Send>>;

/// A stream of answers on its way to the client.
pub(super) struct CallBody {
    flow: Arc<Mutex<Flow>>,
    /// Resolves to the status that ends the stream from outside.
    ending: Ending,
    /// Set once it did: one more frame may go out, so that an answer that is there gets through.
    last_frame: Option<Status>,
    ended: bool,
    watchdog: AbortHandle,
    log: CallLog,
}

/// What a stream holds, and gives back when its reader stalls.
struct Flow {
    source: Option<(Body, Permit)>,
    /// When the last frame was handed to the connection; `None` while the producer is waited for.
    handed_over: Option<Instant>,
}

impl CallBody {
    /// Wraps `body`.
    pub(super) fn new(
        body: Body,
        permit: Permit,
        deadline: Option<Deadline>,
        drain: CancellationToken,
        log: CallLog,
    ) -> Self {
        Self::with_stall(body, permit, deadline, drain, log, limits::STALL)
    }

    fn with_stall(
        body: Body,
        permit: Permit,
        deadline: Option<Deadline>,
        drain: CancellationToken,
        log: CallLog,
        stall: Duration,
    ) -> Self {
        let flow = Arc::new(Mutex::new(Flow {
            source: Some((body, permit)),
            handed_over: None,
        }));
        let watchdog = tokio::spawn(watch(Arc::clone(&flow), stall)).abort_handle();
        let ending = Box::pin(async move {
            tokio::select! {
                () = Deadline::passed(deadline) => status::deadline(),
                () = drain.cancelled_owned() => status::draining(),
            }
        });
        Self {
            flow,
            ending,
            last_frame: None,
            ended: false,
            watchdog,
            log,
        }
    }

    /// Ends the stream, and lets go of what it holds.
    fn end(&mut self, status: &Status) -> Frame<Bytes> {
        lock(&self.flow).source = None;
        self.ended = true;
        self.log.end(status.code());
        let mut trailers = HeaderMap::new();
        status
            .add_header(&mut trailers)
            .expect("text is percent-encoded and details are base64");
        Frame::trailers(trailers)
    }

    fn poll_source(&self, cx: &mut Context<'_>) -> Source {
        let mut flow = lock(&self.flow);
        let Some((body, _)) = &mut flow.source else {
            return Source::Stalled;
        };
        let polled = Pin::new(body).poll_frame(cx);
        flow.handed_over = polled.is_ready().then(Instant::now);
        Source::Polled(polled)
    }
}

enum Source {
    /// The watchdog took it away.
    Stalled,
    Polled(Poll<Option<Result<Frame<Bytes>, Status>>>),
}

impl HttpBody for CallBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let this = &mut *self;
        if this.ended {
            return Poll::Ready(None);
        }
        if let Some(status) = this.last_frame.take() {
            // Trailers always pass: an answer that is complete is not made an error.
            return match this.poll_source(cx) {
                Source::Polled(Poll::Ready(Some(Ok(frame)))) if frame.is_trailers() => {
                    Poll::Ready(Some(Ok(this.pass(frame))))
                }
                _ => Poll::Ready(Some(Ok(this.end(&status)))),
            };
        }
        let ending = match this.ending.as_mut().poll(cx) {
            Poll::Ready(status) => Some(status),
            Poll::Pending => None,
        };
        match (this.poll_source(cx), ending) {
            (Source::Stalled, _) => {
                let status = status::overloaded("the stream was not read; go on from next_index");
                Poll::Ready(Some(Ok(this.end(&status))))
            }
            (Source::Polled(Poll::Pending), Some(status)) => {
                Poll::Ready(Some(Ok(this.end(&status))))
            }
            (Source::Polled(Poll::Pending), None) => Poll::Pending,
            (Source::Polled(Poll::Ready(None)), _) => {
                this.ended = true;
                Poll::Ready(None)
            }
            (Source::Polled(Poll::Ready(Some(Ok(frame)))), ending) => {
                this.last_frame = ending;
                Poll::Ready(Some(Ok(this.pass(frame))))
            }
            (Source::Polled(Poll::Ready(Some(Err(status)))), _) => Poll::Ready(Some(Err(status))),
        }
    }
}

impl CallBody {
    /// A frame from the producer; its trailers are brought to the error table.
    fn pass(&mut self, frame: Frame<Bytes>) -> Frame<Bytes> {
        match frame.into_trailers() {
            Err(data) => data,
            Ok(mut trailers) => {
                let code = rewrite::rewrite(&mut trailers, "the stream");
                self.ended = true;
                self.log.end(code.unwrap_or(Code::Unknown));
                Frame::trailers(trailers)
            }
        }
    }
}

impl Drop for CallBody {
    fn drop(&mut self) {
        self.watchdog.abort();
    }
}

/// Takes the source away from a stream that was not read for `stall`. A connection does not poll a body
/// whose client grants no window, so this cannot be the body's own doing.
async fn watch(flow: Arc<Mutex<Flow>>, stall: Duration) {
    loop {
        let since = {
            let mut flow = lock(&flow);
            match flow.handed_over {
                Some(since) if since.elapsed() >= stall => {
                    flow.source = None;
                    return;
                }
                since => since.unwrap_or_else(Instant::now),
            }
        };
        sleep_until(since + stall).await;
    }
}

fn lock(flow: &Mutex<Flow>) -> MutexGuard<'_, Flow> {
    // A producer that panicked while it was polled has no next frame either way.
    flow.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use tokio::sync::mpsc;

    use super::*;

    /// A body that yields what it is sent.
    struct Sent(mpsc::Receiver<Frame<Bytes>>);

    impl HttpBody for Sent {
        type Data = Bytes;
        type Error = Status;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            cx: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
            self.0.poll_recv(cx).map(|frame| frame.map(Ok))
        }
    }

    struct Stream {
        body: CallBody,
        producer: mpsc::Sender<Frame<Bytes>>,
        drain: CancellationToken,
    }

    fn stream(deadline: Option<Deadline>, stall: Duration) -> Stream {
        let (producer, frames) = mpsc::channel(16);
        let drain = CancellationToken::new();
        let body = CallBody::with_stall(
            Body::new(Sent(frames)),
            Permit::Free,
            deadline,
            drain.clone(),
            CallLog::new("/test"),
            stall,
        );
        Stream {
            body,
            producer,
            drain,
        }
    }

    impl Stream {
        async fn produce(&self, frame: Frame<Bytes>) {
            self.producer.send(frame).await.expect("the body lives");
        }

        /// The next frame: data, or the code of the trailers.
        async fn next(&mut self) -> Option<Result<Bytes, Code>> {
            let frame = poll_fn(|cx| Pin::new(&mut self.body).poll_frame(cx)).await?;
            let frame = frame.expect("no transport error");
            Some(frame.into_data().map_err(|frame| {
                let trailers = frame.into_trailers().expect("data or trailers");
                Status::from_header_map(&trailers).expect("a status").code()
            }))
        }
    }

    fn data(text: &'static str) -> Frame<Bytes> {
        Frame::data(Bytes::from_static(text.as_bytes()))
    }

    fn ok() -> Frame<Bytes> {
        let mut trailers = HeaderMap::new();
        Status::new(Code::Ok, "")
            .add_header(&mut trailers)
            .expect("headers");
        Frame::trailers(trailers)
    }

    const LONG: Duration = Duration::from_hours(1);

    #[tokio::test]
    async fn frames_pass_and_the_end_is_the_producers() {
        let mut stream = stream(None, LONG);
        stream.produce(data("a")).await;
        stream.produce(ok()).await;
        assert_eq!(stream.next().await, Some(Ok(Bytes::from_static(b"a"))));
        assert_eq!(stream.next().await, Some(Err(Code::Ok)));
        assert_eq!(stream.next().await, None);
    }

    #[tokio::test]
    async fn a_drain_ends_a_stream_that_waits_and_one_that_does_not() {
        let mut waiting = stream(None, LONG);
        waiting.drain.cancel();
        assert_eq!(waiting.next().await, Some(Err(Code::Unavailable)));
        assert_eq!(waiting.next().await, None);

        let mut busy = stream(None, LONG);
        busy.drain.cancel();
        for _ in 0..3 {
            busy.produce(data("a")).await;
        }
        assert_eq!(busy.next().await, Some(Ok(Bytes::from_static(b"a"))));
        assert_eq!(busy.next().await, Some(Err(Code::Unavailable)));
    }

    #[tokio::test]
    async fn a_drain_does_not_spoil_an_answer_that_is_complete() {
        let mut stream = stream(None, LONG);
        stream.produce(data("a")).await;
        stream.produce(ok()).await;
        stream.drain.cancel();
        assert!(stream.next().await.expect("the answer").is_ok());
        assert_eq!(stream.next().await, Some(Err(Code::Ok)));
    }

    #[tokio::test]
    async fn a_deadline_holds_inside_a_stream() {
        let mut headers = HeaderMap::new();
        headers.insert("grpc-timeout", "1m".parse().expect("a header"));
        let deadline = Deadline::of(&headers).expect("a timeout");
        let mut stream = stream(deadline, LONG);
        assert_eq!(stream.next().await, Some(Err(Code::DeadlineExceeded)));
    }

    #[tokio::test]
    async fn a_stream_that_nobody_reads_gives_back_what_it_holds() {
        let mut stream = stream(None, Duration::from_millis(1));
        stream.produce(data("a")).await;
        assert!(stream.next().await.expect("the first frame").is_ok());
        // The watchdog drops the source, which the producer sees.
        stream.producer.closed().await;
        assert_eq!(stream.next().await, Some(Err(Code::Unavailable)));
    }

    #[tokio::test]
    async fn a_stream_whose_producer_is_slow_is_not_stalled() {
        let mut stream = stream(None, Duration::from_millis(1));
        let waited = tokio::time::timeout(Duration::from_millis(20), stream.next()).await;
        assert!(waited.is_err());
        assert!(!stream.producer.is_closed());
    }
}
