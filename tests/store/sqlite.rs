//! SQLite as a backend, and what only it can show: its file, its log, its lock.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gridmill::jobs::clock::ManualClock;
use gridmill::jobs::error::StoreError;
use gridmill::jobs::store::JobStore;
use gridmill::store::StoreLimits;
use gridmill::store::sqlite::{OpenError, SqliteSettings, SqliteStore};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Row, SqliteConnection};
use tempfile::TempDir;

use crate::backend::{Backend, Payload};
use crate::place::{NO_LIMITS, Place, START, assert_refused, generate, make, pure};
use crate::snapshot::picture;

/// A file in a folder of its own.
pub(crate) struct Sqlite {
    folder: TempDir,
}

impl Sqlite {
    fn path(&self) -> PathBuf {
        self.folder.path().join("gridmill.db")
    }

    fn settings(&self, limits: StoreLimits) -> SqliteSettings {
        settings(&self.path(), limits)
    }

    /// A connection that knows nothing of the store.
    async fn outside(&self) -> SqliteConnection {
        let options = SqliteConnectOptions::new().filename(self.path());
        options.connect().await.expect("the file is there")
    }

    fn bytes(&self, suffix: &str) -> u64 {
        let mut path = self.path().into_os_string();
        path.push(suffix);
        fs::metadata(path).map_or(0, |file| file.len())
    }
}

fn settings(path: &Path, limits: StoreLimits) -> SqliteSettings {
    SqliteSettings {
        path: path.to_owned(),
        address: "127.0.0.1:50051".to_owned(),
        limits,
    }
}

impl Backend for Sqlite {
    type Store = SqliteStore;

    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    async fn open(&self, clock: &ManualClock, limits: StoreLimits) -> SqliteStore {
        SqliteStore::open(self.settings(limits), Arc::new(clock.clone()))
            .await
            .expect("the store opens")
    }

    async fn close(&self, store: SqliteStore) {
        store.close().await;
    }

    /// The files as they are while the store is still open, its log not yet copied: first the log, so
    /// that no page is in neither.
    async fn crash(&mut self, store: SqliteStore) {
        let copy = Self::new();
        for suffix in ["-wal", ""] {
            let file = format!("gridmill.db{suffix}");
            let (from, to) = (
                self.folder.path().join(&file),
                copy.folder.path().join(&file),
            );
            if from.exists() {
                fs::copy(from, to).expect("a copy");
            }
        }
        store.close().await;
        *self = copy;
    }

    async fn contradictions(&self) -> Vec<String> {
        let mut outside = self.outside().await;
        let mut found = Vec::new();
        for statement in AUDIT {
            let rows = sqlx::query(statement).fetch_all(&mut outside).await;
            for row in rows.expect("the audit reads") {
                found.push(row.get::<String, _>(0));
            }
        }
        found
    }

    async fn forms_kept(&self) -> (u64, u64) {
        let rows = sqlx::query(
            "select (select count(*) from forms) + (select count(*) from unsealed) \
             + (select count(*) from recent_forms) + (select count(*) from remakes), \
             (select count(*) from forms)",
        );
        let row = rows.fetch_one(&mut self.outside().await).await;
        let row = row.expect("two sums");
        (row.get(0), row.get(1))
    }

    async fn corrupt(&self, kind: Payload) {
        let statement = match kind {
            Payload::Inputs => "update inputs set payload = x'0102030405060708090a0b0c'",
            Payload::Results => "update results set payload = x'0102030405060708090a0b0c'",
            Payload::Unsealed => "update unsealed set forms = x'0102030405060708090a0b0c'",
        };
        let mut outside = self.outside().await;
        let done = sqlx::query(statement).execute(&mut outside).await;
        assert!(done.expect("an update").rows_affected() > 0);
    }
}

