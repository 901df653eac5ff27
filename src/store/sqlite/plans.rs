//! How SQLite means to run what is run all day: a statement that falls off its index would read every
//! job there ever was.

use sqlx::{AssertSqlSafe, Row, SqliteConnection};

use super::open::{Role, connect};
use super::{claim, collect, heartbeat, queue, read, reap, row, seal, submit};

/// A database with the schema and nothing in it. The planner has no statistics in production either.
async fn database() -> (tempfile::TempDir, SqliteConnection) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("gridmill.db");
    let mut connection = connect(&path, Role::Writing).await.unwrap();
    sqlx::migrate!("migrations/sqlite")
        .run(&mut connection)
        .await
        .unwrap();
    (dir, connection)
}

async fn plan(connection: &mut SqliteConnection, statement: &str) -> Vec<String> {
    let explain = format!("explain query plan {statement}");
    let steps = sqlx::query(AssertSqlSafe(explain)).fetch_all(connection);
    let steps = steps.await.unwrap();
    steps.iter().map(|step| step.get("detail")).collect()
}

#[tokio::test]
async fn a_claim_stays_on_the_index_of_claimable_jobs() {
    let (_dir, mut connection) = database().await;
    let plan = plan(&mut connection, claim::NEXT_JOB).await;
    assert_eq!(
        plan,
        [
            "CO-ROUTINE (subquery-4)",
            "SCAN m",
            "SEARCH j USING INDEX jobs_claimable (state<?)",
            "CORRELATED SCALAR SUBQUERY 2",
            "SEARCH c USING PRIMARY KEY (job=?)",
            "SEARCH t USING PRIMARY KEY (tenant=?)",
            "USE TEMP B-TREE FOR ORDER BY",
            "SCAN (subquery-4)",
            "SCALAR SUBQUERY 1",
            "USE TEMP B-TREE FOR count(DISTINCT)",
            "SEARCH jobs USING INDEX jobs_claimable (state<?)",
            "USE TEMP B-TREE FOR ORDER BY",
        ]
    );
}

/// Scans of one row, of what runs just now and of what is being removed just now.
const SHORT: [&str; 5] = [
    "SCAN CONSTANT ROW",
    "SCAN m",
    "SCAN jobs USING COVERING INDEX jobs_deleted",
    "SCAN pragma_freelist_count",
    "SCAN chunks USING COVERING INDEX chunks_leased",
];

#[tokio::test]
async fn nothing_that_is_polled_scans_a_table() {
    let (_dir, mut connection) = database().await;
    for statement in [
        row::VISIBLE,
        read::POSITION,
        queue::STATUS,
        submit::ADMISSION,
        heartbeat::STATE,
        reap::ANYTHING_DUE,
        reap::DUE,
        seal::SEALABLE,
        collect::ANYTHING_TO_COLLECT,
        collect::NEXT_TO_FORGET,
        collect::NEXT_TO_PURGE,
        collect::UNSEEN_HEADERS,
    ] {
        let plan = plan(&mut connection, statement).await;
        let scans: Vec<_> = plan
            .iter()
            .filter(|step| step.starts_with("SCAN"))
            .filter(|step| !SHORT.iter().any(|short| step.starts_with(short)))
            .collect();
        assert!(scans.is_empty(), "{statement}: {plan:#?}");
    }
}
