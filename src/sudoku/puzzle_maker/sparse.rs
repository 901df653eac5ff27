//! A solution that a sparse pattern leaves the only one, found by walking.
//!
//! In a pattern of 24 cells one random grid in millions is the only solution of its givens there, too
//! few to wait for. A walk starts from a random grid's givens and changes them, one or two cells at a
//! time, always keeping a solution, and mostly such that fewer solutions are left, until there is one.
//!
//! 1. *Thinning.* With very many solutions left none of them is worth a count. Cell by cell, in random
//!    order, some solutions of the other givens are drawn, and the cell gets the digit that is rarest
//!    among them.
//! 2. *Walking.* A random change is made if it leaves at most `n / u` solutions, of `n` before, where
//!    `u` is random. So changes that leave fewer are always made, those that leave `k` times as many
//!    with a chance of `1 / k` to a fixed power: the rule of Nicholas Metropolis and others, "Equation
//!    of State Calculations by Fast Computing Machines", 1953, whose energy is the logarithm of the
//!    number of solutions. As `u` is drawn first, a count ends as soon as it is too high, and costs no
//!    more than it is worth.
//!
//! Every solution can come, but not all are equally likely.
//!
//! Compared, time to a solution in patterns of 20 and 22 cells: only changes that leave no more than
//! before (it gets stuck at a few solutions), counting what is left of every digit of two cells at
//! once (ten times as long). Where 1 random grid in a hundred works, waiting for it takes no longer than
//! a walk; there [`is_sparse`] says no.

use crate::sudoku::cell::Cell;
use crate::sudoku::digit::Digit;
use crate::sudoku::generate::draw;
use crate::sudoku::grid::Grid;
use crate::sudoku::puzzle::Puzzle;
use crate::sudoku::rng::Rng;
use crate::sudoku::set::{CellSet, DigitSet};
use crate::sudoku::solve::{Cancel, Cancelled, SolveLimits, Solver, Verdict};

/// Where a search came to.
pub(super) struct Searched {
    /// A solution of the last givens; the only one, if the search succeeded.
    pub(super) solution: Grid,
    /// How many tries it counts for: one for every hundred guesses and changes, begun ones too.
    pub(super) tries: u64,
}

/// What counts as a try: it takes about as long as one with a random grid.
const COST_OF_TRY: u64 = 100;

/// Tries that a search takes at most, some tenths of a second. In patterns of 20 to 22 cells most
/// succeed with half of that, and one that does not had better start anew.
const LONGEST: u64 = 3_000;

/// Searches a solution that the pattern of these cells leaves the only one, for so many tries at most, one at
/// least.
///
/// # Errors
/// If cancelled, which is looked for at every guess.
pub(super) fn search(
    cells: CellSet,
    tries: u64,
    rng: &mut Rng,
    solver: &mut Solver,
    cancel: Cancel<'_>,
) -> Result<Searched, Cancelled> {
    let most = tries.clamp(1, LONGEST) * COST_OF_TRY;
    let mut search = Search {
        at: givens(&draw(rng), cells),
        pattern: cells,
        cells: cells.iter().collect(),
        left: most,
        rng,
        solver,
        cancel,
    };
    let mut number = search.count(Search::MANY)?;
    while number > Search::MANY && search.left > 0 {
        search.thin()?;
        number = search.count(Search::MANY)?;
    }
    while number > 1 && search.left > 0 {
        let limit = search.limit(number);
        let before = search.at;
        search.change();
        let after = search.count(limit)?;
        if (1..=limit).contains(&after) {
            number = after;
        } else {
            search.at = before;
        }
    }
    Ok(Searched {
        solution: search.end()?,
        tries: (most - search.left).div_ceil(COST_OF_TRY),
    })
}

struct Search<'a> {
    pattern: CellSet,
    /// The cells of the pattern.
    cells: Vec<Cell>,
    /// The givens, which have a solution.
    at: [u8; 81],
    /// Cost that may still arise.
    left: u64,
    rng: &'a mut Rng,
    solver: &'a mut Solver,
    cancel: Cancel<'a>,
}

