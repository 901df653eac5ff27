//! `serve`: how it starts, ends and comes back.

use rustix::process::Signal;

use crate::run::{Place, Process, Server};

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
