//! Names: of jobs, tenants, requests and workers. Each is built only where it is checked.

use std::fmt;

use uuid::Uuid;

/// The longest job id, in characters.
pub const MAX_JOB_ID: usize = 63;

/// A job's id: a UUIDv7 that the server drew, or `[a-z][a-z0-9-]{0,62}` that the client chose.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobId(String);

/// Why a text is no name of the kind that was wanted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NameError(&'static str);

impl JobId {
    /// A fresh id; ids drawn later sort later.
    #[must_use]
    pub fn draw() -> Self {
        Self(Uuid::now_v7().to_string())
    }

    /// An id that a client chose for a new job.
    ///
    /// # Errors
    /// When it does not match `[a-z][a-z0-9-]{0,62}`.
    pub fn chosen(text: &str) -> Result<Self, NameError> {
        let tail = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        if text.len() <= MAX_JOB_ID
            && text.as_bytes().first().is_some_and(u8::is_ascii_lowercase)
            && text.bytes().all(tail)
        {
            Ok(Self(text.to_owned()))
        } else {
            Err(NameError("a job id is [a-z][a-z0-9-]{0,62}"))
        }
    }

    /// An id in use: one that was drawn or chosen.
    ///
    /// # Errors
    /// When it could be neither.
    pub fn parse(text: &str) -> Result<Self, NameError> {
        let drawn = text.len() == 36 && Uuid::try_parse(text).is_ok_and(|u| u.to_string() == text);
        if drawn {
            Ok(Self(text.to_owned()))
        } else {
            Self::chosen(text)
        }
    }

    /// From a resource name, `jobs/{id}`.
    ///
    /// # Errors
    /// When it is no such name.
    pub fn from_name(name: &str) -> Result<Self, NameError> {
        name.strip_prefix("jobs/")
            .and_then(|id| Self::parse(id).ok())
            .ok_or(NameError("a job's name is jobs/{id}"))
    }

    /// The resource name, `jobs/{id}`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("jobs/{}", self.0)
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whose job it is. Without configured identities everyone is [`Tenant::default`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tenant(String);

impl Tenant {
    /// A tenant as a store kept it.
    #[must_use]
    pub const fn stored(text: String) -> Self {
        Self(text)
    }

    /// The tenant as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for Tenant {
    fn default() -> Self {
        Self("default".to_owned())
    }
}

/// A job as one tenant sees it. Another tenant's job does not exist for it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JobRef {
    /// Who asks.
    pub tenant: Tenant,
    /// For which job.
    pub id: JobId,
}

/// The client's key for a request that it may send again (AIP-155).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RequestId(Uuid);

impl RequestId {
    /// Reads a UUID in any of its usual forms.
    ///
    /// # Errors
    /// When the text is no UUID.
    pub fn parse(text: &str) -> Result<Self, NameError> {
        Uuid::try_parse(text)
            .map(Self)
            .map_err(|_| NameError("a request id is a UUID"))
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One process's pool of workers, drawn anew at each start: a name that is used again could adopt
/// another's leases.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WorkerId(Uuid);

impl WorkerId {
    /// A fresh id.
    #[must_use]
    pub fn draw() -> Self {
        Self(Uuid::now_v7())
    }
}

impl fmt::Display for WorkerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_ids_are_names_and_sort_by_time() {
        let (first, second) = (JobId::draw(), JobId::draw());
        assert_eq!(JobId::from_name(&first.name()), Ok(first.clone()));
        assert!(first <= second);
    }

    #[test]
    fn chosen_ids_are_lower_case_words() {
        for good in ["a", "nightly-7", &"x".repeat(63)] {
            assert_eq!(JobId::chosen(good).expect(good).as_str(), good);
        }
        for bad in ["", "7up", "-a", "A", "a_b", "a/b", &"x".repeat(64)] {
            assert!(JobId::chosen(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_name_needs_its_collection() {
        for bad in ["", "nightly", "jobs/", "job/nightly", "jobs/a/b"] {
            assert!(JobId::from_name(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_uuid_in_another_spelling_is_not_the_same_name() {
        let id = JobId::draw().as_str().to_uppercase();
        assert!(JobId::parse(&id).is_err());
    }
}
