//! A disk that is really full: a small file system in memory, the real binary, and somebody else who
//! takes the last byte. It needs the right to mount; without it there is nothing to test on.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const MIB: usize = 1 << 20;
/// The longest wait for anything.
const PATIENCE: Duration = Duration::from_mins(1);

#[test]
fn a_full_disk_refuses_new_work_and_nothing_else() {
    let Some(disk) = Disk::mount(80) else {
        return;
    };
    let mut mill = Mill::start(&disk.path().join("gridmill.db"));

    // A job that wants forty times what is there: it goes as far as there is room, and waits.
    let huge = mill.submit(&["--count", "100000000", "--seed", "1"]);
    mill.wait_until_it_stands_still(&huge);
    let refused = mill.run(&["job", "submit", "generate", "--count", "10"]);
    assert!(text(&refused.stderr).contains("STORE_FULL"), "{refused:?}");

    // Somebody else takes the rest.
    disk.fill();
    let refused = mill.run(&["job", "submit", "generate", "--count", "10"]);
    assert!(text(&refused.stderr).contains("STORE_FULL"), "{refused:?}");
    assert_eq!(mill.first_grids(&huge, 3), mill.first_grids(&huge, 3));
    mill.must(&["job", "cancel", &huge]);

    // With room again, it takes work again, and what it makes is what it always makes.
    disk.free();
    mill.must(&["job", "delete", &huge]);
    let begun = Instant::now();
    let small = loop {
        let submitted = mill.run(&["job", "submit", "generate", "--count", "3", "--seed", "1"]);
        if submitted.status.success() {
            break text(&submitted.stdout).trim().to_owned();
        }
        assert!(begun.elapsed() < PATIENCE, "{submitted:?}");
        thread::sleep(Duration::from_millis(100));
    };
    mill.run(&["job", "watch", &small]);
    let alone = Command::new(env!("CARGO_BIN_EXE_gridmill"))
        .args(["generate", "--count", "3", "--seed", "1"])
        .output()
        .expect("it runs");
    assert_eq!(mill.must(&["job", "results", &small]), text(&alone.stdout));

    // It dies, and the disk is full when it comes back.
    mill.kill();
    disk.fill();
    mill = Mill::start(&disk.path().join("gridmill.db"));
    assert_eq!(mill.must(&["job", "results", &small]), text(&alone.stdout));
    mill.must(&["job", "delete", &small]);
    mill.stop();
}

/// A file system of its own, gone at the end.
struct Disk(tempfile::TempDir);

impl Disk {
    /// `None` where mounting is not allowed.
    fn mount(mib: usize) -> Option<Self> {
        let dir = tempfile::tempdir().expect("a folder");
        let size = format!("size={mib}m");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &size, "tmpfs"])
            .arg(dir.path())
            .stderr(Stdio::null())
            .status();
        mounted
            .is_ok_and(|status| status.success())
            .then_some(Self(dir))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Takes every byte that is left.
    fn fill(&self) {
        let mut file = File::options()
            .create(true)
            .append(true)
            .open(self.path().join("somebody-elses"))
            .expect("a file");
        for piece in [MIB, 4096, 1] {
            let bytes = vec![b'x'; piece];
            while file.write_all(&bytes).is_ok() {}
        }
    }

    fn free(&self) {
        fs::remove_file(self.path().join("somebody-elses")).expect("it was there");
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.path()).status();
    }
}

/// A server, and the command line that talks to it.
struct Mill {
    server: Child,
    url: String,
}

impl Mill {
    fn start(database: &Path) -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_gridmill"))
            .args(["serve", "--listen", "127.0.0.1:0", "--lame-duck", "0s"])
            .arg("--database")
            .arg(format!("sqlite:{}", database.display()))
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut lines = BufReader::new(server.stderr.take().expect("it is piped")).lines();
        let mut log = Vec::new();
        let address = lines.by_ref().map_while(Result::ok).find_map(|line| {
            log.push(line.clone());
            Some(line.split_once("listening on ")?.1.trim().to_owned())
        });
        let address = address.unwrap_or_else(|| panic!("it does not listen: {log:#?}"));
        thread::spawn(move || lines.for_each(drop));
        Self {
            server,
            url: format!("http://{address}"),
        }
    }

    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_gridmill"))
            .args(arguments)
            .env("GRIDMILL_SERVER", &self.url)
            .output()
            .expect("the binary runs")
    }

    fn must(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        text(&output.stdout)
    }

    fn submit(&self, what: &[&str]) -> String {
        let arguments = [&["job", "submit", "generate"], what].concat();
        self.must(&arguments).trim().to_owned()
    }

    fn done(&self, job: &str) -> u64 {
        let job = self.must(&["job", "get", job]);
        let done = job.lines().find_map(|line| line.strip_prefix("done: "));
        done.expect("progress").trim().parse().expect("a number")
    }

    fn wait_until_it_stands_still(&self, job: &str) {
        let begun = Instant::now();
        let (mut last, mut since) = (0, Instant::now());
        while last == 0 || since.elapsed() < Duration::from_secs(2) {
            assert!(begun.elapsed() < PATIENCE, "it goes on and on: {last}");
            thread::sleep(Duration::from_millis(100));
            let done = self.done(job);
            if done != last {
                (last, since) = (done, Instant::now());
            }
        }
    }

    fn first_grids(&self, job: &str, count: usize) -> Vec<String> {
        let mut results = Command::new(env!("CARGO_BIN_EXE_gridmill"))
            .args(["job", "results", job])
            .env("GRIDMILL_SERVER", &self.url)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary runs");
        let lines = BufReader::new(results.stdout.take().expect("it is piped")).lines();
        let grids: Vec<_> = lines.map_while(Result::ok).take(count).collect();
        results.wait().expect("it ends when nobody reads");
        assert_eq!(grids.len(), count);
        grids
    }

    fn kill(mut self) {
        self.server.kill().expect("it lives");
    }

    fn stop(mut self) {
        let pid = rustix::process::Pid::from_child(&self.server);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("it lives");
        let status = self.server.wait().expect("it ends");
        assert!(status.success(), "{status}");
    }
}

impl Drop for Mill {
    fn drop(&mut self) {
        // Already gone when the test went well.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
