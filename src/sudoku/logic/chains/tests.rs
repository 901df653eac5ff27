use super::*;
use crate::sudoku::cell::Cell;
use crate::sudoku::logic::budget::{Budget, Halt};
use crate::sudoku::logic::path::{self, Known};
use crate::sudoku::puzzle::Puzzle;
use crate::sudoku::solve::Cancel;
use std::sync::atomic::AtomicBool;

/// A puzzle (own, CC0), its ER, EP and ED by Sudoku Explainer, and the first step by a technique on its way:
/// what it is worth and takes away.
type Example = (
    &'static str,
    (u16, u16, u16),
    Technique,
    u16,
    &'static [u16],
);

const EXAMPLES: &[Example] = &[
    (
        "....6.3.........2613.5..9.......6.9.2.7......4..8531....8.39....9...5..1...28..6.",
        (65, 12, 12),
        Technique::XCycle,
        65,
        &[78, 654, 663],
    ),
    (
        ".........39..2.5.....16...97...8..1..3.....9....3.7....1....48.42.6....76....31..",
        (66, 12, 12),
        Technique::TurbotFish,
        66,
        &[413],
    ),
    (
        "......86...5.8...3.....6.1...8.14....2.5.......7.6832.1......46.63.57............",
        (67, 12, 12),
        Technique::ForcingXChain,
        67,
        &[73],
    ),
    (
        "...26..7.7.4......2..49...........9...5.742.61...3......6.2..4......852..8...37.1",
        (67, 12, 12),
        Technique::YCycle,
        67,
        &[430, 17],
    ),
    (
        ".....2.9.....48.5..16......15.8.32.7.8...9...........5....81..6...2.....7....43..",
        (70, 12, 12),
        Technique::Cycle,
        70,
        &[11, 92, 497],
    ),
    (
        "..36.2.85...5....1......4.3.7...9.1.6...8.9.21...6....8..........7..1.4..4.32..7.",
        (71, 12, 12),
        Technique::ForcingChain,
        71,
        &[180],
    ),
    (
        "..61..4...........9....73......731....8.2.....2.6...9..92..8....5..41..7......8..",
        (76, 12, 12),
        Technique::NishioForcingChains,
        76,
        &[136],
    ),
    (
        ".35216........3...926......7....2....9.4....2......78.....4..59...12......18..4..",
        (82, 12, 12),
        Technique::RegionForcingChains,
        82,
        &[75],
    ),
    (
        ".143..89..5......16...4....2...7..34.......1.....32.5..........37...8....8....9.5",
        (83, 12, 12),
        Technique::CellForcingChains,
        83,
        &[589],
    ),
    (
        ".1...25....8.....16...3.8..7..1.5..9.4..7...5.....6.1..91.843..46..1.9..8......5.",
        (88, 12, 12),
        Technique::DynamicCellForcing,
        87,
        &[181],
    ),
    (
        "6.25...7.......4..8...6.9.......4....2....78.5..81...9..518...3.3.4.28......9....",
        (89, 12, 12),
        Technique::DynamicRegionForcing,
        89,
        &[396],
    ),
    (
        ".....3.5..3.1...4868.7......238.5.9..9.2.1.7.7..............9...683....1..2.....4",
        (90, 12, 12),
        Technique::DynamicContradiction,
        89,
        &[206],
    ),
];

fn board(puzzle: &str) -> Pencilmarks {
    Pencilmarks::new(&puzzle.parse::<Puzzle>().unwrap())
}

/// The steps of a puzzle, each with the board before it, and the board at the end.
fn way(puzzle: &str) -> (Vec<(Pencilmarks, Step)>, Pencilmarks) {
    let mut marks = board(puzzle);
    let mut steps = Vec::new();
    while !marks.is_solved() {
        let step = path::next(
            &marks,
            Known::OneSolution,
            u16::MAX,
            &mut Budget::unlimited(),
        );
        let step = step.unwrap().expect("the techniques solve it");
        let before = marks.clone();
        step.apply(&mut marks);
        steps.push((before, step));
    }
    (steps, marks)
}

fn is_sound(step: &Step, solution: &Pencilmarks) -> bool {
    let is_true = |of: &Candidate| solution.digit(of.cell()) == of.digit().value();
    step.placement.iter().all(is_true) && !step.eliminations.iter().any(is_true)
}

#[test]
fn each_technique_takes_away_what_it_does_on_the_scale() {
    for &(puzzle, rating, technique, worth, gone) in EXAMPLES {
        let (steps, end) = way(puzzle);
        let rows = end.digits().chunks(9);
        assert!(
            rows.into_iter()
                .all(|row| (1..=9).all(|d| row.contains(&d)))
        );
        let found = path::rate(board(puzzle), &mut Budget::unlimited())
            .unwrap()
            .unwrap();
        assert_eq!((found.er, found.ep, found.ed), rating, "{puzzle}");
        let mut of_it = steps.iter().filter(|(_, step)| step.technique == technique);
        let (before, step) = of_it.next().unwrap_or_else(|| panic!("{technique}"));
        let mut eliminations: Vec<_> = step.eliminations.iter().map(|of| of.index()).collect();
        let mut gone = gone.to_vec();
        eliminations.sort_unstable();
        gone.sort_unstable();
        assert_eq!((step.er_tenths, eliminations), (worth, gone), "{technique}");
        assert!(!step.evidence.is_empty());
        assert!(
            step.evidence.iter().all(|&of| before.has(of)),
            "{technique}"
        );
        assert!(
            steps.iter().all(|(_, step)| is_sound(step, &end)),
            "{puzzle}"
        );
    }
}

