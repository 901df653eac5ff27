//! Forms against the known, against a search of all symmetries, and against themselves.

use proptest::prelude::*;

use super::bands::BANDS;
use super::*;
use crate::sudoku::rng::Rng;
use crate::sudoku::symmetry::LINE_ORDERS;

/// The form and the number of automorphisms, by trying all 3,359,232 symmetries; about 50 ms.
fn by_brute_force(puzzle: &Puzzle) -> (Puzzle, u32) {
    let mut best = [u8::MAX; 81];
    let mut found = 0;
    for transposed in [false, true] {
        let cell = |row: u8, column: u8| {
            let (row, column) = (usize::from(row), usize::from(column));
            let from = if transposed {
                9 * column + row
            } else {
                9 * row + column
            };
            usize::from(puzzle.cells()[from])
        };
        for rows in &LINE_ORDERS {
            for columns in &LINE_ORDERS {
                let mut names = [0; 10];
                let mut label = 0;
                let mut image = best;
                let mut better = false;
                let order = (0..81).try_for_each(|at| {
                    let digit = cell(rows[at / 9], columns[at % 9]);
                    if digit > 0 && names[digit] == 0 {
                        label += 1;
                        names[digit] = label;
                    }
                    better |= names[digit] < best[at];
                    image[at] = names[digit];
                    if better || names[digit] == best[at] {
                        Ok(())
                    } else {
                        Err(())
                    }
                });
                if order.is_ok() {
                    found = if better { 1 } else { found + 1 };
                    best = image;
                }
            }
        }
    }
    (Puzzle::from_cells(best).expect("labels are digits"), found)
}

/// Asserts that all instruction sets find what brute force does.
fn assert_exact(puzzle: &Puzzle) {
    let (form, automorphisms) = by_brute_force(puzzle);
    for canonical in all(puzzle) {
        assert_eq!(canonical.form, form, "{puzzle}");
        assert_eq!(canonical.automorphisms, automorphisms, "{puzzle}");
    }
}

/// What each instruction set finds, its transformation checked.
fn all(puzzle: &Puzzle) -> Vec<Canonical> {
    let canonicals: Vec<Canonical> = Isa::ALL
        .into_iter()
        .filter_map(|isa| Canonicalizer::on(isa).ok())
        .map(|mut canonicalizer| canonicalizer.canonical(puzzle))
        .collect();
    for Canonical {
        form,
        transformation,
        ..
    } in &canonicals
    {
        assert_eq!(transformation.apply(puzzle), *form, "{puzzle}");
        let mut digits = *transformation.digits();
        digits.sort_unstable();
        assert_eq!(digits, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], "{puzzle}");
        assert!(LINE_ORDERS.contains(transformation.rows()), "{puzzle}");
        assert!(LINE_ORDERS.contains(transformation.columns()), "{puzzle}");
    }
    canonicals
}

fn puzzle(text: &str) -> Puzzle {
    text.parse().expect("a puzzle")
}

/// The lines of a table in tests/data, as fields.
fn table(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split('\t').collect())
}

/// A random image under symmetries and relabellings.
fn image(puzzle: &Puzzle, rng: &mut Rng) -> Puzzle {
    let mut digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    rng.shuffle(&mut digits);
    let mut names = [0; 10];
    names[1..].copy_from_slice(&digits);
    let mut order = || LINE_ORDERS[rng.below(1296) as usize];
    let (rows, columns) = (order(), order());
    Transformation {
        transposed: rng.below(2) == 1,
        rows,
        columns,
        digits: names,
    }
    .apply(puzzle)
}

/// The most symmetric grid, another structured one, and one without symmetry.
const GRIDS: [&str; 3] = [
    "123456789456789123789123456231564897564897231897231564312645978645978312978312645",
    "123456789456789123789123456234567891567891234891234567345678912678912345912345678",
    "238145967714296385956783412865372149129564738347918256492851673683427591571639824",
];

#[test]
fn forms_are_as_known() {
    let rows = table(include_str!("../../../../tests/data/minlex.tsv"));
    for fields in rows {
        for canonical in all(&puzzle(fields[0])) {
            assert_eq!(canonical.form, puzzle(fields[1]), "{}", fields[0]);
        }
    }
}

