//! `job` and `admin` against a server.

use std::process::Stdio;

use rustix::process::Signal;

use crate::run::{Place, Process, Server, wait_for_file};

#[test]
fn a_job_from_beginning_to_end() {
    let place = Place::new();
    let server = Server::start(&place);
    let at = server.option();
    let submitted = place.run(&format!(
        "job submit generate --count 20000 --seed 4 --priority -5 --label team=night \
         --ttl 2h --job-id nightly {at}"
    ));
    assert_eq!(
        (submitted.code, submitted.out.as_str()),
        (Some(0), "jobs/nightly\n")
    );

    let watched = place.succeed(&format!("job watch nightly {at}"));
    let end = watched.lines().last();
    assert_eq!(end, Some("jobs/nightly SUCCEEDED 20000/20000"));

    let get = place.succeed(&format!("job get jobs/nightly --json {at}"));
    let job: serde_json::Value = serde_json::from_str(&get).expect("JSON");
    assert_eq!(job["state"], "SUCCEEDED");
    assert_eq!(job["priority"], -5);
    assert_eq!(job["options"]["seed"], 4);
    assert_eq!(job["labels"]["team"], "night");
    assert_eq!(job["outcome_counts"]["made"], 20_000);

    let list = format!("job list --state succeeded --label team=night {at}");
    let listed = place.succeed(&list);
    let columns = |line: usize| {
        listed
            .lines()
            .nth(line)
            .map_or(0, |line| line.split_whitespace().count())
    };
    assert!(listed.contains("jobs/nightly"));
    assert_eq!((columns(0), columns(1)), (5, 5), "{listed}");
    assert!(
        listed.lines().all(|line| line.trim_end() == line),
        "{listed}"
    );
    let other = place.succeed(&format!("job list --label team=day {at}"));
    assert!(!other.contains("jobs/"), "{other}");

    let expected = place.succeed("generate --count 20000 --seed 4");
    let results = place.succeed(&format!("job results nightly {at}"));
    assert_eq!(results, expected);
    let tail = place.succeed(&format!("job results nightly --start 19999 {at}"));
    assert_eq!(tail, expected[82 * 19_999..]);
    assert_eq!(
        place.succeed(&format!("job results nightly --start 20000 {at}")),
        ""
    );
    assert_eq!(
        place
            .run(&format!("job results nightly --start 20001 {at}"))
            .code,
        Some(64)
    );
    assert_eq!(place.succeed(&format!("job failures nightly {at}")), "");

    place.succeed(&format!("job delete nightly {at}"));
    let gone = place.run(&format!("job get nightly {at}"));
    assert_eq!(gone.code, Some(65));
    assert!(gone.err.contains("(JOB_NOT_FOUND)"), "{}", gone.err);
    place.succeed(&format!("job delete nightly --allow-missing {at}"));
    assert_eq!(server.stop(), Some(0));
}

#[test]
fn puzzles_are_uploaded() {
    let place = Place::new();
    let server = Server::start(&place);
    let at = server.option();
    let puzzles = place.succeed("make --count 100 --seed 2");
    let line = format!("job submit solve - --count-limit 1 {at}");
    let submitted = place.feed(&line, &format!("{puzzles}no puzzle\n"));
    assert!(
        submitted.err.starts_with("1 of 101 inputs"),
        "{}",
        submitted.err
    );
    let name = submitted.out.trim();

    let csv = place.succeed(&format!("job results {name} --follow --format csv {at}"));
    let mut rows = csv.lines().skip(1);
    for puzzle in puzzles.lines() {
        let row = rows.next().expect("a row a puzzle");
        assert!(row.starts_with(&format!("{puzzle},solved,1,")), "{row}");
    }
    // Only who read the file knows what stood there.
    assert_eq!(rows.next(), Some(",malformed,0,"));
}

#[test]
fn a_request_that_is_repeated_makes_one_job() {
    let place = Place::new();
    let server = Server::start(&place);
    let line = format!(
        "job submit make --count 5 --request-id 6f1c1b1e-4c7e-4b8e-9a51-0d8f3f1f7a10 {}",
        server.option()
    );
    let first = place.run(&line);
    let second = place.run(&line);
    assert_eq!(first.out, second.out);
    // The seed that the server drew the first time.
    assert!(first.err.starts_with("seed ") && first.err == second.err);
    let other = place.run(&line.replace("--count 5", "--count 6"));
    assert_eq!(other.code, Some(65));
    assert!(other.err.contains("(REQUEST_ID_REUSED)"), "{}", other.err);
}

