//! Walks are those of the plain way, and keep what is promised.

use super::plain::{assert_plain, one_by_one, together};
use super::*;
use crate::sudoku::puzzle_maker::walk::Walker;
use crate::sudoku::solve::naive;

/// Steps without fewer givens in a walk.
const IN_VAIN: u64 = 300;

/// Walks the plain way: every puzzle that might come of a step is looked at in turn, and its
/// solutions are counted.
struct Plain<'a> {
    options: &'a MakeOptions,
    solution: Grid,
    solver: Solver,
}

impl Plain<'_> {
    fn puzzle(&self, given: CellSet) -> Puzzle {
        let mut cells = [0; 81];
        for cell in given.iter() {
            cells[cell.index()] = self.solution.cells()[cell.index()];
        }
        Puzzle::from_checked(cells)
    }

    fn is_good(&mut self, given: CellSet) -> bool {
        let min = usize::from(*self.options.givens().start());
        let per_house = self.options.givens_per_house();
        let is_enough = given.len() >= min && per_house.is_none_or(|of| of.has_enough(given));
        let puzzle = self.puzzle(given);
        let limits = SolveLimits::UNIQUENESS;
        let answer = self.solver.solve(&puzzle, limits, 0, Cancel::never());
        (is_enough || self.options.minimal())
            && answer.expect("nobody cancels").verdict == Verdict::Unique
    }

    fn dig(&mut self, orbits: &[CellSet], mut given: CellSet) -> CellSet {
        for &orbit in orbits {
            let without = given.difference(orbit);
            if without != given && self.is_good(without) {
                given = without;
            }
        }
        given
    }

    /// The first that one orbit makes in the place of those that go.
    fn exchanged(
        &mut self,
        orbits: &[CellSet],
        given: CellSet,
        gone: CellSet,
        sizes: Range<usize>,
    ) -> Option<CellSet> {
        let rest = orbits
            .iter()
            .filter(|orbit| orbit.intersection(given).is_empty());
        rest.filter(|orbit| sizes.contains(&orbit.len()))
            .map(|&orbit| given.difference(gone).union(orbit))
            .find(|&next| self.is_good(next))
    }

    fn step(&mut self, orbits: &[CellSet], given: CellSet) -> Option<CellSet> {
        let of_given = orbits.iter().copied();
        let of_given: Vec<_> = of_given
            .filter(|orbit| !orbit.intersection(given).is_empty())
            .collect();
        for (at, &first) in of_given.iter().enumerate() {
            for &second in &of_given[at..] {
                let gone = first.union(second);
                if let Some(next) = self.exchanged(orbits, given, gone, 0..gone.len()) {
                    return Some(self.dig(orbits, next));
                }
            }
        }
        of_given.into_iter().find_map(|gone| {
            let size = gone.len();
            self.exchanged(orbits, given, gone, size..size + 1)
        })
    }
}

/// What so many steps make of an item whose first tries were in vain.
pub(super) fn plainly(
    options: &MakeOptions,
    rng: &mut Rng,
    orbits: &mut [CellSet],
    mut steps: u64,
    rejections: &mut Rejections,
) -> Option<Puzzle> {
    let (min, max) = options.givens().clone().into_inner();
    let per_house = options.givens_per_house();
    while steps > 0 {
        let mut plain = Plain {
            options,
            solution: draw(rng),
            solver: Solver::new(),
        };
        rng.shuffle(orbits);
        steps -= 1;
        let all = orbits.iter().copied().fold(CellSet::EMPTY, CellSet::union);
        if !is_unique(&plain.puzzle(all)) {
            rejections.pattern += 1;
            continue;
        }
        let mut given = plain.dig(orbits, all);
        let mut in_vain = 0;
        loop {
            let puzzle = plain.puzzle(given);
            if given.len() > usize::from(max) {
                rejections.givens += 1;
            } else if given.len() < usize::from(min) {
                rejections.minimal += 1;
                break;
            } else if per_house.is_some_and(|wanted| !wanted.is_met(given)) {
                rejections.givens_per_house += 1;
            } else if !options.guesses().contains(&guesses(&puzzle)) {
                rejections.guesses += 1;
            } else {
                return Some(puzzle);
            }
            if steps == 0 || in_vain == IN_VAIN {
                break;
            }
            rng.shuffle(orbits);
            let Some(next) = plain.step(orbits, given) else {
                break;
            };
            steps -= 1;
            in_vain = if next.len() < given.len() {
                0
            } else {
                in_vain + 1
            };
            given = next;
        }
    }
    None
}

