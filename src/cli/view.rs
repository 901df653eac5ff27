//! What the server says of itself and of jobs, for people (a line a field) and for programs (JSON).

use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, UNIX_EPOCH};

use clap::Args;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::exit::Result;
use super::terminal;
use crate::rpc::pb::{Job, job};

/// How something is shown.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Look {
    /// Print JSON, an object a line
    #[arg(long)]
    pub(crate) json: bool,
}

impl Look {
    pub(crate) fn show(self, view: &View) -> Result {
        if self.json {
            terminal::print(view.json())
        } else {
            terminal::print(view)
        }
    }
}

/// Fields in the order in which they are shown. A field without a value is left out, and so is an
/// option.
#[derive(Debug, Default)]
pub(crate) struct View(Vec<(&'static str, Value)>);

impl View {
    /// Adds a field.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        let mut value = value.into();
        if let Value::Object(map) = &mut value {
            map.retain(|_, value| !value.is_null());
        }
        match value {
            Value::Null => {}
            Value::String(text) if text.is_empty() => {}
            Value::Object(map) if map.is_empty() => {}
            value => self.0.push((name, value)),
        }
        self
    }

    /// As a JSON object.
    pub(crate) fn json(&self) -> String {
        serde_json::to_string(self).expect("fields are strings and values are JSON")
    }
}

impl Serialize for View {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (name, value) in &self.0 {
            write!(f, "{separator}{name}: ")?;
            separator = "\n";
            match value {
                Value::String(text) => f.write_str(text)?,
                Value::Object(map) => {
                    let pairs = map.iter().map(|(key, value)| match value {
                        Value::String(text) => format!("{key}={text}"),
                        other => format!("{key}={other}"),
                    });
                    f.write_str(&pairs.collect::<Vec<_>>().join(" "))?;
                }
                other => write!(f, "{other}")?,
            }
        }
        Ok(())
    }
}

/// A job with all that is known of it.
pub(crate) fn job(job: &Job) -> View {
    let progress = job.progress.clone().unwrap_or_default();
    let (work, options) = work(job);
    let error = job.error.as_ref();
    View::default()
        .with("name", job.name.as_str())
        .with("state", state(job))
        .with("work", work)
        .with("options", options)
        .with("count", job.count)
        .with("priority", job.priority)
        .with(
            "max_parallelism",
            (job.max_parallelism > 0).then_some(job.max_parallelism),
        )
        .with("labels", map(&job.labels))
        .with("done", progress.done)
        .with("contiguous_done", progress.contiguous_done)
        .with("total", progress.total)
        .with("received", progress.received)
        .with("faults", progress.faults)
        .with("outcome_counts", map(&progress.outcome_counts))
        .with("rejections", map(&progress.rejections))
        .with("items_per_second", progress.items_per_second.round())
        .with("queue_position", progress.queue_position)
        .with("stored_bytes", progress.stored_bytes)
        .with("error_reason", error.map(|error| error.reason.as_str()))
        .with("error_message", error.map(|error| error.message.as_str()))
        .with("create_time", time(job.create_time))
        .with("not_before", time(job.not_before))
        .with("start_time", time(job.start_time))
        .with("estimated_end_time", time(progress.estimated_end_time))
        .with("end_time", time(job.end_time))
        .with("deadline", time(job.deadline))
        .with("expire_time", time(job.expire_time))
        .with("revision", job.revision)
        .with("tenant", job.tenant.as_str())
        .with("generator_version", job.generator_version)
        .with(
            "rater_version",
            (job.rater_version > 0).then_some(job.rater_version),
        )
}

/// The state's name without its prefix.
pub(crate) fn state(job: &Job) -> &'static str {
    let name = job.state().as_str_name();
    name.strip_prefix("JOB_STATE_").unwrap_or(name)
}

/// How far it is: done items of all.
pub(crate) fn done(job: &Job) -> String {
    let progress = job.progress.clone().unwrap_or_default();
    format!("{}/{}", progress.done, progress.total)
}

