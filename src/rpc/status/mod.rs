//! The one place where errors become gRPC statuses.
//!
//! Every status has a [`Reason`] in its `google.rpc.ErrorInfo`, so a client never has to read a
//! sentence. Details stay small: proxies reset calls whose trailers pass 8 KiB.

mod store;

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::time::Duration;

use tonic::{Code, Status};
use tonic_types::{ErrorDetails, FieldViolation, StatusExt};
use uuid::Uuid;

/// The domain of every reason.
const DOMAIN: &str = "gridmill.dev";
/// Field violations in one status.
const MAX_VIOLATIONS: usize = 20;
/// Bytes of a sentence in a status.
const MAX_TEXT: usize = 400;
/// Bytes of all field violations together.
const MAX_VIOLATION_BYTES: usize = 2048;
/// When an overloaded server is worth another try.
const OVERLOAD_RETRY: Duration = Duration::from_secs(1);

/// Why a call was refused or failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// A name, an option or a field that cannot be read or is out of its range.
    BadField,
    /// More items or bytes than the limit in the metadata.
    TooLarge,
    /// Options that no puzzle can satisfy.
    Impossible,
    /// A page token that is not this server's, or not for this request.
    BadToken,
    /// A start index behind the end.
    PastEnd,
    /// No such job for this caller.
    JobNotFound,
    /// Its results are gone.
    ResultsExpired,
    /// The chosen id is taken.
    JobExists,
    /// The request id came with another request before.
    RequestIdReused,
    /// Inputs that begin behind the watermark.
    InputGap,
    /// Inputs that differ from those received before.
    InputConflict,
    /// Not in this state of the job.
    WrongState,
    /// The tenant has too much already.
    TenantQuota,
    /// The store takes no new work.
    StoreFull,
    /// Too many calls or streams, or a stream that nobody reads.
    Overloaded,
    /// The server is on its way out.
    Draining,
    /// The caller's deadline passed.
    Deadline,
    /// Not served (yet).
    NotImplemented,
    /// A fault of the server.
    Internal,
    /// Stored data are not what was written.
    Corrupt,
}

impl Reason {
    const fn code_and_name(self) -> (Code, &'static str) {
        match self {
            Self::BadField => (Code::InvalidArgument, "BAD_FIELD"),
            Self::TooLarge => (Code::InvalidArgument, "TOO_LARGE"),
            Self::Impossible => (Code::InvalidArgument, "IMPOSSIBLE"),
            Self::BadToken => (Code::InvalidArgument, "BAD_TOKEN"),
            Self::PastEnd => (Code::OutOfRange, "PAST_END"),
            Self::JobNotFound => (Code::NotFound, "JOB_NOT_FOUND"),
            Self::ResultsExpired => (Code::NotFound, "RESULTS_EXPIRED"),
            Self::JobExists => (Code::AlreadyExists, "JOB_EXISTS"),
            Self::RequestIdReused => (Code::AlreadyExists, "REQUEST_ID_REUSED"),
            Self::InputGap => (Code::FailedPrecondition, "INPUT_GAP"),
            Self::InputConflict => (Code::AlreadyExists, "INPUT_CONFLICT"),
            Self::WrongState => (Code::FailedPrecondition, "WRONG_STATE"),
            Self::TenantQuota => (Code::ResourceExhausted, "TENANT_QUOTA"),
            Self::StoreFull => (Code::ResourceExhausted, "STORE_FULL"),
            Self::Overloaded => (Code::Unavailable, "OVERLOADED"),
            Self::Draining => (Code::Unavailable, "DRAINING"),
            Self::Deadline => (Code::DeadlineExceeded, "DEADLINE"),
            Self::NotImplemented => (Code::Unimplemented, "NOT_IMPLEMENTED"),
            Self::Internal => (Code::Internal, "INTERNAL"),
            Self::Corrupt => (Code::DataLoss, "CORRUPT"),
        }
    }
}

/// A status under construction.
struct Refusal {
    reason: Reason,
    message: String,
    metadata: HashMap<String, String>,
    details: ErrorDetails,
}

impl Refusal {
    fn new(reason: Reason, message: impl fmt::Display) -> Self {
        Self {
            reason,
            message: clip(&message.to_string(), MAX_TEXT),
            metadata: HashMap::new(),
            details: ErrorDetails::new(),
        }
    }

    /// Adds to the metadata of the `ErrorInfo`.
    fn with(mut self, key: &str, value: impl fmt::Display) -> Self {
        self.metadata
            .insert(key.to_owned(), clip(&value.to_string(), MAX_TEXT));
        self
    }

    fn retry_after(mut self, delay: Duration) -> Self {
        self.details.set_retry_info(Some(delay));
        self
    }

    fn about_job(mut self, name: &str) -> Self {
        let message = self.message.clone();
        self.details
            .set_resource_info("gridmill.v1.Job", name, "", message);
        self
    }
}

impl From<Refusal> for Status {
    fn from(mut refusal: Refusal) -> Self {
        let (code, name) = refusal.reason.code_and_name();
        refusal
            .details
            .set_error_info(name, DOMAIN, refusal.metadata);
        Self::with_error_details(code, refusal.message, refusal.details)
    }
}

/// Field violations, collected so that a client learns of all of them at once.
#[derive(Debug, Default)]
pub(super) struct Violations(Vec<FieldViolation>);

