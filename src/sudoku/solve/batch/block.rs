//! A block: lanes, the puzzles they search, and what is known of these.
//!
//! One block is at work, others are parked.

use super::lanes::{Lanes, MOST};
use super::planes::Planes;
use super::vector::Vector;

/// Lanes and whose they are.
pub(super) struct Block<V> {
    pub(super) planes: Planes<V>,
    /// The puzzle of each lane: its index in the task.
    pub(super) puzzle: [usize; MOST],
    /// The lanes that are searched.
    pub(super) live: Lanes,
}

/// What is known of a puzzle.
#[derive(Clone, Copy, Default)]
pub(super) struct Entry {
    /// Lanes that search it.
    pub(super) lanes: usize,
    /// Solutions known.
    pub(super) count: u64,
    pub(super) guesses: u64,
    /// The limit that was met.
    pub(super) over: Option<Limit>,
}

#[derive(Clone, Copy)]
pub(super) enum Limit {
    Count,
    Steps,
}

impl<V: Vector> Block<V> {
    pub(super) fn new() -> Box<Self> {
        Box::new(Self {
            planes: Planes::new(),
            puzzle: [0; MOST],
            live: Lanes::NONE,
        })
    }

    /// Drops the lanes of puzzles that are over.
    #[inline(always)]
    pub(super) fn forget(&mut self, entries: &mut [Entry]) {
        for lane in self.live.iter() {
            let entry = &mut entries[self.puzzle[lane]];
            if entry.over.is_some() {
                entry.lanes -= 1;
                self.live.remove(lane);
            }
        }
    }
}
