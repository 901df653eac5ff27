//! The search.

use super::block::Planes;
use super::branch;
use super::transpose::{self, Bits, SLICES};
use super::vector::Vector;
use crate::sudoku::packed::BYTES;
use crate::sudoku::solve::{Cancel, Cancelled};

/// A bit for each lane.
pub(super) type Lanes = [u64; 8];

const NO_LANES: Lanes = [0; 8];

fn number(lanes: &Lanes) -> u32 {
    let mut sum = 0;
    for word in lanes {
        sum += word.count_ones();
    }
    sum
}

fn is_empty(lanes: &Lanes) -> bool {
    *lanes == NO_LANES
}

macro_rules! lanes {
    (|$a:ident, $b:ident| $body:expr, $x:expr, $y:expr) => {{
        let (x, y) = (&$x, &$y);
        let mut out = NO_LANES;
        let mut i = 0;
        while i < 8 {
            let ($a, $b) = (x[i], y[i]);
            out[i] = $body;
            i += 1;
        }
        out
    }};
}

struct Block<V> {
    planes: Planes<V>,
    /// The puzzle of each lane: its index in the batch.
    puzzle: [u32; 512],
    /// The lanes that are searched.
    live: Lanes,
}

/// What is known of a puzzle.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Entry {
    /// Lanes that search it, here or parked.
    pub(super) lanes: u32,
    pub(super) count: u64,
    pub(super) guesses: u64,
    /// Given up: met its limit.
    pub(super) over: bool,
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
    pub guesses: u64,
    pub clashes: u64,
    pub parked: u64,
    pub copied: u64,
    pub moved: u64,
    pub refills: u64,
    pub copies: u64,
}

