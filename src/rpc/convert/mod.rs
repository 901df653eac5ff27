//! Between the messages of the API and the types of the layers below. Requests are checked here, once;
//! behind this room nothing is out of its range.

pub(super) mod batch;
pub(super) mod conflict;
pub(super) mod job;
pub(super) mod make_puzzle;
pub(super) mod name;
pub(super) mod rating;
pub(super) mod spec;
pub(super) mod step;
pub(super) mod time;
pub(super) mod work;

/// The code of a refusal and the field that it names.
#[cfg(test)]
pub(super) fn refused<T: std::fmt::Debug>(
    result: Result<T, tonic::Status>,
) -> (tonic::Code, String) {
    use tonic_types::StatusExt as _;

    let status = result.expect_err("refused");
    let info = status.get_details_error_info().expect("an ErrorInfo");
    let request = status.get_details_bad_request();
    let field = request.map(|request| request.field_violations[0].field.clone());
    let named = info.metadata.get("field").cloned();
    (status.code(), field.or(named).expect("a field is named"))
}
