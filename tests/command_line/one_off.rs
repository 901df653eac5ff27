//! `generate`, `solve`, `make` and `bench`, with no server but their own.

use std::fs::{self, File};
use std::process::Stdio;
use std::time::Duration;

use gridmill::config::ENGINE;
use gridmill::sudoku::solve::Isa;
use gridmill::sudoku::{Cancel, Grid, House, Puzzle, SolveLimits, Solver, Verdict};
use rustix::process::Signal;

use crate::run::{Place, Process};

const PUZZLE: &str =
    "..8.9..1.5.72..8.4.....8....5...31.......2......61..5..265....31.......5...4...6.";
const SOLUTION: &str =
    "348795612517236894692148537459873126761952348283614759926581473174369285835427961";

#[test]
fn every_format_says_the_same() {
    let place = Place::new();
    let generate = "generate --count 9000 --seed 7";
    let lines = place.succeed(generate);
    assert_eq!(lines.lines().count(), 9000);
    for line in lines.lines() {
        let puzzle: Puzzle = line.parse().expect("81 cells");
        Grid::from_cells(*puzzle.cells()).expect("a complete grid");
    }

    let text = place.succeed(&format!("{generate} --format text"));
    assert_eq!(text.len(), 9000 * 163);
    let boards: Vec<String> = text
        .split_terminator("\n\n")
        .map(|board| board.split_whitespace().collect())
        .collect();
    assert!(lines.lines().eq(&boards));

    let csv = place.succeed(&format!("{generate} --format csv"));
    assert_eq!(csv, format!("grid\n{lines}"));
    let json = place.succeed(&format!("{generate} --format jsonl"));
    let grids = json.lines().map(|line| {
        let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        value["grid"].as_str().expect("a grid").to_owned()
    });
    assert!(grids.eq(lines.lines()));
    assert!(place.is_tidy());
}

#[test]
fn a_seed_gives_the_same_bytes_and_a_drawn_one_is_told() {
    let place = Place::new();
    let drawn = place.run("generate --count 100 --first-digit 4");
    let seed = drawn.err.trim().strip_prefix("seed ").expect("it is told");
    assert!(drawn.out.lines().all(|line| line.starts_with('4')));
    let again = place.run(&format!(
        "generate --count 100 --first-digit 4 --seed {seed}"
    ));
    assert_eq!(again.out, drawn.out);
    assert_eq!(again.err, "");
    assert_ne!(place.run("generate --count 100").out, drawn.out);
}

#[test]
fn nothing_is_made_when_nothing_is_asked_for() {
    let place = Place::new();
    for (line, expected) in [
        ("generate --count 0 --seed 1", ""),
        ("generate --count 0 --seed 1 --format csv", "grid\n"),
        (
            "make --count 0 --seed 1 --format csv",
            "puzzle,solution,givens,guesses,min_givens_per_house,max_givens_per_house\n",
        ),
        (
            "solve --format csv",
            "puzzle,outcome,solution_count,solution\n",
        ),
        ("solve", ""),
    ] {
        assert_eq!(place.succeed(line), expected, "{line}");
    }
    place.succeed("generate --count 0 --seed 1 --output none");
    assert_eq!(place.read("none"), "");
}

#[test]
fn a_file_appears_when_it_is_complete() {
    let place = Place::new();
    let lines = place.succeed("generate --count 20000 --seed 3");
    let said = place.run("generate --count 20000 --seed 3 --output grids.txt --progress plain");
    assert_eq!((said.code, said.out.as_str()), (Some(0), ""));
    assert!(said.err.contains("20,000/20,000 done"), "{}", said.err);
    assert!(
        said.err.ends_with("20,000 grids in grids.txt (seed 3)\n"),
        "{}",
        said.err
    );
    let quiet = place.run("generate --count 1 --seed 3 --output grid.txt --progress none");
    assert_eq!((quiet.code, quiet.err.as_str()), (Some(0), ""));
    assert_eq!(place.read("grids.txt"), lines);
    assert!(!place.path("grids.txt.part").exists());
}

