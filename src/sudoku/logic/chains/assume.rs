//! All that follows from one node, with the reasons.
//!
//! What is on is followed at once, what is off one node at a time. Where candidates fall on the way
//! (*dynamic*), an off node leaves the working board once its own links were followed, so that a house or
//! cell may come down to one candidate later; the new on node then has the fallen ones for reasons too.
//! It ends where a candidate is both on and off.
//!
//! Invariant: every reason of an entry stands before it, so that its ancestry is walked from the back
//! with a bit for each entry.

use super::{Cause, Chain, Desk, Forcing, KINDS, Links, NONE, Node, Pencilmarks, nested, number};
use crate::sudoku::logic::budget::Halt;
use crate::sudoku::logic::pencilmarks::{Candidate, bits};
use crate::sudoku::logic::unit::{UNITS, UNITS_OF};

/// A node that follows.
#[derive(Clone, Copy, Debug)]
struct Entry {
    node: Node,
    /// Where its reasons begin; they end where those of the next begin.
    reasons: u32,
    /// At least so many nodes come before it.
    depth: u16,
    /// Its distance by first reasons alone.
    layer: u16,
    /// The size of its ancestry with itself; 0 if not yet counted.
    count: u16,
    /// If it is on, in what it was left alone.
    cause: Cause,
    /// The chain of its own that turned it off, or [`NONE`].
    nested: u16,
}

/// A chain within a branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Nested {
    pub(super) nodes: u16,
    /// Tells it from others: the same chain may stand in several branches.
    pub(super) sign: u64,
}

/// How many nodes a chain has: those of its ancestries, one by one, and those of the chains within them,
/// each once.
#[derive(Default)]
pub(super) struct Count {
    own: u16,
    nested: Vec<Nested>,
}

impl Count {
    pub(super) fn total(&self) -> u16 {
        // Chains within chains within chains may have any number of nodes.
        let nested = self.nested.iter().map(|nested| nested.nodes);
        nested.fold(self.own, u16::saturating_add)
    }
}

/// What follows from a node.
#[derive(Clone, Debug)]
pub(super) struct Branch {
    on: [u64; 12],
    off: [u64; 12],
    /// The entry of a node; of meaning only if it is in `on` or `off`, or clashes.
    at: [u16; 1458],
    entries: Vec<Entry>,
    reasons: Vec<u16>,
    ons: Vec<u16>,
    offs: Vec<u16>,
    /// The chains that turned off what stands here.
    nested: Vec<Nested>,
    /// The candidate that came to be both.
    pub(super) clash: Option<u16>,
}

impl Branch {
    pub(super) fn new() -> Self {
        Self {
            on: [0; 12],
            off: [0; 12],
            at: [0; 1458],
            entries: Vec::with_capacity(256),
            reasons: Vec::with_capacity(512),
            ons: Vec::with_capacity(64),
            offs: Vec::with_capacity(256),
            nested: Vec::new(),
            clash: None,
        }
    }

    fn clear(&mut self) {
        (self.on, self.off, self.clash) = ([0; 12], [0; 12], None);
        self.entries.clear();
        self.reasons.clear();
        self.ons.clear();
        self.offs.clear();
        self.nested.clear();
    }

    fn has_on(&self, candidate: u16) -> bool {
        self.on[usize::from(candidate / 64)] >> (candidate % 64) & 1 != 0
    }

    /// Whether a candidate is off.
    pub(super) fn has_off(&self, candidate: u16) -> bool {
        self.off[usize::from(candidate / 64)] >> (candidate % 64) & 1 != 0
    }

    /// Whether it holds this node.
    pub(super) fn has(&self, node: Node) -> bool {
        if node.is_on() {
            self.has_on(node.candidate())
        } else {
            self.has_off(node.candidate())
        }
    }

    /// What it has on, and what off, a bit a candidate.
    pub(super) fn sets(&self) -> [&[u64; 12]; 2] {
        [&self.on, &self.off]
    }

    /// Its nodes in the order in which they were met, those that are on first.
    pub(super) fn nodes(&self) -> impl Iterator<Item = Node> {
        let all = self.ons.iter().chain(&self.offs);
        all.map(|&entry| self.entries[usize::from(entry)].node)
    }

