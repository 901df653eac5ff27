//! The search.

use super::branch;
use super::lanes::{Lanes, MOST};
use super::planes::{Planes, Route, Scratch};
use super::transpose::{self, Bits, SLICES};
use super::vector::Vector;
use crate::sudoku::packed::BYTES;
use crate::sudoku::solve::{Cancel, Cancelled};

struct Block<V> {
    planes: Planes<V>,
    /// The puzzle of each lane: its index in the batch.
    puzzle: [u32; MOST],
    /// The lanes that are searched.
    live: Lanes,
}

/// What is known of a puzzle.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Entry {
    /// Lanes that search it, here or parked.
    pub(super) lanes: u32,
    /// Its limit was met.
    pub(super) over: bool,
    pub(super) count: u64,
    pub(super) guesses: u64,
}

#[derive(Default, Debug, Clone, Copy)]
pub struct Stats {
    pub sweeps: u64,
    pub live: u64,
    pub forks: u64,
    pub parks: u64,
    pub transfers: u64,
    pub retires: u64,
    pub loads: u64,
    pub loaded: u64,
    pub guesses: u64,
    pub clashes: u64,
    pub triads: u64,
    pub parked: u64,
    pub copied: u64,
    pub moved: u64,
    pub copies: u64,
}

pub(super) struct Search<V: Vector> {
    work: Box<Block<V>>,
    /// Solved lanes whose solution was not yet read.
    solved: Lanes,
    stack: Vec<Box<Block<V>>>,
    spare: Vec<Box<Block<V>>>,
    bits: Box<Bits<V>>,
    scratch: Box<Scratch<V>>,
    pub(super) entries: Vec<Entry>,
    pub(super) stats: Stats,
}

pub(super) struct Limits {
    pub(super) count: u64,
    pub(super) guesses: u64,
}

impl<V: Vector> Search<V> {
    const LANES: usize = 64 * V::WORDS;

    fn block() -> Box<Block<V>> {
        Box::new(Block { planes: Planes::empty(), puzzle: [0; MOST], live: Lanes::NONE })
    }

    pub(super) fn new() -> Self {
        Self {
            work: Self::block(),
            solved: Lanes::NONE,
            stack: Vec::new(),
            spare: Vec::new(),
            bits: Box::new(Bits { slices: [[V::ZEROS; 64]; SLICES], rest: [V::ZEROS; 4] }),
            scratch: Box::new(Scratch::new()),
            entries: Vec::new(),
            stats: Stats::default(),
        }
    }

    #[inline(always)]
    fn free(&self) -> Lanes {
        Lanes::first_words(V::WORDS).without(self.work.live | self.solved)
    }

    #[inline(always)]
    pub(super) fn run(
        &mut self,
        puzzles: &[[u8; BYTES]],
        grids: &mut [[u8; BYTES]],
        limits: &Limits,
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        self.entries.clear();
        self.entries.resize(puzzles.len(), Entry::default());
        self.work.live = Lanes::NONE;
        self.solved = Lanes::NONE;
        self.spare.append(&mut self.stack);
        let mut next = 0;
        loop {
            let live = self.work.live.len();
            if live * 8 <= Self::LANES * REFILL.load(std::sync::atomic::Ordering::Relaxed) {
                self.refill(puzzles, &mut next, grids);
                if self.work.live.is_empty() {
                    break;
                }
            }
            cancel.check()?;
            self.stats.sweeps += 1;
            self.stats.live += self.work.live.len() as u64;
            let found = self.work.planes.sweep(&mut self.scratch);
            let dead = found.dead.lanes() & self.work.live;
            let solved = (found.solved.lanes() & self.work.live).without(dead);
            self.work.live = self.work.live.without(dead | solved);
            self.close(dead);
            self.count(solved, limits);
            let stuck = self.work.live.without(found.moved.lanes());
            let (number, live) = (stuck.len(), self.work.live.len());
            if number > 0 && number * FORK.load(std::sync::atomic::Ordering::Relaxed) >= live {
                self.fork(stuck, limits);
            }
        }
        self.retire(grids);
        Ok(())
    }

