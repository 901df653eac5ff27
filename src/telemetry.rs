//! The log, on the standard error stream: standard output belongs to answers.

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::ParseError;

use crate::config::LogFormat;

/// Starts the log. A second call in one process changes nothing, so that tests can share it.
///
/// # Errors
/// When the filter is none.
pub(crate) fn start(filter: &str, format: LogFormat) -> Result<(), ParseError> {
    let filter = EnvFilter::try_new(filter)?;
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        // Colours would be noise in a file or a collector.
        .with_ansi(io::stderr().is_terminal())
        .with_writer(io::stderr);
    let started = match format {
        LogFormat::Text => log.with_target(false).try_init(),
        LogFormat::Json => log.json().flatten_event(true).try_init(),
    };
    if started.is_err() {
        tracing::debug!("the log was started before");
    }
    Ok(())
}
