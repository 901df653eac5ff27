//! The batch engine: hundreds of puzzles in lockstep, one bit each.
//!
//! A *block* is as many puzzles as a register has bits: 256 with AVX2, 512 with AVX-512. Each of
//! them has a *lane*, the same bit of every register, and a register that holds one fact about all
//! lanes is a *plane*. Deduction is then arithmetic on planes, without a branch and without a
//! table, and costs the same for one puzzle as for all of them: about 14,000 operations of AVX2 or
//! 7,000 of AVX-512 for a *sweep*, a few nanoseconds a puzzle.
//!
//! ```text
//!  lane:                        0 1 2 3 4 ...                      255
//!  rows[4][0][1]                1 0 0 1 1 ...   digit 5 may be in the box's middle row
//!  columns[4][0][2]             1 1 0 0 1 ...   digit 5 may be in the box's right column
//!  taken[0][5]                  0 1 0 0 1 ...   where these two meet, the digit is known
//!  open[4][0]                   1 0 1 1 0 ...   where digit 5 goes in the box is not
//! ```
//!
//! # The state
//!
//! A digit's place in a box is told by its row and its column there, and so are its candidates:
//! digit `d` may be in the cell where minirow `i` and minicolumn `j` of box `b` meet if both flags
//! are set and the cell is not taken by another digit. So six flags say what nine candidates
//! would, 54 for a digit instead of 81, and they are just what the rules work on. No deduction is
//! lost by it: whatever rules a single cell out either takes the cell or clears a flag.
//!
//! # The order of operations
//!
//! 1. [`search`] *loads* puzzles into the free lanes ([`transpose`]: 41 packed bytes a puzzle become
//!    328 planes by the classic transposition of 64x64 bits, six steps of shifts and masks a plane,
//!    and then flags).
//! 2. A [sweep](planes::Planes::sweep) draws the deductions in all lanes, each digit seeing what
//!    those before it found, and tells which lanes are dead, solved, or stuck (nothing changed).
//! 3. When a quarter of the live lanes is stuck, they guess. First [`triads`] looks deeper than a sweep
//!    does. Then [`branch`] chooses in each lane a digit in a band or stack, and splits the lane in
//!    two: the digit is in one certain minirow, or it is not. The second half goes to a free lane
//!    ([`route`]) or, if they are too few, a whole copy of the block is *parked* on a stack.
//! 4. When lanes become free, parked ones come back, the latest first, and then new puzzles; for
//!    [questions](#questions) the other way round, and half must be stuck.
//!
//! Lanes know nothing of one another. What a lane does depends on its puzzle alone, but how soon
//! its siblings get their turn depends on the company; so the number of guesses is the puzzle's own
//! only where the search space was exhausted, and which of several solutions is found first is
//! nobody's to rely on. [`Solver`](super::Solver) asks the single engine in such cases.
//!
//! # Questions
//!
//! Whoever makes puzzles asks another thing: can this given go? A solution is known, so a second one
//! is looked for, which has another digit in that cell. The one candidate is denied from the start
//! ([`corner`]); where the given can go, that is a contradiction after four sweeps, and where it cannot,
//! one solution is enough. So siblings of guesses wait as long as there are new puzzles: otherwise the
//! givens that have to stay in a minimal puzzle took 38 sweeps of a lane each, and not 26.
//!
//! # Why this way
//!
//! Measured and dropped, but for the third, which is arithmetic:
//!
//! - A plane for every candidate, 729 of them: a third more to load, store and copy, and the same
//!   operations.
//! - Handing lanes that need a guess over to the single engine: a guess costs it two to three times
//!   as much.
//! - Copying siblings by word-wise compress and expand instead of a rotation: exact, but scalar.
//! - Parking few lanes at a time, or moving lanes within their word only: the stack grows to hundreds
//!   of almost empty blocks while half of the lanes are idle.
//! - Digits in alternating order from sweep to sweep: no fewer sweeps.
//! - Cells with two candidates as guesses: half as many guesses again.
//!
//! The idea of solving in bit planes is Eli Biham's ("A Fast New DES Implementation in Software",
//! FSE 1997, who called it a bitslice implementation); the closure over permutations, the triads and
//! the choice of guesses follow Tom Dillon's tdoku (<https://github.com/t-dillon/tdoku>), which has
//! them for one puzzle.