#[test]
fn a_puzzle_on_its_side_is_rated_the_same() {
    // Above 7.5 the order of the cells may decide.
    for (puzzle, rating, ..) in EXAMPLES.iter().filter(|example| example.1.0 < 75) {
        let cells: Vec<char> = puzzle.chars().collect();
        let turned: String = (0..81).map(|cell| cells[cell % 9 * 9 + cell / 9]).collect();
        let found = path::rate(board(&turned), &mut Budget::unlimited())
            .unwrap()
            .unwrap();
        assert_eq!((found.er, found.ep, found.ed), *rating, "{puzzle}");
    }
}

#[test]
fn all_that_branches_is_sound_and_worth_what_its_kind_is() {
    let (puzzle, ..) = EXAMPLES[11];
    let (steps, end) = way(puzzle);
    let hard = steps.iter().find(|(_, step)| step.er_tenths >= 85);
    let (before, _) = hard.expect("it has a hard step");
    let mut budget = Budget::unlimited();
    let mut desk = Desk::new(&mut budget);
    // Dynamic chains within dynamic chains take seconds.
    for kind in Forcing::ALL.into_iter().take(6) {
        let Some(step) = forcing(before, kind, &mut desk).unwrap() else {
            assert!(!kind.is_dynamic || kind.is_nishio, "{kind:?}");
            continue;
        };
        assert!(step.er_tenths >= kind.base, "{kind:?}");
        assert!(is_sound(&step, &end), "{kind:?}");
    }
}

#[test]
fn a_chain_lost_with_its_end_is_not_found() {
    for &(puzzle, _, technique, ..) in EXAMPLES.iter().take(6) {
        let (steps, _) = way(puzzle);
        let mut of_it = steps.iter().filter(|(_, step)| step.technique == technique);
        let (before, step) = of_it.next().unwrap_or_else(|| panic!("{technique}"));
        // Without what it takes away, the same chain has nothing to say.
        let mut marks = before.clone();
        for gone in &step.eliminations {
            marks.eliminate(gone.cell(), gone.digit());
        }
        let next = unary(&marks, &mut Desk::new(&mut Budget::unlimited())).unwrap();
        assert!(next.is_none_or(|next| next.evidence != step.evidence));
    }
}

#[test]
fn a_raised_flag_ends_it() {
    let raised = AtomicBool::new(true);
    let mut budget = Budget::new(u64::MAX, Cancel(&raised));
    let marks = board(EXAMPLES[0].0);
    let mut desk = Desk::new(&mut budget);
    assert_eq!(unary(&marks, &mut desk), Err(Halt::Cancelled));
    for kind in Forcing::ALL {
        assert_eq!(forcing(&marks, kind, &mut desk), Err(Halt::Cancelled));
    }
}

#[test]
fn a_budget_ends_it_where_it_is_spent() {
    let spent = |steps, kind| {
        let mut budget = Budget::new(steps, Cancel::never());
        let found = forcing(&board(EXAMPLES[0].0), kind, &mut Desk::new(&mut budget));
        (found, budget.left())
    };
    for kind in Forcing::ALL {
        assert_eq!(spent(50, kind), (Err(Halt::StepLimit), 0));
    }
    let (found, left) = spent(5_000, Forcing::DYNAMIC);
    assert!(found.is_ok() && left > 0);
    let (again, none) = spent(5_000 - left, Forcing::DYNAMIC);
    assert_eq!((again, none), (found, 0));
}

#[test]
fn length_adds_a_tenth_at_each_threshold() {
    let thresholds = [4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256];
    for complexity in 2..300 {
        let exceeded = thresholds.iter().filter(|&&least| complexity - 2 > least);
        assert_eq!(usize::from(supplement(complexity)), exceeded.count());
    }
}

#[test]
fn the_most_nodes_that_win_are_those_that_win() {
    let chain = || Chain {
        technique: Technique::ForcingChain,
        placement: None,
        eliminations: Vec::new(),
        evidence: Vec::new(),
        argument: Argument::Loop,
        causes: Vec::new(),
    };
    for (base, nodes) in [(65, 4), (66, 6), (66, 12), (70, 9), (85, 40), (90, 77)] {
        for kind in [Kind::Double, Kind::X, Kind::Region] {
            let mut best = Best::none();
            best.take(Rank::new(base, nodes, Kind::X), chain());
            for of in [60, 65, 66, 70, 85, 90] {
                let wins = |&nodes: &u16| best.wants(Rank::new(of, nodes, kind), None);
                let most = (1..MOST).take_while(wins).last().unwrap_or(0);
                assert_eq!(
                    best.most(of, kind).min(MOST - 1),
                    most,
                    "{base} {nodes} {of} {kind:?}"
                );
            }
        }
    }
}

#[test]
fn links_from_off_to_on_go_both_ways() {
    let marks = board(EXAMPLES[2].0);
    let mut count = 0;
    for candidate in (0..729).filter(|&of| marks.has(Candidate::from_index(of).unwrap())) {
        for on in turned_on(&marks, candidate)
            .into_iter()
            .filter(|&on| on != NONE)
        {
            assert!(turned_on(&marks, on).contains(&candidate));
            count += 1;
        }
    }
    assert!(count > 0);
}

#[test]
fn peers_are_in_the_order_of_box_row_and_column() {
    assert_eq!(
        PEERS[40],
        [
            30, 31, 32, 39, 41, 48, 49, 50, 36, 37, 38, 42, 43, 44, 4, 13, 22, 58, 67, 76
        ]
    );
    for cell in Cell::all() {
        let mut peers = PEERS[cell.index()];
        peers.sort_unstable();
        assert!(
            cell.peers()
                .iter()
                .map(Cell::index)
                .eq(peers.map(usize::from))
        );
    }
}
