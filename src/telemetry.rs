//! The log, on the standard error stream: standard output belongs to answers.

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::{LevelFilter, ParseError};

use crate::config::LogFormat;

/// Why a filter is none.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FilterError {
    /// It cannot be read.
    #[error(transparent)]
    Unreadable(#[from] ParseError),
    /// It would silence everything that this program says.
    #[error(
        "{0:?} says no level for gridmill: expected error, warn, info, debug, trace or off, or a filter as info,gridmill=debug"
    )]
    Silent(String),
}

/// Reads a filter. A word that is no level would be taken for a part of some program, and everything
/// else would then be silent.
fn filter(text: &str) -> Result<EnvFilter, FilterError> {
    let speaks = |directive: &str| {
        let target = directive.split(['=', '[', ':']).next().unwrap_or_default();
        directive.parse::<LevelFilter>().is_ok() || target == env!("CARGO_PKG_NAME")
    };
    // An empty text is a level to the parser.
    let mut directives = text
        .split(',')
        .map(str::trim)
        .filter(|text| !text.is_empty());
    if !directives.any(speaks) {
        return Err(FilterError::Silent(text.to_owned()));
    }
    Ok(EnvFilter::try_new(text)?)
}

/// Starts the log. A second call in one process changes nothing, so that tests can share it.
///
/// # Errors
/// When the filter is none.
pub(crate) fn start(filter: &str, format: LogFormat) -> Result<(), FilterError> {
    let filter = self::filter(filter)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_lets_this_program_speak() {
        for text in [
            "info",
            "WARN",
            "off",
            "info,gridmill=debug",
            "gridmill=trace",
            "gridmill::rpc=debug",
            "h2=debug,info",
        ] {
            assert!(filter(text).is_ok(), "{text}");
        }
        for text in [
            "",
            " ",
            ",",
            "rubbish",
            "rubbish=debug",
            "gridmill=loud",
            "mill=info",
        ] {
            assert!(filter(text).is_err(), "{text}");
        }
    }
}