    /// Gives free lanes work: parked first, then new puzzles.
    #[inline(always)]
    fn refill(&mut self, puzzles: &[[u8; BYTES]], next: &mut usize, grids: &mut [[u8; BYTES]]) {
        if self.solved.len() * 4 > Self::LANES {
            self.retire(grids);
        }
        loop {
            while let Some(mut block) = self.stack.pop() {
                self.forget(&mut block);
                for _ in 0..4 {
                    let route = fit(block.live, self.free(), V::WORDS);
                    let into = route.into;
                    if into.is_empty() {
                        break;
                    }
                    self.stats.transfers += 1;
                    self.stats.moved += into.len() as u64;
                    self.work.planes.take(&block.planes, &route.vectors());
                    for lane in into.iter() {
                        let from = route.source(lane);
                        block.live.remove(from);
                        self.work.puzzle[lane] = block.puzzle[from];
                    }
                    self.work.live |= into;
                }
                if block.live.is_empty() {
                    self.spare.push(block);
                } else {
                    self.stack.push(block);
                    break;
                }
                if self.work.live.len() * 8 > Self::LANES * PARK_FULL.load(std::sync::atomic::Ordering::Relaxed) {
                    return;
                }
            }
            if *next < puzzles.len() && self.work.live.len() * 8 <= Self::LANES * REFILL.load(std::sync::atomic::Ordering::Relaxed) {
                self.retire(grids);
                self.load(puzzles, next);
                return;
            }
            if !self.work.live.is_empty() || self.stack.is_empty() {
                return;
            }
            self.retire(grids);
        }
    }

    /// Takes new puzzles into the free lanes.
    #[inline(always)]
    fn load(&mut self, puzzles: &[[u8; BYTES]], next: &mut usize) {
        self.stats.loads += 1;
        let mut into = Lanes::NONE;
        for (lane, (index, puzzle)) in
            self.free().iter().zip(puzzles.iter().enumerate().skip(*next))
        {
            let (row, word) = (lane % 64, lane / 64);
            let (slices, rest) = puzzle.as_chunks::<8>();
            for (slice, bytes) in self.bits.slices.iter_mut().zip(slices) {
                slice[row].as_mut()[word] = u64::from_le_bytes(*bytes);
            }
            for bit in 0..4 {
                let words = self.bits.rest[bit].as_mut();
                let value = u64::from(rest[0] >> (4 + bit) & 1);
                words[word] = words[word] & !(1 << row) | value << row;
            }
            into.insert(lane);
            self.work.puzzle[lane] = index as u32;
            self.entries[index].lanes = 1;
        }
        let count = into.len();
        self.stats.loaded += count as u64;
        *next += count;
        for slice in &mut self.bits.slices {
            transpose::transpose::<V>(slice);
        }
        let dead = transpose::load(
            &self.bits,
            &mut self.work.planes,
            &mut self.scratch.cells,
            V::of(&into),
        );
        self.work.live |= into;
        let dead = dead.lanes() & into;
        self.work.live = self.work.live.without(dead);
        self.close(dead);
    }

    /// Reads the solutions of solved lanes.
    #[inline(always)]
    fn retire(&mut self, grids: &mut [[u8; BYTES]]) {
        if self.solved.is_empty() {
            return;
        }
        self.stats.retires += 1;
        transpose::store(&self.work.planes, &mut self.bits);
        for slice in &mut self.bits.slices {
            transpose::transpose::<V>(slice);
        }
        for lane in self.solved.iter() {
            let (row, word) = (lane % 64, lane / 64);
            let grid = &mut grids[self.work.puzzle[lane] as usize];
            let (bytes, rest) = grid.as_chunks_mut::<8>();
            for (bytes, slice) in bytes.iter_mut().zip(&self.bits.slices) {
                *bytes = slice[row].as_ref()[word].to_le_bytes();
            }
            let mut nibble = 0;
            for bit in 0..4 {
                nibble |= (self.bits.rest[bit].as_ref()[word] >> row & 1) << bit;
            }
            rest[0] = (nibble << 4) as u8;
        }
        self.solved = Lanes::NONE;
    }

    /// Lanes end without a solution.
    #[inline(always)]
    fn close(&mut self, dead: Lanes) {
        for lane in dead.iter() {
            self.entries[self.work.puzzle[lane] as usize].lanes -= 1;
        }
    }

    /// Lanes end with one.
    #[inline(always)]
    fn count(&mut self, solved: Lanes, limits: &Limits) {
        for lane in solved.iter() {
            let index = self.work.puzzle[lane];
            let entry = &mut self.entries[index as usize];
            entry.lanes -= 1;
            if entry.over {
                continue;
            }
            entry.count += 1;
            if entry.count == 1 {
                self.solved.insert(lane);
            }
            if entry.count == limits.count {
                entry.over = true;
                if entry.lanes > 0 {
                    for lane in self.work.live.iter() {
                        if self.work.puzzle[lane] == index {
                            self.work.live.remove(lane);
                            entry.lanes -= 1;
                        }
                    }
                }
            }
        }
    }

    /// Drops the parked lanes of puzzles that are over.
    #[inline(always)]
    fn forget(&mut self, block: &mut Block<V>) {
        for lane in block.live.iter() {
            let entry = &mut self.entries[block.puzzle[lane] as usize];
            if entry.over {
                entry.lanes -= 1;
                block.live.remove(lane);
            }
        }
    }

