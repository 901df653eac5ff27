//! Random grids by random search.

use crate::sudoku::grid::Grid;
use crate::sudoku::puzzle::Puzzle;
use crate::sudoku::rng::Rng;
use crate::sudoku::solve::{Cancel, Cancelled, Solver};

/// A random grid. The three boxes of the diagonal are filled first, which do not see one another,
/// and a random search fills the rest. Every grid can come; they are not exactly equally likely.
///
/// # Errors
/// If cancelled.
pub(super) fn complete(
    rng: &mut Rng,
    solver: &mut Solver,
    cancel: Cancel<'_>,
) -> Result<Grid, Cancelled> {
    let mut cells = [0; 81];
    for corner in [0, 30, 60] {
        let mut digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        rng.shuffle(&mut digits);
        for (row, minirow) in digits.chunks(3).enumerate() {
            cells[corner + 9 * row..][..3].copy_from_slice(minirow);
        }
    }
    let grid = solver.random_solution(&Puzzle::from_checked(cells), rng, cancel)?;
    Ok(grid.expect("whatever stands in the boxes of the diagonal, they can be completed"))
}
