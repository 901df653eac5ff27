//! How far long work is: a bar on a terminal, lines where they were asked for, else nothing.

use std::cell::Cell;
use std::fmt;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{
    HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};

use super::terminal;

/// How progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Style {
    /// A bar, if the error stream is a terminal
    Auto,
    /// A line every few seconds
    Plain,
    /// Not at all
    None,
}

/// Between two plain lines.
const PLAIN_INTERVAL: Duration = Duration::from_secs(2);

const TEMPLATE: &str = "{wide_bar} {human_pos}/{human_len}  {rate}  {eta} left";
const TEMPLATE_WITHOUT_END: &str = "{spinner} {human_pos}  {rate}";

/// The progress of one piece of work.
#[derive(Debug)]
pub(crate) enum Progress {
    Bar(ProgressBar),
    Plain(Plain),
    Hidden,
}

impl Progress {
    /// Of work on `total` items; `None` while nobody knows.
    ///
    /// A bar is not drawn across answers that go to the same terminal.
    pub(crate) fn start(style: Style, total: Option<u64>, answers_on_stdout: bool) -> Self {
        match style {
            Style::Auto
                if io::stderr().is_terminal()
                    && !(answers_on_stdout && io::stdout().is_terminal()) =>
            {
                let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
                bar.set_style(bar_style(total));
                Self::Bar(bar)
            }
            Style::Auto | Style::None => Self::Hidden,
            Style::Plain => Self::Plain(Plain::new(total)),
        }
    }

    /// So many items there are.
    pub(crate) fn set_total(&self, total: u64) {
        match self {
            Self::Bar(bar) => {
                bar.set_length(total);
                bar.set_style(bar_style(Some(total)));
            }
            Self::Plain(plain) => plain.total.set(Some(total)),
            Self::Hidden => {}
        }
    }

    /// Everything before the item `done` is done.
    pub(crate) fn set_done(&self, done: u64) {
        match self {
            Self::Bar(bar) => bar.set_position(done),
            Self::Plain(plain) => plain.set_done(done),
            Self::Hidden => {}
        }
    }

    /// Prints something without a bar in its way.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        match self {
            Self::Bar(bar) => bar.suspend(print),
            Self::Plain(_) | Self::Hidden => print(),
        }
    }

    /// The work has ended, well or not.
    pub(crate) fn end(&self) {
        match self {
            Self::Bar(bar) => bar.finish_and_clear(),
            Self::Plain(plain) => plain.print(),
            Self::Hidden => {}
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        // Leaves the terminal clean for the message that says why the work ended early.
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

fn bar_style(total: Option<u64>) -> ProgressStyle {
    let template = total.map_or(TEMPLATE_WITHOUT_END, |_| TEMPLATE);
    ProgressStyle::with_template(template)
        .expect("the template is a constant")
        .with_key("rate", |state: &ProgressState, out: &mut dyn fmt::Write| {
            // Fails only if the terminal's line does, and then there is nobody to tell.
            let _ = write!(out, "{:.0}/s", state.per_sec());
        })
}

/// Progress in lines.
#[derive(Debug)]
pub(crate) struct Plain {
    total: Cell<Option<u64>>,
    done: Cell<u64>,
    /// What was done before this run began.
    first: Cell<Option<u64>>,
    begin: Instant,
    printed: Cell<Instant>,
}

impl Plain {
    fn new(total: Option<u64>) -> Self {
        let begin = Instant::now();
        Self {
            total: Cell::new(total),
            done: Cell::new(0),
            first: Cell::new(None),
            begin,
            printed: Cell::new(begin),
        }
    }

    fn set_done(&self, done: u64) {
        if self.first.get().is_none() {
            self.first.set(Some(done));
        }
        self.done.set(done);
        if self.printed.get().elapsed() >= PLAIN_INTERVAL {
            self.print();
            self.printed.set(Instant::now());
        }
    }

    fn print(&self) {
        terminal::note(self.line(self.begin.elapsed()));
    }

    fn line(&self, elapsed: Duration) -> String {
        let done = self.done.get();
        let here = done - self.first.get().unwrap_or(done);
        #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
        let rate = here as f64 / elapsed.as_secs_f64();
        let Some(total) = self.total.get() else {
            return format!("{} done, {rate:.0}/s", HumanCount(done));
        };
        #[expect(clippy::cast_precision_loss, reason = "an estimate for people")]
        let left = Duration::try_from_secs_f64(total.saturating_sub(done) as f64 / rate);
        let left = left.map_or("unknown time".to_owned(), |left| {
            HumanDuration(left).to_string()
        });
        format!(
            "{}/{} done, {rate:.0}/s, {left} left",
            HumanCount(done),
            HumanCount(total)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_what_is_done_how_fast_and_what_is_left() {
        let plain = Plain::new(None);
        plain.set_done(100);
        plain.set_done(1100);
        let line = plain.line(Duration::from_secs(10));
        assert_eq!(line, "1,100 done, 100/s");
        plain.total.set(Some(7_100));
        let line = plain.line(Duration::from_secs(10));
        assert_eq!(line, "1,100/7,100 done, 100/s, 60 seconds left");
    }

    #[test]
    fn nothing_done_is_no_division_by_zero() {
        let plain = Plain::new(Some(5));
        let line = plain.line(Duration::ZERO);
        assert!(line.starts_with("0/5 done"), "{line}");
        assert!(line.ends_with("unknown time left"), "{line}");
    }
}