/// Wishes that the first tries do not meet, of every kind; and how many items of each the plain way
/// makes in short time.
fn rare() -> Vec<(Wishes, u64)> {
    let rare = |symmetry, givens, minimal, step_limit| Wishes {
        symmetry,
        givens: Some(givens),
        minimal,
        ..Wishes::any(step_limit)
    };
    let half_turn = rare(Symmetry::Rotational180, 18..=23, false, 90);
    vec![
        (rare(Symmetry::None, 20..=20, false, 74), 2),
        (rare(Symmetry::None, 19..=20, true, 68), 2),
        (rare(Symmetry::Rotational180, 20..=22, true, 90), 3),
        (rare(Symmetry::Diagonal, 17..=20, true, 90), 3),
        (rare(Symmetry::Full, 20..=21, false, 400), 3),
        // Walks that end since nothing comes of so many steps.
        (rare(Symmetry::BothDiagonals, 20..=20, false, 700), 1),
        (
            Wishes {
                pattern: ring().into(),
                ..rare(Symmetry::Rotational90, 17..=21, false, 200)
            },
            3,
        ),
        (
            Wishes {
                givens_per_house: Some(PerHouse { min: 1, max: 4 }),
                ..half_turn.clone()
            },
            3,
        ),
        (
            Wishes {
                givens_per_house: Some(PerHouse { min: 1, max: 4 }),
                minimal: true,
                ..half_turn.clone()
            },
            3,
        ),
        (
            Wishes {
                guesses: 1..=u64::MAX,
                ..half_turn
            },
            3,
        ),
    ]
}

#[test]
fn walks_are_those_of_the_plain_way() {
    for (wishes, count) in rare() {
        let options = possible(wishes);
        assert_plain(&options, count, one_by_one(&options, 0..count));
    }
}

#[test]
fn company_changes_no_walk() {
    let mut found = 0;
    for (wishes, _) in rare() {
        let options = possible(Wishes {
            step_limit: 300,
            ..wishes
        });
        let alone = one_by_one(&options, 0..12);
        for made in &alone.0 {
            if let Made::Puzzle(made) = made {
                check(made, &options);
                found += 1;
            }
        }
        for size in [5, 12] {
            assert!(
                together(&options, 0..12, size) == alone,
                "{options:?} {size}"
            );
        }
    }
    assert!(found > 50, "{found}");
}

#[test]
fn few_givens_are_found() {
    for (givens, minimal, count) in [
        (19, false, 2),
        (20, false, 20),
        (20, true, 20),
        (21, true, 20),
    ] {
        let options = options(Symmetry::None, Some(givens..=givens), minimal);
        for made in make(&options, 0..count) {
            check(&made, &options);
            let answer = naive::solve(&made.puzzle, SolveLimits::UNIQUENESS, 1, Cancel::never());
            assert_eq!(answer.expect("nobody cancels").verdict, Verdict::Unique);
        }
    }
    let options = options(Symmetry::Rotational180, Some(17..=22), true);
    for made in make(&options, 0..5) {
        check(&made, &options);
    }
}

#[test]
fn a_given_solution_is_kept_on_walks() {
    let options = options(Symmetry::None, Some(20..=20), false);
    let solution = draw(&mut Rng::keyed(3, 0));
    let mut maker = PuzzleMaker::new(1, options.clone());
    let asks = [0, 1].map(|index| Ask {
        solution: Some(solution),
        ..Ask::from(index)
    });
    let made = asks.map(|ask| match maker.make(ask, Cancel::never()) {
        Ok(Made::Puzzle(made)) => made,
        other => panic!("{other:?}"),
    });
    for made in &made {
        check(made, &options);
        assert_eq!(made.solution, solution);
    }
    assert_ne!(made[0].puzzle, made[1].puzzle);
    let mut together = Vec::new();
    maker
        .make_all(asks, Cancel::never(), |_, of| together.push(of))
        .expect("nobody cancels");
    assert!(
        made.into_iter()
            .all(|made| together.contains(&Made::Puzzle(made)))
    );
}

#[test]
fn walks_end_at_the_step_limit() {
    for step_limit in [63, 64, 65, 66, 90, 1000] {
        for symmetry in [Symmetry::None, Symmetry::Full] {
            let options = limited(symmetry, Some(17..=17), true, step_limit);
            let (made, rejections) = one_by_one(&options, 0..3);
            assert_eq!(made, [Made::NotFound; 3]);
            let counted = Rejections {
                givens: 3 * step_limit,
                ..Rejections::default()
            };
            assert_eq!(rejections, counted, "{symmetry} {step_limit}");
        }
    }
}

#[test]
fn a_raised_flag_ends_a_walk() {
    let flag = std::sync::atomic::AtomicBool::new(true);
    let options = options(Symmetry::None, Some(17..=17), false);
    let mut solver = Solver::new();
    let mut walker = Walker {
        options: &options,
        solution: draw(&mut Rng::keyed(0, 0)),
        rng: &mut Rng::keyed(0, 0),
        order: &mut std::array::from_fn(|at| u8::try_from(at).expect("below 81")),
        rejections: &mut Rejections::default(),
        solver: &mut solver,
        cancel: Cancel(&flag),
    };
    assert_eq!(walker.walk(&mut 1000), Err(Cancelled));
}

#[test]
fn a_seed_and_an_index_stand_for_one_walk_for_ever() {
    // As with what is dug: if this fails, raise `GENERATOR_VERSION`.
    let options = options(Symmetry::None, Some(20..=20), false);
    let made = make(&options, 0..2);
    let made: Vec<_> = made.iter().map(|made| made.puzzle.to_string()).collect();
    assert_eq!(
        made,
        [
            ".2.3........8.......5....1.......74.1..2......3...9.5...7.85...9...7.5........2.8",
            ".......972...5....4..........9.......1.6..2.5..7.3.6....3..5.418............98...",
        ]
    );
}
