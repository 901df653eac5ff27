//! Kills the real binary with SIGKILL, over and over, while jobs of every kind run, and checks that
//! nothing that was acknowledged is lost, nothing is done twice, and every byte is what the library
//! alone computes.
//!
//! A short run belongs to every test run. The long one, which prints its figures:
//!
//! ```text
//! GRIDMILL_KILLS=60 cargo test --release --test crash -- --nocapture
//! ```

mod client;
mod mill;
mod order;

use std::env;
use std::time::Duration;

use client::Client;
use gridmill::sudoku::rng::Rng;
use mill::Mill;
use order::Order;

/// Kills in the short run.
const SHORT: u32 = 8;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_kill_changes_a_result() {
    let kills = match env::var("GRIDMILL_KILLS") {
        Ok(number) => number.parse().expect("GRIDMILL_KILLS is a number"),
        Err(_) => SHORT,
    };
    let seed = env::var("GRIDMILL_SEED").map_or(1, |seed| seed.parse().expect("a number"));
    let dir = tempfile::tempdir().expect("a folder for the database");
    let mut mill = Mill::start(&dir.path().join("crash.db"));

    let mut rng = Rng::keyed(seed, 0);
    let mut work = tokio::spawn(rounds(mill.client(), seed));
    let mut finished = 0;
    while mill.kills < kills {
        // Long enough for some chunks to be claimed, short enough to fall into every phase.
        tokio::time::sleep(Duration::from_millis(u64::from(5 + rng.below(400)))).await;
        mill.kill_and_restart().await;
        if work.is_finished() {
            finished += work.await.expect("the round's checks hold");
            work = tokio::spawn(rounds(mill.client(), seed + u64::from(mill.kills)));
        }
    }
    finished += work.await.expect("the round's checks hold");

    let figures = mill.stop().await;
    assert_eq!(figures.integrity, "ok");
    assert!(
        figures.given_back > 0 || kills < SHORT,
        "no kill hit a running chunk"
    );
    #[expect(clippy::cast_precision_loss, reason = "a share for people")]
    let share = 100.0 * f64::from(figures.given_back_items) / finished as f64;
    println!(
        "kills {kills}, jobs {}, items {finished}, lost 0, duplicated 0, faults 0, \
         chunks run again {} ({share:.1} % of the items), recovery median {:?} max {:?}",
        figures.jobs, figures.given_back, figures.recovery_median, figures.recovery_max
    );
}

/// Jobs of every kind, side by side, to their ends; the number of items.
async fn rounds(client: Client, seed: u64) -> u64 {
    let orders = [
        Order::generate(seed, 300_000),
        Order::make(seed, 1_500),
        Order::hard(seed, 500),
        Order::unlike(seed, 12_000),
        Order::solve(seed, 20_000),
        Order::canonicalize(seed + 1, 20_000),
        Order::rate(seed + 2, 2_000),
    ];
    let mut running = tokio::task::JoinSet::new();
    for order in orders {
        let client = client.clone();
        running.spawn(async move { order.fulfil(client).await });
    }
    let mut items = 0;
    while let Some(done) = running.join_next().await {
        items += done.expect("the order's checks hold");
    }
    items
}
