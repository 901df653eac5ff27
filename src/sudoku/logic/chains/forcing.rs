//! Chains that branch: what all candidates of a cell, all places of a digit in a house, or a candidate and
//! its absence come to; and what comes to a contradiction.
//!
//! What follows from a candidate is found once and kept, since its cell and its houses ask for it in turn.
//! It is followed no further than a chain may reach that beats the best so far.

use super::assume::{Branch, Count, Ground};
use super::{
    Best, Cause, Chain, Desk, Harvest, KINDS, Kind, Links, MOST, NONE, Node, Pencilmarks, Rank,
    number,
};
use crate::sudoku::logic::argument::{Argument, Assumption};
use crate::sudoku::logic::budget::Halt;
use crate::sudoku::logic::pencilmarks::{Candidate, bits};
use crate::sudoku::logic::step::Step;
use crate::sudoku::logic::technique::Technique;
use crate::sudoku::logic::unit::{UNITS, UNITS_OF};

/// A way to follow chains that branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct Forcing {
    /// What its chains are worth, length aside, in tenths.
    pub(in super::super) base: u16,
    /// Whether it looks at one digit alone.
    pub(in super::super) is_nishio: bool,
    /// Whether candidates fall on the way.
    pub(in super::super) is_dynamic: bool,
    /// What else is looked for where nothing follows: nothing, patterns, chains.
    pub(in super::super) level: u8,
}

impl Forcing {
    /// In the order in which they are tried.
    pub(in super::super) const ALL: [Self; 10] = [
        Self::NISHIO,
        Self::MULTIPLE,
        Self::DYNAMIC,
        Self::plus(90, 1),
        Self::plus(95, 2),
        Self::plus(100, 3),
        Self::plus(105, 4),
        Self::plus(105, 5),
        Self::plus(105, 6),
        Self::plus(105, 7),
    ];

    /// A digit against itself.
    pub(in super::super) const NISHIO: Self = Self {
        base: 75,
        is_nishio: true,
        is_dynamic: true,
        level: 0,
    };
    /// From cells and houses.
    pub(in super::super) const MULTIPLE: Self = Self {
        base: 80,
        is_nishio: false,
        is_dynamic: false,
        level: 0,
    };
    /// The same with candidates that fall, and contradictions.
    pub(in super::super) const DYNAMIC: Self = Self {
        base: 85,
        is_nishio: false,
        is_dynamic: true,
        level: 0,
    };

    /// With patterns too, and from the second level on with chains, where links lead no further.
    const fn plus(base: u16, level: u8) -> Self {
        Self {
            base,
            level,
            ..Self::DYNAMIC
        }
    }

    /// What is looked for where even patterns lead no further, in turn: chains without branches, those that
    /// branch, or instead dynamic ones, with ever more of their own.
    pub(in super::super) const fn nested(self) -> (bool, Option<Self>) {
        match self.level {
            0 | 1 => (false, None),
            2 => (true, None),
            3 => (true, Some(Self::MULTIPLE)),
            4 => (false, Some(Self::DYNAMIC)),
            level => (false, Some(Self::plus(90, level - 4))),
        }
    }
}

/// The least of all chains of this kind.
pub(in super::super) fn find(
    marks: &Pencilmarks,
    forcing: Forcing,
    desk: &mut Desk<'_, '_>,
) -> Result<Option<Step>, Halt> {
    let mut best = Best::none();
    harvest(marks, forcing, &mut best, desk)?;
    Ok(best.into_step())
}

/// Meets all chains of this kind.
pub(super) fn harvest(
    marks: &Pencilmarks,
    forcing: Forcing,
    harvest: &mut impl Harvest,
    desk: &mut Desk<'_, '_>,
) -> Result<(), Halt> {
    let links = Links::new(marks);
    let mut search = Search {
        ground: Ground::new(marks, &links, forcing),
        branches: Vec::new(),
        slots: [NONE; 729],
        off: desk.branch(),
        harvest,
    };
    let fewest = if forcing.is_dynamic { 2 } else { 3 };
    for (cell, &mask) in marks.all().iter().enumerate() {
        if mask.count_ones() >= fewest {
            search.cell(cell, mask, desk)?;
        }
    }
    desk.branches.append(&mut search.branches);
    desk.branches.push(search.off);
    Ok(())
}

struct Search<'a, H> {
    ground: Ground<'a>,
    /// What follows from candidates that are on.
    branches: Vec<Box<Branch>>,
    slots: [u16; 729],
    off: Box<Branch>,
    harvest: &'a mut H,
}

