//! Response streams. A task produces, the connection pulls: at most one message waits in between and
//! one more is being made, so a slow reader costs a fixed amount of memory.
//!
//! How the stream ends is the task's return value and not a message, so a producer that panics ends
//! the stream with an error and never with a silent OK.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_stream::{Stream, StreamExt};
use tonic::{Code, Status};

use super::status;

/// The producer's end of a stream.
#[derive(Debug)]
pub(super) struct Sender<T>(mpsc::Sender<T>);

impl<T> Sender<T> {
    /// Hands a message over, when there is room for it.
    ///
    /// # Errors
    /// When the client is gone.
    pub(super) async fn send(&self, message: T) -> Result<(), Status> {
        self.0.send(message).await.map_err(|_| gone())
    }

    /// Waits for room, so that the message can be chosen then.
    ///
    /// # Errors
    /// When the client is gone.
    pub(super) async fn room(&self) -> Result<mpsc::Permit<'_, T>, Status> {
        self.0.reserve().await.map_err(|_| gone())
    }
}

fn gone() -> Status {
    Status::new(Code::Cancelled, "the client is gone")
}

/// What a task produces. Dropping it stops the task.
#[derive(Debug)]
pub(super) struct Produced<T> {
    /// Taken from the task already.
    head: Option<T>,
    messages: mpsc::Receiver<T>,
    task: JoinHandle<Result<(), Status>>,
    ended: bool,
}

/// How long an answer waits for the first message of a stream that the client sends as well.
const FIRST_MESSAGE: Duration = Duration::from_millis(100);

impl<T: Send + 'static> Produced<T> {
    /// Starts `produce` with the sending end.
    pub(super) fn by<F>(produce: impl FnOnce(Sender<T>) -> F) -> Self
    where
        F: Future<Output = Result<(), Status>> + Send + 'static,
    {
        let (sender, messages) = mpsc::channel(1);
        Self {
            head: None,
            messages,
            task: tokio::spawn(produce(Sender(sender))),
            ended: false,
        }
    }

    /// Waits a moment for the first message, for calls in which both sides stream: if it is an error
    /// it goes without headers, as an error should. It is but a moment because some clients say
    /// nothing until they have seen headers.
    ///
    /// # Errors
    /// When the stream is an error from the start.
    pub(super) async fn started(mut self) -> Result<Self, Status> {
        match timeout(FIRST_MESSAGE, self.next()).await {
            Ok(Some(Ok(message))) => self.head = Some(message),
            Ok(Some(Err(status))) => return Err(status),
            Ok(None) | Err(_) => {}
        }
        Ok(self)
    }
}

impl<T> Unpin for Produced<T> {}

impl<T> Stream for Produced<T> {
    type Item = Result<T, Status>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Some(message) = self.head.take() {
            return Poll::Ready(Some(Ok(message)));
        }
        if self.ended {
            return Poll::Ready(None);
        }
        if let Some(message) = ready!(self.messages.poll_recv(cx)) {
            return Poll::Ready(Some(Ok(message)));
        }
        let end = ready!(Pin::new(&mut self.task).poll(cx));
        self.ended = true;
        Poll::Ready(match end {
            Ok(Ok(())) => None,
            Ok(Err(status)) => Some(Err(status)),
            Err(panic) => Some(Err(status::internal(&panic))),
        })
    }
}

impl<T> Drop for Produced<T> {
    fn drop(&mut self) {
        self.task.abort();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test]
    async fn messages_come_in_order_and_then_the_end() {
        let stream = Produced::by(|sender| async move {
            for message in 0..5 {
                sender.send(message).await?;
            }
            Err(status::draining())
        });
        let all: Vec<_> = stream.collect().await;
        let sent: Vec<_> = all
            .iter()
            .filter_map(|m| m.as_ref().ok().copied())
            .collect();
        assert_eq!(sent, [0, 1, 2, 3, 4]);
        let last = all.last().expect("an end").as_ref().expect_err("an error");
        assert_eq!(last.code(), Code::Unavailable);
    }

    #[tokio::test]
    async fn a_panic_is_not_a_good_end() {
        let mut stream = Produced::<()>::by(|_| async { panic!("boom") });
        let end = stream.next().await.expect("an end").expect_err("an error");
        assert_eq!(end.code(), Code::Internal);
        assert!(stream.next().await.is_none());
    }

    #[tokio::test]
    async fn an_error_at_the_start_is_told_before_the_stream() {
        let bad = Produced::<()>::by(|_| async { Err(status::draining()) });
        assert!(bad.started().await.is_err());
        let good = Produced::by(|sender| async move { sender.send(1).await });
        let all: Vec<_> = good.started().await.expect("a message").collect().await;
        assert!(matches!(all[..], [Ok(1)]));
    }

    #[tokio::test]
    async fn nothing_runs_ahead_of_the_reader() {
        let made = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&made);
        let mut stream = Produced::by(|sender| async move {
            loop {
                counter.fetch_add(1, Ordering::SeqCst);
                sender.send(()).await?;
            }
        });
        for taken in 0..50 {
            // One was taken, one waits, one is being handed over.
            assert!(made.load(Ordering::SeqCst) <= taken + 2);
            assert!(stream.next().await.is_some());
            tokio::task::yield_now().await;
        }
    }
}
