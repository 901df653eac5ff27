//! `ListJobs` and `ListFailures`: pages by key. A page ends early where the reply would be too large.

use prost::Message;
use tonic::Status;

use super::Jobs;
use crate::jobs::clock::Timestamp;
use crate::jobs::id::Tenant;
use crate::jobs::lease::JobKey;
use crate::jobs::store::{JobFilter, JobStore};
use crate::rpc::convert::{job, name, spec, time};
use crate::rpc::status::{Violations, bad_field};
use crate::rpc::{fingerprint, limits, pb};

impl<S: JobStore> Jobs<S> {
    /// A page of jobs, newest first.
    ///
    /// # Errors
    /// BAD_FIELD, BAD_TOKEN, and the store's.
    pub(super) async fn jobs(
        &self,
        mut request: pb::ListJobsRequest,
    ) -> Result<pb::ListJobsResponse, Status> {
        let size = page_size(request.page_size, limits::DEFAULT_PAGE, limits::MAX_PAGE)?;
        let token = std::mem::take(&mut request.page_token);
        request.page_size = 0;
        let digest = fingerprint::of(&request);
        let after = self.tokens.read(&digest, &token)?;
        let after = after.map(|key| JobKey(key.cast_signed()));
        let filter = filter(request)?;
        let found = self
            .store
            .jobs(&Tenant::default(), &filter, after, one_more(size))
            .await?;
        let now = self.clock.now();
        let shown = found
            .into_iter()
            .map(|(key, job)| (key, job::job(job, now)));
        let (page, last) = Page::of(shown, size);
        Ok(pb::ListJobsResponse {
            jobs: page.items,
            next_page_token: last
                .filter(|_| page.is_cut)
                .map(|key| self.tokens.issue(&digest, key.0.cast_unsigned()))
                .unwrap_or_default(),
        })
    }

    /// A page of a job's faults, in the order of their items.
    ///
    /// # Errors
    /// BAD_FIELD, BAD_TOKEN, and the store's.
    pub(super) async fn failures(
        &self,
        mut request: pb::ListFailuresRequest,
    ) -> Result<pb::ListFailuresResponse, Status> {
        let job = name::job(&request.name)?;
        let size = page_size(request.page_size, limits::DEFAULT_PAGE, limits::MAX_PAGE)?;
        let token = std::mem::take(&mut request.page_token);
        request.page_size = 0;
        let digest = fingerprint::of(&request);
        let first_index = self.tokens.read(&digest, &token)?.unwrap_or(0);
        let found = self
            .store
            .failures(&job, first_index, one_more(size))
            .await?;
        let shown = found.into_iter().map(|failure| {
            let end = failure.first_index + failure.count;
            (end, job::failure(failure))
        });
        let (page, last) = Page::of(shown, size);
        Ok(pb::ListFailuresResponse {
            failures: page.items,
            next_page_token: last
                .filter(|_| page.is_cut)
                .map(|end| self.tokens.issue(&digest, end))
                .unwrap_or_default(),
        })
    }
}

/// How many items a page may have.
///
/// # Errors
/// BAD_FIELD for a negative size. One that is too large is not an error (AIP-158).
pub(super) fn page_size(asked: i32, default: usize, most: usize) -> Result<usize, Status> {
    match usize::try_from(asked) {
        Ok(0) => Ok(default),
        Ok(size) => Ok(size.min(most)),
        Err(_) => Err(bad_field("page_size", "must not be negative")),
    }
}

/// With the one that tells whether there is another page.
fn one_more(size: usize) -> u32 {
    u32::try_from(size + 1).expect("a page has at most a thousand items")
}

struct Page<T> {
    items: Vec<T>,
    is_cut: bool,
}

impl<T: Message> Page<T> {
    /// The first items, at most `size` and no more than a reply holds but at least one, and the key of
    /// the last of them.
    fn of<K>(found: impl Iterator<Item = (K, T)>, size: usize) -> (Self, Option<K>) {
        const TAG_AND_LENGTH: usize = 5;
        let mut page = Self {
            items: Vec::new(),
            is_cut: false,
        };
        let mut last = None;
        let mut bytes = 0;
        for (key, item) in found {
            bytes += item.encoded_len() + TAG_AND_LENGTH;
            let fits = page.items.is_empty() || bytes <= limits::MAX_REPLY_BYTES;
            if page.items.len() == size || !fits {
                page.is_cut = true;
                break;
            }
            page.items.push(item);
            last = Some(key);
        }
        (page, last)
    }
}

fn filter(request: pb::ListJobsRequest) -> Result<JobFilter, Status> {
    let mut wrong = Violations::default();
    let mut moment = |field: &str, asked: Option<prost_types::Timestamp>| -> Option<Timestamp> {
        wrong.take(field, time::read_timestamp(asked?))
    };
    let created_after = moment("created_after", request.created_after);
    let created_before = moment("created_before", request.created_before);
    let mut states = Vec::new();
    for (index, &number) in request.states.iter().enumerate() {
        match job::read_state(number) {
            Some(state) if !states.contains(&state) => states.push(state),
            Some(_) => {}
            None => wrong.add(format!("states[{index}]"), "no such state"),
        }
    }
    let labels = spec::labels(request.labels, "labels", &mut wrong);
    wrong.check()?;
    Ok(JobFilter {
        states,
        labels,
        created_after,
        created_before,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jobs(sizes: &[usize]) -> impl Iterator<Item = (usize, pb::Job)> {
        sizes.iter().enumerate().map(|(key, &bytes)| {
            let job = pb::Job {
                name: "x".repeat(bytes),
                ..pb::Job::default()
            };
            (key, job)
        })
    }

    #[test]
    fn a_page_is_cut_by_number_or_by_size_and_only_then() {
        let (page, last) = Page::of(jobs(&[1, 1, 1]), 3);
        assert_eq!((page.items.len(), page.is_cut, last), (3, false, Some(2)));
        let (page, last) = Page::of(jobs(&[1, 1, 1, 1]), 3);
        assert_eq!((page.items.len(), page.is_cut, last), (3, true, Some(2)));
        let (page, last) = Page::of(jobs(&[600_000, 600_000]), 3);
        assert_eq!((page.items.len(), page.is_cut, last), (1, true, Some(0)));
        let (page, last) = Page::of(jobs(&[2_000_000]), 3);
        assert_eq!((page.items.len(), page.is_cut, last), (1, false, Some(0)));
        let (page, last) = Page::of(jobs(&[]), 3);
        assert_eq!((page.items.len(), page.is_cut, last), (0, false, None));
    }

    #[test]
    fn sizes_are_defaulted_clamped_or_refused() {
        assert_eq!(page_size(0, 50, 1000).expect("default"), 50);
        assert_eq!(page_size(7, 50, 1000).expect("as asked"), 7);
        assert_eq!(page_size(i32::MAX, 50, 1000).expect("clamped"), 1000);
        assert!(page_size(-1, 50, 1000).is_err());
    }

    #[test]
    fn filters_are_checked() {
        let request = pb::ListJobsRequest {
            states: vec![3, 3, 99],
            created_after: Some(prost_types::Timestamp {
                seconds: 0,
                nanos: -1,
            }),
            ..pb::ListJobsRequest::default()
        };
        let status = filter(request).expect_err("two fields are wrong");
        assert!(status.message().contains("created_after"));
        assert!(status.message().contains("and 1 more"));
    }
}
