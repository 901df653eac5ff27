//! Taking givens away while the solution stays the only one.
//!
//! The result is that of the plain way: go through the orbits in order, and take each away if the
//! puzzle without it still has one solution. An orbit that had to stay once has to stay for good,
//! so once through is enough to be minimal. Orbits are tested several at a time while many givens
//! are left, when nearly all can go; a group that cannot go whole is halved. That changes the
//! number of tests and nothing else.

use crate::sudoku::grid::Grid;
use crate::sudoku::puzzle::Puzzle;
use crate::sudoku::set::CellSet;
use crate::sudoku::solve::{Cancel, Cancelled, Solver};

/// When to stop taking away.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    /// As soon as no more givens than this are left.
    pub(super) at: u8,
    /// Orbits are passed over that would leave fewer.
    pub(super) never_below: u8,
    /// As soon as more givens than this must stay.
    pub(super) needed_above: u8,
}

/// A puzzle with one solution, losing givens.
pub(super) struct Minimiser<'a> {
    solution: &'a Grid,
    solver: &'a mut Solver,
    cancel: Cancel<'a>,
    cells: [u8; 81],
    left: u8,
    needed: u8,
}

impl<'a> Minimiser<'a> {
    /// With every cell given.
    pub(super) fn new(solution: &'a Grid, solver: &'a mut Solver, cancel: Cancel<'a>) -> Self {
        Self {
            solution,
            solver,
            cancel,
            cells: *solution.cells(),
            left: 81,
            needed: 0,
        }
    }

    /// What is left.
    pub(super) fn puzzle(&self) -> Puzzle {
        Puzzle::from_checked(self.cells)
    }

    /// Takes orbits away in their order until told to stop.
    pub(super) fn take_away(
        &mut self,
        mut orbits: &[CellSet],
        stop: Stop,
    ) -> Result<(), Cancelled> {
        while let Some(first) = orbits.first() {
            if self.left <= stop.at || self.needed > stop.needed_above {
                break;
            }
            // At least one orbit, and no more than are all wanted gone.
            let mut group = 1;
            let mut cells = size(*first);
            if self.left < stop.never_below + cells {
                orbits = &orbits[1..];
                continue;
            }
            for orbit in &orbits[1..] {
                cells += size(*orbit);
                if cells > self.group_cells() || self.left < stop.at + cells {
                    break;
                }
                group += 1;
            }
            let (now, later) = orbits.split_at(group);
            self.take_group(now, false)?;
            orbits = later;
        }
        Ok(())
    }

    /// How many cells to test at a time: fewer as it becomes less likely that all can go.
    fn group_cells(&self) -> u8 {
        match self.left {
            61.. => 16,
            45.. => 8,
            37.. => 4,
            31.. => 2,
            _ => 1,
        }
    }

    /// Takes away what can go; `cannot_all` if it is known that not all can.
    fn take_group(&mut self, orbits: &[CellSet], cannot_all: bool) -> Result<(), Cancelled> {
        if !cannot_all && self.can_go(orbits)? {
            return Ok(());
        }
        if let [orbit] = orbits {
            self.needed += size(*orbit);
            return Ok(());
        }
        let (first, second) = orbits.split_at(orbits.len() / 2);
        let needed = self.needed;
        self.take_group(first, false)?;
        // If the first half could go, it is the second that cannot.
        self.take_group(second, self.needed == needed)
    }

    /// Takes all of these away if the solution stays the only one.
    fn can_go(&mut self, orbits: &[CellSet]) -> Result<bool, Cancelled> {
        let open = orbits
            .iter()
            .fold(CellSet::EMPTY, |open, &orbit| open.union(orbit));
        let before = self.cells;
        for cell in open.iter() {
            self.cells[cell.index()] = 0;
        }
        let puzzle = Puzzle::from_checked(self.cells);
        if self
            .solver
            .has_other(&puzzle, self.solution, open, self.cancel)?
        {
            self.cells = before;
            return Ok(false);
        }
        self.left -= size(open);
        Ok(true)
    }
}

fn size(cells: CellSet) -> u8 {
    u8::try_from(cells.len()).expect("at most 81 cells")
}