/// What a job does, and the options of that.
pub(crate) fn work(job: &Job) -> (&'static str, Value) {
    match &job.work {
        Some(job::Work::Generate(options)) => (
            "generate",
            json!({
                "seed": options.seed,
                "distribution": lower(options.distribution().as_str_name(), "DISTRIBUTION_"),
                "first_digit": options.first_digit,
            }),
        ),
        Some(job::Work::MakePuzzle(options)) => {
            let givens = options.givens.unwrap_or_default();
            (
                "make",
                json!({
                    "seed": options.seed,
                    "symmetry": lower(options.symmetry().as_str_name(), "SYMMETRY_"),
                    "min_givens": givens.min,
                    "max_givens": givens.max,
                    "minimal": options.minimal,
                    "pattern": (!options.pattern.is_empty()).then_some(&options.pattern),
                    "min_givens_per_house": options.givens_per_house.and_then(|range| range.min),
                    "max_givens_per_house": options.givens_per_house.and_then(|range| range.max),
                    "min_guesses": options.guesses.and_then(|range| range.min),
                    "max_guesses": options.guesses.and_then(|range| range.max),
                    "min_er_tenths": options.er_tenths.and_then(|range| range.min),
                    "max_er_tenths": options.er_tenths.and_then(|range| range.max),
                    "require_techniques": some(&options.require_techniques),
                    "forbid_techniques": some(&options.forbid_techniques),
                    "rate": options.rate.then_some(true),
                    "distinct_up_to_symmetry": options.distinct_up_to_symmetry,
                    "step_limit": options.step_limit,
                }),
            )
        }
        Some(job::Work::Solve(options)) => (
            "solve",
            json!({
                "count_limit": options.count_limit,
                "step_limit": options.step_limit,
            }),
        ),
        Some(job::Work::Rate(options)) => (
            "rate",
            json!({
                "technique_counts": options.technique_counts,
                "step_limit": options.step_limit,
            }),
        ),
        Some(job::Work::Canonicalize(_)) => ("canonicalize", Value::Null),
        None => ("unknown", Value::Null),
    }
}

fn some(names: &[String]) -> Option<&[String]> {
    Some(names).filter(|names| !names.is_empty())
}

fn lower(name: &str, prefix: &str) -> String {
    name.strip_prefix(prefix)
        .unwrap_or(name)
        .to_ascii_lowercase()
        .replace('_', "-")
}

fn map<V: Clone + Into<Value>>(map: &BTreeMap<String, V>) -> Value {
    let pairs = map
        .iter()
        .map(|(key, value)| (key.clone(), value.clone().into()));
    Value::Object(pairs.collect())
}

/// A time in UTC, to the second.
pub(crate) fn time(time: Option<prost_types::Timestamp>) -> Option<String> {
    let time = time?;
    let since_epoch = Duration::new(
        u64::try_from(time.seconds).ok()?,
        u32::try_from(time.nanos).ok()?,
    );
    let time = UNIX_EPOCH.checked_add(since_epoch)?;
    Some(humantime::format_rfc3339_seconds(time).to_string())
}

/// A span of time as people write it.
pub(crate) fn span(span: Option<prost_types::Duration>) -> Option<String> {
    let span = Duration::try_from(span?).ok()?;
    Some(humantime::format_duration(span).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rpc::pb::{GenerateOptions, JobProgress, JobState, MakePuzzleOptions};

    fn example() -> Job {
        Job {
            name: "jobs/nightly".to_owned(),
            state: JobState::Running.into(),
            work: Some(job::Work::Generate(GenerateOptions {
                seed: Some(7),
                ..GenerateOptions::default()
            })),
            count: Some(10),
            create_time: Some(prost_types::Timestamp {
                seconds: 86_400,
                nanos: 5,
            }),
            progress: Some(JobProgress {
                done: 3,
                total: 10,
                outcome_counts: BTreeMap::from([("made".to_owned(), 3)]),
                ..JobProgress::default()
            }),
            ..Job::default()
        }
    }

    #[test]
    fn people_get_a_line_a_field_in_order() {
        let text = job(&example()).to_string();
        let expected = "name: jobs/nightly\nstate: RUNNING\nwork: generate\n";
        assert!(text.starts_with(expected), "{text}");
        assert!(text.contains("\noutcome_counts: made=3\n"), "{text}");
        assert!(
            text.contains("\ncreate_time: 1970-01-02T00:00:00Z\n"),
            "{text}"
        );
        assert!(!text.contains("labels"), "{text}");
    }

    #[test]
    fn an_option_without_a_value_is_left_out() {
        let make = Job {
            work: Some(job::Work::MakePuzzle(MakePuzzleOptions::default())),
            ..Job::default()
        };
        let view = job(&make);
        assert!(view.to_string().contains("minimal=false"), "{view}");
        for text in [view.to_string(), view.json()] {
            assert!(!text.contains("null"), "{text}");
        }
    }

    #[test]
    fn programs_get_one_object_in_the_same_order() {
        let json = job(&example()).json();
        assert!(
            json.starts_with(r#"{"name":"jobs/nightly","state":"RUNNING""#),
            "{json}"
        );
        let value: Value = serde_json::from_str(&json).expect("it is JSON");
        assert_eq!(value["options"]["seed"], 7);
    }
}
