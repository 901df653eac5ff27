//! A request for a job, checked as a whole: a client learns of everything that is wrong at once.

use tonic::Status;

use super::{time, work};
use crate::jobs::clock::Timestamp;
use crate::jobs::spec::{
    DEFAULT_TTL, JobSpec, Labels, MAX_JOB_ITEMS, MAX_LABEL_CHARS, MAX_LABELS, MAX_TTL, Priority,
    Work,
};
use crate::rpc::pb;
use crate::rpc::status::{Violations, bad_field, too_large};

/// What the client asks for. Fields that are output only are passed over.
///
/// # Errors
/// BAD_FIELD, TOO_LARGE or IMPOSSIBLE.
pub(in crate::rpc) fn read(job: Option<pb::Job>, now: Timestamp) -> Result<JobSpec, Status> {
    let job = job.ok_or_else(|| bad_field("job", "must be set"))?;
    let work = work::work(job.work.as_ref(), job.count)?;
    let mut wrong = Violations::default();
    let spec = JobSpec {
        count: count(&work, job.count, &mut wrong),
        priority: Priority::new(job.priority).unwrap_or_else(|| {
            let description = format!("expected -100 to 100, found {}", job.priority);
            wrong.add("job.priority", description);
            Priority::default()
        }),
        max_parallelism: (job.max_parallelism > 0).then_some(job.max_parallelism),
        not_before: moment("job.not_before", job.not_before, &mut wrong),
        deadline: moment("job.deadline", job.deadline, &mut wrong),
        ttl: ttl(job.ttl, &mut wrong),
        labels: labels(job.labels, "job.labels", &mut wrong),
        work,
    };
    if let Some(deadline) = spec.deadline {
        if deadline <= now {
            wrong.add("job.deadline", "has passed already");
        } else if spec.not_before.is_some_and(|start| start >= deadline) {
            wrong.add("job.not_before", "is not before the deadline");
        }
    }
    wrong.check()?;
    within_limits(&spec)?;
    Ok(spec)
}

/// How many items, where the client says so.
fn count(work: &Work, count: Option<u64>, wrong: &mut Violations) -> Option<u64> {
    match (work.takes_inputs(), count) {
        (true, Some(_)) => wrong.add(
            "job.count",
            "is set by CommitJob in a job that takes inputs",
        ),
        (false, None) => wrong.add("job.count", "must be set; zero is a count too"),
        _ => {}
    }
    count
}

fn moment(
    field: &str,
    timestamp: Option<prost_types::Timestamp>,
    wrong: &mut Violations,
) -> Option<Timestamp> {
    wrong.take(field, time::read_timestamp(timestamp?))
}

fn ttl(ttl: Option<prost_types::Duration>, wrong: &mut Violations) -> std::time::Duration {
    let asked = ttl.and_then(|ttl| wrong.take("job.ttl", time::read_duration(ttl)));
    match asked {
        None => DEFAULT_TTL,
        Some(ttl) if ttl.is_zero() => DEFAULT_TTL,
        Some(ttl) => {
            if ttl > MAX_TTL {
                wrong.add("job.ttl", format!("at most {} s", MAX_TTL.as_secs()));
            }
            ttl
        }
    }
}

/// Labels within their limits; `path` is the field that holds them.
pub(in crate::rpc) fn labels(labels: Labels, path: &str, wrong: &mut Violations) -> Labels {
    if labels.len() > MAX_LABELS {
        wrong.add(
            path,
            format!("at most {MAX_LABELS} labels, found {}", labels.len()),
        );
    }
    let too_long = |text: &str| text.chars().nth(MAX_LABEL_CHARS).is_some();
    for (key, value) in &labels {
        // The key is what a client finds it by, if it is short enough to be told.
        let shown: String = key.chars().take(MAX_LABEL_CHARS).collect();
        let field = format!("{path}[{shown:?}]");
        if key.is_empty() || too_long(key) {
            wrong.add(
                &field,
                format!("a key has 1 to {MAX_LABEL_CHARS} characters"),
            );
        }
        if too_long(value) {
            wrong.add(
                &field,
                format!("a value has at most {MAX_LABEL_CHARS} characters"),
            );
        }
    }
    labels
}

