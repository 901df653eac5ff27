//! What is asked for: an index, a remake, a solution.

use super::*;

#[test]
fn a_given_solution_is_kept() {
    let solution = make(&options(Symmetry::None, None, false), 5..6)[0].solution;
    let options = options(Symmetry::Full, None, false);
    let mut maker = PuzzleMaker::new(1, options.clone());
    let made = [(0, 0), (0, 1), (1, 0)].map(|(index, remake)| {
        let ask = Ask {
            index,
            remake,
            solution: Some(solution),
        };
        match maker.make(ask, Cancel::never()) {
            Ok(Made::Puzzle(made)) => made,
            other => panic!("{other:?}"),
        }
    });
    for made in &made {
        check(made, &options);
        assert_eq!(made.solution, solution);
    }
    let [first, again, other] = made.map(|made| made.puzzle);
    assert!(first != again && first != other && again != other);
}

#[test]
fn a_puzzle_made_again_is_another_one_and_the_same_in_any_company() {
    let options = options(Symmetry::None, None, false);
    let ask = |index, remake| Ask {
        index,
        remake,
        solution: None,
    };
    let asks: Vec<_> = (0..100)
        .flat_map(|index| (0..3).map(move |remake| (index, remake)))
        .map(|(index, remake)| ask(index, remake))
        .collect();
    let mut together = Vec::new();
    let mut maker = PuzzleMaker::new(4, options.clone());
    maker
        .make_all(asks.clone(), Cancel::never(), |ask, made| {
            together.push((ask, made));
        })
        .expect("nobody cancels");
    together.sort_unstable_by_key(|(ask, _)| (ask.index, ask.remake));
    let alone = |ask: Ask| {
        let mut maker = PuzzleMaker::new(4, options.clone());
        (
            ask,
            maker.make(ask, Cancel::never()).expect("nobody cancels"),
        )
    };
    assert_eq!(together, asks.into_iter().map(alone).collect::<Vec<_>>());
    for (number, &(_, made)) in together.iter().enumerate() {
        let Made::Puzzle(made) = made else {
            panic!("{number} is found")
        };
        check(&made, &options);
        let twins = together
            .iter()
            .filter(|(_, other)| *other == Made::Puzzle(made));
        assert_eq!(twins.count(), 1);
    }
}
