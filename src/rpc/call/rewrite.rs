//! Statuses that tonic makes on its own, brought to the error table.
//!
//! Ours have details, tonic's have none; that is how they are told apart. A status whose code fits the
//! table already, or that is none of ours to name (health's NOT_FOUND), passes.

use http::HeaderMap;
use tonic::{Code, Status};

use crate::rpc::{limits, status};

/// The code of the status in these headers or trailers, rewritten if tonic made it; `None` when there
/// is no status, which is so in the headers of an answer.
pub(super) fn rewrite(headers: &mut HeaderMap, method: &str) -> Option<Code> {
    let theirs = Status::from_header_map(headers)?;
    if theirs.code() == Code::Ok || !theirs.details().is_empty() {
        return Some(theirs.code());
    }
    let message = theirs.message();
    let ours = match theirs.code() {
        Code::OutOfRange => status::message_too_large(limits::MAX_MESSAGE_BYTES),
        Code::Internal => status::undecodable(message),
        Code::Unimplemented => status::unknown_method(method, message),
        code => return Some(code),
    };
    ours.add_header(headers)
        .expect("text is percent-encoded and details are base64");
    Some(ours.code())
}

#[cfg(test)]
mod tests {
    use tonic_types::StatusExt;

    use super::*;

    fn rewritten(theirs: &Status) -> (Status, Option<String>) {
        let mut headers = HeaderMap::new();
        theirs.add_header(&mut headers).expect("headers");
        rewrite(&mut headers, "/gridmill.v1.JobService/Foo");
        let status = Status::from_header_map(&headers).expect("a status");
        let reason = status.get_details_error_info().map(|info| info.reason);
        (status, reason)
    }

    #[test]
    fn what_tonic_says_about_messages_is_brought_to_the_table() {
        let rows = [
            (
                Status::out_of_range("too large: 5000000 bytes"),
                Code::InvalidArgument,
                "TOO_LARGE",
            ),
            (
                Status::internal("failed to decode"),
                Code::InvalidArgument,
                "BAD_FIELD",
            ),
            (
                Status::unimplemented(""),
                Code::Unimplemented,
                "NOT_IMPLEMENTED",
            ),
        ];
        for (theirs, code, reason) in rows {
            let (status, named) = rewritten(&theirs);
            assert_eq!((status.code(), named.as_deref()), (code, Some(reason)));
        }
    }

    #[test]
    fn our_own_statuses_and_other_codes_pass() {
        let (status, reason) = rewritten(&status::internal(&"cause"));
        assert_eq!(
            (status.code(), reason.as_deref()),
            (Code::Internal, Some("INTERNAL"))
        );
        let (status, reason) = rewritten(&Status::not_found("service not registered"));
        assert_eq!((status.code(), reason), (Code::NotFound, None));
    }

    #[test]
    fn headers_without_a_status_are_left_alone() {
        assert_eq!(rewrite(&mut HeaderMap::new(), "/x"), None);
    }
}
