//! Names of jobs, and whose they are.

use tonic::Status;

use crate::jobs::id::{JobId, JobRef, Tenant};
use crate::rpc::status::bad_field;

/// The job of this resource name, as the caller sees it. Without configured identities every caller is
/// the default tenant.
///
/// # Errors
/// BAD_FIELD when it is no job's name.
pub(in crate::rpc) fn job(name: &str) -> Result<JobRef, Status> {
    let id = JobId::from_name(name).map_err(|error| bad_field("name", error))?;
    Ok(JobRef {
        tenant: Tenant::default(),
        id,
    })
}
