//! A gRPC client of bare HTTP/2, for what a proper client hides or cannot do: bytes that are no
//! message, headers and trailers apart, a stream that is opened and not read.

use std::net::SocketAddr;

use bytes::{BufMut, Bytes, BytesMut};
use h2::client::{ResponseFuture, SendRequest};
use h2::{RecvStream, SendStream};
use http::{HeaderMap, Request};
use prost::Message;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tonic::Status;

use crate::client::{Refusal, refusal};

/// One connection.
pub(crate) struct Wire {
    requests: SendRequest<Bytes>,
    authority: String,
    connection: JoinHandle<Result<(), h2::Error>>,
}

impl Wire {
    pub(crate) async fn connect(address: SocketAddr) -> Self {
        let socket = TcpStream::connect(address)
            .await
            .expect("the server listens");
        let (requests, connection) = h2::client::handshake(socket).await.expect("HTTP/2");
        Self {
            requests,
            authority: address.to_string(),
            connection: tokio::spawn(connection),
        }
    }

    /// Waits until the server has ended the connection.
    pub(crate) async fn ended(self) -> Result<(), h2::Error> {
        self.connection.await.expect("no panic")
    }

    /// Opens a call; `headers` come on top of those that every call has.
    pub(crate) async fn open(
        &mut self,
        method: &str,
        headers: &[(&'static str, &str)],
    ) -> (ResponseFuture, SendStream<Bytes>) {
        let mut request = Request::post(format!("http://{}{method}", self.authority))
            .header("content-type", "application/grpc")
            .header("te", "trailers");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(()).expect("a request");
        let mut ready = self
            .requests
            .clone()
            .ready()
            .await
            .expect("the connection lives");
        ready.send_request(request, false).expect("a stream")
    }

    /// A call with one message of these bytes.
    pub(crate) async fn call(
        &mut self,
        method: &str,
        headers: &[(&'static str, &str)],
        frames: Bytes,
    ) -> Answer {
        let (response, mut body) = self.open(method, headers).await;
        // The server may answer before it has read it all.
        let _ = body.send_data(frames, true);
        Answer::of(response).await
    }
}

/// A message as gRPC frames it.
pub(crate) fn frame(message: &impl Message) -> Bytes {
    framed(&message.encode_to_vec())
}

/// Bytes as gRPC frames them.
pub(crate) fn framed(message: &[u8]) -> Bytes {
    let mut frame = BytesMut::with_capacity(message.len() + 5);
    frame.put_u8(0);
    frame.put_u32(u32::try_from(message.len()).expect("not that long"));
    frame.put_slice(message);
    frame.freeze()
}

/// What came back.
pub(crate) struct Answer {
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) trailers: Option<HeaderMap>,
}

impl Answer {
    pub(crate) async fn of(response: ResponseFuture) -> Self {
        let (head, mut body) = response.await.expect("headers").into_parts();
        let bytes = read(&mut body).await;
        let trailers = body.trailers().await.expect("no reset");
        Self {
            headers: head.headers,
            body: bytes,
            trailers,
        }
    }

    /// The status of an error that was sent without headers of its own.
    #[track_caller]
    pub(crate) fn trailers_only(&self) -> Status {
        assert!(self.trailers.is_none() && self.body.is_empty());
        Status::from_header_map(&self.headers).expect("a status in the only headers")
    }

    /// That status, as the error table has it.
    #[track_caller]
    pub(crate) fn refusal(&self) -> Refusal {
        refusal(Err::<(), _>(self.trailers_only()))
    }

    /// The status at the end of an answer.
    #[track_caller]
    pub(crate) fn end(&self) -> Status {
        let trailers = self.trailers.as_ref().expect("trailers");
        Status::from_header_map(trailers).expect("a status")
    }
}

async fn read(body: &mut RecvStream) -> Bytes {
    let mut bytes = BytesMut::new();
    while let Some(chunk) = body.data().await {
        let chunk = chunk.expect("no reset");
        let _ = body.flow_control().release_capacity(chunk.len());
        bytes.extend_from_slice(&chunk);
    }
    bytes.freeze()
}
