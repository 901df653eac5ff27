//! Chains without branches: loops that close on where they began, and chains that refute it.
//!
//! From every candidate the nodes are entered in the order of their distance, each by the first that
//! reaches it, so that every chain found is the shortest of its start. Three passes allow different links:
//! of one digit only; inside cells of two candidates only, from off to on (loops alone); and all.
//!
//! A loop may come back to its start through an off node that was entered before from elsewhere; all else
//! that such a node turns on is known by then. So links are joined by twos, from on to on.

use super::{Best, Desk, Harvest, Kind, Links, NONE, Pencilmarks, number, turned_on};
use crate::sudoku::logic::budget::{Budget, Halt};
use crate::sudoku::logic::pencilmarks::{bits, count};
use crate::sudoku::logic::step::Step;

mod conclusion;

/// Which links a pass follows.
#[derive(Clone, Copy)]
struct Pass {
    kind: Kind,
    /// Whether an on node turns off the rest of its cell.
    in_cell: bool,
    /// Which of the four links from off to on.
    on: (usize, usize),
    cycle: u16,
    chain: Option<u16>,
}

const PASSES: [Pass; 3] = [
    Pass {
        kind: Kind::X,
        in_cell: false,
        on: (1, 4),
        cycle: 65,
        chain: Some(66),
    },
    Pass {
        kind: Kind::Y,
        in_cell: true,
        on: (0, 1),
        cycle: 65,
        chain: None,
    },
    Pass {
        kind: Kind::Xy,
        in_cell: true,
        on: (0, 4),
        cycle: 70,
        chain: Some(70),
    },
];

/// The least loop or chain.
pub(in super::super) fn find(
    marks: &Pencilmarks,
    desk: &mut Desk<'_, '_>,
) -> Result<Option<Step>, Halt> {
    let mut best = Best::none();
    let mut search = Search::new(marks, &mut best);
    let is_in_vain = match desk.in_vain.take() {
        Some(before) => search.is_in_vain(&before, desk.budget)?,
        None => false,
    };
    if !is_in_vain {
        search.run(desk)?;
    }
    let turned_on = search.turned_on;
    if best.found.is_none() {
        desk.in_vain = Some(turned_on);
    }
    Ok(best.into_step())
}

/// Meets all loops and chains of a board.
pub(super) fn harvest(
    marks: &Pencilmarks,
    harvest: &mut impl Harvest,
    desk: &mut Desk<'_, '_>,
) -> Result<(), Halt> {
    Search::new(marks, harvest).run(desk)
}

/// What is known of a candidate in the search of this number.
#[derive(Clone, Copy, Default)]
struct Seen {
    /// It was turned on.
    on: u32,
    /// By this candidate, which that turned off.
    by: u16,
    by_on: u16,
    /// It turns off the start.
    before_start: u32,
    /// It turns off what turns the start on.
    before_end: u32,
}

/// The links from on to on of a pass: what a candidate turns off, and what that turns on. Of several ways
/// to a candidate only the first is here, since a node is entered by no other.
struct Graph {
    first: [u16; 730],
    links: Vec<(u16, u16)>,
}

struct Search<'a, H> {
    marks: &'a Pencilmarks,
    links: Links,
    turned_on: Vec<[u16; 4]>,
    graph: Graph,
    seen: Vec<Seen>,
    /// Counts searches, so that `seen` need not be cleared.
    now: u32,
    queue: Vec<u16>,
    harvest: &'a mut H,
}

impl<'a, H: Harvest> Search<'a, H> {
    fn new(marks: &'a Pencilmarks, harvest: &'a mut H) -> Self {
        let links = Links::new(marks);
        let all = (0..729).map(|candidate| {
            if links.is_there(candidate) {
                turned_on(marks, candidate)
            } else {
                [NONE; 4]
            }
        });
        Self {
            marks,
            turned_on: all.collect(),
            graph: Graph {
                first: [0; 730],
                links: Vec::with_capacity(4096),
            },
            seen: vec![Seen::default(); 729],
            now: 0,
            queue: Vec::with_capacity(729),
            links,
            harvest,
        }
    }

