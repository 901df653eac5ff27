//! Settings as they are given, and what is wrong with them.

use clap::Parser;

use super::*;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    settings: ServeSettings,
}

fn settings(arguments: &[&str]) -> Result<ServeSettings, clap::Error> {
    let line = ["serve"].iter().chain(arguments);
    Line::try_parse_from(line).map(|line| line.settings)
}

#[test]
fn the_defaults_go_together() {
    let settings = settings(&[]).expect("no setting is mandatory");
    settings.check().expect("the defaults pass");
    let limits = settings.limits().expect("the working directory has space");
    assert_eq!(limits.tenant_bytes, limits.disk_bytes);
}

#[test]
fn a_shutdown_that_would_be_cut_off_is_refused() {
    let slow = settings(&["--lame-duck", "10s", "--drain", "13s"]).expect("each alone is fine");
    let error = slow.check().expect_err("23 s leave no time to close");
    assert!(error.to_string().starts_with("--lame-duck and --drain"));
}

#[test]
fn a_missing_directory_is_named_with_its_setting() {
    let settings = settings(&["--database", "sqlite:/no/such/place/mill.db"]).expect("a path");
    let error = settings.limits().expect_err("there is none").to_string();
    let expected = "--database sqlite:/no/such/place/mill.db: there is no directory /no/such/place";
    assert_eq!(error, expected);
}

#[test]
fn errors_name_the_setting() {
    for (setting, value) in [
        ("--workers", "0"),
        ("--listen", "localhost"),
        ("--database", "postgres://x"),
        ("--database", "sqlite::memory:"),
        ("--disk-budget", "0GiB"),
        ("--drain", "soon"),
        ("--worker-priority", "high"),
        ("--engine", "warp"),
    ] {
        let error = settings(&[setting, value]).expect_err(value).to_string();
        assert!(error.contains(setting), "{error}");
    }
}

#[test]
fn sizes_have_units() {
    for (text, bytes) in [
        ("1", 1),
        ("20GiB", 20 << 30),
        ("500 mb", 500_000_000),
        ("3KiB", 3072),
        ("7B", 7),
    ] {
        assert_eq!(text.parse::<ByteSize>().map(ByteSize::bytes), Ok(bytes));
    }
    for text in ["", "0", "GiB", "-1", "1.5GiB", "1XB", "99999999TiB"] {
        assert!(text.parse::<ByteSize>().is_err(), "{text}");
    }
}

#[test]
fn a_database_is_a_file() {
    for text in ["sqlite:a.db", "sqlite://a.db"] {
        let database: Database = text.parse().expect(text);
        assert_eq!(database.to_string(), "sqlite:a.db");
    }
}

#[test]
fn an_engine_is_an_instruction_set() {
    let engine = |arguments: &[&str]| settings(arguments).expect("known").engine;
    assert_eq!(engine(&["--engine", "avx2"]), Some(Isa::Avx2));
    assert_eq!(engine(&[]), None);
    let error = super::engine("warp").expect_err("there is none");
    let expected = "GRIDMILL_ENGINE: \"warp\" is none of portable, avx2, avx512";
    assert_eq!(error, expected);
}
