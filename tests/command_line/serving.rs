//! `serve`: how it starts, ends and comes back.

use gridmill::config::ENGINE;
use gridmill::sudoku::solve::Isa;
use rustix::process::Signal;

use crate::run::{Ended, Place, Process, Server};

#[test]
fn work_goes_on_across_a_killed_server() {
    let place = Place::new();
    let puzzles = place.succeed("make --count 4000 --seed 8").repeat(20);
    let solutions = place.feed("solve", &puzzles).out;

    let mut server = Server::start(&place);
    let (address, at) = (server.address.clone(), server.option());
    let mut make = Process::start(place.command(&format!("make --count 12000 --output made {at}")));
    let said = make.wait_for("seed ");
    let server = std::thread::scope(|scope| {
        let solve = scope.spawn(|| place.feed(&format!("solve --output solved {at}"), &puzzles));
        let list = format!("job list {at}");
        let mut before = place.wait_for(&list, |list| list.contains("solve"));
        for _ in 0..3 {
            server.kill();
            server = Server::start_at(&place, &address);
            before = place.wait_for(&list, |list| list != before);
        }
        let solved = solve.join().expect("it ends");
        assert_eq!(solved.code, Some(0), "{}", solved.err);
        assert!(solved.err.contains("trying again"), "no kill hit it");
        server
    });
    assert_eq!(make.end().code, Some(0));
    assert_eq!(server.stop(), Some(0));
    let expected = place.succeed(&format!(
        "make --count 12000 --{}",
        said.trim().replace("seed ", "seed=")
    ));
    assert!(place.read("made") == expected);
    assert!(place.read("solved") == solutions);
}

#[test]
fn one_database_has_one_server() {
    let place = Place::new();
    let first = Server::start(&place);
    let second = place.run("serve --listen 127.0.0.1:0 --database sqlite:mill.db");
    assert_eq!(second.code, Some(64));
    assert!(
        second.err.contains("--database sqlite:mill.db"),
        "{}",
        second.err
    );
    assert!(second.err.contains(&first.address), "{}", second.err);
}

#[test]
fn settings_are_named_when_they_are_wrong() {
    let place = Place::new();
    let taken = Server::start(&place);
    let busy = format!(
        "serve --database sqlite:other.db --listen {}",
        taken.address
    );
    for (line, word) in [
        (busy.as_str(), "--listen"),
        ("serve --workers 0", "--workers"),
        ("serve --database postgres://db", "--database"),
        ("serve --lame-duck 20s --drain 20s", "--drain"),
        ("serve --log gridmill=loud", "--log"),
        ("serve --log rubbish", "--log"),
        ("serve --log=", "--log"),
        (
            "serve --database sqlite:missing/mill.db",
            "--database sqlite:missing/mill.db: there is no directory missing",
        ),
        ("serve --disk-budget much", "--disk-budget"),
    ] {
        let ended = place.run(line);
        assert_eq!(ended.code, Some(64), "{line}: {}", ended.err);
        assert!(ended.err.contains(word), "{line}: {}", ended.err);
    }
    let twin = place
        .command("serve")
        .env("GRIDMILL_WORKERS", "none")
        .output();
    let twin = twin.expect("the binary starts");
    assert_eq!(twin.status.code(), Some(64));
    assert!(String::from_utf8_lossy(&twin.stderr).contains("--workers"));
}

#[test]
fn the_engine_in_use_is_told() {
    let place = Place::new();
    let serve = "serve --listen 127.0.0.1:0 --database sqlite:mill.db --lame-duck 0s";
    let flag = place.command(&format!("{serve} --engine portable"));
    let mut variable = place.command(serve);
    variable.env(ENGINE, "portable");
    let fastest = place.command(serve);
    for (command, expected) in [
        (flag, "portable"),
        (variable, "portable"),
        (fastest, Isa::current().name()),
    ] {
        let mut process = Process::start(command);
        let said = process.wait_for("listening on ");
        let (before, address) = said.split_once(" engine, listening on ").expect(&said);
        assert!(before.ends_with(expected), "{said}");
        let info = format!("admin info --server http://{}", address.trim());
        let info = place.succeed(&info);
        assert!(info.contains(&format!("engine: {expected}\n")), "{info}");
        process.signal(Signal::TERM);
        assert_eq!(process.end().code, Some(0));
    }
}

#[test]
fn an_engine_that_cannot_be_used_is_a_usage_error() {
    let place = Place::new();
    place.write("in.txt", &(".".repeat(81) + "\n"));
    for line in [
        "serve --listen 127.0.0.1:0 --database sqlite:mill.db",
        "solve in.txt --output out.txt",
        "generate --count 1 --output out.txt",
        "make --count 1 --output out.txt",
        "bench solve in.txt",
        "bench generate",
        "bench make",
    ] {
        let ended = |engine: &str| {
            let output = place.command(line).env(ENGINE, engine).output();
            Ended::from(output.expect("the binary starts"))
        };
        let unknown = ended("warp");
        let said = "GRIDMILL_ENGINE: \"warp\" is none of portable, avx2, avx512";
        assert_eq!(unknown.code, Some(64), "{line}: {}", unknown.err);
        assert!(unknown.err.contains(said), "{line}: {}", unknown.err);
        for isa in Isa::ALL.into_iter().filter(|isa| !isa.is_available()) {
            let lacking = ended(isa.name());
            let said = format!("this CPU cannot run {isa}, the most it can run is ");
            assert_eq!(lacking.code, Some(64), "{line}: {}", lacking.err);
            assert!(lacking.err.contains(&said), "{line}: {}", lacking.err);
            assert!(lacking.err.contains(ENGINE), "{line}: {}", lacking.err);
        }
    }
    assert!(place.is_tidy());
    for file in ["mill.db", "out.txt", "out.txt.part"] {
        assert!(!place.path(file).exists(), "{file}");
    }
}

#[test]
fn signals_end_a_server_well() {
    for signal in [Signal::TERM, Signal::INT] {
        let place = Place::new();
        let line = "serve --listen 127.0.0.1:0 --database sqlite:mill.db --lame-duck 0s";
        let mut process = Process::start(place.command(line));
        process.wait_for("listening on ");
        process.signal(signal);
        assert_eq!(process.end().code, Some(0));
    }
}

#[test]
fn the_environment_names_the_server() {
    let place = Place::new();
    let server = Server::start(&place);
    let run = |line: &str| {
        let mut command = place.command(line);
        command.env("GRIDMILL_SERVER", &server.address);
        let output = command.output().expect("the binary starts");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    run("generate --count 12 --seed 1");
    assert!(run("job list").contains("12/12"));
    let info = run("admin info");
    assert!(info.contains("store: sqlite"), "{info}");
}

#[test]
fn a_backup_is_made_while_it_serves() {
    let place = Place::new();
    let line =
        "serve --listen 127.0.0.1:0 --database sqlite:mill.db --lame-duck 0s --backup-dir tmp";
    let mut process = Process::start(place.command(line));
    let said = process.wait_for("listening on ");
    let address = said
        .split("listening on ")
        .nth(1)
        .expect("it was waited for")
        .trim();
    let backup = format!("admin backup copy.db --server http://{address}");
    let printed = place.succeed(&backup);
    let size = std::fs::metadata(place.path("tmp/copy.db"))
        .expect("it is there")
        .len();
    assert!(
        printed.starts_with(&format!("{size} bytes, sha256 ")),
        "{printed}"
    );
    assert_eq!(
        place.run(&backup).code,
        Some(64),
        "a copy is not overwritten"
    );
}
