//! What must never change within a version.

use super::*;

#[test]
fn a_seed_and_an_index_stand_for_one_puzzle_for_ever() {
    // If this fails, what clients were promised to be the same is not: raise
    // `GENERATOR_VERSION`.
    let any = Wishes::any(100_000);
    for (wishes, expected) in [
        (
            any.clone(),
            [
                "....3.7243..4........98.63..678..2...32......1.........7.6..89..5...937........45",
                "1......6..3.1.4...9....874...1...........2..8....4.5.28.5...2.3..74........5..4..",
            ],
        ),
        (
            Wishes {
                givens: Some(30..=32),
                ..any.clone()
            },
            [
                "....3.7243..4....9...98.63.5678..2...32.....81.........7.6..89..5...937........45",
                "1...7..6..3.1.48.59..6.8741..1...........2..8....4.5728.5...293..748.......5.94..",
            ],
        ),
        (
            Wishes {
                symmetry: Symmetry::Rotational180,
                ..any.clone()
            },
            [
                "...5...2.32.4.7..9.45........78..21..3.7.1.5..84..59........89.2..1.9.76.9...8...",
                ".....53697.......5..2.3..4....86.9..47.....18..8.41....4..1.2..2.......66135.....",
            ],
        ),
        (
            Wishes {
                givens_per_house: Some(PerHouse { min: 2, max: 4 }),
                guesses: 1..=u64::MAX,
                ..any
            },
            [
                "..9.3..8..2.8......35.....7.....52...7..2.1....8..6.7.98..5...4...9...3.7....1.6.",
                ".6..9..4.2.....8...8..437.....9..4.........973.5..4..1.......78..675.9..8....1...",
            ],
        ),
    ] {
        let mut maker = PuzzleMaker::new(1, possible(wishes.clone()));
        let made = [0_u64, 1].map(|index| match maker.make(index, Cancel::never()) {
            Ok(Made::Puzzle(made)) => made.puzzle.to_string(),
            other => panic!("{other:?}"),
        });
        assert_eq!(made, expected, "{wishes:?}");
    }
}
