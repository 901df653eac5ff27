//! Batch engine (draft).
#![allow(missing_docs, clippy::all, clippy::pedantic)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod branch;
mod lanes;
mod planes;
pub mod search;
mod transpose;
mod vector;

use crate::sudoku::packed::BYTES;
use crate::sudoku::solve::{Cancel, Cancelled, Isa};
use search::{Limits, Search};
pub use search::Stats;

enum Engine {
    Portable(Search<vector::Portable>),
    #[cfg(target_arch = "x86_64")]
    Avx2(Search<avx2::Avx2>),
    #[cfg(target_arch = "x86_64")]
    Avx512(Search<avx512::Avx512>),
}

/// Solves many puzzles at once.
pub struct Batch(Engine);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub count: u64,
    pub over: bool,
    pub guesses: u64,
}

impl Batch {
    pub fn on(isa: Isa) -> Self {
        Self(match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => Engine::Avx2(Search::new()),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => Engine::Avx512(Search::new()),
            _ => Engine::Portable(Search::new()),
        })
    }

    pub fn solve(
        &mut self,
        puzzles: &[[u8; BYTES]],
        count: u64,
        grids: &mut [[u8; BYTES]],
        outcomes: &mut Vec<Outcome>,
        cancel: Cancel<'_>,
    ) -> Result<Stats, Cancelled> {
        let limits = Limits { count, guesses: u64::MAX };
        let (entries, stats) = match &mut self.0 {
            Engine::Portable(search) => {
                search.stats = Stats::default();
                search.run(puzzles, grids, &limits, cancel)?;
                (&search.entries, search.stats)
            }
            #[cfg(target_arch = "x86_64")]
            Engine::Avx2(search) => {
                search.stats = Stats::default();
                unsafe { run_avx2(search, puzzles, grids, &limits, cancel) }?;
                (&search.entries, search.stats)
            }
            #[cfg(target_arch = "x86_64")]
            Engine::Avx512(search) => {
                search.stats = Stats::default();
                unsafe { run_avx512(search, puzzles, grids, &limits, cancel) }?;
                (&search.entries, search.stats)
            }
        };
        outcomes.clear();
        for entry in entries {
            outcomes.push(Outcome { count: entry.count, over: entry.over, guesses: entry.guesses });
        }
        Ok(stats)
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
unsafe fn run_avx2(
    search: &mut Search<avx2::Avx2>,
    puzzles: &[[u8; BYTES]],
    grids: &mut [[u8; BYTES]],
    limits: &Limits,
    cancel: Cancel<'_>,
) -> Result<(), Cancelled> {
    search.run(puzzles, grids, limits, cancel)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,popcnt,lzcnt")]
unsafe fn run_avx512(
    search: &mut Search<avx512::Avx512>,
    puzzles: &[[u8; BYTES]],
    grids: &mut [[u8; BYTES]],
    limits: &Limits,
    cancel: Cancel<'_>,
) -> Result<(), Cancelled> {
    search.run(puzzles, grids, limits, cancel)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
#[inline(never)]
unsafe fn sweep_avx2(p: &mut planes::Planes<avx2::Avx2>, s: &mut planes::Scratch<avx2::Avx2>) -> [u64; 3] {
    use vector::Vector;
    let f = p.sweep(s);
    [f.dead.to_words()[0], f.moved.to_words()[0], f.solved.to_words()[0]]
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,popcnt,lzcnt")]
#[inline(never)]
pub unsafe fn sweep_avx512(p: *mut u8) -> [u64; 3] {
    use vector::Vector;
    let p = unsafe { &mut *p.cast::<planes::Planes<avx512::Avx512>>() };
    let mut s = planes::Scratch::new();
    let f = p.sweep(&mut s);
    [f.dead.to_words()[0], f.moved.to_words()[0], f.solved.to_words()[0]]
}

pub fn time_sweeps() {
    let mut p = planes::Planes::<avx2::Avx2>::empty();
    let mut s = planes::Scratch::new();
    let n = 20000;
    let mut acc = 0;
    for _ in 0..3 {
        let t = crate::cpu();
        for _ in 0..n {
            acc ^= unsafe { sweep_avx2(&mut p, &mut s) }[0];
        }
        println!("sweep {:.0} ns", (crate::cpu() - t) * 1e9 / n as f64);
    }
    println!("{acc}");
}
