//! What every call passes through, whatever its method: admission, deadline, drain, the error table and
//! a line in the log. It stands around the services, so a method cannot forget any of it.
//!
//! tonic's own timeout and concurrency limits end with the response's headers and are a connection's
//! own; here both hold until a stream's last frame, for the whole server.

mod admission;
mod body;
mod deadline;
mod log;
mod rewrite;

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::{Request, Response};
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::{Code, Status};
use tower::Service;
use tracing::Instrument;

pub(super) use admission::Limits;

use self::admission::{Admission, Permit};
use self::body::CallBody;
use self::deadline::Deadline;
use self::log::CallLog;
use super::status;

/// The services behind the gate that all calls pass. Clones share the gate.
#[derive(Clone)]
pub(super) struct Calls<R> {
    routes: R,
    gate: Arc<Gate>,
}

struct Gate {
    admission: Admission,
    drain: CancellationToken,
}

impl<R> Calls<R> {
    /// Puts the gate before `routes`. Once `drain` is cancelled new calls are refused and streams end.
    pub(super) fn new(routes: R, limits: Limits, drain: CancellationToken) -> Self {
        let admission = Admission::new(limits);
        let gate = Arc::new(Gate { admission, drain });
        Self { routes, gate }
    }
}

type CallFuture = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

impl<R> Service<Request<Body>> for Calls<R>
where
    R: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    R: Clone + Send + 'static,
    R::Future: Send,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = CallFuture;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.routes.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> CallFuture {
        // The clone stays behind; what was polled ready takes the call.
        let clone = self.routes.clone();
        let routes = std::mem::replace(&mut self.routes, clone);
        // Read here and not in the future: tonic starts its own, later, timer right after this.
        let deadline = Deadline::of(request.headers());
        let gate = Arc::clone(&self.gate);
        Box::pin(async move {
            let log = CallLog::new(request.uri().path());
            let span = log.span();
            Ok(gate
                .pass(routes, request, deadline, log)
                .instrument(span)
                .await)
        })
    }
}

impl Gate {
    async fn pass<R>(
        &self,
        mut routes: R,
        request: Request<Body>,
        deadline: Result<Option<Deadline>, Status>,
        mut log: CallLog,
    ) -> Response<Body>
    where
        R: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    {
        let method = request.uri().path().to_owned();
        let (deadline, permit) = match self.admit(&method, deadline) {
            Ok(admitted) => admitted,
            Err(status) => return refuse(&status, &mut log),
        };
        let answer = tokio::select! {
            biased;
            answer = routes.call(request) => answer,
            () = Deadline::passed(deadline) => return refuse(&status::deadline(), &mut log),
        };
        let Ok(mut response) = answer;
        if let Some(code) = rewrite::rewrite(response.headers_mut(), &method) {
            log.end(code);
            return response;
        }
        if permit.is_for_a_stream() {
            let drain = self.drain.clone();
            response.map(|body| Body::new(CallBody::new(body, permit, deadline, drain, log)))
        } else {
            // The one message is there already.
            log.end(Code::Ok);
            response
        }
    }

    fn admit(
        &self,
        method: &str,
        deadline: Result<Option<Deadline>, Status>,
    ) -> Result<(Option<Deadline>, Permit), Status> {
        let permit = self.admission.admit(method)?;
        if self.drain.is_cancelled() && !permit.is_free() {
            return Err(status::draining());
        }
        Ok((deadline?, permit))
    }
}

/// An error without initial metadata: meshes and clients retry only those.
fn refuse(status: &Status, log: &mut CallLog) -> Response<Body> {
    log.end(status.code());
    status.clone().into_http()
}