#[test]
fn a_job_is_paused_resumed_and_cancelled() {
    let place = Place::new();
    let server = Server::start(&place);
    let at = server.option();
    place.succeed(&format!("admin pause {at}"));
    assert!(
        place
            .succeed(&format!("admin queue {at}"))
            .contains("paused: true")
    );
    let submit = format!("job submit generate --count 10 --seed 1 --job-id slow {at}");
    place.succeed(&submit);
    let paused = place.succeed(&format!("job pause slow {at}"));
    assert_eq!(paused, "jobs/slow PAUSED\n");
    let resumed = place.succeed(&format!("job resume slow {at}"));
    assert_eq!(resumed, "jobs/slow QUEUED\n");
    place.succeed(&format!("job cancel slow {at}"));

    let watched = place.run(&format!("job watch slow {at}"));
    assert_eq!(watched.code, Some(1));
    assert!(
        watched.err.contains("jobs/slow is CANCELLED"),
        "{}",
        watched.err
    );
    let results = place.run(&format!("job results slow --follow {at}"));
    assert_eq!((results.code, results.out.as_str()), (Some(1), ""));
    let said = "jobs/slow is CANCELLED: 0 of 10 results were written";
    assert!(results.err.contains(said), "{}", results.err);
    // What there is becomes the file all the same.
    let saved = place.run(&format!("job results slow --output slow.txt {at}"));
    assert_eq!((saved.code, place.read("slow.txt").as_str()), (Some(1), ""));

    place.succeed(&format!("admin resume {at}"));
    let queue = place.succeed(&format!("admin queue --json {at}"));
    assert!(queue.starts_with(r#"{"paused":false"#), "{queue}");
    let taken = place.run(&submit);
    assert_eq!(taken.code, Some(65));
    assert!(taken.err.contains("(JOB_EXISTS)"), "{}", taken.err);
}

#[test]
fn a_download_goes_on_where_its_part_ends() {
    let place = Place::new();
    let server = Server::start(&place);
    let at = server.option();
    let submit = "job submit generate --count 10000 --seed 6 --job-id grids";
    place.succeed(&format!("{submit} {at}"));
    for format in ["lines", "text", "csv", "jsonl"] {
        let line = format!("job results grids --follow --format {format} {at}");
        let whole = place.succeed(&line);
        for cut in [0, 3, whole.len() / 2, whole.len() - 1, whole.len()] {
            place.write("out.part", &whole[..cut]);
            place.succeed(&format!("{line} --output out"));
            assert!(place.read("out") == whole, "{format} cut at {cut}");
            assert!(!place.path("out.part").exists());
        }
    }

    let foreign = place.succeed("generate --count 3 --seed 7");
    place.write("out.part", &foreign);
    let refused = place.run(&format!("job results grids --output out {at}"));
    assert_eq!(refused.code, Some(65));
    assert!(
        refused.err.contains("out.part holds other results"),
        "{}",
        refused.err
    );
    assert_eq!(place.read("out.part"), foreign);
}

#[test]
fn what_is_not_done_yet_stays_a_part() {
    let place = Place::new();
    let server = Server::start(&place);
    let at = server.option();
    place.succeed(&format!("admin pause {at}"));
    place.succeed(&format!(
        "job submit generate --count 10 --seed 1 --job-id late {at}"
    ));
    let line = format!("job results late --output out {at}");
    let early = place.run(&line);
    assert_eq!(early.code, Some(75), "{}", early.err);
    assert!(place.path("out.part").exists() && !place.path("out").exists());
    place.succeed(&format!("admin resume {at}"));
    place.succeed(&format!("{line} --follow"));
    assert_eq!(
        place.read("out"),
        place.succeed("generate --count 10 --seed 1")
    );
}

#[test]
fn an_interrupt_detaches_from_a_job() {
    let place = Place::new();
    let server = Server::start(&place);
    let at = server.option();
    place.succeed(&format!("admin pause {at}"));
    place.succeed(&format!(
        "job submit generate --count 10 --seed 1 --job-id late {at}"
    ));

    let results =
        Process::start(place.command(&format!("job results late --follow --output out {at}")));
    wait_for_file(&place.path("out.part"));
    results.signal(Signal::INT);
    let ended = results.end();
    assert_eq!(ended.code, Some(130));
    assert!(ended.err.contains("the job goes on"), "{}", ended.err);
    assert!(place.path("out.part").exists());

    let mut watch = Process::start(place.command(&format!("job watch late {at}")));
    assert_eq!(watch.first_line(), "jobs/late QUEUED 0/10\n");
    watch.signal(Signal::INT);
    assert_eq!(watch.end().code, Some(130));
    assert!(
        place
            .succeed(&format!("job get late {at}"))
            .contains("state: QUEUED")
    );
}

#[test]
fn an_interrupted_one_off_cancels_its_job() {
    let place = Place::new();
    let server = Server::start(&place);
    let at = server.option();
    let mut command = place.command(&format!("make --count 1000000 --output out {at}"));
    command.stdout(Stdio::null());
    let mut process = Process::start(command);
    process.wait_for("seed ");
    process.signal(Signal::INT);
    assert_eq!(process.end().code, Some(130));
    assert!(!place.path("out.part").exists());
    let list = place.succeed(&format!("job list {at}"));
    assert!(list.contains("CANCELL"), "{list}");
}