#[test]
fn examples_have_their_forms_and_counts() {
    let examples = [
        (
            "000000010400000000020000000000050407008000300001090000300400200050100000000806000",
            "........1.......2......3.......4.5....6...3....781.....1..2...4.3.....7.95.......",
            1,
        ),
        (
            "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
            "........1.....2.3...4.5.6.....6..7....678.....3...9.....8...5...9...7.1.12.....9.",
            1,
        ),
        (
            ".....1..2..1.3..4..5.2..6.....7...8...7.2.3..9....3..4..9.5..2..8.6.....4.......9",
            ".....1..2..1.3..4..5.2..6.....7...8...7.2.3..9....3..4..9.5..2..8.6.....4.......9",
            1,
        ),
        (
            "3.9...4..2..7.9....87......75..6.23.6..9.4..8.28.5..41......59....1.6..7..6...1.4",
            ".......12.....34.5.25...6......37..8...5.9....78.2.....53.1.8..8..4.629.9..37..61",
            1,
        ),
        (
            "627541983941683572583972614194836257236157849875294136768425391352719468419368725",
            "123456789457893612986217354274538196531964827698721435342685971715349268869172543",
            72,
        ),
        (
            "369218475215749863487635912754861239631924758928357641173482596542196387896573124",
            "123456789457189236698273541261947853745831692839625417384792165512368974976514328",
            1,
        ),
    ];
    for (text, form, automorphisms) in examples {
        for canonical in all(&puzzle(text)) {
            assert_eq!(canonical.form, puzzle(form), "{text}");
            assert_eq!(canonical.automorphisms, automorphisms, "{text}");
        }
    }
}

#[test]
fn automorphisms_of_grids_are_as_known() {
    let facts = table(include_str!("../../../../tests/data/known_facts.tsv"));
    let mut seen = 0;
    for fact in facts.filter(|fact| fact[0] == "automorphic-grid") {
        let number: String = fact[5]
            .chars()
            .skip(7)
            .take_while(char::is_ascii_digit)
            .collect();
        for canonical in all(&puzzle(fact[1])) {
            assert_eq!(canonical.automorphisms.to_string(), number, "{}", fact[1]);
        }
        seen += 1;
    }
    assert_eq!(seen, 13);
}

#[test]
fn bands_have_the_known_classes() {
    let rows = table(include_str!("../../../../tests/data/bands416.tsv"));
    let mut start = 0;
    for (fields, number) in rows.zip(0..) {
        let class = BANDS.class(216 * number);
        let band: String = class
            .lowest
            .map(|row| format!("{row:016x}")[..9].to_owned())
            .concat();
        assert_eq!(band, fields[1]);
        assert_eq!(
            BANDS.moves(class, 216 * number).count().to_string(),
            fields[3]
        );
        start = number;
    }
    assert_eq!(start, 415);
}

/// A board with these cells given.
fn givens(cells: &[(usize, u8)]) -> Puzzle {
    let mut values = [0; 81];
    for &(cell, value) in cells {
        values[cell] = value;
    }
    Puzzle::from_checked(values)
}

/// A board of what stands in a row and column.
fn board(value: impl Fn(usize, usize) -> usize) -> Puzzle {
    let values = std::array::from_fn(|cell| value(cell / 9, cell % 9) as u8);
    Puzzle::from_cells(values).expect("digits")
}

#[test]
fn plain_boards_have_the_symmetries_that_they_should() {
    // No given; one of 81 cells; three in a column of a box; one digit everywhere.
    for (puzzle, automorphisms) in [
        (givens(&[]), 3_359_232),
        (givens(&[(40, 7)]), 3_359_232 / 81),
        (givens(&[(0, 1), (9, 2), (18, 3)]), 62_208),
        (board(|_, _| 5), 3_359_232),
    ] {
        for canonical in all(&puzzle) {
            assert_eq!(canonical.automorphisms, automorphisms, "{puzzle}");
        }
    }
}

#[test]
fn sparse_boards_are_as_by_brute_force() {
    assert_exact(&givens(&[(40, 7)]));
    assert_exact(&givens(&[(0, 5), (40, 5), (80, 5)]));
    assert_exact(&givens(&[(0, 1), (1, 2), (12, 2), (13, 1)]));
}

