//! Chains of *if* and *then*: what follows from a candidate being true, or false.
//!
//! A node says of one candidate that it is on or off. An on node turns off the rest of its cell and the
//! digit in its peers; an off node turns on what is left of a cell or of a digit's places in a house, if
//! that is one. All chains of the board are weighed, and the least is taken: by what it is worth, then by
//! the count of its nodes, then by its kind, then by the order in which they are met ([`Best`]).
//!
//! Nothing is kept but the best so far, and a chain that can no longer beat it is not followed to its end.
//! The result is that of collecting and sorting all of them, which costs many times as much.

#![expect(
    clippy::cast_possible_truncation,
    reason = "there are 1,458 nodes, and what is noted of them stays far below 65,536"
)]
#![expect(
    clippy::vec_box,
    reason = "a branch is some kilobytes and changes hands all the time"
)]

use super::argument::Argument;
use super::budget::Budget;
use super::memory::Memory;
use super::pencilmarks::{Candidate, Pencilmarks, bits, candidates_of};
use super::step::Step;
use super::technique::Technique;
use super::unit::{UNITS, UNITS_OF};
use super::worth::LONGEST;
use assume::Branch;

mod assume;
mod forcing;
mod nested;
mod patterns;
mod unary;

pub(super) use forcing::{Forcing, find as forcing};
pub(super) use unary::find as unary;

/// What a search works with: what it may take, and room that it would else ask for again and again.
pub(super) struct Desk<'a, 'b> {
    pub(super) budget: &'a mut Budget<'b>,
    pub(super) memory: Memory,
    branches: Vec<Box<Branch>>,
    /// The links from off to on of the last board of the way on which no chain without branches was found.
    in_vain: Option<Vec<[u16; 4]>>,
}

impl<'a, 'b> Desk<'a, 'b> {
    pub(super) const fn new(budget: &'a mut Budget<'b>) -> Self {
        Self {
            budget,
            memory: Memory::new(),
            branches: Vec::new(),
            in_vain: None,
        }
    }

    /// A branch, with whatever it held.
    fn branch(&mut self) -> Box<Branch> {
        self.branches
            .pop()
            .unwrap_or_else(|| Box::new(Branch::new()))
    }
}

/// A candidate that is on or off: `2 * candidate + on`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Node(u16);

impl Node {
    const fn on(candidate: u16) -> Self {
        Self(2 * candidate + 1)
    }

    const fn off(candidate: u16) -> Self {
        Self(2 * candidate)
    }

    const fn is_on(self) -> bool {
        self.0 & 1 != 0
    }

    const fn candidate(self) -> u16 {
        self.0 >> 1
    }

    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a chain is worth. The least is taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Rank {
    /// In tenths.
    value: u16,
    /// How many nodes it has.
    complexity: u16,
    kind: Kind,
}

/// The kinds in the order in which they are preferred.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    Double,
    X,
    Y,
    Xy,
    Cell,
    Region,
    Contradiction,
}

impl Rank {
    fn new(base: u16, complexity: u16, kind: Kind) -> Self {
        Self {
            value: base + supplement(complexity),
            complexity,
            kind,
        }
    }
}

/// A chain, or several that come to the same.
#[derive(Debug)]
struct Chain {
    technique: Technique,
    placement: Option<Candidate>,
    eliminations: Vec<Candidate>,
    /// The candidates of its nodes.
    evidence: Vec<Candidate>,
    argument: Argument,
    /// What it turns on, and in what that was left alone.
    causes: Vec<(u16, Cause)>,
}

/// In what a candidate was left alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cause {
    /// It was not.
    None,
    Cell,
    /// The box, column or row of its cell, by place in [`UNITS_OF`].
    Unit(u8),
}

/// What becomes of the chains that are met.
trait Harvest {
    /// Whether a chain of this rank is of use, which takes away this candidate alone, if any.
    fn wants(&self, rank: Rank, gone: Option<u16>) -> bool;

    /// The most nodes that a chain of this kind may have to be of use.
    fn most(&self, base: u16, kind: Kind) -> u16;

    /// Takes a chain that is wanted.
    fn take(&mut self, rank: Rank, chain: Chain);
}

/// The least chain met so far. Of equals the first stays.
struct Best {
    found: Option<(Rank, Chain)>,
}

impl Best {
    const fn none() -> Self {
        Self { found: None }
    }

    fn into_step(self) -> Option<Step> {
        self.found.map(|(rank, chain)| Step {
            technique: chain.technique,
            er_tenths: rank.value,
            placement: chain.placement,
            eliminations: chain.eliminations,
            evidence: chain.evidence,
            units: match chain.argument {
                Argument::Region(_, unit) => vec![unit],
                _ => Vec::new(),
            },
            argument: chain.argument,
        })
    }
}

impl Harvest for Best {
    fn wants(&self, rank: Rank, _: Option<u16>) -> bool {
        self.found.as_ref().is_none_or(|(best, _)| rank < *best)
    }