pub(super) struct Search<V> {
    work: Box<Block<V>>,
    /// Solved lanes whose solution was not yet read.
    solved: Lanes,
    fresh: Box<Block<V>>,
    stack: Vec<Box<Block<V>>>,
    spare: Vec<Box<Block<V>>>,
    bits: Box<Bits<V>>,
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
        Box::new(Block { planes: Planes::empty(), puzzle: [0; 512], live: NO_LANES })
    }

    pub(super) fn new() -> Self {
        Self {
            work: Self::block(),
            solved: NO_LANES,
            fresh: Self::block(),
            stack: Vec::new(),
            spare: Vec::new(),
            bits: Box::new(Bits([[V::zero(); 64]; SLICES])),
            entries: Vec::new(),
            stats: Stats::default(),
        }
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
        self.work.live = NO_LANES;
        self.fresh.live = NO_LANES;
        self.solved = NO_LANES;
        self.spare.append(&mut self.stack);
        let mut next = 0;
        let full = u32::try_from(Self::LANES).unwrap_or(u32::MAX);
        let threshold = full * 5 / 8;
        loop {
            let mut live = number(&self.work.live);
            while live <= threshold {
                if is_empty(&self.fresh.live) && next < puzzles.len() {
                    next = self.load(puzzles, next);
                }
                if full - live - number(&self.solved) < full / 4 {
                    self.retire(grids);
                }
                let wanted = if live * 2 < full { 1 } else { full / 16 };
                if !self.refill(wanted) {
                    if live == 0 && !is_empty(&self.solved) {
                        self.retire(grids);
                        continue;
                    }
                    break;
                }
                live = number(&self.work.live);
            }
            if live == 0 {
                break;
            }
            cancel.check()?;
            self.stats.sweeps += 1;
            self.stats.live += u64::from(live);
            let found = self.work.planes.sweep::<true>();
            let dead = lanes!(|a, b| a & b, found.dead.to_words(), self.work.live);
            let solved = lanes!(|a, b| a & b, found.solved.to_words(), self.work.live);
            let solved = lanes!(|a, b| a & !b, solved, dead);
            let gone = lanes!(|a, b| a | b, dead, solved);
            self.work.live = lanes!(|a, b| a & !b, self.work.live, gone);
            self.close(&dead);
            self.count(&solved, limits);
            let stuck = lanes!(|a, b| b & !a, found.moved.to_words(), self.work.live);
            let (stuck_number, live) = (number(&stuck), number(&self.work.live));
            if stuck_number > 0 && (stuck_number * 4 >= live || stuck_number * 8 >= full) {
                self.fork(stuck, limits);
            }
        }
        self.retire(grids);
        Ok(())
    }

    /// Takes in as many puzzles as there are lanes.
    #[inline(always)]
    fn load(&mut self, puzzles: &[[u8; BYTES]], first: usize) -> usize {
        self.stats.loads += 1;
        let count = (puzzles.len() - first).min(Self::LANES);
        let mut live = NO_LANES;
        let mut words = [[0u64; 8]; SLICES];
        for row in 0..64 {
            for word in 0..V::WORDS {
                let lane = 64 * word + row;
                if lane < count {
                    let puzzle = &puzzles[first + lane];
                    let (slices, rest) = puzzle.as_chunks::<8>();
                    for (s, slice) in slices.iter().enumerate() {
                        words[s][word] = u64::from_le_bytes(*slice);
                    }
                    words[5][word] = u64::from(rest[0]);
                    live[word] |= 1 << row;
                    let index = first + lane;
                    self.fresh.puzzle[lane] = index as u32;
                    self.entries[index].lanes = 1;
                }
            }
            for s in 0..SLICES {
                self.bits.0[s][row] = V::from_words(&words[s]);
            }
        }
        transpose::transpose_all(&mut self.bits, SLICES);
        let dead = transpose::load(&self.bits, &mut self.fresh.planes);
        let dead = lanes!(|a, b| a & b, dead.to_words(), live);
        self.fresh.live = lanes!(|a, b| a & !b, live, dead);
        for word in 0..V::WORDS {
            let mut bits = dead[word];
            while bits != 0 {
                let lane = 64 * word + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                self.entries[self.fresh.puzzle[lane] as usize].lanes = 0;
            }
        }
        first + count
    }

    /// Reads the solutions of solved lanes.
    #[inline(always)]
    fn retire(&mut self, grids: &mut [[u8; BYTES]]) {
        if is_empty(&self.solved) {
            return;
        }
        self.stats.retires += 1;
        transpose::store(&self.work.planes, &mut self.bits);
        transpose::transpose_all(&mut self.bits, SLICES);
        for word in 0..V::WORDS {
            let mut lanes = self.solved[word];
            while lanes != 0 {
                let row = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let index = self.work.puzzle[64 * word + row] as usize;
                let grid = &mut grids[index];
                let (slices, rest) = grid.as_chunks_mut::<8>();
                for (s, slice) in slices.iter_mut().enumerate() {
                    *slice = self.bits.0[s][row].to_words()[word].to_le_bytes();
                }
                rest[0] = self.bits.0[5][row].to_words()[word] as u8;
            }
        }
        self.solved = NO_LANES;
    }

    /// Lanes end without a solution.
    fn close(&mut self, dead: &Lanes) {
        for word in 0..V::WORDS {
            let mut lanes = dead[word];
            while lanes != 0 {
                let lane = 64 * word + lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                self.entries[self.work.puzzle[lane] as usize].lanes -= 1;
            }
        }
    }

    fn count(&mut self, solved: &Lanes, limits: &Limits) {
        for word in 0..V::WORDS {
            let mut lanes = solved[word];
            while lanes != 0 {
                let row = lanes.trailing_zeros();
                lanes &= lanes - 1;
                let index = self.work.puzzle[64 * word + row as usize];
                let entry = &mut self.entries[index as usize];
                entry.lanes -= 1;
                if entry.over {
                    continue;
                }
                entry.count += 1;
                if entry.count == 1 {
                    self.solved[word] |= 1 << row;
                }
                if entry.count == limits.count {
                    entry.over = true;
                    if entry.lanes > 0 {
                        Self::drop_lanes(&mut self.work, index, entry);
                    }
                }
            }
        }
    }

    fn drop_lanes(block: &mut Block<V>, index: u32, entry: &mut Entry) {
        for lane in 0..Self::LANES {
            let bit = 1 << (lane % 64);
            if block.puzzle[lane] == index && block.live[lane / 64] & bit != 0 {
                block.live[lane / 64] &= !bit;
                entry.lanes -= 1;
            }
        }
    }

    /// Guesses in the lanes that are stuck.
    #[inline(always)]
    fn fork(&mut self, stuck: Lanes, limits: &Limits) {
        self.stats.forks += 1;
        let clash = branch::clashes(&self.work.planes).to_words();
        let dead = lanes!(|a, b| a & b, clash, stuck);
        self.close(&dead);
        self.work.live = lanes!(|a, b| a & !b, self.work.live, dead);
        let mut stuck = lanes!(|a, b| a & !b, stuck, dead);
        self.stats.clashes += u64::from(number(&dead));
        for word in 0..V::WORDS {
            let mut lanes = stuck[word];
            while lanes != 0 {
                let row = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let entry = &mut self.entries[self.work.puzzle[64 * word + row] as usize];
                if entry.guesses >= limits.guesses {
                    entry.over = true;
                    entry.lanes -= 1;
                    self.work.live[word] &= !(1 << row);
                    stuck[word] &= !(1 << row);
                }
            }
        }
        let mut free = lanes!(|a, b| !(a | b), self.work.live, self.solved);
        for word in V::WORDS..8 {
            free[word] = 0;
        }
        let wanted = number(&stuck);
        let mut forked = NO_LANES;
        let mut copies = NO_LANES;
        if number(&free) >= wanted {
            // Copy the lanes into free ones.
            let mut left = stuck;
            for _ in 0..3 {
                let (shifts, into) = fit(&left, &free);
                let fits = number(&into);
                if fits == 0 || number(&forked) > 0 && fits < 8 {
                    break;
                }
                self.stats.copies += 1;
                self.stats.copied += u64::from(fits);
                for word in 0..V::WORDS {
                    let mut lanes = into[word];
                    while lanes != 0 {
                        let row = lanes.trailing_zeros() as u64;
                        lanes &= lanes - 1;
                        let from = (row.wrapping_sub(shifts[word]) & 63) as usize;
                        left[word] &= !(1 << from);
                        forked[word] |= 1 << from;
                        self.work.puzzle[64 * word + row as usize] =
                            self.work.puzzle[64 * word + from];
                    }
                    free[word] &= !into[word];
                    copies[word] |= into[word];
                }
                copy_within(&mut self.work.planes, &shifts, &into);
            }
        }
        let park = is_empty(&forked);
        if park {
            forked = stuck;
        }
        for word in 0..V::WORDS {
            let mut lanes = forked[word];
            while lanes != 0 {
                let row = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let entry = &mut self.entries[self.work.puzzle[64 * word + row] as usize];
                entry.guesses += 1;
                entry.lanes += 1;
                self.stats.guesses += 1;
            }
        }
        let choice = branch::choose(&self.work.planes);
        if park {
            self.stats.parks += 1;
            self.stats.parked += u64::from(wanted);
            let mut parked = self.spare.pop().unwrap_or_else(Self::block);
            parked.planes.clone_from(&self.work.planes);
            parked.puzzle = self.work.puzzle;
            parked.live = stuck;
            let lanes = V::from_words(&stuck);
            branch::split(&mut parked.planes, &choice, V::zero(), lanes);
            self.stack.push(parked);
        }
        let keep = V::from_words(&forked);
        let drop = V::from_words(&copies);
        branch::split(&mut self.work.planes, &choice, keep, drop);
        self.work.live = lanes!(|a, b| a | b, self.work.live, copies);
    }

    /// Moves parked or fresh lanes into free ones, those that fit best, unless they are fewer than
    /// `wanted`. Returns whether it did.
    #[inline(always)]
    fn refill(&mut self, wanted: u32) -> bool {
        let mut free = lanes!(|a, b| !(a | b), self.work.live, self.solved);
        for word in V::WORDS..8 {
            free[word] = 0;
        }
        let (mut shifts, mut into) = fit(&self.fresh.live, &free);
        let mut best = None;
        let mut most = number(&into);
        let depth = self.stack.len();
        for i in (depth.saturating_sub(LOOK)..depth).rev() {
            let block = &mut self.stack[i];
            // Puzzles may have ended since.
            for word in 0..V::WORDS {
                let mut lanes = block.live[word];
                while lanes != 0 {
                    let row = lanes.trailing_zeros() as usize;
                    lanes &= lanes - 1;
                    let entry = &mut self.entries[block.puzzle[64 * word + row] as usize];
                    if entry.over {
                        entry.lanes -= 1;
                        block.live[word] &= !(1 << row);
                    }
                }
            }
            let (s, m) = fit(&block.live, &free);
            // Older work first, so that it ends.
            if number(&m) * 2 > most || is_empty(&block.live) {
                most = number(&m) * 2;
                (shifts, into) = (s, m);
                best = Some(i);
                if is_empty(&block.live) {
                    break;
                }
            }
        }
        let source = match best {
            Some(i) => &mut self.stack[i],
            None => &mut self.fresh,
        };
        if !is_empty(&source.live) && number(&into) < wanted {
            return false;
        }
        if best.is_none() && is_empty(&into) {
            return false;
        }
        if !is_empty(&into) {
            self.stats.transfers += 1;
            self.stats.moved += u64::from(number(&into));
            for word in 0..V::WORDS {
                let mut lanes = into[word];
                while lanes != 0 {
                    let row = lanes.trailing_zeros() as u64;
                    lanes &= lanes - 1;
                    let from = (row.wrapping_sub(shifts[word]) & 63) as usize;
                    source.live[word] &= !(1 << from);
                    self.work.puzzle[64 * word + row as usize] = source.puzzle[64 * word + from];
                }
            }
            copy(&source.planes, &mut self.work.planes, &shifts, &into);
            self.work.live = lanes!(|a, b| a | b, self.work.live, into);
        }
        if let Some(i) = best
            && is_empty(&self.stack[i].live)
        {
            let block = self.stack.remove(i);
            self.spare.push(block);
        }
        true
    }
}

