use std::collections::HashSet;

use super::*;

mod statistics;

fn digit(value: u8) -> Digit {
    Digit::new(value).expect("a digit")
}

/// Any first digit, and a certain one.
fn both() -> [Distinct; 2] {
    [Distinct::new(11, None), Distinct::new(11, Some(digit(4)))]
}

#[test]
fn the_capacity_is_the_size_of_the_orbit() {
    let [any, certain] = both();
    assert_eq!(any.capacity(), 1_218_998_108_160);
    assert_eq!(certain.capacity(), 135_444_234_240);
}

#[test]
#[should_panic(expected = "1 grids from 1218998108160 of 1218998108160")]
fn there_is_no_grid_at_the_capacity() {
    let distinct = Distinct::new(0, None);
    let _ = distinct.grid(distinct.capacity());
}

#[test]
#[should_panic(expected = "3 grids from 1218998108158 of 1218998108160")]
fn there_are_no_grids_beyond_the_capacity() {
    let distinct = Distinct::new(0, None);
    distinct.fill_lines(distinct.capacity() - 2, &mut [[0; packed::LINE]; 3]);
}

#[test]
fn grids_are_valid_and_all_forms_agree() {
    for distinct in both() {
        let end = distinct.capacity();
        for (first, count) in [
            (0, 1_000),
            (5, 0),
            (362_870, 31),
            (end - 997, 997),
            (end, 0),
        ] {
            let mut lines = vec![[0; packed::LINE]; count];
            let mut packed = vec![[0; packed::BYTES]; count];
            distinct.fill_lines(first, &mut lines);
            distinct.fill_packed(first, &mut packed);
            for ((index, line), packed) in (first..).zip(&lines).zip(&packed) {
                let grid = distinct.grid(index);
                assert_eq!(Grid::from_cells(*grid.cells()), Ok(grid));
                assert_eq!(line, format!("{grid}\n").as_bytes());
                assert_eq!(*packed, grid.to_packed());
            }
        }
    }
}

#[test]
fn every_instruction_set_writes_the_same() {
    for distinct in both() {
        let end = distinct.capacity();
        for first in (0..end - 3_000).step_by(3_333_333_333).chain([end - 3_000]) {
            let written = Isa::ALL.into_iter().filter(|isa| isa.is_available());
            let mut written = written.map(|isa| {
                let distinct = Distinct {
                    isa,
                    ..distinct.clone()
                };
                let mut lines = vec![[0; packed::LINE]; 3_000];
                let mut packed = vec![[0; packed::BYTES]; 3_000];
                distinct.fill_lines(first, &mut lines);
                distinct.fill_packed(first, &mut packed);
                (lines, packed)
            });
            let portable = written.next();
            assert!(written.all(|other| Some(other) == portable), "from {first}");
        }
    }
}

#[test]
fn two_hundred_thousand_in_a_row_are_distinct() {
    for first_digit in [None, Some(digit(1)), Some(digit(9))] {
        let mut grids = vec![[0; packed::BYTES]; 200_000];
        Distinct::new(5, first_digit).fill_packed(0, &mut grids);
        if let Some(digit) = first_digit {
            assert!(grids.iter().all(|grid| grid[0] >> 4 == digit.value()));
        }
        let different: HashSet<_> = grids.into_iter().collect();
        assert_eq!(different.len(), 200_000);
    }
}

#[test]
fn seeds_differ_and_repeat() {
    assert_eq!(
        Distinct::new(1, None).grid(77),
        Distinct::new(1, None).grid(77)
    );
    let first: HashSet<_> = (0..50)
        .map(|seed| Distinct::new(seed, None).grid(0))
        .collect();
    assert_eq!(first.len(), 50);
}

#[test]
fn a_seed_and_an_index_stand_for_one_grid_for_ever() {
    // If this fails, what clients were promised to be the same is not: raise `GENERATOR_VERSION`.
    let distinct = Distinct::new(1, None);
    let grids = [0, 1, 1_218_998_108_159].map(|index| distinct.grid(index).to_line());
    let expected = [
        "349865172758312964621479385965183247173524698482697513536948721897251436214736859",
        "168759324925834716437261859659413278812576943374982165586327491741698532293145687",
        "594281367672943185318657429926135748857462913431798256265319874789524631143876592",
    ];
    assert_eq!(grids, expected);
}