#[test]
fn malformed_lines_are_rows_and_are_counted() {
    let place = Place::new();
    let dots = ".".repeat(81);
    let contradiction = format!("11{}", ".".repeat(79));
    let input = format!("# a comment\n{PUZZLE}\nno, \"puzzle\"\n\n{dots}\n{contradiction}\n");
    place.write("in.txt", &input);

    let csv = place.run("solve in.txt --format csv");
    let rows: Vec<&str> = csv.out.lines().collect();
    assert_eq!(rows[0], "puzzle,outcome,solution_count,solution");
    assert_eq!(rows[1], format!("{PUZZLE},unique,1,{SOLUTION}"));
    assert_eq!(rows[2], "\"no, \"\"puzzle\"\"\",malformed,0,");
    assert!(
        rows[3].starts_with(&format!("{dots},multiple,2,")),
        "{}",
        rows[3]
    );
    assert_eq!(rows[4], format!("{contradiction},none,0,"));
    assert_eq!(csv.code, Some(0));
    assert!(
        csv.err.starts_with("1 of 4 inputs is malformed: line 3"),
        "{}",
        csv.err
    );
    assert!(csv.err.contains("line 3"), "{}", csv.err);

    let lines = place.succeed("solve in.txt");
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!((lines[0], lines[1], lines[3]), (SOLUTION, &*dots, &*dots));

    let counted = place.succeed("solve in.txt --format jsonl --count-limit 500");
    assert!(
        counted.contains(r#""outcome":"multiple","solution_count":500"#),
        "{counted}"
    );
}

#[test]
fn strict_stops_and_leaves_nothing() {
    let place = Place::new();
    place.write("in.txt", &format!("{PUZZLE}\nno puzzle\n{PUZZLE}\n"));
    let ended = place.run("solve --strict in.txt --output out.txt");
    assert_eq!(ended.code, Some(65));
    assert!(
        ended.err.contains("in.txt: line 2, column 1"),
        "{}",
        ended.err
    );
    assert!(!place.path("out.txt").exists() && !place.path("out.txt.part").exists());
    assert!(place.is_tidy());
}

#[test]
fn commands_form_a_pipe() {
    let place = Place::new();
    let puzzles = place.succeed("make --count 300 --seed 5 --symmetry rotational-180");
    let solved = place.feed("solve --format csv", &puzzles);
    assert_eq!(solved.code, Some(0), "{}", solved.err);
    let made = place.succeed("make --count 300 --seed 5 --symmetry rotational-180 --format csv");
    for (made, solved) in made.lines().zip(solved.out.lines()).skip(1) {
        let [puzzle, solution, givens, _, fewest, most] = made.split(',').collect::<Vec<_>>()[..]
        else {
            panic!("six columns: {made}");
        };
        let given = |house: &House| {
            let cells = house.cells();
            let given = cells
                .iter()
                .filter(|cell| puzzle.as_bytes()[cell.index()] != b'.');
            given.count()
        };
        let per_house: Vec<_> = House::all().map(|house| given(&house)).collect();
        assert_eq!(fewest, per_house.iter().min().expect("27").to_string());
        assert_eq!(most, per_house.iter().max().expect("27").to_string());
        assert_eq!(solved, format!("{puzzle},unique,1,{solution}"));
        let count = puzzle.bytes().filter(|&cell| cell != b'.').count();
        assert_eq!(givens, count.to_string());
    }
    // What one writes the other reads, boards too.
    let boards = place.feed("solve --format text", &puzzles).out;
    let again = place.feed("solve --format text", &boards).out;
    assert_eq!(again, boards);
}

#[test]
fn images_have_one_canonical_form() {
    let place = Place::new();
    let grid = "123456789456789123789123456231564897564897231897231564312645978645978312978312645";
    let image: String = (0..81)
        .map(|cell| grid.as_bytes()[cell % 9 * 9 + cell / 9] as char)
        .map(|digit| char::from(b'0' + (digit as u8 - b'0') % 9 + 1))
        .collect();
    let input = format!("{grid}\n{image}\nno grid\n{}\n", ".".repeat(81));
    let told = place.feed("canon --format csv", &input);
    assert_eq!(told.code, Some(0), "{}", told.err);
    let empty = ".".repeat(81);
    assert_eq!(
        told.out,
        format!(
            "grid,canonical,automorphisms\n{grid},{grid},648\n{image},{grid},648\nno grid,,\n\
             {empty},{empty},3359232\n"
        )
    );
    let lines = place.feed("canon", &input);
    assert_eq!(lines.out, format!("{grid}\n{grid}\n{empty}\n{empty}\n"));
    assert_ne!(place.feed("canon --strict", &input).code, Some(0));
}

#[test]
fn puzzles_are_rated() {
    let place = Place::new();
    let hard = ".7....3.....43....5..7...2..8..7.43.....6..79...1..2..2..89.6..6.....9....1.4....";
    let empty = ".".repeat(81);
    let header = "puzzle,er,ep,ed,technique,difficulty,givens,guesses";
    let told = place.feed("rate", &format!("{hard}\n{SOLUTION}\n"));
    assert_eq!(told.code, Some(0), "{}", told.err);
    let expected = format!(
        "{header}\n{hard},3.6,3.6,3.0,Naked Triplet,hard,24,1\n{SOLUTION},0.0,0.0,0.0,,,81,0\n"
    );
    assert_eq!(told.out, expected);
    // What has no rating keeps its place and is not passed over in silence.
    let told = place.feed("rate --format csv", &format!("no puzzle\n{empty}\n"));
    assert_eq!(told.code, Some(1));
    assert_eq!(
        told.out,
        format!("{header}\nno puzzle,,,,,,,\n{empty},,,,,,,\n")
    );
    assert!(
        told.err.contains("1 of 2 lines have several solutions"),
        "{}",
        told.err
    );
    assert!(
        told.err.contains("1 of 2 lines are no puzzles"),
        "{}",
        told.err
    );
    let told = place.feed("rate --format jsonl --step-limit 1", hard);
    assert_eq!(told.code, Some(1));
    assert!(
        told.err.contains("take more steps than the limit"),
        "{}",
        told.err
    );
    assert!(told.out.contains(r#""er":null"#), "{}", told.out);
}

#[test]
fn puzzles_are_made_as_hard_as_wanted() {
    let place = Place::new();
    let told = place.succeed("make --count 5 --seed 3 --difficulty hard --format csv");
    let mut lines = told.lines();
    let header = lines.next().expect("a header");
    assert!(
        header.ends_with("max_givens_per_house,er,ep,ed,technique,difficulty"),
        "{header}"
    );
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let er: f64 = fields[6].parse().expect("a number");
        assert!((3.0..=4.4).contains(&er), "{line}");
        assert_eq!(fields[10], "hard");
        // The same again when it is asked for by itself.
        let again = place.feed("rate", fields[0]);
        let rated = again.out.lines().nth(1).expect("a row").split(',');
        assert_eq!(rated.skip(1).take(5).collect::<Vec<_>>(), fields[6..11]);
    }
    let er = place.succeed("make --count 3 --seed 3 --er 2.3..2.6 --format jsonl");
    assert_eq!(er.matches(r#""difficulty":"medium""#).count(), 3, "{er}");
    for (line, says) in [
        ("--er 1.6", "er 1.6 to 1.6"),
        (
            "--difficulty easy --require-technique X-Wing",
            "require_techniques X-Wing",
        ),
        (
            "--forbid-technique full-house",
            "forbid_techniques Full House",
        ),
        ("--difficulty extreme --givens 79..80", "Full Houses"),
    ] {
        let told = place.run(&format!("make --count 1 {line}"));
        assert_ne!(told.code, Some(0));
        assert!(told.err.contains(says), "{line}: {}", told.err);
    }
    for line in [
        "--difficulty easy --er 1.0",
        "--er 7.25",
        "--require-technique Magic",
    ] {
        assert_eq!(
            place.run(&format!("make --count 1 {line}")).code,
            Some(64),
            "{line}"
        );
    }
}

#[test]
fn puzzles_are_made_from_a_file_of_grids() {
    let place = Place::new();
    let grids = place.succeed("generate --count 50 --seed 4 --distribution uniform");
    let puzzles = place.feed("make --seed 1 --solutions - --minimal", &grids);
    assert_eq!(puzzles.code, Some(0), "{}", puzzles.err);
    assert_eq!(puzzles.out.lines().count(), 50);
    let solved = place.feed("solve", &puzzles.out);
    assert_eq!(solved.out, grids);
    // What is no complete grid is not passed over in silence.
    let wrong = place.feed("make --seed 1 --solutions -", &puzzles.out);
    assert_eq!(wrong.code, Some(1));
    assert!(
        wrong
            .err
            .contains("50 of 50 solutions are no complete grids"),
        "{}",
        wrong.err
    );
}

#[test]
fn no_two_puzzles_are_alike_where_that_is_wished() {
    let place = Place::new();
    // One grid has 81 puzzles of 80 givens, so that not all of these can have their own.
    let grids = format!("{SOLUTION}\n").repeat(100);
    let made = place.feed(
        "make --seed 1 --solutions - --givens 80 --distinct-up-to-symmetry",
        &grids,
    );
    assert_eq!(made.code, Some(1), "{}", made.err);
    let puzzles: String = made
        .out
        .lines()
        .filter(|line| line.contains(['1']))
        .fold(String::new(), |puzzles, line| puzzles + line + "\n");
    let forms = place.feed("canon", &puzzles);
    let all = forms.out.lines().count();
    let different: std::collections::BTreeSet<_> = forms.out.lines().collect();
    assert_eq!(different.len(), all);
    assert!((70..=81).contains(&all), "{all}");
    assert!(made.err.contains("distinct_up_to_symmetry"), "{}", made.err);
}

#[test]
fn a_puzzle_is_explained_step_by_step() {
    let place = Place::new();
    let told = place.succeed(&format!("explain {PUZZLE}"));
    let lines: Vec<_> = told.lines().collect();
    for (number, line) in (1..).zip(&lines[..lines.len() - 1]) {
        assert!(line.starts_with(&format!("{number}. ")), "{line}");
    }
    assert!(told.contains("Hidden Single (1."), "{told}");
    assert!(lines[lines.len() - 1].starts_with("solved: ER "), "{told}");
    let boards = place.succeed(&format!("explain {PUZZLE} --boards"));
    assert_eq!(boards.lines().count(), (lines.len() - 1) * 13 + 1);
    let guessed = place.succeed(&format!("explain {PUZZLE} --max-er 1.0"));
    assert!(guessed.contains("Guess: "), "{guessed}");
    let several = place.run(&format!("explain {}", ".".repeat(81)));
    assert_eq!(several.code, Some(1));
    assert!(several.err.contains("several solutions"), "{}", several.err);

    // The first step is the hint, and wrong entries are named.
    let hint = place.succeed(&format!("hint {PUZZLE}"));
    assert_eq!(hint.trim_end(), lines[0]);
    let mut entries = SOLUTION.replace('1', ".");
    assert!(
        place
            .succeed(&format!("hint {PUZZLE} --entries {entries}"))
            .contains(" is 1.")
    );
    entries.replace_range(0..1, "9");
    let wrong = place.run(&format!("hint {PUZZLE} --entries {entries}"));
    assert_eq!(wrong.code, Some(1));
    assert!(wrong.err.contains("wrong entries: r1c1"), "{}", wrong.err);
    assert_eq!(place.succeed(&format!("hint {SOLUTION}")), "it is solved\n");
}

#[test]
fn wishes_are_kept() {
    let place = Place::new();
    let lines = place.succeed("make --count 40 --seed 9 --givens 28..30 --symmetry diagonal");
    let mut solver = Solver::new();
    for line in lines.lines() {
        let puzzle: Puzzle = line.parse().expect("81 cells");
        assert!((28..=30).contains(&puzzle.givens()), "{line}");
        let answer = solver.solve(&puzzle, SolveLimits::UNIQUENESS, 0, Cancel::never());
        assert_eq!(answer.expect("nobody cancels").verdict, Verdict::Unique);
    }
}

#[test]
fn many_puzzles_stream_through_in_order() {
    let place = Place::new();
    // Several uploads and many chunks, a malformed line in each thousand.
    let input: String = (0..20_000)
        .map(|i| match i % 1000 {
            999 => format!("line {i}\n"),
            _ => format!("{PUZZLE}\n"),
        })
        .collect();
    let solved = place.feed("solve --format csv", &input);
    assert_eq!(solved.out.lines().count(), 20_001);
    for (i, row) in solved.out.lines().skip(1).enumerate() {
        match i % 1000 {
            999 => assert_eq!(row, format!("line {i},malformed,0,")),
            _ => assert_eq!(row, format!("{PUZZLE},unique,1,{SOLUTION}")),
        }
    }
    assert!(
        solved.err.starts_with("20 of 20000 inputs are malformed"),
        "{}",
        solved.err
    );
}

#[test]
fn a_reader_that_leaves_ends_the_work_quietly() {
    let place = Place::new();
    let mut process = Process::start(place.command("generate --count 100000000 --seed 1"));
    assert_eq!(process.first_line().len(), 82);
    let ended = process.end();
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    assert!(place.is_tidy());
}

#[test]
fn an_interrupt_cancels_the_work_and_leaves_nothing() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let place = Place::new();
        let mut command = place.command("generate --count 1000000000 --output grids.txt");
        command.stdout(Stdio::null());
        let mut process = Process::start(command);
        process.wait_for("seed ");
        process.signal(signal);
        assert_eq!(process.end().code, Some(code));
        assert!(!place.path("grids.txt").exists() && !place.path("grids.txt.part").exists());
        assert!(place.is_tidy());
    }
}

#[test]
fn a_named_database_is_kept() {
    let place = Place::new();
    place.succeed("generate --count 10 --seed 1 --database sqlite:mill.db");
    assert!(place.path("mill.db").exists());
    let server = crate::run::Server::start(&place);
    let list = place.succeed(&format!("job list {}", server.option()));
    assert!(
        list.contains("SUCCEEDED") && list.contains("10/10"),
        "{list}"
    );
}

#[test]
fn what_cannot_be_done_has_its_exit_code() {
    let place = Place::new();
    for (line, code, word) in [
        ("generate", 64, "--count"),
        ("make --count 1 --givens 1..5", 64, "IMPOSSIBLE"),
        (
            "make --count 1 --pattern xx",
            64,
            "expected 81 characters, found 2",
        ),
        ("make --seed 1", 64, "--count"),
        ("generate --count 99999999999999 --seed 1", 64, "TOO_LARGE"),
        ("solve missing.txt", 66, "missing.txt"),
        (
            "generate --count 1 --output missing/grids.txt",
            73,
            "missing/grids.txt",
        ),
        (
            "generate --count 1 --server http://127.0.0.1:1",
            69,
            "no server at http://127.0.0.1:1",
        ),
        ("job list --server http://127.0.0.1:1", 69, "no server"),
        (
            "generate --count 1 --database sqlite:missing/mill.db",
            64,
            "--database sqlite:missing/mill.db: there is no directory missing",
        ),
        ("bench solve missing.txt --engine warp", 64, "--engine"),
    ] {
        let ended = place.run(line);
        assert_eq!(ended.code, Some(code), "{line}: {}", ended.err);
        assert!(ended.err.contains(word), "{line}: {}", ended.err);
        assert_eq!(ended.out, "", "{line}");
    }
    assert!(place.is_tidy());
}

#[test]
fn places_without_a_puzzle_are_an_exit_code() {
    let place = Place::new();
    // So few that no search finds them.
    let ended = place.run("make --count 1 --seed 1 --givens 17 --symmetry full --output out.txt");
    assert_eq!(ended.code, Some(1), "{}", ended.err);
    assert!(
        ended.err.contains("1 of 1 puzzles were not found"),
        "{}",
        ended.err
    );
    assert_eq!(place.read("out.txt"), ".".repeat(81) + "\n");
}

#[test]
fn the_database_of_a_killed_command_is_removed_by_the_next() {
    let place = Place::new();
    let mut process =
        Process::start(place.command("generate --count 1000000000 --output grids.txt"));
    process.wait_for("seed ");
    process.signal(Signal::KILL);
    process.end();
    let left = fs::read_dir(place.path("tmp")).expect("it is there").next();
    let lock = left
        .expect("a directory")
        .expect("it can be read")
        .path()
        .join("jobs.db");
    let lock = File::options().write(true).open(lock).expect("a lock");
    // A fresh one may belong to a command that has not locked it yet.
    let created = lock
        .metadata()
        .and_then(|file| file.modified())
        .expect("a time");
    lock.set_modified(created - Duration::from_hours(1))
        .expect("it is ours");
    place.succeed("generate --count 1 --seed 1");
    assert!(place.is_tidy());
}

#[test]
fn the_core_is_measured_alone() {
    let place = Place::new();
    place.write("in.txt", &format!("{PUZZLE}\n"));
    let bench = |line: &str| {
        let out = place.succeed(line);
        serde_json::from_str::<serde_json::Value>(&out).expect("one line of JSON")
    };
    let portable = place
        .command("bench solve in.txt")
        .env(ENGINE, "portable")
        .output();
    let portable = portable.expect("the binary starts").stdout;
    let portable: serde_json::Value = serde_json::from_slice(&portable).expect("JSON");
    assert_eq!(portable["isa"], "portable", "{portable}");
    let one = bench("bench solve in.txt --engine single");
    let two = bench("bench solve in.txt --threads 2 --limit 2");
    assert_eq!(one["checksum"], two["checksum"]);
    assert_eq!(one["checksum"], portable["checksum"]);
    assert_eq!(one["engine"], "single");
    for measured in [
        &one,
        &bench("bench generate --count 1000"),
        &bench("bench make --count 10"),
    ] {
        for key in ["items", "seconds", "cpu_seconds", "items_per_second"] {
            assert!(measured[key].as_f64().expect(key) > 0.0, "{measured}");
        }
        assert_eq!(measured["isa"], Isa::current().name(), "{measured}");
    }
}

#[test]
fn every_engine_gives_the_same_answers() {
    let place = Place::new();
    place.write("in.txt", &format!("{PUZZLE}\n{}\n", ".".repeat(81)));
    for line in [
        "solve in.txt --format csv --count-limit 100",
        "generate --count 1000 --seed 5",
        "make --count 20 --seed 5",
    ] {
        let expected = place.succeed(line);
        for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
            let output = place.command(line).env(ENGINE, isa.name()).output();
            let output = output.expect("the binary starts");
            assert!(output.status.success(), "{isa}: {line}");
            assert_eq!(output.stdout, expected.as_bytes(), "{isa}: {line}");
        }
    }
}