impl Violations {
    /// Notes that `field` is wrong, and how.
    pub(super) fn add(&mut self, field: impl AsRef<str>, description: impl fmt::Display) {
        let (field, description) = (field.as_ref(), description.to_string());
        let violation = FieldViolation::new(clip(field, MAX_TEXT), clip(&description, MAX_TEXT));
        let bytes = |v: &FieldViolation| v.field.len() + v.description.len();
        let taken: usize = self.0.iter().map(bytes).sum();
        if self.0.len() < MAX_VIOLATIONS && taken + bytes(&violation) <= MAX_VIOLATION_BYTES {
            self.0.push(violation);
        }
    }

    /// The value, or `None` and a violation.
    pub(super) fn take<T>(
        &mut self,
        field: &str,
        result: Result<T, impl fmt::Display>,
    ) -> Option<T> {
        result.map_err(|error| self.add(field, error)).ok()
    }

    /// # Errors
    /// BAD_FIELD if anything was noted.
    pub(super) fn check(self) -> Result<(), Status> {
        let Some(first) = self.0.first() else {
            return Ok(());
        };
        let mut message = format!("{}: {}", first.field, first.description);
        if self.0.len() > 1 {
            let _ = write!(message, " (and {} more)", self.0.len() - 1);
        }
        let mut refusal = Refusal::new(Reason::BadField, message);
        refusal.details.set_bad_request(self.0);
        Err(refusal.into())
    }
}

/// One field that is wrong.
pub(super) fn bad_field(field: impl AsRef<str>, description: impl fmt::Display) -> Status {
    let mut violations = Violations::default();
    violations.add(field, description);
    violations
        .check()
        .expect_err("one violation was just added")
}

/// More than `limit` of what `field` holds; `instead` says what to do.
pub(super) fn too_large(field: &str, limit: u64, instead: &str) -> Status {
    let message = format!("{field}: at most {limit} here; {instead}");
    Refusal::new(Reason::TooLarge, message)
        .with("field", field)
        .with("limit", limit)
        .into()
}

/// A message of more bytes than are read.
pub(super) fn message_too_large(limit: usize) -> Status {
    let message =
        format!("a message has at most {limit} bytes; send the items in several messages");
    Refusal::new(Reason::TooLarge, message)
        .with("limit", limit)
        .into()
}

/// A message that is no protocol buffer of its kind.
pub(super) fn undecodable(cause: &str) -> Status {
    Refusal::new(
        Reason::BadField,
        format!("the message cannot be read: {cause}"),
    )
    .into()
}

/// Options under `field` that contradict one another.
pub(super) fn impossible(field: &str, cause: impl fmt::Display) -> Status {
    Refusal::new(Reason::Impossible, cause)
        .with("field", field)
        .into()
}

/// A page token that was not given out for this request.
pub(super) fn bad_token() -> Status {
    let message = "page_token: not from this server, or not for this request; start without one";
    Refusal::new(Reason::BadToken, message).into()
}

/// A method that does not exist, or an encoding that is not taken.
pub(super) fn unknown_method(method: &str, cause: &str) -> Status {
    // tonic gives a cause only for encodings.
    let (field, message) = if cause.is_empty() {
        (method, format!("there is no method {method}"))
    } else {
        let field = "grpc-encoding";
        (
            field,
            format!("{field}: compression is not served: {cause}"),
        )
    };
    Refusal::new(Reason::NotImplemented, message)
        .with("field", field)
        .into()
}

/// Too much at once; `what` says of what.
pub(super) fn overloaded(what: &str) -> Status {
    Refusal::new(Reason::Overloaded, what)
        .retry_after(OVERLOAD_RETRY)
        .into()
}

/// The server is on its way out.
pub(super) fn draining() -> Status {
    Refusal::new(
        Reason::Draining,
        "the server is shutting down; connect again",
    )
    .into()
}

/// The caller's deadline passed.
pub(super) fn deadline() -> Status {
    Refusal::new(Reason::Deadline, "the deadline passed").into()
}

/// A fault of the server: the cause goes to the log, its number to the client.
pub(super) fn internal(cause: &dyn fmt::Display) -> Status {
    incident(Reason::Internal, "internal error", cause)
}

fn incident(reason: Reason, what: &str, cause: &dyn fmt::Display) -> Status {
    let id = Uuid::now_v7();
    tracing::error!(incident = %id, %cause, "{what}");
    Refusal::new(reason, format!("{what}; the server's log has it as {id}"))
        .with("incident", id)
        .into()
}

/// The first `max` bytes of a text, whole characters only, and a mark where it was cut.
fn clip(text: &str, max: usize) -> String {
    if text.len() <= max {
        return text.to_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(max)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_stay_small_whatever_a_client_sends() {
        let mut violations = Violations::default();
        for _ in 0..1000 {
            violations.add("é".repeat(100_000), "x".repeat(100_000));
        }
        for field in 0..1000 {
            violations.add(format!("f{field}"), "no");
        }
        let status = violations.check().expect_err("many");
        assert!(status.details().len() < 4096, "{}", status.details().len());
        let request = status.get_details_bad_request().expect("BadRequest");
        assert!((1..=MAX_VIOLATIONS).contains(&request.field_violations.len()));
    }

    #[test]
    fn an_overload_says_when_to_try_again() {
        let retry = overloaded("calls").get_details_retry_info();
        assert_eq!(retry.and_then(|r| r.retry_delay), Some(OVERLOAD_RETRY));
    }

    #[test]
    fn no_violation_is_no_error() {
        assert!(Violations::default().check().is_ok());
    }
}
