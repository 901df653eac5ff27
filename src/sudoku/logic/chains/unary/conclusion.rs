//! What a loop or chain that was found comes to.

use super::super::{Cause, Chain, Harvest, KINDS, Kind, NONE, Rank, others_of_its_cell};
use super::{Pass, Search, Seen};
use crate::sudoku::cell::Cell;
use crate::sudoku::digit::Digit;
use crate::sudoku::logic::argument::{Argument, Assumption};
use crate::sudoku::logic::pencilmarks::Candidate;
use crate::sudoku::logic::technique::Technique;
use crate::sudoku::logic::unit::UNITS_OF;
use crate::sudoku::set::CellSet;

impl<H: Harvest> Search<'_, H> {
    /// Why an off node turns an on node on.
    fn cause(&self, off: u16, on: u16, pass: Pass) -> Cause {
        let all = self.turned_on[usize::from(off)];
        match (pass.on.0..pass.on.1).find(|&link| all[link] == on) {
            None => Cause::None,
            Some(0) => Cause::Cell,
            Some(link) => Cause::Unit(KINDS[link - 1]),
        }
    }

    pub(super) fn offer_cycle(&mut self, off: u16, on: u16, nodes: u16, pass: Pass) {
        let rank = Rank::new(pass.cycle, nodes, pass.kind);
        if !self.harvest.wants(rank, None) {
            return;
        }
        let cell = |candidate: u16| Cell::new((candidate / 9) as u8);
        let mut own = CellSet::EMPTY;
        let mut seen = [[CellSet::EMPTY; 2]; 9];
        let mut evidence = Vec::new();
        let mut note = |candidate: u16, is_on: bool| {
            if let Some(cell) = cell(candidate) {
                own = own.with(cell);
                let seen = &mut seen[usize::from(candidate % 9)][usize::from(is_on)];
                *seen = seen.union(cell.peers());
            }
            evidence.extend(Candidate::from_index(candidate));
        };
        let start = self.queue[0];
        // Read the other way round, where the off nodes are on, a loop rests on its other links.
        let mut causes = vec![
            (start, self.cause(off, start, pass)),
            (off, common(on, off)),
        ];
        note(off, false);
        let mut at = on;
        while at != start {
            let Seen { by, by_on, .. } = self.seen[usize::from(at)];
            note(at, true);
            note(by, false);
            causes.push((at, self.cause(by, at, pass)));
            causes.push((by, common(by_on, by)));
            at = by_on;
        }
        note(start, true);
        let gone = Digit::ALL.into_iter().zip(seen).flat_map(|(digit, seen)| {
            let both = seen[0].intersection(seen[1]).difference(own);
            let gone = both.intersection(self.marks.cells_with(digit));
            gone.iter().map(move |cell| Candidate::new(cell, digit))
        });
        let eliminations: Vec<_> = gone.collect();
        if eliminations.is_empty() {
            return;
        }
        let technique = match pass.kind {
            Kind::X => Technique::XCycle,
            Kind::Y => Technique::YCycle,
            _ => Technique::Cycle,
        };
        let chain = Chain {
            technique,
            placement: None,
            eliminations,
            evidence,
            argument: Argument::Loop,
            causes,
        };
        self.harvest.take(rank, chain);
    }

    pub(super) fn offer_chain(
        &mut self,
        start: u16,
        end: u16,
        nodes: u16,
        pass: Pass,
        is_on: bool,
    ) {
        let (Some(of), Some(base)) = (Candidate::from_index(start), pass.chain) else {
            return;
        };
        let rank = Rank::new(base, nodes, pass.kind);
        if !self.harvest.wants(rank, is_on.then_some(start)) {
            return;
        }
        let (mut evidence, mut causes) = (Vec::new(), Vec::new());
        let mut at = end;
        loop {
            evidence.extend(Candidate::from_index(at));
            if is_on && at == start {
                break;
            }
            let seen = self.seen[usize::from(at)];
            evidence.extend(Candidate::from_index(seen.by));
            causes.push((at, self.cause(seen.by, at, pass)));
            if seen.by_on == NONE {
                break;
            }
            at = seen.by_on;
        }
        evidence.reverse();
        let argument = match evidence[..] {
            // What the start turns off first, and what turns the start off in the end.
            [_, first, .., last] if is_on => Argument::OneOf([first, last]),
            _ => {
                let assumed = Assumption {
                    candidate: of,
                    is_true: is_on,
                };
                Argument::Contradiction(assumed, of)
            }
        };
        let technique = match pass.kind {
            Kind::X if nodes == 6 => Technique::TurbotFish,
            Kind::X => Technique::ForcingXChain,
            _ => Technique::ForcingChain,
        };
        let eliminations = if is_on {
            vec![of]
        } else {
            others_of_its_cell(self.marks, of)
        };
        let chain = Chain {
            technique,
            placement: (!is_on).then_some(of),
            eliminations,
            evidence,
            argument,
            causes,
        };
        self.harvest.take(rank, chain);
    }
}

/// What two candidates that cannot both be true have in common: the cell, else the first house.
fn common(first: u16, second: u16) -> Cause {
    let [first, second] = [first, second].map(|of| usize::from(of / 9));
    if first == second {
        return Cause::Cell;
    }
    let shares =
        |&kind: &u8| UNITS_OF[first][usize::from(kind)].0 == UNITS_OF[second][usize::from(kind)].0;
    KINDS
        .into_iter()
        .find(shares)
        .map_or(Cause::None, Cause::Unit)
}