impl Search<'_> {
    /// More solutions than this are not counted. A count of so many takes about a millisecond.
    const MANY: u64 = 2_000;

    /// Solutions drawn for each cell thinned.
    const DRAWN: usize = 20;

    /// The power in the chance of a change for the worse, `1 / k` to this. With 2 and with 7 a walk in
    /// 20 to 22 cells takes about twice the time.
    const POWER: usize = 4;

    /// The number of solutions, `limit + 1` if there are more, or if counting would cost too much.
    fn count(&mut self, limit: u64) -> Result<u64, Cancelled> {
        let limits = SolveLimits {
            count: limit + 1,
            steps: self.left,
        };
        let puzzle = Puzzle::from_checked(self.at);
        let answer = self.solver.solve(&puzzle, limits, 0, self.cancel)?;
        self.spend(answer.guesses);
        Ok(if answer.exact {
            answer.count
        } else {
            limit + 1
        })
    }

    fn spend(&mut self, guesses: u64) {
        self.left = self.left.saturating_sub(guesses + 1);
    }

    /// How many solutions a change may leave, of so many before.
    fn limit(&mut self, number: u64) -> u64 {
        // The greatest of several random numbers has the power as its distribution.
        let draws = [(); Self::POWER].map(|()| self.rng.next_u64() >> 32);
        let greatest = draws.into_iter().fold(1, u64::max);
        ((number << 32) / greatest).min(Self::MANY)
    }

    /// Changes one cell or two.
    fn change(&mut self) {
        for _ in 0..=self.rng.below(2) {
            let number = self.below(self.cells.len());
            let cell = self.cells[number];
            let given = |cell: &Cell| Digit::new(self.at[cell.index()]);
            let taken = cell.peers().iter().chain([cell]).collect::<CellSet>();
            let taken = taken.iter().filter_map(|cell| given(&cell));
            let free = taken.fold(DigitSet::ALL, DigitSet::without);
            if !free.is_empty() {
                let digit = free.iter().nth(self.below(free.len()));
                self.at[cell.index()] = digit.map_or(0, Digit::value);
            }
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.rng.below(u32::try_from(bound).expect("at most 81")) as usize
    }

    /// Gives every cell the digit that is rarest among some solutions of the others.
    fn thin(&mut self) -> Result<(), Cancelled> {
        let mut order = self.cells.clone();
        self.rng.shuffle(&mut order);
        for cell in order {
            let mut others = self.at;
            others[cell.index()] = 0;
            let digit = |solution: &Grid| usize::from(solution.cells()[cell.index()]);
            let mut drawn = Vec::with_capacity(Self::DRAWN);
            let mut times = [0; 10];
            while drawn.len() < Self::DRAWN
                && let Some(solution) = self.solution(&others)?
            {
                times[digit(&solution)] += 1;
                drawn.push(solution);
            }
            if let Some(rarest) = drawn.iter().min_by_key(|solution| times[digit(solution)]) {
                self.at = givens(rarest, self.pattern);
            }
        }
        Ok(())
    }

    /// A solution of these cells: the first under other names for the digits, drawn at random. `None`
    /// if that would cost too much.
    fn solution(&mut self, cells: &[u8; 81]) -> Result<Option<Grid>, Cancelled> {
        let mut names: [u8; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
        self.rng.shuffle(&mut names[1..]);
        let renamed = Puzzle::from_checked(cells.map(|digit| names[usize::from(digit)]));
        let limits = SolveLimits {
            count: 1,
            steps: self.left,
        };
        let answer = self.solver.solve(&renamed, limits, 1, self.cancel)?;
        self.spend(answer.guesses);
        let mut digits = [0; 10];
        for (digit, name) in (0..).zip(names) {
            digits[usize::from(name)] = digit;
        }
        let first = answer.solutions.first();
        Ok(first.map(|first| {
            let cells = first.cells().map(|name| digits[usize::from(name)]);
            Grid::from_checked(cells)
        }))
    }

    /// The first solution.
    fn end(&mut self) -> Result<Grid, Cancelled> {
        let limits = SolveLimits {
            count: 1,
            steps: u64::MAX,
        };
        let puzzle = Puzzle::from_checked(self.at);
        let answer = self.solver.solve(&puzzle, limits, 1, self.cancel)?;
        let solution = answer.solutions.first();
        Ok(*solution.expect("every change leaves a solution"))
    }
}

/// The cells of a grid that are in a pattern.
fn givens(grid: &Grid, cells: CellSet) -> [u8; 81] {
    let mut givens = [0; 81];
    for cell in cells.iter() {
        givens[cell.index()] = grid.cells()[cell.index()];
    }
    givens
}

/// Grids that [`is_sparse`] looks at.
const LOOKED_AT: u32 = 256;

/// If fewer of them work, a walk takes less time than waiting for one that does.
const WORKING: usize = 3;

/// Whether random grids work so seldom in the pattern of these cells that a walk finds a solution
/// sooner: hardly any of some hundred does, always the same ones. Takes about a millisecond.
pub(super) fn is_sparse(cells: CellSet, solver: &mut Solver) -> bool {
    let mut rng = Rng::keyed(0, 0);
    let works = |_: &u32| {
        let puzzle = Puzzle::from_checked(givens(&draw(&mut rng), cells));
        let answer = solver.solve(&puzzle, SolveLimits::UNIQUENESS, 0, Cancel::never());
        answer.is_ok_and(|answer| answer.verdict == Verdict::Unique)
    };
    (0..LOOKED_AT).filter(works).take(WORKING).count() < WORKING
}
