//! What is said to people: answers on standard output, everything else on the error stream.

use std::fmt;
use std::io::{self, ErrorKind, Write};

use super::exit::{Failure, Result};

/// Says something on the error stream. Nobody may be listening, and that is fine.
pub(crate) fn note(message: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{message}");
}

/// Prints one line of an answer.
pub(crate) fn print(line: impl fmt::Display) -> Result {
    writeln!(io::stdout(), "{line}").map_err(|source| match source.kind() {
        ErrorKind::BrokenPipe => Failure::OutputClosed,
        _ => Failure::Output {
            name: "standard output".to_owned(),
            source,
        },
    })
}
