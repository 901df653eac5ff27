//! What a store refuses, in the terms of the error table.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use tonic::Status;
use tonic_types::PreconditionViolation;

use super::{Reason, Refusal, bad_field, draining, incident, internal};
use crate::jobs::error::StoreError;
use crate::rpc::convert::time;

/// When a full store is worth another try.
const STORE_FULL_RETRY: Duration = Duration::from_secs(30);

impl From<StoreError> for Status {
    fn from(error: StoreError) -> Self {
        let refuse = |reason| Refusal::new(reason, &error);
        match &error {
            StoreError::JobNotFound(id) => refuse(Reason::JobNotFound).about_job(&id.name()),
            StoreError::ResultsExpired { id, expire_time } => refuse(Reason::ResultsExpired)
                .about_job(&id.name())
                .with("expire_time", time::timestamp(*expire_time)),
            StoreError::JobExists(id) => refuse(Reason::JobExists).about_job(&id.name()),
            StoreError::RequestIdReused => refuse(Reason::RequestIdReused),
            StoreError::InputGap { received, .. } => {
                refuse(Reason::InputGap).with("received", received)
            }
            StoreError::InputConflict { index } => {
                refuse(Reason::InputConflict).with("index", index)
            }
            StoreError::TooManyItems { limit } => refuse(Reason::TooLarge).with("limit", limit),
            StoreError::WrongState { id, state, what } => {
                let mut refusal = refuse(Reason::WrongState).with("state", state.name());
                let violation = PreconditionViolation::new("JOB_STATE", id.name(), what);
                refusal.details.set_precondition_failure(vec![violation]);
                refusal
            }
            StoreError::PastEnd { total, .. } => refuse(Reason::PastEnd).with("total", total),
            StoreError::TenantQuota { what, retry } => {
                let mut refusal = refuse(Reason::TenantQuota).retry_after(*retry);
                refusal.details.add_quota_failure_violation("tenant", what);
                refusal
            }
            StoreError::Full(_) => refuse(Reason::StoreFull).retry_after(STORE_FULL_RETRY),
            StoreError::Backup(what) => return bad_field("file_name", what),
            StoreError::Closing => return draining(),
            StoreError::Corrupt(_) => {
                return incident(Reason::Corrupt, "stored data are corrupt", &error);
            }
            StoreError::LeaseLost => return internal(&error),
            StoreError::Internal(cause) => return internal(&Chain(cause.as_ref())),
        }
        .into()
    }
}

/// An error with all its causes.
struct Chain<'a>(&'a (dyn Error + 'static));

impl fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        let mut source = self.0.source();
        while let Some(cause) = source {
            write!(f, ": {cause}")?;
            source = cause.source();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use tonic::Code;
    use tonic_types::StatusExt;

    use super::*;
    use crate::jobs::clock::Timestamp;
    use crate::jobs::id::JobId;
    use crate::jobs::job::JobState;

    fn job() -> JobId {
        JobId::chosen("nightly").expect("a job id")
    }

    fn reason_and_metadata(status: &Status) -> (String, HashMap<String, String>) {
        let info = status
            .get_details_error_info()
            .expect("every status has an ErrorInfo");
        assert_eq!(info.domain, "gridmill.dev");
        (info.reason, info.metadata)
    }

    /// Code, reason and metadata of an error of the store.
    fn row(error: StoreError) -> (Code, String, HashMap<String, String>) {
        let status = Status::from(error);
        let (reason, metadata) = reason_and_metadata(&status);
        (status.code(), reason, metadata)
    }

    #[test]
    fn every_refusal_of_a_store_has_its_code_and_reason() {
        let rows = [
            (
                StoreError::JobNotFound(job()),
                Code::NotFound,
                "JOB_NOT_FOUND",
            ),
            (
                StoreError::JobExists(job()),
                Code::AlreadyExists,
                "JOB_EXISTS",
            ),
            (
                StoreError::RequestIdReused,
                Code::AlreadyExists,
                "REQUEST_ID_REUSED",
            ),
            (
                StoreError::Full(String::new()),
                Code::ResourceExhausted,
                "STORE_FULL",
            ),
            (
                StoreError::Backup(String::new()),
                Code::InvalidArgument,
                "BAD_FIELD",
            ),
            (StoreError::Closing, Code::Unavailable, "DRAINING"),
            (
                StoreError::Corrupt(String::new()),
                Code::DataLoss,
                "CORRUPT",
            ),
            (StoreError::LeaseLost, Code::Internal, "INTERNAL"),
        ];
        for (error, code, reason) in rows {
            let (found, named, _) = row(error);
            assert_eq!((found, named.as_str()), (code, reason));
        }
    }

    #[test]
    fn what_a_client_needs_to_go_on_is_in_the_metadata() {
        let expired = StoreError::ResultsExpired {
            id: job(),
            expire_time: Timestamp::from_micros(1_500_000),
        };
        let gap = StoreError::InputGap {
            first_index: 9,
            received: 7,
        };
        let conflict = StoreError::InputConflict { index: 3 };
        let many = StoreError::TooManyItems { limit: 5 };
        let past = StoreError::PastEnd { start: 9, total: 8 };
        let time = "1970-01-01T00:00:01.500Z";
        let rows = [
            (
                expired,
                Code::NotFound,
                "RESULTS_EXPIRED",
                ("expire_time", time),
            ),
            (
                gap,
                Code::FailedPrecondition,
                "INPUT_GAP",
                ("received", "7"),
            ),
            (
                conflict,
                Code::AlreadyExists,
                "INPUT_CONFLICT",
                ("index", "3"),
            ),
            (many, Code::InvalidArgument, "TOO_LARGE", ("limit", "5")),
            (past, Code::OutOfRange, "PAST_END", ("total", "8")),
        ];
        for (error, code, reason, (key, value)) in rows {
            let (found, named, metadata) = row(error);
            assert_eq!((found, named.as_str()), (code, reason));
            assert_eq!(metadata.get(key).map(String::as_str), Some(value));
        }
    }

    #[test]
    fn retry_quota_precondition_and_resource_details_are_there() {
        let details = |error: StoreError| Status::from(error).get_error_details();
        let full = details(StoreError::Full(String::new()));
        let retry = full.retry_info().expect("RetryInfo");
        assert_eq!(retry.retry_delay, Some(Duration::from_secs(30)));
        let quota = details(StoreError::TenantQuota {
            what: "10 bytes".to_owned(),
            retry: Duration::from_secs(2),
        });
        assert_eq!(
            quota
                .quota_failure()
                .expect("QuotaFailure")
                .violations
                .len(),
            1
        );
        assert!(quota.retry_info().is_some());
        let missing = details(StoreError::JobNotFound(job()));
        let resource = missing.resource_info().expect("ResourceInfo");
        assert_eq!(resource.resource_name, "jobs/nightly");
        let state = details(StoreError::WrongState {
            id: job(),
            state: JobState::Failed,
            what: "no".to_owned(),
        });
        assert!(state.precondition_failure().is_some());
        assert_eq!(
            state.error_info().expect("ErrorInfo").metadata["state"],
            "FAILED"
        );
    }

    #[test]
    fn the_cause_of_an_internal_error_is_not_told() {
        let status = Status::from(StoreError::Internal("/secret/path".into()));
        assert_eq!(status.code(), Code::Internal);
        assert!(!status.message().contains("secret"));
        assert!(reason_and_metadata(&status).1.contains_key("incident"));
    }
}
