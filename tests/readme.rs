//! What the documents say: the table of settings is the one that `serve --help` prints, and every file
//! that they name is there.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../README.md");
const ARCHITECTURE: &str = include_str!("../ARCHITECTURE.md");

#[test]
fn every_setting_stands_in_the_table() {
    let help = Command::new(env!("CARGO_BIN_EXE_gridmill"))
        .args(["serve", "--help"])
        .output()
        .expect("the binary runs");
    let help = String::from_utf8(help.stdout).expect("help is text");
    let flags = |text: &str, prefix: &str| -> BTreeSet<String> {
        text.lines()
            .filter_map(|line| line.trim_start().strip_prefix(prefix))
            .filter_map(|rest| rest.split([' ', '`', '=']).next())
            .filter(|flag| *flag != "help")
            .map(str::to_owned)
            .collect()
    };
    let variables = |text: &str| -> BTreeSet<String> {
        text.split(|c: char| !c.is_ascii_uppercase() && c != '_')
            .filter(|word| word.starts_with("GRIDMILL_"))
            .map(str::to_owned)
            .collect()
    };
    let (_, table) = README
        .split_once("## Configuration")
        .expect("a chapter on configuration");
    let (table, _) = table.split_once("\nThe other commands").expect("its end");

    assert_eq!(flags(table, "| `--"), flags(&help, "--"));
    assert!(flags(&help, "--").len() > 10);
    assert_eq!(variables(table), variables(&help));
}

#[test]
fn every_file_that_is_named_exists() {
    const ROOTS: [&str; 7] = [
        "src/",
        "tests/",
        "docs/",
        "proto/",
        "benches/",
        "migrations/",
        "fuzz/",
    ];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut named = 0;
    for text in [README, ARCHITECTURE] {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && !"/._-".contains(c));
        let paths = words.map(|word| word.trim_end_matches('.'));
        for path in paths.filter(|word| {
            let is_page = Path::new(word).extension().is_some_and(|kind| kind == "md");
            is_page || ROOTS.iter().any(|root| word.starts_with(root))
        }) {
            // All that a pattern says is its directory.
            assert!(root.join(path).exists(), "{path}");
            named += 1;
        }
    }
    assert!(named > 10, "only {named} paths were found");
}
