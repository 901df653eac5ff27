//! Accepted sockets, bounded at both ends of their life.
//!
//! hyper waits for ever for the first bytes of a connection, even while it shuts down: one TCP probe
//! that connects and keeps silent would hold up the end of the process. So a socket that does not begin
//! to speak HTTP/2 is closed after a while, and all of them are when the drain is over.
//!
//! A socket that is closed while its peer still sends is reset, and what the peer has not read by then is lost
//! to it: the last words of a stream too. So a connection that is over reads on, for a while, till its peer
//! closes it.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Sleep, sleep};
use tokio_stream::Stream;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;
use tonic::transport::server::{Connected, TcpConnectInfo};

/// A connection has sent its preface this soon or is closed.
const PREFACE_TIME: Duration = Duration::from_secs(10);
/// How long a connection that is over waits for its peer to close it.
const LINGER: Duration = Duration::from_secs(1);
/// Bytes of an HTTP/2 client's preface.
const PREFACE_BYTES: usize = 24;
/// Pause after an accept that failed for want of descriptors or memory: it would fail again at once.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Connections as they come.
pub(super) struct Incoming {
    listener: TcpListener,
    pause: Option<Pin<Box<Sleep>>>,
    close: CancellationToken,
    open: TaskTracker,
}

impl Incoming {
    /// From a listener; every connection ends when `close` is cancelled, and counts in `open` till then.
    pub(super) fn new(listener: TcpListener, close: CancellationToken, open: TaskTracker) -> Self {
        Self {
            listener,
            pause: None,
            close,
            open,
        }
    }
}

impl Stream for Incoming {
    type Item = io::Result<Connection>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        loop {
            if let Some(pause) = &mut this.pause {
                ready!(pause.as_mut().poll(cx));
                this.pause = None;
            }
            match ready!(this.listener.poll_accept(cx)) {
                Ok((stream, _)) => {
                    // Answers are small and wanted now. A socket that was reset already says so later.
                    let _ = stream.set_nodelay(true);
                    let (close, open) = (this.close.clone(), this.open.token());
                    let connection = Connection::new(stream, close, open, PREFACE_TIME);
                    return Poll::Ready(Some(Ok(connection)));
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection was not accepted");
                    this.pause = Some(Box::pin(sleep(ACCEPT_PAUSE)));
                }
            }
        }
    }
}

/// One connection.
pub(super) struct Connection {
    stream: TcpStream,
    preface: Option<Preface>,
    /// Once all is written, until when the peer may close it.
    linger: Option<Pin<Box<Sleep>>>,
    closed: Pin<Box<WaitForCancellationFutureOwned>>,
    _open: TaskTrackerToken,
}

/// A connection that has not begun yet.
struct Preface {
    missing: usize,
    timer: Pin<Box<Sleep>>,
}

impl Connection {
    fn new(
        stream: TcpStream,
        close: CancellationToken,
        open: TaskTrackerToken,
        preface_time: Duration,
    ) -> Self {
        Self {
            stream,
            preface: Some(Preface {
                missing: PREFACE_BYTES,
                timer: Box::pin(sleep(preface_time)),
            }),
            linger: None,
            closed: Box::pin(close.cancelled_owned()),
            _open: open,
        }
    }

    /// The socket, unless it is to be closed. Every poll asks, because a connection that waits to write
    /// does not read.
    fn poll_open(&mut self, cx: &mut Context<'_>) -> io::Result<Pin<&mut TcpStream>> {
        if self.closed.as_mut().poll(cx).is_ready() {
            return Err(io::Error::other("the server is shutting down"));
        }
        Ok(Pin::new(&mut self.stream))
    }

    /// Reads on to the peer's end, or to that of its time.
    fn poll_linger(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut waste = [0; 1024];
        loop {
            let mut buf = ReadBuf::new(&mut waste);
            match self.poll_open(cx)?.poll_read(cx, &mut buf) {
                Poll::Ready(Ok(())) if !buf.filled().is_empty() => {}
                Poll::Ready(_) => return Poll::Ready(Ok(())),
                Poll::Pending => break,
            }
        }
        let linger = self.linger.get_or_insert_with(|| Box::pin(sleep(LINGER)));
        linger.as_mut().poll(cx).map(Ok)
    }
}

