//! The real binary as a child process that gets killed.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use sqlx::{ConnectOptions, Connection};
use tokio::sync::watch;

use crate::client::Client;

/// A server on one database file, however often it is started.
pub(crate) struct Mill {
    database: PathBuf,
    child: Child,
    lines: mpsc::Receiver<String>,
    troubles: Troubles,
    address: watch::Sender<SocketAddr>,
    pub(crate) kills: u32,
    given_back: u32,
    given_back_items: u32,
    recoveries: Vec<Duration>,
}

/// Lines of the log that tell of an error or a panic.
type Troubles = Arc<Mutex<Vec<String>>>;

/// What the run came to.
pub(crate) struct Figures {
    pub(crate) integrity: String,
    pub(crate) jobs: i64,
    pub(crate) given_back: u32,
    pub(crate) given_back_items: u32,
    pub(crate) recovery_median: Duration,
    pub(crate) recovery_max: Duration,
}

impl Mill {
    pub(crate) fn start(database: &Path) -> Self {
        let troubles = Troubles::default();
        let (child, lines) = spawn(database, &troubles);
        let mut mill = Self {
            troubles,
            database: database.to_owned(),
            child,
            lines,
            address: watch::Sender::new(([127, 0, 0, 1], 1).into()),
            kills: 0,
            given_back: 0,
            given_back_items: 0,
            recoveries: Vec::new(),
        };
        mill.wait_until_it_listens();
        mill
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(self.address.subscribe())
    }

    pub(crate) async fn kill_and_restart(&mut self) {
        self.child.kill().expect("the child can be killed");
        self.child.wait().expect("the child is reaped");
        self.kills += 1;
        let begun = Instant::now();
        (self.child, self.lines) = spawn(&self.database, &self.troubles);
        self.wait_until_it_listens();
        self.client().server_info().await;
        self.recoveries.push(begun.elapsed());
    }

    /// Ends the server politely and looks into the file.
    pub(crate) async fn stop(mut self) -> Figures {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("it lives");
        let status = self.child.wait().expect("the child is reaped");
        assert!(status.success(), "SIGTERM ends it with 0: {status}");
        let troubles = self
            .troubles
            .lock()
            .expect("nobody panics here")
            .split_off(0);
        assert!(troubles.is_empty(), "{troubles:#?}");

        let mut database = sqlx::sqlite::SqliteConnectOptions::new()
            .filename(&self.database)
            .connect()
            .await
            .expect("the file opens");
        let integrity = sqlx::query_scalar("pragma integrity_check")
            .fetch_one(&mut database)
            .await
            .expect("it can be checked");
        let (jobs, odd): (i64, i64) = sqlx::query_as(
            "select count(*), coalesce(sum(running + waiting \
             + (done <> (select coalesce(sum(items), 0) from results where job = key))), 0) from jobs",
        )
        .fetch_one(&mut database)
        .await
        .expect("it can be read");
        assert_eq!(odd, 0, "counters agree with rows and nothing is leased");
        database.close().await.expect("it closes");

        self.recoveries.sort();
        Figures {
            integrity,
            jobs,
            given_back: self.given_back,
            given_back_items: self.given_back_items,
            recovery_median: self.recoveries[self.recoveries.len() / 2],
            recovery_max: *self.recoveries.last().expect("at least one kill"),
        }
    }

    /// Reads the log until the address, and counts what was given back on the way.
    fn wait_until_it_listens(&mut self) {
        let patience = Duration::from_secs(30);
        loop {
            let line = self
                .lines
                .recv_timeout(patience)
                .expect("it says where it listens");
            if line.contains("gave back") {
                self.given_back += number(&line, "chunks=");
                self.given_back_items += number(&line, "items=");
            }
            if let Some((_, address)) = line.split_once("listening on ") {
                let address = address.split_whitespace().next().expect("an address");
                let address = address.trim_start_matches("http://");
                self.address
                    .send_replace(address.parse().expect("an address"));
                return;
            }
        }
    }
}

impl Drop for Mill {
    fn drop(&mut self) {
        // Already gone when the test ended well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(database: &Path, troubles: &Troubles) -> (Child, mpsc::Receiver<String>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gridmill"))
        .args([
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--workers",
            "2",
            "--lame-duck",
            "0s",
        ])
        .arg("--database")
        .arg(format!("sqlite:{}", database.display()))
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let stderr = BufReader::new(child.stderr.take().expect("it is piped"));
    let (sender, lines) = mpsc::channel();
    let troubles = Arc::clone(troubles);
    // Reads to the end, so that the child never blocks on a full pipe.
    std::thread::spawn(move || {
        for line in stderr.lines().map_while(Result::ok) {
            if line.contains("ERROR") || line.contains("panicked") {
                troubles
                    .lock()
                    .expect("nobody panics here")
                    .push(line.clone());
            }
            let _ = sender.send(line);
        }
    });
    (child, lines)
}

fn number(line: &str, key: &str) -> u32 {
    let (_, rest) = line.split_once(key).expect(key);
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().expect(key)
}
