//! How fast grids, puzzles and canonical forms are made. What comes out is compared with the same made one
//! by one, or with what it must be an image of.
//!
//! ```text
//! cargo bench --bench generation
//! ```

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use gridmill::sudoku::packed::{BYTES, LINE};
use gridmill::sudoku::symmetry::Canonicalizer;
use gridmill::sudoku::{
    Ask, Cancel, Distinct, Made, MakeOptions, Puzzle, PuzzleMaker, Uniform, Wishes,
};

/// Grids of a turn.
const GRIDS: usize = 8192;

/// Puzzles of a turn: those of a chunk.
const PUZZLES: u64 = 1024;

fn lines(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("lines");
    group.throughput(Throughput::Elements(GRIDS as u64));
    let sequence = Distinct::new(1, None);
    let mut expected = vec![[b'\n'; LINE]; GRIDS];
    for (index, line) in (0..).zip(&mut expected) {
        line[..81].copy_from_slice(sequence.grid(index).to_line().as_bytes());
    }
    let mut out = vec![[0; LINE]; GRIDS];
    group.bench_function("distinct grids", |bencher| {
        bencher.iter(|| sequence.fill_lines(black_box(0), black_box(&mut out)));
    });
    assert!(out == expected);
    out.fill([0; LINE]);
    group.bench_function("a copy of them", |bencher| {
        bencher.iter(|| black_box(&mut out).copy_from_slice(black_box(&expected)));
    });
    assert!(out == expected);
}

fn packed(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("packed");
    group.throughput(Throughput::Elements(GRIDS as u64));
    let mut out = vec![[0; BYTES]; GRIDS];
    let distinct = Distinct::new(1, None);
    group.bench_function("distinct grids", |bencher| {
        bencher.iter(|| distinct.fill_packed(black_box(0), black_box(&mut out)));
    });
    for (index, grid) in (0..).zip(&out) {
        assert_eq!(*grid, distinct.grid(index).to_packed());
    }
    let uniform = Uniform::new(1, None);
    group.bench_function("uniform grids", |bencher| {
        bencher.iter(|| uniform.fill_packed(black_box(0), black_box(&mut out)));
    });
    for (index, grid) in (0..).zip(&out) {
        assert_eq!(*grid, uniform.grid(index).to_packed());
    }
}

/// The puzzles of a turn, in index order.
fn make(maker: &mut PuzzleMaker) -> Vec<Made> {
    let mut all = Vec::new();
    let sink = |ask: Ask, made| all.push((ask.index, made));
    let made = maker.make_all(0..PUZZLES, Cancel::never(), sink);
    made.expect("nobody cancels");
    all.sort_unstable_by_key(|&(index, _)| index);
    all.into_iter().map(|(_, made)| made).collect()
}

fn puzzles(criterion: &mut Criterion) -> Vec<Puzzle> {
    let mut group = criterion.benchmark_group("puzzles");
    group.throughput(Throughput::Elements(PUZZLES));
    let mut minimal = Vec::new();
    for (name, givens) in [("minimal", None), ("30 to 32 givens", Some(30..=32))] {
        let options = MakeOptions::new(Wishes {
            givens,
            ..Wishes::any(100_000)
        });
        let mut maker = PuzzleMaker::new(1, options.expect("possible"));
        let one_by_one = (0..PUZZLES).map(|index| maker.make(index, Cancel::never()));
        let expected: Vec<_> = one_by_one
            .map(|made| made.expect("nobody cancels"))
            .collect();
        group.bench_function(name, |bencher| {
            bencher.iter(|| assert!(make(black_box(&mut maker)) == expected));
        });
        if minimal.is_empty() {
            minimal.extend(expected.iter().filter_map(|made| match made {
                Made::Puzzle(made) => Some(made.puzzle),
                Made::NotFound => None,
            }));
        }
    }
    minimal
}

fn forms(criterion: &mut Criterion, puzzles: &[Puzzle]) {
    let mut group = criterion.benchmark_group("canonical forms");
    let uniform = Uniform::new(2, None);
    let grids: Vec<Puzzle> = (0..PUZZLES)
        .map(|index| Puzzle::from_cells(*uniform.grid(index).cells()).expect("digits"))
        .collect();
    let mut canonicalizer = Canonicalizer::new();
    for (name, boards) in [("grids", &grids[..]), ("minimal puzzles", puzzles)] {
        group.throughput(Throughput::Elements(boards.len() as u64));
        let mut found = Vec::with_capacity(boards.len());
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                found.clear();
                let boards = black_box(boards).iter();
                found.extend(boards.map(|board| canonicalizer.canonical(board)));
            });
        });
        for (board, canonical) in boards.iter().zip(&found) {
            assert_eq!(canonical.transformation.apply(board), canonical.form);
        }
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    lines(&mut criterion);
    packed(&mut criterion);
    let puzzles = puzzles(&mut criterion);
    forms(&mut criterion, &puzzles);
    criterion.final_summary();
}