impl Connected for Connection {
    type ConnectInfo = TcpConnectInfo;

    fn connect_info(&self) -> TcpConnectInfo {
        self.stream.connect_info()
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let read = self.poll_open(cx)?.poll_read(cx, buf);
        if let Some(preface) = &mut self.preface {
            let bytes = buf.filled().len() - before;
            preface.missing = preface.missing.saturating_sub(bytes);
            if preface.missing == 0 {
                self.preface = None;
            } else if preface.timer.as_mut().poll(cx).is_ready() {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
        }
        read
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_open(cx)?.poll_write(cx, buf)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.poll_open(cx)?.poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_open(cx)?.poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.linger.is_none() {
            ready!(self.poll_open(cx)?.poll_shutdown(cx))?;
        }
        self.poll_linger(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    /// A client's socket and the server's side of it.
    async fn pair(close: &CancellationToken, preface_time: Duration) -> (TcpStream, Connection) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let client = TcpStream::connect(address).await.expect("it listens");
        let (stream, _) = listener.accept().await.expect("it connects");
        let open = TaskTracker::new().token();
        let connection = Connection::new(stream, close.clone(), open, preface_time);
        (client, connection)
    }

    const SOON: Duration = Duration::from_millis(5);
    const NEVER: Duration = Duration::from_hours(1);

    #[tokio::test]
    async fn a_connection_that_does_not_begin_times_out() {
        let (mut client, mut connection) = pair(&CancellationToken::new(), SOON).await;
        client.write_all(b"PRI * HTTP/2.0").await.expect("sent");
        let mut bytes = Vec::new();
        let end = connection.read_to_end(&mut bytes).await;
        assert_eq!(end.expect_err("an end").kind(), io::ErrorKind::TimedOut);
        assert!(bytes.is_empty() || bytes == b"PRI * HTTP/2.0");
    }

    #[tokio::test]
    async fn one_that_has_begun_may_be_silent() {
        let (mut client, mut connection) = pair(&CancellationToken::new(), SOON).await;
        client.write_all(&[7; PREFACE_BYTES]).await.expect("sent");
        let mut bytes = [0; PREFACE_BYTES];
        connection.read_exact(&mut bytes).await.expect("in time");
        let silent = tokio::time::timeout(4 * SOON, connection.read_u8()).await;
        assert!(silent.is_err(), "it waits on");
    }

    #[tokio::test]
    async fn what_was_sent_last_arrives_though_the_peer_sends_on() {
        let (mut client, mut connection) = pair(&CancellationToken::new(), NEVER).await;
        connection.write_all(b"the end").await.expect("sent");
        client.write_all(&[7; 100]).await.expect("sent");
        let ended = tokio::spawn(async move { connection.shutdown().await });
        let mut last = Vec::new();
        client.read_to_end(&mut last).await.expect("no reset");
        assert_eq!(last, b"the end");
        client.write_all(&[7; 100]).await.expect("it still reads");
        assert!(!ended.is_finished(), "it waits for the peer");
        drop(client);
        ended.await.expect("no panic").expect("a good end");
    }

    #[tokio::test]
    async fn closing_ends_one_that_reads_and_one_that_cannot_write() {
        let close = CancellationToken::new();
        let (_reader, mut reading) = pair(&close, NEVER).await;
        let (_writer, mut writing) = pair(&close, NEVER).await;
        let reads = tokio::spawn(async move { reading.read_u8().await });
        // More than the buffers of both sockets hold.
        let writes = tokio::spawn(async move { writing.write_all(&vec![0; 64 << 20]).await });
        close.cancel();
        assert!(reads.await.expect("no panic").is_err());
        assert!(writes.await.expect("no panic").is_err());
    }
}