    /// Whether there is no chain, as there was none when the links from off to on were these.
    ///
    /// By what went since then no link from on to off came up, so that a chain goes through a new one from
    /// off to on. Links hold both ways: where a candidate is refuted through one, either of its ends refutes that
    /// candidate, and where it is proved, either proves it. A loop that takes a candidate away
    /// refutes it by a chain too.
    fn is_in_vain(&self, before: &[[u16; 4]], budget: &mut Budget<'_>) -> Result<bool, Halt> {
        for ((off, now), before) in (0..).zip(&self.turned_on).zip(before) {
            for (&on, &before) in now.iter().zip(before) {
                if on == NONE || on == before || on < off {
                    continue;
                }
                budget.step()?;
                let ends = [self.reached(off), self.reached(on)];
                let mut both = ends[0].iter().flatten().zip(ends[1].iter().flatten());
                if both.any(|(first, second)| first & second != 0) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The candidates that one turns on and off, a bit each.
    fn reached(&self, start: u16) -> [[u64; 12]; 2] {
        let [mut on, mut off] = [[0; 12]; 2];
        let enter = |set: &mut [u64; 12], candidate: u16| {
            let (word, bit) = (usize::from(candidate / 64), 1 << (candidate % 64));
            let is_new = set[word] & bit == 0;
            set[word] |= bit;
            is_new
        };
        enter(&mut on, start);
        let mut queue = vec![start];
        while let Some(at) = queue.pop() {
            for &gone in self.links.turned_off(at, true) {
                if enter(&mut off, gone) {
                    let next = self.turned_on[usize::from(gone)].iter();
                    queue.extend(next.filter(|&&next| next != NONE && enter(&mut on, next)));
                }
            }
        }
        [on, off]
    }

    /// Goes through all passes that may have something to be wanted.
    fn run(&mut self, desk: &mut Desk<'_, '_>) -> Result<(), Halt> {
        let marks = self.marks;
        for pass in PASSES {
            let base = pass.chain.map_or(pass.cycle, |chain| chain.min(pass.cycle));
            if self.harvest.most(base, pass.kind) == 0 {
                continue;
            }
            self.join(pass);
            for (cell, &mask) in marks.all().iter().enumerate() {
                if count(mask) < 2 || pass.chain.is_none() && count(mask) != 2 {
                    continue;
                }
                for digit in bits(mask) {
                    desk.budget.step()?;
                    self.from(number(cell, digit), pass);
                }
            }
        }
        Ok(())
    }

    /// Joins the links of a pass by twos.
    fn join(&mut self, pass: Pass) {
        self.graph.links.clear();
        for candidate in 0..729 {
            self.graph.first[usize::from(candidate)] = self.graph.links.len() as u16;
            self.begin();
            self.seen[usize::from(candidate)].on = self.now;
            for &off in self.links.turned_off(candidate, pass.in_cell) {
                let turned_on = &self.turned_on[usize::from(off)];
                if *turned_on == [NONE; 4] {
                    continue;
                }
                for &on in &turned_on[pass.on.0..pass.on.1] {
                    if on != NONE && self.seen[usize::from(on)].on != self.now {
                        self.seen[usize::from(on)].on = self.now;
                        self.graph.links.push((off, on));
                    }
                }
            }
        }
        self.graph.first[729] = self.graph.links.len() as u16;
    }

    fn from(&mut self, start: u16, pass: Pass) {
        let ends = self.turned_on[usize::from(start)];
        let ends = &ends[pass.on.0..pass.on.1];
        let has_ends = ends.iter().any(|&end| end != NONE);
        if has_ends || pass.chain.is_some() {
            self.on(start, ends, pass);
        }
        if has_ends && let Some(base) = pass.chain {
            self.off(start, ends, pass, base);
        }
    }

    /// The loops through a start that is on, and the shortest chain that turns it off.
    fn on(&mut self, start: u16, ends: &[u16], pass: Pass) {
        self.begin();
        let now = self.now;
        let mut most_in_chain = 0;
        if let Some(base) = pass.chain {
            most_in_chain = self.harvest.most(base, pass.kind);
        }
        let mut ends_there = ends.iter().filter(|&&end| end != NONE).peekable();
        let mut most_in_cycle = 0;
        if ends_there.peek().is_some() {
            most_in_cycle = self.harvest.most(pass.cycle, pass.kind);
        }
        if most_in_chain.max(most_in_cycle) < 4 {
            return;
        }
        for &before in self.links.turned_off(start, pass.in_cell) {
            self.seen[usize::from(before)].before_start = now;
        }
        for &end in ends_there {
            for &before in self.links.turned_off(end, pass.in_cell) {
                self.seen[usize::from(before)].before_end = now;
            }
        }
        self.seen[usize::from(start)].on = now;
        self.queue.push(start);
        let (mut head, mut nodes) = (0, 2);
        while head < self.queue.len() && nodes <= most_in_chain.max(most_in_cycle) {
            let layer = head..self.queue.len();
            head = layer.end;
            let is_last = nodes + 2 > most_in_chain.max(most_in_cycle);
            let mut refutes = None;
            for at in layer {
                let on = self.queue[at];
                let seen = self.seen[usize::from(on)];
                if seen.before_end == now && nodes >= 4 && nodes <= most_in_cycle {
                    self.close(on, ends, nodes, pass);
                }
                if seen.before_start == now && nodes <= most_in_chain && refutes.is_none() {
                    refutes = Some(on);
                }
                if !is_last {
                    self.follow(on);
                }
            }
            if let Some(on) = refutes {
                self.offer_chain(start, on, nodes, pass, true);
                most_in_chain = 0;
            }
            nodes += 2;
        }
    }

    /// The shortest chain that turns a start on that is off.
    fn off(&mut self, start: u16, ends: &[u16], pass: Pass, base: u16) {
        let most = self.harvest.most(base, pass.kind);
        self.begin();
        for &on in ends {
            if on != NONE && self.seen[usize::from(on)].on != self.now {
                self.enter(on, start, NONE);
            }
        }
        let (mut head, mut nodes) = (0, 4);
        while head < self.queue.len() && nodes <= most {
            let layer = head..self.queue.len();
            head = layer.end;
            for at in layer {
                self.follow(self.queue[at]);
                if self.seen[usize::from(start)].on == self.now {
                    return self.offer_chain(start, start, nodes, pass, false);
                }
            }
            nodes += 2;
        }
    }

    fn begin(&mut self) {
        self.now += 1;
        self.queue.clear();
    }

    /// Enters what follows from an on node.
    fn follow(&mut self, on: u16) {
        let first = usize::from(self.graph.first[usize::from(on)]);
        let last = usize::from(self.graph.first[usize::from(on) + 1]);
        for &(off, next) in &self.graph.links[first..last] {
            let seen = &mut self.seen[usize::from(next)];
            if seen.on != self.now {
                (seen.on, seen.by, seen.by_on) = (self.now, off, on);
                self.queue.push(next);
            }
        }
    }

    fn enter(&mut self, on: u16, by: u16, by_on: u16) {
        let seen = &mut self.seen[usize::from(on)];
        (seen.on, seen.by, seen.by_on) = (self.now, by, by_on);
        self.queue.push(on);
    }

    /// Closes loops from an on node that turns off what turns the start on.
    fn close(&mut self, on: u16, ends: &[u16], nodes: u16, pass: Pass) {
        for next in 0..self.links.turned_off(on, pass.in_cell).len() {
            let off = self.links.turned_off(on, pass.in_cell)[next];
            if ends.contains(&off) && !self.comes_through(on, off) {
                self.offer_cycle(off, on, nodes, pass);
            }
        }
    }

    /// Whether the way to an on node comes through this off node.
    fn comes_through(&self, on: u16, off: u16) -> bool {
        let mut at = on;
        while at != self.queue[0] {
            let seen = self.seen[usize::from(at)];
            if seen.by == off {
                return true;
            }
            at = seen.by_on;
        }
        false
    }
}
