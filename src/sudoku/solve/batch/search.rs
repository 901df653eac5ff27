//! The search: which puzzles are in which lanes, and what becomes of them.
//!
//! Every lane is in one of four states:
//!
//! ```text
//!            load, fetch               solved for the first time
//!    free  ───────────────▶  live  ──────────────────────────────▶  solved
//!      ▲                      │                                       │
//!      ├──────────────────────┘ dead, or its puzzle is over           │
//!      └──────────────────────────────────────────────────────────────┘ solution read
//! ```
//!
//! A solved lane whose solution is not wanted, or is not its puzzle's first, is free at once. The fourth
//! state is *parked*: a lane of a block on the stack, which waits for a free lane. The invariant:
//! `entries[p].lanes` is the number of lanes, live or parked, that search puzzle `p`; when it comes to
//! 0, the puzzle is answered.
//!
//! Nothing is allocated for a guess once the stack was as high before: its blocks are used again.

use std::collections::VecDeque;
use std::mem;

use super::block::{Block, Entry, Limit};
use super::branch;
use super::lanes::Lanes;
use super::planes::Scratch;
use super::route::Route;
use super::transpose::Bits;
use super::vector::Vector;
use crate::sudoku::cell::Cell;
use crate::sudoku::packed::BYTES;
use crate::sudoku::solve::{Cancel, Cancelled, End, Finding, SolveLimits};

/// What is to be solved.
pub(super) struct Task<'a> {
    pub(super) puzzles: &'a [[u8; BYTES]],
    /// The givens asked about, in the order of the puzzles; those after the last are just solved.
    pub(super) asked: &'a [Option<Cell>],
    pub(super) limits: SolveLimits,
    pub(super) solutions: &'a mut [[u8; BYTES]],
    pub(super) cancel: Cancel<'a>,
}

pub(super) struct Search<V: Vector> {
    work: Box<Block<V>>,
    /// Lanes of `work` whose solution was not yet read.
    solved: Lanes,
    stack: VecDeque<Box<Block<V>>>,
    /// Blocks to park lanes in.
    spare: Vec<Box<Block<V>>>,
    bits: Box<Bits<V>>,
    scratch: Box<Scratch<V>>,
    entries: Vec<Entry>,
    /// Whether siblings wait until there are no new puzzles, and then the first parked come first. Where
    /// one solution is enough, the first half of a guess mostly has one, and its sibling, searched at
    /// the same time, would be in vain. Of no use where all must be refuted.
    patient: bool,
}

impl<V: Vector> Search<V> {
    const LANES: usize = 64 * V::WORDS;

    /// Free lanes get work when no more than this are live. The figures here and below are those
    /// with the fewest instructions on easy, minimal and hard puzzles; a step up or down costs a few
    /// per cent.
    const LOW: usize = Self::LANES / 8 * 5;
    /// Parked blocks come back until more than this are live.
    const HIGH: usize = Self::LANES / 8 * 6;
    /// Solved lanes are read when they are more than this. So there are always some free ones when few
    /// are live.
    const UNREAD: usize = Self::LANES / 4;
    /// One in so many live lanes must be stuck for a guess.
    const STUCK: usize = 4;
    /// The same where every guess is a block on the stack.
    const STUCK_IF_PATIENT: usize = 2;
    /// Siblings go to free lanes by so many routes at most: the third would be for few of them.
    const ROUTES: usize = 2;
    /// With so many blocks on the stack a patient search goes on as others do, so that its memory is
    /// bounded as theirs.
    const WAITING: usize = 64;
    /// Every route but the first must be one for so many.
    const WORTH: usize = 8;

    pub(super) fn new() -> Self {
        Self {
            work: Block::new(),
            solved: Lanes::NONE,
            stack: VecDeque::new(),
            spare: Vec::new(),
            bits: Box::new(Bits::new()),
            scratch: Box::new(Scratch::new()),
            entries: Vec::new(),
            patient: false,
        }
    }