    fn most(&self, base: u16, kind: Kind) -> u16 {
        let Some((best, _)) = &self.found else {
            return MOST;
        };
        let Some(added) = best.value.checked_sub(base) else {
            return 0;
        };
        // Those that are worth less may have as many as that allows, those worth the same fewer than it.
        let cheaper = added.checked_sub(1).map_or(0, longest);
        let equal = best.complexity.saturating_sub(u16::from(kind >= best.kind));
        cheaper.max(equal.min(longest(added)))
    }

    fn take(&mut self, rank: Rank, chain: Chain) {
        self.found = Some((rank, chain));
    }
}

/// More nodes than any chain has, nested ones aside.
const MOST: u16 = 1 << 12;

/// What length adds, in tenths: one for each of 4, 6, 8, 12, 16, 24, 32, ... that it exceeds.
fn supplement(complexity: u16) -> u16 {
    // As many as MOST exceeds, and some.
    (0..LONGEST)
        .find(|&added| complexity <= longest(added))
        .unwrap_or(LONGEST)
}

/// How many nodes a chain may have to which no more is added.
fn longest(added: u16) -> u16 {
    let step = if added.is_multiple_of(2) { 4 } else { 6 };
    2 + (step << (added / 2).min(12))
}

/// No candidate.
const NONE: u16 = u16::MAX;

/// The links of a board.
struct Links {
    /// Of each candidate where in `off` those begin that it turns off, and where those begin that are in
    /// other cells. The rest of its cell comes first, then box, row and column.
    start: [(u16, u16); 730],
    off: Vec<u16>,
}

impl Links {
    fn new(marks: &Pencilmarks) -> Self {
        let mut links = Self {
            start: [(0, 0); 730],
            off: Vec::with_capacity(4096),
        };
        for (cell, &mask) in marks.all().iter().enumerate() {
            for digit in 0..9 {
                let candidate = number(cell, digit);
                let first = links.off.len() as u16;
                let mut across = first;
                if mask >> digit & 1 != 0 {
                    let others = bits(mask & !(1 << digit));
                    links.off.extend(others.map(|other| number(cell, other)));
                    across = links.off.len() as u16;
                    let peers = PEERS[cell].iter().map(|&peer| usize::from(peer));
                    let peers = peers.filter(|&peer| marks.all()[peer] >> digit & 1 != 0);
                    links.off.extend(peers.map(|peer| number(peer, digit)));
                }
                links.start[usize::from(candidate)] = (first, across);
            }
        }
        links.start[729] = (links.off.len() as u16, 0);
        links
    }

    /// Whether a candidate is there and turns anything off.
    fn is_there(&self, candidate: u16) -> bool {
        let candidate = usize::from(candidate);
        self.start[candidate].0 != self.start[candidate + 1].0
    }

    /// What a candidate turns off.
    fn turned_off(&self, candidate: u16, in_cell: bool) -> &[u16] {
        let (first, across) = self.start[usize::from(candidate)];
        let start = if in_cell { first } else { across };
        &self.off[usize::from(start)..usize::from(self.start[usize::from(candidate) + 1].0)]
    }
}

/// What a candidate turns on by going: the rest of its cell, then of its box, row and column; [`NONE`]
/// where more than one is left.
fn turned_on(marks: &Pencilmarks, candidate: u16) -> [u16; 4] {
    let (cell, digit) = (usize::from(candidate / 9), usize::from(candidate % 9));
    let mut on = [NONE; 4];
    let others = marks.all()[cell] & !(1 << digit);
    if others.is_power_of_two() {
        on[0] = number(cell, others.trailing_zeros() as usize);
    }
    for (on, kind) in on[1..].iter_mut().zip(KINDS) {
        let (unit, position) = UNITS_OF[cell][usize::from(kind)];
        let others = marks.places_of(unit, digit) & !(1 << position);
        if others.is_power_of_two() {
            let other = UNITS[unit.index()][others.trailing_zeros() as usize];
            *on = number(other.index(), digit);
        }
    }
    on
}

/// Box, row, column, as numbered in [`UNITS_OF`].
const KINDS: [u8; 3] = [0, 2, 1];

/// The number of a candidate, digits counted from 0.
const fn number(cell: usize, digit: usize) -> u16 {
    (9 * cell + digit) as u16
}

/// The peers of a cell: of its box, then the others of its row, then those of its column.
const PEERS: [[u8; 20]; 81] = {
    let mut all = [[0; 20]; 81];
    let mut cell = 0;
    while cell < 81 {
        let (mut len, mut kind) = (0, 0);
        while kind < 3 {
            let unit = UNITS_OF[cell][KINDS[kind] as usize].0;
            let mut position = 0;
            while position < 9 {
                let peer = UNITS[unit.index()][position].index();
                let is_known =
                    kind > 0 && UNITS_OF[cell][0].0.index() == UNITS_OF[peer][0].0.index();
                if peer != cell && !is_known {
                    all[cell][len] = peer as u8;
                    len += 1;
                }
                position += 1;
            }
            kind += 1;
        }
        cell += 1;
    }
    all
};

/// What goes when a candidate is filled in: the rest of its cell.
fn others_of_its_cell(marks: &Pencilmarks, placed: Candidate) -> Vec<Candidate> {
    candidates_of(placed.cell(), marks.candidates(placed.cell()))
        .filter(|&other| other != placed)
        .collect()
}

#[cfg(test)]
mod tests;
