//! Runs the binary and looks at what it leaves behind.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// Nothing here takes longer, unless it hangs.
const PATIENCE: Duration = Duration::from_mins(1);

/// A folder for one test; temporary files of the binary go there, too.
pub(crate) struct Place {
    dir: TempDir,
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        fs::create_dir(dir.path().join("tmp")).expect("a folder in it");
        Self { dir }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, content).expect("it can be written");
        path
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect(name)
    }

    /// Whether no temporary database is left.
    pub(crate) fn is_tidy(&self) -> bool {
        let left = fs::read_dir(self.path("tmp")).expect("it is there");
        left.count() == 0
    }

    /// A command that takes its arguments from a line, and nothing from the environment.
    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gridmill"));
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("GRIDMILL_") {
                command.env_remove(name);
            }
        }
        command
            .args(line.split_whitespace())
            .current_dir(self.dir.path())
            .env("TMPDIR", self.path("tmp"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, line: &str) -> Ended {
        let output = self.command(line).output().expect("the binary starts");
        Ended::from(output)
    }

    /// Runs a line that must succeed and returns what it prints.
    pub(crate) fn succeed(&self, line: &str) -> String {
        let ended = self.run(line);
        assert_eq!(ended.code, Some(0), "{line}: {}", ended.err);
        ended.out
    }

    /// Runs a line until what it prints is as wanted, and returns that.
    pub(crate) fn wait_for(&self, line: &str, is_wanted: impl Fn(&str) -> bool) -> String {
        let begun = Instant::now();
        loop {
            let out = self.succeed(line);
            if is_wanted(&out) {
                return out;
            }
            assert!(begun.elapsed() < PATIENCE, "{line} stays as it is: {out}");
        }
    }

    /// Runs a line that gets `input` on standard input.
    pub(crate) fn feed(&self, line: &str, input: &str) -> Ended {
        let mut child = self
            .command(line)
            .stdin(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut stdin = child.stdin.take().expect("it is piped");
        let input = input.to_owned();
        // It may end before it has read everything.
        let feeder = thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
        let output = child.wait_with_output().expect("it ends");
        feeder.join().expect("it was fed");
        Ended::from(output)
    }
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("it writes UTF-8");
        Self {
            code: output.status.code(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}

/// A process that is ended with the test.
pub(crate) struct Process(Child);

impl Process {
    pub(crate) fn start(mut command: Command) -> Self {
        Self(command.spawn().expect("the binary starts"))
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.0), signal).expect("it lives");
    }

    /// Reads the error stream up to a line that contains `word`, and returns that line. The rest is
    /// read too, so that the process never waits for us.
    pub(crate) fn wait_for(&mut self, word: &str) -> String {
        let mut lines = BufReader::new(self.0.stderr.take().expect("it is piped"));
        let mut line = String::new();
        while !line.contains(word) {
            line.clear();
            let read = lines.read_line(&mut line).expect("it writes UTF-8");
            assert!(read > 0, "it ended without saying {word:?}");
        }
        thread::spawn(move || std::io::copy(&mut lines, &mut std::io::sink()));
        line
    }

    /// Reads one line of standard output and closes it.
    pub(crate) fn first_line(&mut self) -> String {
        let mut lines = BufReader::new(self.0.stdout.take().expect("it is piped"));
        let mut line = String::new();
        lines.read_line(&mut line).expect("it writes UTF-8");
        line
    }

    pub(crate) fn end(mut self) -> Ended {
        let stdout = self.0.stdout.take();
        let out = stdout.map_or(String::new(), |mut stdout| {
            let mut out = String::new();
            stdout.read_to_string(&mut out).expect("it writes UTF-8");
            out
        });
        let stderr = self.0.stderr.take();
        let err = stderr.map_or(String::new(), |mut stderr| {
            let mut err = String::new();
            stderr.read_to_string(&mut err).expect("it writes UTF-8");
            err
        });
        let status = self.0.wait().expect("it ends");
        Ended {
            code: status.code(),
            out,
            err,
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Has ended already when all went well.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server on a database that outlives it.
pub(crate) struct Server {
    process: Process,
    pub(crate) address: String,
}

impl Server {
    pub(crate) fn start(place: &Place) -> Self {
        Self::start_at(place, "127.0.0.1:0")
    }

    pub(crate) fn start_at(place: &Place, address: &str) -> Self {
        let line = format!("serve --listen {address} --database sqlite:mill.db --lame-duck 0s");
        let mut process = Process::start(place.command(&line));
        let said = process.wait_for("listening on ");
        let (_, address) = said.split_once("listening on ").expect("it was waited for");
        Self {
            process,
            address: address.trim().to_owned(),
        }
    }

    /// The option that leads to it.
    pub(crate) fn option(&self) -> String {
        format!("--server http://{}", self.address)
    }

    pub(crate) fn kill(self) {
        self.process.signal(Signal::KILL);
        self.process.end();
    }

    /// Ends it politely and returns the exit code.
    pub(crate) fn stop(self) -> Option<i32> {
        self.process.signal(Signal::TERM);
        self.process.end().code
    }
}

/// Waits until the file is there.
pub(crate) fn wait_for_file(path: &Path) {
    let begun = Instant::now();
    while !path.exists() {
        assert!(
            begun.elapsed() < PATIENCE,
            "{} does not come",
            path.display()
        );
        thread::yield_now();
    }
}
