//! How a command ends when it does not end well: what is said, and the exit code.
//!
//! Codes are those of sysexits(3), so that a script can tell a typing error (64) from a bad puzzle
//! (65) and from a server that is not there (69). Two more are of the shell: 1 for a job that did not
//! succeed, 128 + n for signal n.

use std::fmt::{self, Write as _};
use std::io;
use std::path::PathBuf;

use tonic::{Code, Status};
use tonic_types::StatusExt;

use super::host::StartError;
use crate::config::ConfigError;

/// What a command returns.
pub(crate) type Result<T = ()> = std::result::Result<T, Failure>;

/// Why a command did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// An argument that cannot be meant so.
    #[error("{0}")]
    Usage(String),
    /// Settings that do not go together.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The server in this process did not come up.
    #[error(transparent)]
    Start(#[from] StartError),
    /// Input, or an earlier output, that is not what it should be.
    #[error("{0}")]
    Data(String),
    /// A file cannot be read.
    #[error("cannot read {name}")]
    Input {
        /// The file, or standard input.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// A file cannot be created.
    #[error("cannot create {}", path.display())]
    Create {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Output cannot be written.
    #[error("cannot write to {name}")]
    Output {
        /// The file, or standard output.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// Whoever read our standard output has what they wanted.
    #[error("standard output was closed")]
    OutputClosed,
    /// No server answers.
    #[error("no server at {address}: {why}")]
    NoServer {
        /// Where it should be.
        address: String,
        /// What happened instead.
        why: String,
    },
    /// A server refused.
    #[error("{}", Refusal(.0))]
    Refused(Box<Status>),
    /// The server in this process has no room for its work, or cannot write.
    #[error(
        "the database in {} is full or cannot be written; set TMPDIR to a directory with more space, \
         or name a file with --database sqlite:PATH",
        directory.display()
    )]
    NoRoom {
        /// Of the database.
        directory: PathBuf,
    },
    /// Not all is there yet; the same command goes on later.
    #[error("{0}")]
    Unfinished(String),
    /// A job did not come to its good end.
    #[error("{0}")]
    Unsuccessful(String),
    /// A signal came.
    #[error("{what}")]
    Interrupted {
        /// Its number.
        signal: u8,
        /// What became of the work.
        what: &'static str,
    },
    /// Anything else.
    #[error(transparent)]
    Internal(#[from] anyhow::Error),
}

impl Failure {
    /// The exit code of an argument that cannot be meant so.
    pub(crate) const USAGE: u8 = 64;

    /// The exit code.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::OutputClosed => 0,
            Self::Unsuccessful(_) => 1,
            Self::Usage(_) | Self::Config(_) => Self::USAGE,
            Self::Start(error) => match error {
                StartError::Listen { .. } | StartError::Database { .. } => Self::USAGE,
                StartError::NoAddress(_) => 70,
            },
            Self::Data(_) => 65,
            Self::Input { .. } => 66,
            Self::NoServer { .. } => 69,
            Self::Refused(status) => match status.code() {
                Code::InvalidArgument | Code::OutOfRange | Code::Unimplemented => 64,
                Code::NotFound | Code::FailedPrecondition | Code::AlreadyExists => 65,
                Code::Unavailable => 69,
                Code::ResourceExhausted => 75,
                _ => 70,
            },
            Self::Internal(_) => 70,
            Self::Create { .. } => 73,
            Self::Output { .. } | Self::NoRoom { .. } => 74,
            Self::Unfinished(_) => 75,
            Self::Interrupted { signal, .. } => 128 + signal,
        }
    }
}

impl From<Status> for Failure {
    fn from(status: Status) -> Self {
        Self::Refused(Box::new(status))
    }
}

/// A status as people read it: the message, the reason, and what is wrong with which field.
struct Refusal<'a>(&'a Status);

impl fmt::Display for Refusal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(status) = self;
        let details = status.get_error_details();
        let mut text = match status.message() {
            "" => status.code().to_string(),
            message => message.to_owned(),
        };
        if let Some(info) = details.error_info() {
            write!(text, " ({})", info.reason)?;
        }
        let violations = details.bad_request().map(|bad| &bad.field_violations);
        for violation in violations.into_iter().flatten() {
            let violation = format!("{}: {}", violation.field, violation.description);
            // A single one is often the message itself.
            if violation != status.message() {
                write!(text, "\n  {violation}")?;
            }
        }
        f.write_str(&text)
    }
}

#[cfg(test)]
mod tests {
    use tonic_types::{ErrorDetails, StatusExt};

    use super::*;

    #[test]
    fn a_refusal_names_the_reason_and_the_fields() {
        let mut details = ErrorDetails::new();
        details
            .set_error_info("BAD_FIELD", "gridmill.dev", [])
            .add_bad_request_violation("job.priority", "must be -100..100");
        let status = Status::with_error_details(Code::InvalidArgument, "a bad request", details);
        let failure = Failure::from(status);
        assert_eq!(
            failure.to_string(),
            "a bad request (BAD_FIELD)\n  job.priority: must be -100..100"
        );
        assert_eq!(failure.code(), 64);
    }

    #[test]
    fn what_is_wrong_is_told_once() {
        let message = "job.priority: must be -100..100";
        let mut details = ErrorDetails::new();
        details
            .set_error_info("BAD_FIELD", "gridmill.dev", [])
            .add_bad_request_violation("job.priority", "must be -100..100");
        let status = Status::with_error_details(Code::InvalidArgument, message, details);
        let said = Failure::from(status).to_string();
        assert_eq!(said, format!("{message} (BAD_FIELD)"));
    }

    #[test]
    fn a_status_without_words_is_named_by_its_code() {
        let failure = Failure::from(Status::new(Code::NotFound, ""));
        assert_eq!(failure.to_string(), Code::NotFound.to_string());
        assert_eq!(failure.code(), 65);
    }

    #[test]
    fn exit_codes_follow_sysexits() {
        let no_server = Failure::NoServer {
            address: String::new(),
            why: String::new(),
        };
        let interrupted = Failure::Interrupted {
            signal: 2,
            what: "",
        };
        let no_room = Failure::NoRoom {
            directory: PathBuf::new(),
        };
        for (failure, code) in [
            (Failure::OutputClosed, 0),
            (Failure::Usage(String::new()), 64),
            (Failure::Data(String::new()), 65),
            (no_server, 69),
            (Failure::from(Status::unavailable("")), 69),
            (Failure::from(Status::internal("")), 70),
            (Failure::from(Status::resource_exhausted("")), 75),
            (no_room, 74),
            (Failure::from(anyhow::anyhow!("a bug")), 70),
            (interrupted, 130),
        ] {
            assert_eq!(failure.code(), code, "{failure:?}");
        }
    }
}