impl<H: Harvest> Search<'_, H> {
    fn cell(&mut self, cell: usize, mask: u16, desk: &mut Desk<'_, '_>) -> Result<(), Halt> {
        let Forcing {
            is_nishio,
            is_dynamic,
            ..
        } = self.ground.forcing;
        for digit in bits(mask) {
            let candidate = number(cell, digit);
            let on = self.on(candidate, desk)?;
            if is_dynamic {
                let deepest = self.deepest();
                self.ground
                    .assume(Node::off(candidate), deepest, &mut self.off, desk)?;
                self.contradiction(candidate, on, true);
                self.contradiction(candidate, on, false);
                if !is_nishio && mask.count_ones() > 2 {
                    self.double(candidate, on);
                }
            }
            if !is_nishio {
                for kind in KINDS {
                    self.region(cell, digit, kind, desk)?;
                }
            }
        }
        if !is_nishio {
            let slots = bits(mask).map(|digit| self.on(number(cell, digit), desk));
            let slots = slots.collect::<Result<Vec<_>, _>>()?;
            self.common(&slots, Kind::Cell, (number(cell, 0), Cause::Cell));
        }
        Ok(())
    }

    /// The branch of a candidate that is on.
    fn on(&mut self, candidate: u16, desk: &mut Desk<'_, '_>) -> Result<usize, Halt> {
        let slot = self.slots[usize::from(candidate)];
        if slot != NONE {
            return Ok(usize::from(slot));
        }
        let deepest = self.deepest();
        // No other chain of a single digit asks for it.
        let is_nishio = self.ground.forcing.is_nishio;
        let slot = if is_nishio { 0 } else { self.branches.len() };
        if slot == self.branches.len() {
            self.branches.push(desk.branch());
        }
        let branch = &mut self.branches[slot];
        self.ground
            .assume(Node::on(candidate), deepest, branch, desk)?;
        if !is_nishio {
            self.slots[usize::from(candidate)] = slot as u16;
        }
        Ok(slot)
    }

    /// How far a node may be from its start in a chain that wins: another branch has a node at least.
    /// Patterns come after all links, so that where they are sought these are followed to the end.
    fn deepest(&self) -> u16 {
        if self.ground.forcing.level > 0 {
            return MOST;
        }
        self.harvest
            .most(self.ground.forcing.base, Kind::Double)
            .saturating_sub(2)
    }

    /// A candidate that is both on and off, if it or its absence is assumed.
    fn contradiction(&mut self, start: u16, slot: usize, is_on: bool) {
        let branch = if is_on {
            &mut self.branches[slot]
        } else {
            &mut self.off
        };
        let Some(at) = branch.clash else {
            return;
        };
        let (Some(of), Some(clash)) = (Candidate::from_index(start), Candidate::from_index(at))
        else {
            return;
        };
        let (on, off) = (Node::on(at), Node::off(at));
        let gone = is_on.then_some(start);
        let base = self.ground.forcing.base;
        let least = branch.at_least(on) + branch.at_least(off);
        if !self
            .harvest
            .wants(Rank::new(base, least, Kind::Contradiction), gone)
        {
            return;
        }
        let mut count = Count::default();
        branch.count(on, &mut count);
        branch.count(off, &mut count);
        let rank = Rank::new(base, count.total(), Kind::Contradiction);
        if self.harvest.wants(rank, gone) {
            let assumed = Assumption {
                candidate: of,
                is_true: is_on,
            };
            let argument = Argument::Contradiction(assumed, clash);
            let mut chain = self
                .ground
                .conclude(Kind::Contradiction, of, !is_on, argument);
            branch.explain(on, &mut chain);
            branch.explain(off, &mut chain);
            self.harvest.take(rank, chain);
        }
    }

    /// What follows from a candidate and from its absence.
    fn double(&mut self, start: u16, slot: usize) {
        let base = self.ground.forcing.base;
        let on = &mut self.branches[slot];
        let targets: Vec<Node> = on.nodes().filter(|&node| self.off.has(node)).collect();
        for target in targets {
            let gone = (!target.is_on()).then_some(target.candidate());
            let least = on.at_least(target) + self.off.at_least(target);
            if !self
                .harvest
                .wants(Rank::new(base, least, Kind::Double), gone)
            {
                continue;
            }
            let mut count = Count::default();
            on.count(target, &mut count);
            self.off.count(target, &mut count);
            let rank = Rank::new(base, count.total(), Kind::Double);
            if let (Some(of), Some(start)) = (
                Candidate::from_index(target.candidate()),
                Candidate::from_index(start),
            ) && self.harvest.wants(rank, gone)
            {
                let argument = Argument::Either(start);
                let mut chain = self
                    .ground
                    .conclude(Kind::Double, of, target.is_on(), argument);
                on.explain(target, &mut chain);
                self.off.explain(target, &mut chain);
                self.harvest.take(rank, chain);
            }
        }
    }

    /// What all places of a digit in a house come to, asked at the first of them.
    fn region(
        &mut self,
        cell: usize,
        digit: usize,
        kind: u8,
        desk: &mut Desk<'_, '_>,
    ) -> Result<(), Halt> {
        let (unit, position) = UNITS_OF[cell][usize::from(kind)];
        let places = self.ground.marks.places_of(unit, digit);
        if places.count_ones() < 2 || places.trailing_zeros() != u32::from(position) {
            return Ok(());
        }
        let cells = bits(places).map(|place| UNITS[unit.index()][place].index());
        let slots = cells.map(|cell| self.on(number(cell, digit), desk));
        let slots = slots.collect::<Result<Vec<_>, _>>()?;
        let of = (number(cell, digit), Cause::Unit(kind));
        self.common(&slots, Kind::Region, of);
        Ok(())
    }

    /// What all of some branches come to, those of one cell or house.
    fn common(&mut self, slots: &[usize], kind: Kind, of: (u16, Cause)) {
        let base = self.ground.forcing.base;
        let mut common = [[u64::MAX; 12]; 2];
        for &slot in slots {
            for (common, set) in common.iter_mut().zip(self.branches[slot].sets()) {
                for (common, word) in common.iter_mut().zip(set) {
                    *common &= word;
                }
            }
        }
        if common.iter().flatten().all(|&word| word == 0) {
            return;
        }
        let is_common = |node: &Node| {
            let set = &common[usize::from(!node.is_on())];
            let candidate = node.candidate();
            set[usize::from(candidate / 64)] >> (candidate % 64) & 1 != 0
        };
        let targets: Vec<Node> = self.branches[slots[0]].nodes().filter(is_common).collect();
        for target in targets {
            let gone = (!target.is_on()).then_some(target.candidate());
            let all = slots.iter();
            let least = all.map(|&slot| self.branches[slot].at_least(target)).sum();
            if !self.harvest.wants(Rank::new(base, least, kind), gone) {
                continue;
            }
            let mut count = Count::default();
            for &slot in slots {
                self.branches[slot].count(target, &mut count);
            }
            let rank = Rank::new(base, count.total(), kind);
            if let (Some(what), Some(first)) = (
                Candidate::from_index(target.candidate()),
                Candidate::from_index(of.0),
            ) && self.harvest.wants(rank, gone)
            {
                let argument = match of.1 {
                    Cause::Unit(kind) => {
                        let (unit, _) = UNITS_OF[first.cell().index()][usize::from(kind)];
                        Argument::Region(first.digit(), unit)
                    }
                    _ => Argument::Cell(first.cell()),
                };
                let mut chain = self.ground.conclude(kind, what, target.is_on(), argument);
                chain.causes.push(of);
                for &slot in slots {
                    self.branches[slot].explain(target, &mut chain);
                }
                self.harvest.take(rank, chain);
            }
        }
    }
}

impl Ground<'_> {
    /// The conclusion that a candidate is true or false, without its evidence.
    fn conclude(&self, kind: Kind, of: Candidate, is_true: bool, argument: Argument) -> Chain {
        let forcing = self.forcing;
        let technique = match kind {
            _ if forcing.level > 1 => Technique::NestedForcingChains,
            _ if forcing.level > 0 => Technique::DynamicForcingPlus,
            _ if forcing.is_nishio => Technique::NishioForcingChains,
            Kind::Double => Technique::DynamicDoubleForcing,
            Kind::Contradiction => Technique::DynamicContradiction,
            Kind::Cell if forcing.is_dynamic => Technique::DynamicCellForcing,
            Kind::Cell => Technique::CellForcingChains,
            _ if forcing.is_dynamic => Technique::DynamicRegionForcing,
            _ => Technique::RegionForcingChains,
        };
        Chain {
            technique,
            placement: is_true.then_some(of),
            eliminations: if is_true {
                super::others_of_its_cell(self.marks, of)
            } else {
                vec![of]
            },
            evidence: Vec::new(),
            argument,
            causes: Vec::new(),
        }
    }
}