    /// How many nodes the ancestry of a node has at least.
    pub(super) fn at_least(&self, node: Node) -> u16 {
        self.entries[usize::from(self.at[node.index()])].depth + 1
    }

    /// Adds the ancestry of a node to a count.
    pub(super) fn count(&mut self, node: Node, count: &mut Count) {
        count.own = count.own.saturating_add(self.count_own(node));
        if self.nested.is_empty() {
            return;
        }
        self.ancestry(self.at[node.index()], |entry| {
            if entry.nested != NONE {
                let nested = self.nested[usize::from(entry.nested)];
                if !count.nested.contains(&nested) {
                    count.nested.push(nested);
                }
            }
        });
    }

    fn count_own(&mut self, node: Node) -> u16 {
        let entry = self.at[node.index()];
        let known = self.entries[usize::from(entry)].count;
        if known != 0 {
            return known;
        }
        let mut count = 0;
        self.ancestry(entry, |_| count += 1);
        self.entries[usize::from(entry)].count = count;
        count
    }

    /// Adds the candidates of a node's ancestry to a chain, the latest first.
    pub(super) fn explain(&self, node: Node, chain: &mut Chain) {
        self.ancestry(self.at[node.index()], |entry| {
            let candidate = entry.node.candidate();
            chain.evidence.extend(Candidate::from_index(candidate));
            if entry.cause != Cause::None {
                chain.causes.push((candidate, entry.cause));
            }
        });
    }

    fn ancestry(&self, entry: u16, mut visit: impl FnMut(&Entry)) {
        let mut marked = [0_u64; 24];
        marked[usize::from(entry / 64)] = 1 << (entry % 64);
        for word in (0..=usize::from(entry / 64)).rev() {
            while marked[word] != 0 {
                let bit = 63 - marked[word].leading_zeros() as usize;
                marked[word] &= !(1 << bit);
                let index = 64 * word + bit;
                visit(&self.entries[index]);
                for &reason in self.reasons_of(index) {
                    marked[usize::from(reason / 64)] |= 1 << (reason % 64);
                }
            }
        }
    }

    fn reasons_of(&self, entry: usize) -> &[u16] {
        let end = self.entries.get(entry + 1);
        let end = end.map_or(self.reasons.len(), |next| next.reasons as usize);
        &self.reasons[self.entries[entry].reasons as usize..end]
    }

    /// Turns a candidate off because others are, by a pattern or by a chain; tells if it was not yet.
    pub(super) fn turn_off(
        &mut self,
        candidate: u16,
        reasons: impl Iterator<Item = u16>,
        nested: Option<u16>,
    ) -> bool {
        if self.has_off(candidate) {
            return false;
        }
        let from = self.reasons.len();
        let entries = reasons.map(|reason| self.at[Node::off(reason).index()]);
        self.reasons.extend(entries);
        self.enter(Node::off(candidate), from, 0, Cause::None);
        if let (Some(nested), Some(entry)) = (nested, self.entries.last_mut()) {
            entry.nested = nested;
        }
        true
    }

    /// Notes a chain by which candidates will be turned off.
    pub(super) fn nest(&mut self, nested: Nested) -> u16 {
        self.nested.push(nested);
        self.nested.len() as u16 - 1
    }

    /// Enters a node whose reasons were pushed last, from here on.
    fn enter(&mut self, node: Node, from: usize, layer: u16, cause: Cause) {
        let reasons = self.reasons[from..].iter();
        let depths = reasons.map(|&reason| self.entries[usize::from(reason)].depth + 1);
        let depth = depths.max().unwrap_or(0);
        let entry = self.entries.len() as u16;
        self.at[node.index()] = entry;
        self.entries.push(Entry {
            node,
            reasons: from as u32,
            depth,
            layer,
            count: 0,
            cause,
            nested: NONE,
        });
        let candidate = node.candidate();
        let (opposite, own, order) = if node.is_on() {
            (&self.off, &mut self.on, &mut self.ons)
        } else {
            (&self.on, &mut self.off, &mut self.offs)
        };
        let (word, bit) = (usize::from(candidate / 64), 1 << (candidate % 64));
        if opposite[word] & bit != 0 {
            self.clash = Some(candidate);
        } else {
            own[word] |= bit;
            order.push(entry);
        }
    }
}

