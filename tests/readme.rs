//! What the documents say of the program and of its files is so: the README's table of settings is the
//! one that `serve --help` prints, and the files that are named are there.

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
fn every_file_that_is_named_is_there() {
    let named: Vec<_> = [README, ARCHITECTURE]
        .into_iter()
        .flat_map(|text| text.split(|c: char| c.is_whitespace() || "`()[]#,:;".contains(c)))
        .filter(|word| {
            ["src/", "tests/", "docs/", "proto/"]
                .iter()
                .any(|dir| word.starts_with(dir))
        })
        .filter(|word| !word.contains('*'))
        .collect();
    assert!(named.len() > 10, "{named:?}");
    let missing: Vec<_> = named
        .iter()
        .filter(|path| !Path::new(path).exists())
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
