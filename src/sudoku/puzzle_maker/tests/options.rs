//! Which numbers of givens there may be, and what is refused.

use super::*;

fn givens(symmetry: Symmetry, range: RangeInclusive<u8>) -> Result<RangeInclusive<u8>, Impossible> {
    let wishes = Wishes {
        symmetry,
        givens: Some(range),
        ..Wishes::any(1)
    };
    MakeOptions::new(wishes).map(|options| options.givens().clone())
}

#[test]
fn numbers_that_no_puzzle_has_are_refused() {
    assert_eq!(
        givens(Symmetry::None, 0..=16),
        Err(Impossible::Givens { min: 0, max: 16 })
    );
    assert_eq!(
        givens(Symmetry::None, 82..=200),
        Err(Impossible::Givens { min: 82, max: 200 })
    );
    #[expect(clippy::reversed_empty_ranges, reason = "what a client may send")]
    let reversed = givens(Symmetry::None, 30..=25);
    let error = reversed.expect_err("an empty range");
    assert_eq!(
        error.to_string(),
        "givens 30 to 25: no number is in that range"
    );
    assert_eq!(givens(Symmetry::None, 0..=255), Ok(17..=81));
}

#[test]
fn numbers_that_the_orbits_do_not_add_up_to_are_refused() {
    // A quarter turn moves four cells at a time, but for the one in the middle.
    let error = givens(Symmetry::Rotational90, 22..=23).expect_err("neither 4k nor 4k + 1");
    assert_eq!(
        error,
        Impossible::Together {
            givens: (22, 23),
            per_house: (0, 9),
            symmetry: Symmetry::Rotational90,
            wish: "givens"
        }
    );
    assert!(error.to_string().contains("rotational-90"));
    assert_eq!(givens(Symmetry::Rotational90, 22..=27), Ok(24..=25));
    assert_eq!(givens(Symmetry::Rotational180, 22..=23), Ok(22..=23));
}

#[test]
fn without_a_number_the_puzzle_is_minimal() {
    let options = MakeOptions::new(Wishes::any(1)).expect("no wish at all");
    assert!(options.minimal());
}

#[test]
fn a_pattern_must_leave_no_two_lines_to_exchange() {
    let without_rows = |rows: [u8; 2]| {
        let cells = Cell::all().filter(|cell| !rows.contains(&cell.row()));
        MakeOptions::new(Wishes {
            pattern: Pattern::from(cells.collect::<CellSet>()),
            ..Wishes::any(1)
        })
    };
    let error = without_rows([3, 5]).expect_err("rows 4 and 6 can be exchanged");
    assert_eq!(error.wish(), "pattern");
    assert!(error.to_string().contains("row 4 and row 6"), "{error}");
    let options = without_rows([2, 3]).expect("rows of two bands");
    assert_eq!(*options.givens(), 17..=63);
    // With a mirror, what must stay empty is as much again.
    let rows = [0, 7].map(|row| House::all().nth(row).expect("a row").cell_set());
    let error = MakeOptions::new(Wishes {
        pattern: CellSet::ALL.difference(rows[0].union(rows[1])).into(),
        symmetry: Symmetry::MirrorTopBottom,
        ..Wishes::any(1)
    });
    assert_eq!(error.expect_err("rows 1, 2, 8, 9").wish(), "pattern");
}

#[test]
fn houses_and_the_number_of_givens_must_fit() {
    let ask = |givens, min, max| {
        let wishes = Wishes {
            givens,
            givens_per_house: Some(PerHouse { min, max }),
            ..Wishes::any(1)
        };
        MakeOptions::new(wishes).map(|options| options.givens().clone())
    };
    assert_eq!(ask(None, 0, 9), Ok(17..=81));
    assert_eq!(ask(None, 2, 4), Ok(18..=36));
    assert_eq!(ask(Some(20..=30), 3, 9), Ok(27..=30));
    for (givens, min, max) in [(Some(20..=26), 3, 9), (Some(40..=50), 0, 4)] {
        assert_eq!(ask(givens, min, max).expect_err("too few").wish(), "givens");
    }
    let error = MakeOptions::new(Wishes {
        symmetry: Symmetry::Rotational90,
        givens_per_house: Some(PerHouse { min: 2, max: 2 }),
        ..Wishes::any(1)
    });
    let error = error.expect_err("18 is neither 4k nor 4k + 1");
    assert_eq!(error.wish(), "givens_per_house");
    assert!(
        error.to_string().contains("2 to 2 givens in a house"),
        "{error}"
    );
    for (min, max) in [(4, 3), (0, 1), (10, 20)] {
        let error = ask(None, min, max).expect_err("no house is so");
        assert_eq!(error.wish(), "givens_per_house");
    }
}

#[test]
fn a_complete_grid_is_no_puzzle_to_speak_of() {
    let complete = Wishes {
        givens: Some(81..=81),
        ..Wishes::any(1)
    };
    assert!(MakeOptions::new(complete.clone()).is_ok());
    let minimal = Wishes {
        minimal: true,
        ..complete.clone()
    };
    assert_eq!(MakeOptions::new(minimal), Err(Impossible::Complete));
    let hard = Wishes {
        guesses: 1..=2,
        ..complete
    };
    assert_eq!(MakeOptions::new(hard), Err(Impossible::Complete));
}

#[test]
fn a_range_of_guesses_has_a_number() {
    let ask = |guesses| {
        let wishes = Wishes {
            guesses,
            ..Wishes::any(1)
        };
        MakeOptions::new(wishes)
    };
    assert!(ask(3..=3).is_ok());
    #[expect(clippy::reversed_empty_ranges, reason = "what a client may send")]
    let error = ask(4..=3).expect_err("an empty range");
    assert_eq!(error.wish(), "guesses");
}
