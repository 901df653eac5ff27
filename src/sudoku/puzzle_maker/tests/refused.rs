//! Wishes of a rating that no puzzle meets.

use super::rated::set;
use super::*;
use crate::sudoku::logic::technique::Technique;

fn refused(wishes: Wishes, wish: &str, text: &str) {
    let error = MakeOptions::new(wishes).expect_err(text);
    assert_eq!((error.wish(), error.to_string().as_str()), (wish, text));
}

#[test]
fn wishes_that_no_rating_meets_are_refused() {
    let any = Wishes::any(1);
    let of_er = |er| Wishes {
        er: Some(er),
        ..any.clone()
    };
    #[expect(clippy::reversed_empty_ranges, reason = "what a client may send")]
    let reversed = of_er(30..=20);
    refused(reversed, "er", "er 3.0 to 2.0: no step is worth that");
    for er in [0..=9, 13..=14, 16..=16, 19..=19, 55..=55, 130..=200] {
        let (min, max) = er.clone().into_inner();
        let tenths = |er| format!("{}.{}", er / 10, er % 10);
        let (min, max) = (tenths(min), tenths(max));
        refused(
            of_er(er),
            "er",
            &format!("er {min} to {max}: no step is worth that"),
        );
    }
    refused(
        Wishes {
            require: set(&[Technique::XWing]),
            forbid: set(&[Technique::XWing]),
            ..any.clone()
        },
        "require_techniques",
        "require_techniques X-Wing: it is forbidden too",
    );
    refused(
        Wishes {
            require: set(&[Technique::XWing]),
            ..of_er(10..=31)
        },
        "require_techniques",
        "require_techniques X-Wing: it is worth 3.2 at least, and er ends at 3.1",
    );
    refused(
        Wishes {
            require: set(&[Technique::DirectClaiming]),
            ..any.clone()
        },
        "require_techniques",
        "require_techniques Direct Claiming: another technique always comes before it",
    );
    refused(
        Wishes {
            forbid: set(&[Technique::FullHouse]),
            ..any.clone()
        },
        "forbid_techniques",
        "forbid_techniques Full House: the last step of every puzzle is one",
    );
    refused(
        Wishes {
            forbid: set(&[Technique::XyWing, Technique::XyzWing]),
            ..of_er(42..=44)
        },
        "forbid_techniques",
        "forbid_techniques: all that is worth er 4.2 to 4.4 is forbidden",
    );
}

#[test]
fn full_houses_alone_meet_few_wishes() {
    let any = Wishes::any(1);
    let few_empty = |wish| {
        format!(
            "{wish} with 78 givens or more: all steps are Full Houses then, worth 1.0, and a complete grid takes none"
        )
    };
    let full = Wishes {
        givens: Some(78..=80),
        ..any.clone()
    };
    refused(
        Wishes {
            er: Some(12..=20),
            ..full.clone()
        },
        "er",
        &few_empty("er"),
    );
    refused(
        Wishes {
            require: set(&[Technique::HiddenSingle]),
            ..full.clone()
        },
        "require_techniques",
        &few_empty("require_techniques"),
    );
    let easy = Wishes {
        er: Some(10..=10),
        require: set(&[Technique::FullHouse]),
        ..full
    };
    assert_eq!(make(&possible(easy), 0..1)[0].rating.expect("rated").er, 10);
    let complete = Wishes {
        givens: Some(81..=81),
        er: Some(0..=0),
        ..any
    };
    let made = make(&possible(complete.clone()), 0..1)[0];
    assert_eq!(made.rating, Some(Rating::default()));
    let error = MakeOptions::new(Wishes {
        er: Some(10..=15),
        ..complete
    });
    assert_eq!(error.expect_err("no step").wish(), "er");
}
