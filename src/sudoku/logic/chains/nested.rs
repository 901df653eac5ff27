//! Chains within chains: what falls on a working board where links lead no further.
//!
//! Patterns come first, then chains of the board as it stands by then. As with patterns, all that a search
//! finds is entered; in the order of rank, since a candidate keeps the first that takes it away. A chain's
//! reasons are the candidates that fell where it turns one on, and its nodes count with those of the
//! chains that are built on it.

use super::assume::{Branch, Ground, Nested};
use super::{
    Cause, Chain, Desk, Harvest, Kind, MOST, Pencilmarks, Rank, forcing, number, patterns, unary,
};
use crate::sudoku::logic::budget::Halt;
use crate::sudoku::logic::pencilmarks::bits;
use crate::sudoku::logic::unit::{UNITS, UNITS_OF};

/// Enters what patterns or chains take away; tells whether they take anything.
pub(super) fn follow(
    ground: &Ground<'_>,
    branch: &mut Branch,
    desk: &mut Desk<'_, '_>,
) -> Result<bool, Halt> {
    desk.budget.step()?;
    if patterns::follow(ground, branch) {
        return Ok(true);
    }
    let (is_unary, branching) = ground.forcing.nested();
    if is_unary {
        let mut all = All::new(ground);
        unary::harvest(ground.now(), &mut all, desk)?;
        if all.enter(branch) {
            return Ok(true);
        }
    }
    if let Some(inner) = branching {
        let mut all = All::new(ground);
        forcing::harvest(ground.now(), inner, &mut all, desk)?;
        return Ok(all.enter(branch));
    }
    Ok(false)
}

/// All chains of a working board.
struct All<'a> {
    before: &'a Pencilmarks,
    now: &'a Pencilmarks,
    /// With the candidates that fell to make them.
    found: Vec<(Rank, Chain, Vec<u16>)>,
    /// The least that takes a candidate away: of chains that take no other, later ones of no lesser rank
    /// are not wanted.
    least: Vec<Option<Rank>>,
}

impl<'a> All<'a> {
    fn new(ground: &'a Ground<'_>) -> Self {
        Self {
            before: ground.marks,
            now: ground.now(),
            found: Vec::new(),
            least: vec![None; 729],
        }
    }

    fn enter(mut self, branch: &mut Branch) -> bool {
        self.found.sort_by_key(|(rank, ..)| *rank);
        let mut has_found = false;
        for (rank, chain, reasons) in &self.found {
            let mut gone = chain.eliminations.iter();
            if gone.all(|gone| branch.has_off(gone.index())) {
                continue;
            }
            let nested = branch.nest(Nested {
                nodes: rank.complexity,
                sign: chain.sign(),
            });
            for gone in &chain.eliminations {
                branch.turn_off(gone.index(), reasons.iter().copied(), Some(nested));
            }
            has_found = true;
        }
        has_found
    }

    /// The candidates that fell where this one was left alone.
    fn fallen(&self, on: u16, cause: Cause, reasons: &mut Vec<u16>) {
        let (cell, digit) = (usize::from(on / 9), usize::from(on % 9));
        match cause {
            Cause::None => {}
            Cause::Cell => {
                let gone = self.before.all()[cell] & !self.now.all()[cell];
                reasons.extend(bits(gone).map(|digit| number(cell, digit)));
            }
            Cause::Unit(kind) => {
                let (unit, _) = UNITS_OF[cell][usize::from(kind)];
                let gone = self.before.places_of(unit, digit) & !self.now.places_of(unit, digit);
                let cells = UNITS[unit.index()];
                reasons.extend(bits(gone).map(|place| number(cells[place].index(), digit)));
            }
        }
    }
}

impl Harvest for All<'_> {
    fn wants(&self, rank: Rank, gone: Option<u16>) -> bool {
        gone.is_none_or(|gone| self.least[usize::from(gone)].is_none_or(|least| rank < least))
    }

    fn most(&self, _: u16, _: Kind) -> u16 {
        MOST
    }

    fn take(&mut self, rank: Rank, chain: Chain) {
        let mut reasons = Vec::new();
        for &(on, cause) in &chain.causes {
            self.fallen(on, cause, &mut reasons);
        }
        if reasons.is_empty() {
            return;
        }
        for gone in &chain.eliminations {
            let least = &mut self.least[usize::from(gone.index())];
            *least = Some(least.map_or(rank, |least| least.min(rank)));
        }
        reasons.sort_unstable();
        reasons.dedup();
        self.found.push((rank, chain, reasons));
    }
}

impl Chain {
    /// A number that equal chains share and hardly others (FNV-1a over its nodes and what it concludes).
    fn sign(&self) -> u64 {
        let all = self.eliminations.iter().chain(&self.evidence);
        all.fold(0xcbf2_9ce4_8422_2325, |sign, candidate| {
            (sign ^ u64::from(candidate.index())).wrapping_mul(0x0100_0000_01b3)
        })
    }
}