    /// Guesses in the lanes that are stuck.
    #[inline(always)]
    fn fork(&mut self, mut stuck: Lanes, limits: &Limits) {
        self.stats.forks += 1;
        let dead = branch::clashes(&self.work.planes).lanes() & stuck;
        self.close(dead);
        self.work.live = self.work.live.without(dead);
        self.stats.clashes += dead.len() as u64;
        stuck = stuck.without(dead);
        if TRIADS {
            let told = self.work.planes.triads().lanes() & stuck;
            self.stats.triads += told.len() as u64;
            stuck = stuck.without(told);
        }
        for lane in stuck.iter() {
            let entry = &mut self.entries[self.work.puzzle[lane] as usize];
            if entry.guesses >= limits.guesses {
                entry.over = true;
                entry.lanes -= 1;
                self.work.live.remove(lane);
                stuck.remove(lane);
            }
        }
        if stuck.is_empty() {
            return;
        }
        let mut free = self.free();
        let mut left = stuck;
        let mut copies = Lanes::NONE;
        if free.len() >= stuck.len() {
            // Copy the lanes into free ones.
            for _ in 0..2 {
                let route = fit(left, free, V::WORDS);
                let into = route.into;
                let fits = into.len();
                if fits == 0 || fits < 8 && !copies.is_empty() {
                    break;
                }
                self.stats.copies += 1;
                self.stats.copied += fits as u64;
                for lane in into.iter() {
                    let from = route.source(lane);
                    left.remove(from);
                    self.work.puzzle[lane] = self.work.puzzle[from];
                }
                free = free.without(into);
                copies |= into;
                self.work.planes.spread(&route.vectors());
            }
        }
        let forked = if copies.is_empty() { stuck } else { stuck.without(left) };
        let parked = left & forked;
        for lane in forked.iter() {
            let entry = &mut self.entries[self.work.puzzle[lane] as usize];
            entry.guesses += 1;
            entry.lanes += 1;
            self.stats.guesses += 1;
        }
        let choice = branch::choose(&self.work.planes, &mut self.scratch.counts);
        if !parked.is_empty() {
            self.stats.parks += 1;
            self.stats.parked += parked.len() as u64;
            let mut block = self.spare.pop().unwrap_or_else(Self::block);
            block.planes.clone_from(&self.work.planes);
            block.puzzle = self.work.puzzle;
            block.live = parked;
            branch::split(&mut block.planes, &choice, V::zero(), V::of(&parked));
            self.stack.push(block);
        }
        branch::split(&mut self.work.planes, &choice, V::of(&forked), V::of(&copies));
        self.work.live |= copies;
    }
}

const TRIADS: bool = true;
pub static REFILL: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(5);
pub static PARK_FULL: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(6);
pub static FORK: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(4);

/// Which lanes go where.
struct Fit {
    /// For each word, the word that its lanes come from.
    from: [usize; 8],
    /// For each word, how far they are rotated.
    by: Lanes,
    /// The lanes that get something.
    into: Lanes,
}

/// Brings as many as it can of the lanes `from` to free ones.
#[inline(always)]
fn fit(from: Lanes, free: Lanes, words: usize) -> Fit {
    let mut order = [0, 1, 2, 3, 4, 5, 6, 7];
    let mut places = order;
    order[..words].sort_unstable_by_key(|&word| std::cmp::Reverse(from.0[word].count_ones()));
    places[..words].sort_unstable_by_key(|&word| std::cmp::Reverse(free.0[word].count_ones()));
    let mut fit = Fit { from: [0; 8], by: Lanes::NONE, into: Lanes::NONE };
    for i in 0..words {
        let (source, place) = (order[i], places[i]);
        fit.from[place] = source;
        let (from, free) = (from.0[source], free.0[place]);
        let most = from.count_ones().min(free.count_ones());
        let mut best = 0;
        let mut shift = 0;
        while best < most && shift < 64 {
            let meet = from.rotate_left(shift) & free;
            if meet.count_ones() > best {
                best = meet.count_ones();
                fit.by.0[place] = u64::from(shift);
                fit.into.0[place] = meet;
            }
            shift += 1;
        }
    }
    fit
}

impl Fit {
    /// The lane whose copy comes to `lane`.
    #[inline(always)]
    fn source(&self, lane: usize) -> usize {
        let row = (lane as u64).wrapping_sub(self.by.0[lane / 64]) % 64;
        self.from[lane / 64] * 64 + row as usize
    }

    #[inline(always)]
    fn vectors<V: Vector>(&self) -> Route<V> {
        Route { order: V::order(&self.from), by: V::of(&self.by), into: V::of(&self.into) }
    }
}