    #[inline(always)]
    pub(super) fn run(&mut self, mut task: Task<'_>) -> Result<Vec<Finding>, Cancelled> {
        task.limits.count = task.limits.count.max(1);
        self.entries.clear();
        self.entries.resize(task.puzzles.len(), Entry::default());
        // What a cancelled search left.
        self.work.live = Lanes::NONE;
        self.solved = Lanes::NONE;
        self.spare.extend(self.stack.drain(..));
        self.patient = !task.asked.is_empty();
        let mut next = 0;
        loop {
            if self.work.live.len() <= Self::LOW {
                self.refill(&mut task, &mut next);
                if self.work.live.is_empty() {
                    break;
                }
            }
            task.cancel.check()?;
            let found = self.work.planes.sweep(&mut self.scratch);
            let dead = found.dead.lanes() & self.work.live;
            let solved = (found.solved.lanes() & self.work.live).without(dead);
            self.drop_dead(dead);
            self.record_solved(solved, task.limits, !task.solutions.is_empty());
            let stuck = self.work.live.without(found.moved.lanes());
            let part = if self.patient {
                Self::STUCK_IF_PATIENT
            } else {
                Self::STUCK
            };
            if !stuck.is_empty() && stuck.len() * part >= self.work.live.len() {
                self.guess(stuck, task.limits);
            }
        }
        self.read(task.solutions);
        let findings = self.entries.iter().map(|entry| {
            let end = match entry.over {
                Some(Limit::Count) => End::CountLimit,
                Some(Limit::Steps) => End::StepLimit,
                // The last guesses may have been made at once, by several lanes.
                None if entry.guesses > task.limits.steps => End::StepLimit,
                None => End::Exhausted,
            };
            Finding::new(&end, entry.count)
        });
        Ok(findings.collect())
    }

    fn free(&self) -> Lanes {
        Lanes::of_words(V::WORDS).without(self.work.live | self.solved)
    }

    /// Gives free lanes work: parked lanes first, the latest before the others, so that puzzles end
    /// before new ones begin; or the other way round, if it is patient.
    #[inline(always)]
    fn refill(&mut self, task: &mut Task<'_>, next: &mut usize) {
        if self.solved.len() > Self::UNREAD {
            self.read(task.solutions);
        }
        if self.patient {
            while self.work.live.len() <= Self::LOW
                && *next < task.puzzles.len()
                && self.stack.len() < Self::WAITING
            {
                self.load(task, next);
            }
        }
        while self.work.live.len() <= Self::HIGH && self.fetch() {}
        while self.work.live.len() <= Self::LOW && *next < task.puzzles.len() {
            self.read(task.solutions);
            self.load(task, next);
        }
    }

    /// Fetches the lanes of the block on top of the stack, as many as find a place. Returns whether
    /// all did.
    #[inline(always)]
    fn fetch(&mut self) -> bool {
        let first = self.patient && self.stack.len() < Self::WAITING;
        let block = if first {
            self.stack.pop_front()
        } else {
            self.stack.pop_back()
        };
        let Some(mut block) = block else {
            return false;
        };
        block.forget(&mut self.entries);
        while !block.live.is_empty() {
            let route = Route::find(block.live, self.free(), V::WORDS);
            if route.into.is_empty() {
                if first {
                    self.stack.push_front(block);
                } else {
                    self.stack.push_back(block);
                }
                return false;
            }
            self.work.planes.copy_from(&block.planes, &route);
            for lane in route.into.iter() {
                let from = route.source(lane);
                block.live.remove(from);
                self.work.puzzle[lane] = block.puzzle[from];
            }
            self.work.live |= route.into;
        }
        self.spare.push(block);
        true
    }

    /// Takes new puzzles into the free lanes.
    #[inline(always)]
    fn load(&mut self, task: &Task<'_>, next: &mut usize) {
        let mut into = Lanes::NONE;
        let mut asked = Lanes::NONE;
        for lane in self.free().iter() {
            let Some(puzzle) = task.puzzles.get(*next) else {
                break;
            };
            self.bits.write(lane, puzzle);
            self.work.puzzle[lane] = *next;
            let entry = &mut self.entries[*next];
            entry.lanes = 1;
            if let Some(&Some(cell)) = task.asked.get(*next) {
                self.bits.ask(lane, cell);
                asked.insert(lane);
                // The known solution.
                entry.count = 1;
            }
            into.insert(lane);
            *next += 1;
        }
        self.bits.transpose();
        if !asked.is_empty() {
            self.bits.turn(V::of(asked));
        }
        let planes = &mut self.work.planes;
        planes.denied.replace(V::of(asked), V::of(into));
        let dead = self.bits.load(planes, &mut self.scratch.cells, V::of(into));
        self.work.live |= into;
        self.drop_dead(dead.lanes() & into);
    }