/// Each gives a line for every contradiction.
const AUDIT: [&str; 7] = [
    "select integrity_check from pragma_integrity_check() where integrity_check <> 'ok'",
    // Counters of a job that is not purged are the counts of its rows.
    "with counted as (select key, state, running, waiting, done, stored_bytes, received, next_index, \
         coalesce(count, received) as total, \
         (select count(*) from chunks where job = key and leased = 1) as leased, \
         (select count(*) from chunks where job = key and leased = 0) as resting, \
         (select coalesce(sum(items), 0) from results where job = key) as answered, \
         (select coalesce(sum(items), 0) from inputs where job = key) as inputs, \
         (select coalesce(sum(items), 0) from chunks where job = key) \
         + (select coalesce(sum(items), 0) from unsealed where job = key) as claimed, \
         (select coalesce(sum(length(payload)), 0) from results where job = key) \
         + (select coalesce(sum(length(payload)), 0) from inputs where job = key) as bytes \
         from jobs where purged = 0 and deleted = 0) \
     select 'job ' || key || ': running ' || running || ' is ' || leased || ', waiting ' || waiting \
         || ' is ' || resting || ', done ' || done || ' is ' || answered || ', bytes ' || stored_bytes \
         || ' is ' || bytes || ', received ' || received || ' is ' || inputs || ', next ' || next_index \
         || ' is ' || (answered + claimed) || ', state ' || state from counted \
     where running <> leased or waiting <> resting or done <> answered or stored_bytes <> bytes \
         or received <> inputs or (state < 5 and next_index <> answered + claimed) \
         or next_index > total",
    // Every result below the watermark is there, and the one behind it is not.
    "select 'job ' || key || ': watermark ' || contiguous_done from jobs j \
     where purged = 0 and deleted = 0 and \
     (exists (select 1 from results where job = key and first_index = contiguous_done) \
      or contiguous_done <> (select coalesce(sum(items), 0) from results \
          where job = key and first_index < contiguous_done))",
    "select 'job ' || r.job || ': results overlap at ' || r.first_index from results r \
     where exists (select 1 from results o where o.job = r.job and o.first_index > r.first_index \
         and o.first_index < r.first_index + r.items)",
    "select 'tenant ' || tenant || ': ' || stored_bytes from tenants t where stored_bytes <> \
     (select coalesce(sum(stored_bytes), 0) from jobs j where j.tenant = t.tenant)",
    "select 'job ' || key || ': ended in state ' || state || ' with done ' || done from jobs \
     where deleted = 0 and ((state in (6, 7) and done <> count) or (state < 5 and done = count) \
         or (state >= 6) <> (end_time is not null))",
    // What keeps puzzles from being alike belongs to a job that is marked for it; what is remembered of
    // the sealed ones is no more than they are.
    "select 'job ' || key || ': sealing ' || sealing || ', done ' || done from jobs j where \
     (sealing = 0 and (exists (select 1 from forms where job = key) \
         or exists (select 1 from recent_forms where job = key) \
         or exists (select 1 from unsealed where job = key) \
         or exists (select 1 from remakes where job = key))) \
     or (sealing = 1 and (done <> contiguous_done \
         or (select count(*) from forms where job = key) + (select \
             coalesce(sum(length(forms)), 0) / 8 from recent_forms where job = key) > done \
         or exists (select 1 from remakes where job = key and item < done) \
         or exists (select 1 from unsealed where job = key and first_index < done)))",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_server_on_the_file_is_told_who_has_it() {
    let place = Place::<Sqlite>::new().await;
    let clock = Arc::new(ManualClock::new(START));
    let settings = place.backend.settings(NO_LIMITS);
    let error = SqliteStore::open(settings.clone(), clock.clone())
        .await
        .expect_err("the file is in use");
    assert!(matches!(error, OpenError::Lock(_)), "{error:?}");
    let message = error.to_string();
    let holder = format!("process {} at 127.0.0.1:50051", std::process::id());
    assert!(message.contains(&holder), "{message}");

    place.store.close().await;
    SqliteStore::open(settings, clock)
        .await
        .expect("closing gives the file back, whoever still has a handle");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_closed_store_refuses_and_says_why() {
    let place = Place::<Sqlite>::new().await;
    let job = place.create(make(1)).await;
    place.store.close().await;
    assert_refused!(place.store.job(&job).await, StoreError::Closing);
    assert_refused!(place.store.cancel(&job).await, StoreError::Closing);
    assert!(
        !place.store.failed().is_cancelled(),
        "closing is no failure"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_made_while_writing_opens_and_is_one_moment() {
    let place = Place::<Sqlite>::new().await;
    let quiet = place.create(generate(20_000)).await;
    place.work_it_off().await;
    let busy = place.create(generate(400 * 8192)).await;
    let target = place.backend.folder.path().join("copy.db");

    let store = place.store.clone();
    let path = target.clone();
    let backup = tokio::spawn(async move { store.backup(&path).await });
    let mut claims = 0;
    while !backup.is_finished() {
        let claim = place.claim_some().await;
        place.complete(&claim).await;
        claims += 1;
    }
    let backup = backup.await.expect("no panic").expect("a backup");
    assert!(claims > 0, "nothing was written meanwhile");
    assert_eq!(backup.bytes, fs::metadata(&target).expect("the copy").len());
    assert_eq!(backup.sha256.len(), 64);

    assert_refused!(place.store.backup(&target).await, StoreError::Backup(_));
    assert!(target.exists(), "a refusal leaves the file alone");
    let nowhere = place.backend.folder.path().join("no/such/folder.db");
    assert_refused!(place.store.backup(&nowhere).await, StoreError::Backup(_));

    let copy = SqliteStore::open(settings(&target, NO_LIMITS), Arc::new(place.clock.clone()))
        .await
        .expect("the copy opens");
    assert_eq!(
        picture(&copy, &quiet).await,
        picture(&place.store, &quiet).await
    );
    let (then, now) = (copy.job(&busy).await, place.store.job(&busy).await);
    let (then, now) = (then.expect("there").progress, now.expect("there").progress);
    assert!(then.done <= now.done, "{} {}", then.done, now.done);
    assert_eq!(then.done, then.contiguous_done);
    copy.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_stays_bounded_under_a_long_burst() {
    const CHUNKS: u64 = 400;
    let place = Place::<Sqlite>::new().await;
    let job = place.create(generate(CHUNKS * 8192)).await;
    let mut longest = 0;
    while let Some(claim) = place.claim().await {
        let completed = place.store.complete(&claim.lease, &pure(&claim)).await;
        completed.expect("the lease is held");
        longest = longest.max(place.backend.bytes("-wal"));
    }
    let progress = place.job(&job).await.progress;
    assert_eq!(progress.done, CHUNKS * 8192);
    assert!(
        progress.stored_bytes > 80 << 20,
        "{} is no burst",
        progress.stored_bytes
    );
    // It is emptied at 64 MiB, or 64 later if a reader was in the way, by the commit that finds it so.
    assert!(longest < 136 << 20, "{longest}");
    place.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn collecting_gives_the_disk_back() {
    let mut place = Place::<Sqlite>::new().await;
    place.restart().await;
    let empty = place.backend.bytes("");
    let job = place.create(generate(80 * 8192)).await;
    place.work_it_off().await;
    place.restart().await;
    let full = place.backend.bytes("");
    assert!(full > empty + (18 << 20), "{full}");
    place.store.delete(&job, false).await.expect("a deletion");
    while place.store.collect().await.expect("a slice") {}
    place.restart().await;
    let after = place.backend.bytes("");
    // Up to 8 MiB stay for the next job.
    assert!(after < empty + (9 << 20), "{empty} {full} {after}");
    place.audit().await;
}