#![expect(
    clippy::inline_always,
    reason = "code for other instructions must be inlined into the function that enables them"
)]
#![expect(
    clippy::needless_range_loop,
    reason = "one index runs through several arrays; and a closure is compiled for the plain CPU, \
              so that intrinsics in it would become calls"
)]
#![expect(
    clippy::many_single_char_names,
    reason = "d is a digit, b a box, i and j a row and a column of it, k a cell"
)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod block;
mod branch;
mod corner;
mod lanes;
mod planes;
mod portable;
mod route;
mod search;
#[cfg(test)]
mod tests;
mod transpose;
mod triads;
mod vector;

use std::fmt;

use super::{Cancel, Cancelled, Finding, Isa, SolveLimits, Unusable};
use crate::sudoku::cell::Cell;
use crate::sudoku::packed::BYTES;
use search::{Search, Task};
use vector::Vector;

/// Solves many puzzles at once. One takes about 50 kilobytes, with AVX-512 about 90.
pub struct BatchSolver(Engine);

enum Engine {
    Portable(Search<portable::Portable>),
    #[cfg(target_arch = "x86_64")]
    Avx2(Search<avx2::Avx2>),
    #[cfg(target_arch = "x86_64")]
    Avx512(Search<avx512::Avx512>),
}

impl BatchSolver {
    /// A solver with the instructions that this process uses.
    #[must_use]
    pub fn new() -> Self {
        Self::on(Isa::current()).unwrap_or_else(|_| Self(Engine::Portable(Search::new())))
    }

    /// A solver with certain instructions.
    ///
    /// # Errors
    /// If the CPU lacks them.
    pub fn on(isa: Isa) -> Result<Self, Unusable> {
        isa.check()?;
        Ok(Self(match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => Engine::Avx2(Search::new()),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => Engine::Avx512(Search::new()),
            _ => Engine::Portable(Search::new()),
        }))
    }

    /// Finds for each of the packed puzzles how many solutions it has, up to `limits.count`; a
    /// puzzle that takes more than `limits.steps` guesses of this engine is given up
    /// ([`Verdict::StepLimit`](super::Verdict::StepLimit)). Its solution is written to the same place in
    /// `solutions`, which is left alone if there is none; of several it may be any. `solutions` may be
    /// shorter, and is best empty if they are not wanted. Nibbles above 9 make a puzzle without
    /// solution.
    ///
    /// Good from [some hundred](super::Solver::FEWEST_IN_BATCH) puzzles on; a call costs no less than
    /// a block. Memory: 32 bytes a puzzle, and a block for every level of guesses that waits; both are
    /// kept for the next call.
    ///
    /// # Errors
    /// If cancelled, which is looked for at every sweep, some microseconds.
    pub fn solve(
        &mut self,
        puzzles: &[[u8; BYTES]],
        limits: SolveLimits,
        solutions: &mut [[u8; BYTES]],
        cancel: Cancel<'_>,
    ) -> Result<Vec<Finding>, Cancelled> {
        self.run(Task {
            puzzles,
            asked: &[],
            limits,
            solutions,
            cancel,
        })
    }

    /// Finds for each of the packed puzzles, of which a solution is known, whether it is the only
    /// one ([`Verdict`](super::Verdict)); more than `steps` guesses and it is given up.
    ///
    /// If a cell is named, the puzzle to be solved is that without this given, and the puzzle with it
    /// has no other solution. So another has another digit there, which is known from the start, and
    /// the known one need not be found again. `asked` may be shorter than `puzzles`.
    ///
    /// # Errors
    /// If cancelled, as [`solve`](Self::solve).
    pub(in crate::sudoku) fn are_unique(
        &mut self,
        puzzles: &[[u8; BYTES]],
        asked: &[Option<Cell>],
        steps: u64,
        cancel: Cancel<'_>,
    ) -> Result<Vec<Finding>, Cancelled> {
        self.run(Task {
            puzzles,
            asked,
            limits: SolveLimits { count: 2, steps },
            solutions: &mut [],
            cancel,
        })
    }

    fn run(&mut self, task: Task<'_>) -> Result<Vec<Finding>, Cancelled> {
        match &mut self.0 {
            Engine::Portable(search) => Vector::run(search, task),
            #[cfg(target_arch = "x86_64")]
            Engine::Avx2(search) => Vector::run(search, task),
            #[cfg(target_arch = "x86_64")]
            Engine::Avx512(search) => Vector::run(search, task),
        }
    }
}

impl Default for BatchSolver {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for BatchSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let isa = match self.0 {
            Engine::Portable(_) => Isa::Portable,
            #[cfg(target_arch = "x86_64")]
            Engine::Avx2(_) => Isa::Avx2,
            #[cfg(target_arch = "x86_64")]
            Engine::Avx512(_) => Isa::Avx512,
        };
        f.debug_tuple("BatchSolver").field(&isa).finish()
    }
}