fn within_limits(spec: &JobSpec) -> Result<(), Status> {
    let Some(count) = spec.count else {
        return Ok(());
    };
    if let Work::Generate(generate) = &spec.work {
        let capacity = generate.capacity();
        if capacity < MAX_JOB_ITEMS && count > capacity {
            let instead = "a seed has no more distinct grids";
            return Err(too_large("job.count", capacity, instead));
        }
    }
    if count > MAX_JOB_ITEMS {
        return Err(too_large("job.count", MAX_JOB_ITEMS, "use several jobs"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tonic_types::StatusExt;

    use super::*;

    const NOW: Timestamp = Timestamp::from_micros(1_000_000_000_000_000);

    fn generate(count: u64) -> pb::Job {
        pb::Job {
            work: Some(pb::job::Work::Generate(pb::GenerateOptions::default())),
            count: Some(count),
            ..pb::Job::default()
        }
    }

    fn wrong_fields(job: pb::Job) -> Vec<String> {
        let status = read(Some(job), NOW).expect_err("refused");
        let request = status.get_details_bad_request().expect("BadRequest");
        request
            .field_violations
            .into_iter()
            .map(|v| v.field)
            .collect()
    }

    #[test]
    fn defaults_are_resolved() {
        let spec = read(Some(generate(0)), NOW).expect("fine");
        assert_eq!(spec.count, Some(0));
        assert_eq!(spec.ttl, DEFAULT_TTL);
        assert_eq!(spec.max_parallelism, None);
        assert_eq!(spec.priority, Priority::default());
    }

    #[test]
    fn everything_that_is_wrong_is_told_at_once() {
        let job = pb::Job {
            count: None,
            priority: 101,
            not_before: Some(prost_types::Timestamp {
                seconds: 0,
                nanos: -1,
            }),
            deadline: Some(time::timestamp(NOW)),
            ttl: Some(time::duration(MAX_TTL + Duration::from_secs(1))),
            labels: [(String::new(), String::new())].into(),
            ..generate(0)
        };
        assert_eq!(
            wrong_fields(job),
            [
                "job.count",
                "job.priority",
                "job.not_before",
                "job.ttl",
                "job.labels[\"\"]",
                "job.deadline"
            ]
        );
    }

    #[test]
    fn a_job_is_not_to_begin_after_its_deadline() {
        let hour = |n| Some(time::timestamp(NOW.after(Duration::from_hours(n))));
        let job = |start, end| pb::Job {
            not_before: hour(start),
            deadline: hour(end),
            ..generate(1)
        };
        assert!(read(Some(job(1, 2)), NOW).is_ok());
        assert_eq!(wrong_fields(job(2, 2)), ["job.not_before"]);
    }

    #[test]
    fn labels_keep_their_limits() {
        let label = |key: &str, value: &str| pb::Job {
            labels: [(key.to_owned(), value.to_owned())].into(),
            ..generate(1)
        };
        assert!(read(Some(label(&"k".repeat(63), &"é".repeat(63))), NOW).is_ok());
        assert_eq!(wrong_fields(label(&"k".repeat(64), "")).len(), 1);
        assert_eq!(
            wrong_fields(label("k", &"v".repeat(64))),
            ["job.labels[\"k\"]"]
        );
        let many = (0..=MAX_LABELS).map(|n| (n.to_string(), String::new()));
        let job = pb::Job {
            labels: many.collect(),
            ..generate(1)
        };
        assert_eq!(wrong_fields(job), ["job.labels"]);
    }

    #[test]
    fn inputs_are_counted_by_commit() {
        let job = pb::Job {
            work: Some(pb::job::Work::Solve(pb::SolveOptions::default())),
            count: Some(3),
            ..pb::Job::default()
        };
        assert_eq!(wrong_fields(job), ["job.count"]);
    }

    #[test]
    fn no_more_grids_than_there_are_distinct_ones() {
        let mut job = generate(MAX_JOB_ITEMS);
        assert!(read(Some(job.clone()), NOW).is_ok());
        job.work = Some(pb::job::Work::Generate(pb::GenerateOptions {
            first_digit: 5,
            ..pb::GenerateOptions::default()
        }));
        let status = read(Some(job), NOW).expect_err("refused");
        let info = status.get_details_error_info().expect("ErrorInfo");
        assert_eq!(info.reason, "TOO_LARGE");
        assert_eq!(info.metadata["limit"], "135444234240");
        // A second job of the seed would repeat the first.
        assert!(!status.message().contains("several jobs"), "{status:?}");
    }

    #[test]
    fn no_job_is_no_request() {
        assert!(read(None, NOW).is_err());
        assert!(read(Some(pb::Job::default()), NOW).is_err());
    }
}