    /// Reads the solutions of solved lanes.
    #[inline(always)]
    fn read(&mut self, solutions: &mut [[u8; BYTES]]) {
        if self.solved.is_empty() {
            return;
        }
        self.bits.store(&self.work.planes);
        self.bits.transpose();
        for lane in mem::replace(&mut self.solved, Lanes::NONE).iter() {
            if let Some(solution) = solutions.get_mut(self.work.puzzle[lane]) {
                self.bits.read(lane, solution);
            }
        }
    }

    /// Live lanes end without a solution.
    #[inline(always)]
    fn drop_dead(&mut self, dead: Lanes) {
        self.work.live = self.work.live.without(dead);
        for lane in dead.iter() {
            self.entries[self.work.puzzle[lane]].lanes -= 1;
        }
    }

    /// Live lanes end with one.
    #[inline(always)]
    fn record_solved(&mut self, solved: Lanes, limits: SolveLimits, wanted: bool) {
        self.work.live = self.work.live.without(solved);
        let mut more_over = false;
        for lane in solved.iter() {
            let puzzle = self.work.puzzle[lane];
            let entry = &mut self.entries[puzzle];
            entry.lanes -= 1;
            if entry.over.is_some() {
                continue;
            }
            entry.count += 1;
            if entry.count == 1 && wanted {
                self.solved.insert(lane);
            }
            if entry.count == limits.count {
                entry.over = Some(Limit::Count);
                more_over |= entry.lanes > 0;
            }
        }
        // A patient search has few lanes of the same puzzle at work: they wait for the next guess.
        if more_over && !self.patient {
            self.work.forget(&mut self.entries);
        }
    }

    /// Splits stuck lanes in two, or finds that they can go on without.
    #[inline(always)]
    fn guess(&mut self, mut stuck: Lanes, limits: SolveLimits) {
        if self.patient {
            self.work.forget(&mut self.entries);
            stuck = stuck & self.work.live;
        }
        let dead = branch::clashes(&self.work.planes).lanes() & stuck;
        self.drop_dead(dead);
        let told = self.work.planes.triads().lanes();
        stuck = stuck.without(dead | told);
        let mut more_over = false;
        for lane in stuck.iter() {
            let entry = &mut self.entries[self.work.puzzle[lane]];
            if entry.guesses >= limits.steps {
                entry.over = Some(Limit::Steps);
                more_over = true;
            }
        }
        if more_over {
            self.work.forget(&mut self.entries);
            stuck = stuck & self.work.live;
        }
        if stuck.is_empty() {
            return;
        }
        let (split, siblings) = if self.patient {
            (stuck, Lanes::NONE)
        } else {
            self.spread(stuck)
        };
        for lane in split.iter() {
            let entry = &mut self.entries[self.work.puzzle[lane]];
            entry.guesses += 1;
            entry.lanes += 1;
        }
        let choice = branch::choose(&self.work.planes, &mut self.scratch);
        if siblings.is_empty() {
            let mut block = self.spare.pop().unwrap_or_else(Block::new);
            block.planes.clone_from(&self.work.planes);
            block.puzzle = self.work.puzzle;
            block.live = split;
            branch::split(&mut block.planes, &choice, V::zero(), V::of(split));
            self.stack.push_back(block);
        }
        let planes = &mut self.work.planes;
        branch::split(planes, &choice, V::of(split), V::of(siblings));
        self.work.live |= siblings;
    }

    /// Copies stuck lanes to free ones if these are enough. Returns the lanes that may be split and
    /// the copies; the others wait for the next time. Without copies all are to be parked.
    #[inline(always)]
    fn spread(&mut self, stuck: Lanes) -> (Lanes, Lanes) {
        let mut left = stuck;
        let mut copies = Lanes::NONE;
        if self.free().len() < stuck.len() {
            return (stuck, copies);
        }
        for _ in 0..Self::ROUTES {
            let route = Route::find(left, self.free().without(copies), V::WORDS);
            if route.into.is_empty() || route.into.len() < Self::WORTH && !copies.is_empty() {
                break;
            }
            self.work.planes.copy_within(&route);
            for lane in route.into.iter() {
                let from = route.source(lane);
                left.remove(from);
                self.work.puzzle[lane] = self.work.puzzle[from];
            }
            copies |= route.into;
        }
        (stuck.without(left), copies)
    }
}
