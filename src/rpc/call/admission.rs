//! How many calls and streams there may be at once in the whole server. One too many is told so at
//! once and may try again; it does not wait, because then everybody would.

use std::collections::HashSet;
use std::sync::Arc;

use prost::Message;
use prost_types::FileDescriptorSet;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tonic::Status;

use crate::rpc::{pb, status};

/// The caps.
#[derive(Clone, Copy, Debug)]
pub(in crate::rpc) struct Limits {
    /// Calls with one answer.
    pub(in crate::rpc) calls: usize,
    /// Calls with a stream of answers.
    pub(in crate::rpc) streams: usize,
}

/// Who may come in.
#[derive(Debug)]
pub(super) struct Admission {
    calls: Arc<Semaphore>,
    streams: Arc<Semaphore>,
    /// Paths of the methods that answer with a stream.
    streaming: HashSet<String>,
}

/// A place among the calls or the streams, given back when dropped.
#[derive(Debug)]
pub(super) enum Permit {
    /// Health checks are never refused: they would report an overload as a death. They may be streams.
    Free,
    /// A call with one answer.
    Call { _place: OwnedSemaphorePermit },
    /// A call with a stream of answers.
    Stream { _place: OwnedSemaphorePermit },
}

impl Permit {
    /// Whether it needed no place.
    pub(super) const fn is_free(&self) -> bool {
        matches!(self, Self::Free)
    }

    /// Whether the answer may be a stream.
    pub(super) const fn is_for_a_stream(&self) -> bool {
        !matches!(self, Self::Call { .. })
    }
}

impl Admission {
    /// Empty places.
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            calls: Arc::new(Semaphore::new(limits.calls)),
            streams: Arc::new(Semaphore::new(limits.streams)),
            streaming: streaming_methods(),
        }
    }

    /// A place for a call of `method`.
    ///
    /// # Errors
    /// OVERLOADED when all are taken.
    pub(super) fn admit(&self, method: &str) -> Result<Permit, Status> {
        if method.starts_with("/grpc.health.") {
            return Ok(Permit::Free);
        }
        let take = |places: &Arc<Semaphore>| Arc::clone(places).try_acquire_owned();
        if self.streaming.contains(method) || method.starts_with("/grpc.reflection.") {
            let place = take(&self.streams);
            let place = place.map_err(|_| status::overloaded("too many streams are open"))?;
            Ok(Permit::Stream { _place: place })
        } else {
            let place = take(&self.calls);
            let place = place.map_err(|_| status::overloaded("too many calls are running"))?;
            Ok(Permit::Call { _place: place })
        }
    }
}

/// Read from the contract itself, so that a new method cannot be forgotten.
fn streaming_methods() -> HashSet<String> {
    let files = FileDescriptorSet::decode(pb::FILE_DESCRIPTOR_SET)
        .expect("the build compiled the descriptors");
    let mut paths = HashSet::new();
    for file in &files.file {
        for service in &file.service {
            for method in service.method.iter().filter(|m| m.server_streaming()) {
                let (package, service, method) = (file.package(), service.name(), method.name());
                paths.insert(format!("/{package}.{service}/{method}"));
            }
        }
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNARY: &str = "/gridmill.v1.JobService/GetJob";
    const STREAM: &str = "/gridmill.v1.JobService/StreamResults";

    #[test]
    fn the_contract_says_which_methods_stream() {
        let methods = streaming_methods();
        assert!(methods.contains(STREAM));
        assert!(methods.contains("/gridmill.v1.SudokuService/SolveStream"));
        assert!(!methods.contains(UNARY));
    }

    #[test]
    fn one_too_many_is_refused_until_a_place_is_given_back() {
        let admission = Admission::new(Limits {
            calls: 1,
            streams: 1,
        });
        let call = admission.admit(UNARY).expect("a free place");
        let stream = admission.admit(STREAM).expect("a free place");
        assert!(!call.is_for_a_stream() && stream.is_for_a_stream());
        for method in [UNARY, STREAM] {
            let refusal = admission.admit(method).expect_err("full");
            assert_eq!(refusal.code(), tonic::Code::Unavailable);
        }
        drop(stream);
        assert!(admission.admit(STREAM).is_ok());
        assert!(admission.admit(UNARY).is_err());
    }

    #[test]
    fn health_checks_are_always_let_in() {
        let admission = Admission::new(Limits {
            calls: 0,
            streams: 0,
        });
        let permit = admission.admit("/grpc.health.v1.Health/Watch");
        assert!(permit.expect("free").is_free());
    }
}
