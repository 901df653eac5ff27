//! The solutions of an answer.

use std::ops::Deref;

use crate::sudoku::grid::Grid;

/// Grids in the order in which they were found, a slice in all but name. One is held in place: most
/// callers ask for one, and an easy puzzle takes little longer than an allocation.
#[derive(Clone, Default)]
pub struct Solutions(Held);

#[derive(Clone, Default)]
enum Held {
    #[default]
    None,
    One([Grid; 1]),
    Many(Vec<Grid>),
}

impl Solutions {
    /// Adds one at the end.
    pub(super) fn push(&mut self, grid: Grid) {
        match &mut self.0 {
            Held::None => self.0 = Held::One([grid]),
            Held::One([first]) => self.0 = Held::Many(vec![*first, grid]),
            Held::Many(grids) => grids.push(grid),
        }
    }
}

impl Deref for Solutions {
    type Target = [Grid];

    fn deref(&self) -> &[Grid] {
        match &self.0 {
            Held::None => &[],
            Held::One(grid) => grid,
            Held::Many(grids) => grids,
        }
    }
}

impl PartialEq for Solutions {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Solutions {}

impl std::fmt::Debug for Solutions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(&**self).finish()
    }
}