/// A board on which nodes are assumed.
pub(super) struct Ground<'a> {
    pub(super) marks: &'a Pencilmarks,
    pub(super) links: &'a Links,
    pub(super) forcing: Forcing,
    /// The board without what fell on the way.
    now: Pencilmarks,
}

impl<'a> Ground<'a> {
    pub(super) fn new(marks: &'a Pencilmarks, links: &'a Links, forcing: Forcing) -> Self {
        Self {
            marks,
            links,
            forcing,
            now: marks.clone(),
        }
    }

    /// What follows from a node, up to this distance.
    ///
    /// # Errors
    /// If it was cancelled, or nothing is left of the budget.
    pub(super) fn assume(
        &mut self,
        start: Node,
        deepest: u16,
        branch: &mut Branch,
        desk: &mut Desk<'_, '_>,
    ) -> Result<(), Halt> {
        desk.budget.step()?;
        branch.clear();
        branch.enter(start, 0, 0, Cause::None);
        if self.forcing.is_dynamic {
            self.now.clone_from(self.marks);
        }
        let (mut on, mut off) = (0, 0);
        while branch.clash.is_none() {
            if let Some(&entry) = branch.ons.get(on) {
                on += 1;
                self.follow_on(entry, branch);
            } else if let Some(&entry) = branch.offs.get(off) {
                if branch.entries[usize::from(entry)].layer >= deepest {
                    break;
                }
                off += 1;
                self.follow_off(entry, branch);
            } else if self.forcing.level == 0 || !nested::follow(self, branch, desk)? {
                break;
            }
        }
        Ok(())
    }

    /// The board without what fell.
    pub(super) const fn now(&self) -> &Pencilmarks {
        &self.now
    }

    fn follow_on(&self, entry: u16, branch: &mut Branch) {
        let Entry { node, layer, .. } = branch.entries[usize::from(entry)];
        let in_cell = !self.forcing.is_nishio;
        for &off in self.links.turned_off(node.candidate(), in_cell) {
            if !branch.has_off(off) {
                let from = branch.reasons.len();
                branch.reasons.push(entry);
                branch.enter(Node::off(off), from, layer + 1, Cause::None);
                if branch.clash.is_some() {
                    return;
                }
            }
        }
    }

    fn follow_off(&mut self, entry: u16, branch: &mut Branch) {
        let Entry { node, layer, .. } = branch.entries[usize::from(entry)];
        let candidate = node.candidate();
        let (cell, digit) = (usize::from(candidate / 9), usize::from(candidate % 9));
        let forcing = self.forcing;
        let fallen = |branch: &mut Branch, gone: u16, name: &dyn Fn(usize) -> u16| {
            if forcing.is_dynamic {
                for bit in bits(gone) {
                    let reason = branch.at[Node::off(name(bit)).index()];
                    branch.reasons.push(reason);
                }
            }
        };
        let others = self.now.all()[cell] & !(1 << digit);
        if !forcing.is_nishio && others.is_power_of_two() {
            let on = number(cell, others.trailing_zeros() as usize);
            if !branch.has_on(on) {
                let from = branch.reasons.len();
                branch.reasons.push(entry);
                let gone = self.marks.all()[cell] & !self.now.all()[cell];
                fallen(branch, gone, &|digit| number(cell, digit));
                branch.enter(Node::on(on), from, layer + 1, Cause::Cell);
            }
        }
        for kind in KINDS {
            if branch.clash.is_some() {
                return;
            }
            let (unit, position) = UNITS_OF[cell][usize::from(kind)];
            let places = self.now.places_of(unit, digit);
            let others = places & !(1 << position);
            if !others.is_power_of_two() {
                continue;
            }
            let cells = &UNITS[unit.index()];
            let on = number(cells[others.trailing_zeros() as usize].index(), digit);
            if !branch.has_on(on) {
                let from = branch.reasons.len();
                branch.reasons.push(entry);
                let gone = self.marks.places_of(unit, digit) & !places;
                fallen(branch, gone, &|place| number(cells[place].index(), digit));
                branch.enter(Node::on(on), from, layer + 1, Cause::Unit(kind));
            }
        }
        if forcing.is_dynamic
            && let Some(gone) = Candidate::from_index(candidate)
        {
            self.now.eliminate(gone.cell(), gone.digit());
        }
    }
}