#[test]
fn dense_boards_are_as_by_brute_force() {
    let mut rng = Rng::keyed(1, 1);
    for text in GRIDS {
        for count in 1..=4 {
            let mut cells = *image(&puzzle(text), &mut rng).cells();
            for _ in 0..count {
                cells[rng.below(81) as usize] = 0;
            }
            assert_exact(&Puzzle::from_checked(cells));
        }
    }
}

#[test]
fn symmetric_boards_are_as_by_brute_force() {
    let grid = |number: usize| *puzzle(GRIDS[number]).cells();
    let kept = |keep: fn(usize, u8) -> bool| {
        let mut cells = grid(0);
        for (cell, value) in cells.iter_mut().enumerate() {
            if !keep(cell, *value) {
                *value = 0;
            }
        }
        Puzzle::from_checked(cells)
    };
    // A diagonal of holes, two digits, a band, two boxes, a checkerboard, a column of each stack.
    assert_exact(&kept(|cell, _| cell % 10 != 0));
    assert_exact(&kept(|_, value| value < 3));
    assert_exact(&kept(|cell, _| cell < 27));
    assert_exact(&kept(|cell, _| cell < 27 && cell % 9 < 6));
    assert_exact(&kept(|cell, _| cell % 2 == 0));
    assert_exact(&kept(|cell, _| cell % 3 == 0));
}

#[test]
fn contradictory_boards_are_as_by_brute_force() {
    // Boxes of one digit; a Latin square that is no grid; a few digits, and any, at random.
    assert_exact(&board(|row, column| row / 3 * 3 + column / 3 + 1));
    assert_exact(&board(|row, column| (row + column) % 9 + 1));
    let mut rng = Rng::keyed(2, 2);
    for digits in [3, 10] {
        let values = std::array::from_fn(|_| rng.below(digits) as u8);
        assert_exact(&Puzzle::from_checked(values));
    }
}

#[test]
fn boards_of_equal_lines_are_as_by_brute_force() {
    assert_exact(&board(|_, column| column + 1));
    assert_exact(&board(|row, _| row % 3));
}

#[test]
fn unlike_puzzles_have_unlike_forms() {
    let rows = table(include_str!("../../../../tests/data/minlex.tsv"));
    let mut canonicalizer = Canonicalizer::new();
    for fields in rows {
        // A puzzle with one given less is no image of it.
        let whole = puzzle(fields[0]);
        let mut cells = *whole.cells();
        let Some(given) = cells.iter_mut().find(|cell| **cell != 0) else {
            continue;
        };
        *given = 0;
        let less = canonicalizer.canonical(&Puzzle::from_checked(cells));
        assert_ne!(less.form, canonicalizer.canonical(&whole).form);
    }
}

/// Boards of all kinds: some cells of a grid, a few digits anywhere, or anything.
fn boards() -> impl Strategy<Value = Puzzle> {
    let part = (0..3usize, any::<u64>(), 0..=81u32).prop_map(|(grid, seed, givens)| {
        let mut rng = Rng::keyed(seed, 0);
        let mut cells = *image(&puzzle(GRIDS[grid]), &mut rng).cells();
        for cell in &mut cells {
            if rng.below(81) >= givens {
                *cell = 0;
            }
        }
        Puzzle::from_checked(cells)
    });
    let few = proptest::collection::vec((0..81usize, 1..=9u8), 0..12).prop_map(|givens| {
        let mut cells = [0; 81];
        for (cell, value) in givens {
            cells[cell] = value;
        }
        Puzzle::from_checked(cells)
    });
    let any = (any::<u64>(), 1..=10u32).prop_map(|(seed, digits)| {
        let mut rng = Rng::keyed(seed, 0);
        Puzzle::from_checked(std::array::from_fn(|_| rng.below(digits) as u8))
    });
    prop_oneof![3 => part, 1 => few, 1 => any]
}

proptest! {
    #[test]
    fn images_have_the_same_form(puzzle in boards(), seed: u64) {
        let image = image(&puzzle, &mut Rng::keyed(seed, 1));
        let canonicals = [all(&puzzle), all(&image)].concat();
        for canonical in &canonicals {
            prop_assert_eq!(canonical.form, canonicals[0].form);
            prop_assert_eq!(canonical.automorphisms, canonicals[0].automorphisms);
        }
        for canonical in all(&canonicals[0].form) {
            prop_assert_eq!(canonical.form, canonicals[0].form);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn forms_are_as_by_brute_force(puzzle in boards()) {
        assert_exact(&puzzle);
    }
}