/// Parked blocks that a refill looks at.
const LOOK: usize = 4;

/// For each word, how far to rotate `from` so that most of its lanes meet one of `free`, and the
/// lanes that do.
fn fit(from: &Lanes, free: &Lanes) -> (Lanes, Lanes) {
    let mut shifts = NO_LANES;
    let mut into = NO_LANES;
    for word in 0..8 {
        let (from, free) = (from[word], free[word]);
        let most = from.count_ones().min(free.count_ones());
        let mut best = 0;
        for shift in 0..64 {
            let meet = from.rotate_left(shift) & free;
            if meet.count_ones() > best {
                best = meet.count_ones();
                shifts[word] = u64::from(shift);
                into[word] = meet;
                if best == most {
                    break;
                }
            }
        }
    }
    (shifts, into)
}

#[inline(always)]
fn copy<V: Vector>(from: &Planes<V>, to: &mut Planes<V>, shifts: &Lanes, into: &Lanes) {
    let (shifts, into) = (V::from_words(shifts), V::from_words(into));
    for d in 0..9 {
        for b in 0..9 {
            for i in 0..3 {
                to.rows[d][b][i] = into.select(from.rows[d][b][i].rotate(shifts), to.rows[d][b][i]);
                to.columns[d][b][i] =
                    into.select(from.columns[d][b][i].rotate(shifts), to.columns[d][b][i]);
            }
        }
    }
    for b in 0..9 {
        for k in 0..9 {
            to.taken[b][k] = into.select(from.taken[b][k].rotate(shifts), to.taken[b][k]);
        }
    }
}

#[inline(always)]
fn copy_within<V: Vector>(planes: &mut Planes<V>, shifts: &Lanes, into: &Lanes) {
    let (shifts, into) = (V::from_words(shifts), V::from_words(into));
    for d in 0..9 {
        for b in 0..9 {
            for i in 0..3 {
                let x = planes.rows[d][b][i];
                planes.rows[d][b][i] = into.select(x.rotate(shifts), x);
                let x = planes.columns[d][b][i];
                planes.columns[d][b][i] = into.select(x.rotate(shifts), x);
            }
        }
    }
    for b in 0..9 {
        for k in 0..9 {
            let x = planes.taken[b][k];
            planes.taken[b][k] = into.select(x.rotate(shifts), x);
        }
    }
}
