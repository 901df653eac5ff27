//! The connection to a server, and how long to bear with one that does not answer.
//!
//! A server that was never reached is an error at once. One that was reached and went away is most
//! likely being restarted, so calls that may be sent again are, for a minute.

use std::error::Error as _;
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use tonic::transport::{Channel, Endpoint, Uri};
use tonic::{Code, Response, Status};
use tonic_types::StatusExt;

use super::exit::{Failure, Result};
use super::terminal;
use crate::rpc::pb::admin_service_client::AdminServiceClient;
use crate::rpc::pb::job_service_client::JobServiceClient;
use crate::rpc::pb::sudoku_service_client::SudokuServiceClient;

/// Flow control windows. The default of 64 KiB would make every message of a result stream wait for
/// several round trips.
const WINDOW: u32 = 8 << 20;

/// The largest message that is taken. Servers keep theirs under 1 MiB.
const MAX_MESSAGE: usize = 8 << 20;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a server may stay away.
const PATIENCE: Duration = Duration::from_mins(1);

/// Between the first tries; doubles up to [`LONGEST_DELAY`].
const FIRST_DELAY: Duration = Duration::from_millis(100);

const LONGEST_DELAY: Duration = Duration::from_secs(2);

/// Where a server is: `http://HOST:PORT`, or `HOST:PORT` for short.
#[derive(Debug, Clone)]
pub(crate) struct ServerUrl(Uri);

impl FromStr for ServerUrl {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let expected = || "expected http://HOST:PORT".to_owned();
        let has_scheme = text.contains("://");
        let uri: Uri = if has_scheme {
            text.parse()
        } else {
            format!("http://{text}").parse()
        }
        .map_err(|_| expected())?;
        let has_host = uri.host().is_some_and(|host| !host.is_empty());
        let is_whole = has_host && (has_scheme || uri.port().is_some());
        match (uri.scheme_str(), uri.path()) {
            (Some("http"), "/") if uri.query().is_none() && is_whole => Ok(Self(uri)),
            _ => Err(expected()),
        }
    }
}

impl fmt::Display for ServerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.to_string().trim_end_matches('/'))
    }
}

/// A server that was reached.
#[derive(Clone)]
pub(crate) struct Client {
    channel: Channel,
}

impl Client {
    /// Connects.
    pub(crate) async fn connect(server: &ServerUrl) -> Result<Self> {
        let endpoint = Endpoint::from(server.0.clone())
            .user_agent(concat!("gridmill/", env!("CARGO_PKG_VERSION")))
            .map_err(anyhow::Error::from)?
            .connect_timeout(CONNECT_TIMEOUT)
            .initial_stream_window_size(WINDOW)
            .initial_connection_window_size(WINDOW)
            .http2_keep_alive_interval(Duration::from_secs(30))
            .keep_alive_timeout(Duration::from_secs(20))
            .tcp_nodelay(true);
        let channel = endpoint
            .connect()
            .await
            .map_err(|error| Failure::NoServer {
                address: server.to_string(),
                why: innermost(&error),
            })?;
        Ok(Self { channel })
    }

    pub(crate) fn jobs(&self) -> JobServiceClient<Channel> {
        JobServiceClient::new(self.channel.clone()).max_decoding_message_size(MAX_MESSAGE)
    }

    pub(crate) fn sudoku(&self) -> SudokuServiceClient<Channel> {
        SudokuServiceClient::new(self.channel.clone()).max_decoding_message_size(MAX_MESSAGE)
    }

    pub(crate) fn admin(&self) -> AdminServiceClient<Channel> {
        AdminServiceClient::new(self.channel.clone()).max_decoding_message_size(MAX_MESSAGE)
    }

    /// Makes a call that may be sent again, until it is answered.
    pub(crate) async fn persist<T, F>(
        &self,
        mut call: impl FnMut(JobServiceClient<Channel>) -> F,
    ) -> Result<T>
    where
        F: Future<Output = std::result::Result<Response<T>, Status>>,
    {
        let mut patience = Patience::new();
        loop {
            match call(self.jobs()).await {
                Ok(response) => return Ok(response.into_inner()),
                Err(status) => patience.wait(status).await?,
            }
        }
    }
}

/// The cause behind an error's wrappers: "transport error" says nothing, "connection refused" does.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

/// Tries again, less and less often, for [`PATIENCE`] since the last answer.
#[derive(Debug)]
pub(crate) struct Patience {
    delay: Duration,
    last_answer: Instant,
}

impl Patience {
    pub(crate) fn new() -> Self {
        Self {
            delay: FIRST_DELAY,
            last_answer: Instant::now(),
        }
    }

    /// The server answered.
    pub(crate) fn renew(&mut self) {
        *self = Self::new();
    }

    /// Waits until it is worth another try.
    ///
    /// Fails with the status when another try would not help, or there were enough.
    pub(crate) async fn wait(&mut self, status: Status) -> Result {
        if !is_passing(&status) || self.last_answer.elapsed() >= PATIENCE {
            return Err(status.into());
        }
        if self.delay == FIRST_DELAY {
            terminal::note(format_args!(
                "the server is away ({}); trying again",
                status.message()
            ));
        }
        let asked = status.get_details_retry_info().and_then(|i| i.retry_delay);
        let delay = asked.map_or(self.delay, |asked| asked.clamp(self.delay, LONGEST_DELAY));
        tokio::time::sleep(delay).await;
        self.delay = (self.delay * 2).min(LONGEST_DELAY);
        Ok(())
    }
}

/// Whether the same request may be answered later. A status with a source was made on this side when
/// the connection broke: a server that is killed says no "unavailable".
fn is_passing(status: &Status) -> bool {
    match status.code() {
        Code::Unavailable => true,
        Code::Unknown | Code::Internal | Code::Cancelled => status.source().is_some(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_a_scheme_a_host_and_a_port() {
        for good in ["http://127.0.0.1:50051", "http://mill.example:80/"] {
            let url: ServerUrl = good.parse().expect(good);
            assert_eq!(url.to_string(), good.trim_end_matches('/'));
        }
        let short: ServerUrl = "localhost:50051"
            .parse()
            .expect("the scheme may be left out");
        assert_eq!(short.to_string(), "http://localhost:50051");
        for bad in [
            "",
            ":50051",
            "mill:50051/v1",
            "https://mill",
            "http://mill/v1",
            "mill",
        ] {
            assert!(bad.parse::<ServerUrl>().is_err(), "{bad}");
        }
    }

    #[test]
    fn only_what_passes_is_tried_again() {
        assert!(is_passing(&Status::unavailable("draining")));
        assert!(!is_passing(&Status::internal("a bug of the server")));
        assert!(!is_passing(&Status::not_found("no such job")));
        let broken = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
        assert!(is_passing(&Status::from_error(Box::new(broken))));
    }
}
