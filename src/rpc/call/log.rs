//! A line a call at debug level: method, code, milliseconds.

use std::time::Instant;

use tonic::Code;
use tracing::{Span, field};

/// Writes its line when it is dropped. A stream that is dropped before its end was left by the client.
#[derive(Debug)]
pub(super) struct CallLog {
    span: Span,
    started: Instant,
    code: Code,
}

impl CallLog {
    /// A call that came now.
    pub(super) fn new(method: &str) -> Self {
        let span = tracing::debug_span!("call", method, code = field::Empty, ms = field::Empty);
        Self {
            span,
            started: Instant::now(),
            code: Code::Cancelled,
        }
    }

    /// The span of the call.
    pub(super) fn span(&self) -> Span {
        self.span.clone()
    }

    /// How it ended.
    pub(super) const fn end(&mut self, code: Code) {
        self.code = code;
    }
}

impl Drop for CallLog {
    fn drop(&mut self) {
        if self.span.is_disabled() {
            return;
        }
        self.span.record("code", field::debug(self.code));
        let ms = self.started.elapsed().as_secs_f64() * 1e3;
        self.span.record("ms", ms);
        self.span.in_scope(|| tracing::debug!("ended"));
    }
}
