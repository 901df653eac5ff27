//! The layers: `cli → {rpc, worker, store} → jobs → sudoku`, arrows only downward, and a pure core.

use std::fs;
use std::path::{Path, PathBuf};

/// What the files of each layer must not mention.
const FORBIDDEN: [(&str, &[&str]); 5] = [
    (
        "rpc",
        &["crate::cli", "crate::worker", "crate::store", "sqlx"],
    ),
    (
        "worker",
        &["crate::cli", "crate::rpc", "crate::store", "sqlx", "tonic"],
    ),
    (
        "store",
        &[
            "crate::cli",
            "crate::rpc",
            "crate::worker",
            "tonic",
            "prost",
        ],
    ),
    (
        "jobs",
        &[
            "crate::cli",
            "crate::rpc",
            "crate::worker",
            "crate::store",
            "sqlx",
            "tonic",
            "prost",
        ],
    ),
    (
        "sudoku",
        &[
            "crate::cli",
            "crate::rpc",
            "crate::worker",
            "crate::store",
            "crate::jobs",
            "sqlx",
            "tonic",
            "prost",
            "tokio",
            "tracing",
            "std::time",
            "std::fs",
            "std::env",
            "std::net",
            "std::io",
            "uuid",
            "getrandom",
        ],
    ),
];

#[test]
fn arrows_point_downward_only() {
    let mut wrong = Vec::new();
    for (layer, forbidden) in FORBIDDEN {
        let files = rust_files(&Path::new("src").join(layer));
        assert!(!files.is_empty(), "{layer} has no files");
        for file in files {
            for (number, line) in code(&file).lines().enumerate() {
                // A brace would hide the layer behind it from the search.
                let hidden = line.contains("crate::{").then_some("crate::{");
                let named = forbidden.iter().copied();
                for name in named.filter(|name| mentions(line, name)).chain(hidden) {
                    wrong.push(format!("{}:{}: {name}", file.display(), number + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "upward or impure:\n{}", wrong.join("\n"));
}

#[test]
fn only_host_names_a_backend() {
    let named: Vec<_> = rust_files(Path::new("src/cli"))
        .into_iter()
        .filter(|file| code(file).contains("SqliteStore"))
        .filter(|file| !file.ends_with("host.rs"))
        .collect();
    assert!(named.is_empty(), "{named:?}");
}

#[test]
fn the_scan_would_notice() {
    assert!(mentions("use crate::rpc::pb;", "crate::rpc"));
    assert!(mentions("    tokio::spawn(x);", "tokio"));
    assert!(!mentions("let tokio_like = 1;", "tokio"));
    assert!(!mentions("use crate::rpc_like;", "crate::rpc"));
}

/// A file's text without comments.
fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).expect("a source file can be read");
    text.lines()
        .map(|line| line.split_once("//").map_or(line, |(code, _)| code))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Whether a line has the name as a whole path.
fn mentions(line: &str, name: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(name)
        .any(|(at, _)| !line[..at].ends_with(part) && !line[at + name.len()..].starts_with(part))
}

fn rust_files(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).expect("a layer is a folder") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            files.push(path);
        }
    }
    files
}
