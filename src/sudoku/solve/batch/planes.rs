//! The state of a block, and a sweep: the deductions of one pass, in all lanes at once.
//!
//! Cells stand box by box: cell `3 * i + j` of box `b` is where row `i` and column `j` of the box
//! meet. A *minirow* is the three cells that a row has in a box, a *minicolumn* those of a column.
//!
//! ```text
//!   box    0  1  2      cells of a box    0 1 2
//!          3  4  5                        3 4 5
//!          6  7  8                        6 7 8
//! ```
//!
//! Deduction only ever clears flags and takes cells, and a rule that fires still does after others
//! cleared more, unless the lane is dead. So its end does not depend on the order of the rules.

use std::slice;

use super::vector::Vector;

/// By digit, box, and row or column of the box.
pub(super) type Flags<V> = [[[V; 3]; 9]; 9];

/// A block: 649 planes.
#[derive(Clone)]
pub(super) struct Planes<V> {
    /// The digit may be in that minirow.
    pub(super) rows: Flags<V>,
    /// The digit may be in that minicolumn.
    pub(super) columns: Flags<V>,
    /// By box and cell: the cell's digit is known.
    pub(super) taken: [[V; 9]; 9],
    /// By digit and box: the digit's cell in the box is not known. It is where two flags are left
    /// of a kind; kept, because a sweep would have to work it out twice.
    pub(super) open: [[V; 9]; 9],
    /// Digit 1 may not be in the first cell. The only candidate that can be denied alone; whoever wants
    /// another one denied has it [moved there](super::corner).
    pub(super) denied: V,
}

/// Room for planes that last no longer than a pass. It is kept because clearing it would cost a
/// fifth of a sweep.
pub(super) struct Scratch<V> {
    /// By box and cell, or by digit and cell.
    pub(super) cells: [[V; 9]; 9],
    /// Of a digit, by box and column.
    columns: [[V; 3]; 9],
    /// By band or stack and digit, a number.
    pub(super) counts: [[[V; 4]; 9]; 6],
}

/// What a sweep found out about lanes. The bits of those without a puzzle mean nothing.
pub(super) struct Found<V> {
    /// The givens or guesses contradict one another.
    pub(super) dead: V,
    /// Something was deduced.
    pub(super) moved: V,
    /// Every cell is taken; of lanes that are not dead, by the right digit.
    pub(super) solved: V,
}

impl<V: Vector> Scratch<V> {
    pub(super) fn new() -> Self {
        Self {
            cells: [[V::zero(); 9]; 9],
            columns: [[V::zero(); 3]; 9],
            counts: [[[V::zero(); 4]; 9]; 6],
        }
    }
}

impl<V: Vector> Planes<V> {
    pub(super) fn new() -> Self {
        Self {
            rows: [[[V::zero(); 3]; 9]; 9],
            columns: [[[V::zero(); 3]; 9]; 9],
            taken: [[V::zero(); 9]; 9],
            open: [[V::zero(); 9]; 9],
            denied: V::zero(),
        }
    }

    /// All planes.
    #[inline(always)]
    pub(super) fn slices(&self) -> [&[V]; 5] {
        [
            self.rows.as_flattened().as_flattened(),
            self.columns.as_flattened().as_flattened(),
            self.taken.as_flattened(),
            self.open.as_flattened(),
            slice::from_ref(&self.denied),
        ]
    }

    /// All planes.
    #[inline(always)]
    pub(super) fn slices_mut(&mut self) -> [&mut [V]; 5] {
        [
            self.rows.as_flattened_mut().as_flattened_mut(),
            self.columns.as_flattened_mut().as_flattened_mut(),
            self.taken.as_flattened_mut(),
            self.open.as_flattened_mut(),
            slice::from_mut(&mut self.denied),
        ]
    }

    /// By box, a digit's minirows in one of three bands, or its minicolumns in one of three stacks.
    #[inline(always)]
    pub(super) fn lines(&self, band: usize, d: usize) -> &[[V; 3]; 9] {
        if band < 3 {
            &self.rows[d]
        } else {
            &self.columns[d]
        }
    }

    /// As [`lines`](Self::lines), to be changed.
    #[inline(always)]
    pub(super) fn lines_mut(&mut self, band: usize, d: usize) -> &mut [[V; 3]; 9] {
        if band < 3 {
            &mut self.rows[d]
        } else {
            &mut self.columns[d]
        }
    }

    /// One pass of the rules: naked singles, and for each digit row and column elimination, locked
    /// candidates and hidden singles.
    #[inline(always)]
    pub(super) fn sweep(&mut self, scratch: &mut Scratch<V>) -> Found<V> {
        let Scratch {
            cells: single,
            columns,
            ..
        } = scratch;
        let mut moved = self.deny();
        let mut dead = self.naked_singles(single);
        // Where the first cell is denied to digit 1, it is a single of another digit.
        let first = single[0][0];
        single[0][0] = first.without(self.denied);
        for d in 0..9 {
            let mut fits = V::ones();
            for band in 0..3 {
                let b = 3 * band;
                let (r0, c0) = self.narrow(d, b, &single[b]);
                let (r1, c1) = self.narrow(d, b + 1, &single[b + 1]);
                let (r2, c2) = self.narrow(d, b + 2, &single[b + 2]);
                (columns[b], columns[b + 1], columns[b + 2]) = (c0, c1, c2);
                let (kept, fit) = close([&r0, &r1, &r2]);
                fits = fits.and(fit);
                for k in 0..3 {
                    for i in 0..3 {
                        let flag = &mut self.rows[d][b + k][i];
                        moved = moved.or_without(*flag, kept[k][i]);
                        *flag = kept[k][i];
                    }
                }
            }
            for stack in 0..3 {
                let (kept, fit) =
                    close([&columns[stack], &columns[stack + 3], &columns[stack + 6]]);
                fits = fits.and(fit);
                for k in 0..3 {
                    let b = stack + 3 * k;
                    for j in 0..3 {
                        let flag = &mut self.columns[d][b][j];
                        moved = moved.or_without(*flag, kept[k][j]);
                        *flag = kept[k][j];
                    }
                    self.place(d, b);
                }
            }
            dead = dead.or_not(fits);
            single[0][0] = first;
        }
        let at_first = self.rows[0][0][0].and_without(self.columns[0][0][0], self.open[0][0]);
        dead = dead.or_and(at_first, self.denied);
        let mut solved = V::ones();
        for b in 0..9 {
            for k in 0..9 {
                solved = solved.and(self.taken[b][k]);
            }
        }
        Found {
            dead,
            moved,
            solved,
        }
    }

    /// Clears the flags that only the denied candidate would need: that of the minirow if the digit
    /// has no other cell in it, and that of the minicolumn. Returns where it cleared one.
    #[inline(always)]
    fn deny(&mut self) -> V {
        let denied = self.denied.and(self.open[0][0]);
        let (r, c, taken) = (self.rows[0][0], self.columns[0][0], &self.taken[0]);
        let other_in_row = c[1].without(taken[1]).or_without(c[2], taken[2]);
        let other_in_column = r[1].without(taken[3]).or_without(r[2], taken[6]);
        self.rows[0][0][0] = r[0].unless(denied, other_in_row);
        self.columns[0][0][0] = c[0].unless(denied, other_in_column);
        let row_went = r[0].without(self.rows[0][0][0]);
        row_went.or_without(c[0], self.columns[0][0][0])
    }

    /// Writes to `single` where a cell is not taken and has one candidate, and returns where some
    /// cell has none.
    #[inline(always)]
    fn naked_singles(&self, single: &mut [[V; 9]; 9]) -> V {
        let (rows, columns) = (&self.rows, &self.columns);
        let mut dead = V::zero();
        for b in 0..9 {
            for i in 0..3 {
                // Candidates of the three cells: one or more, two or more.
                let mut one = [V::zero(); 3];
                let mut two = [V::zero(); 3];
                for d in [0, 3, 6] {
                    let r = [rows[d][b][i], rows[d + 1][b][i], rows[d + 2][b][i]];
                    for j in 0..3 {
                        let x = r[0].and(columns[d][b][j]);
                        let y = r[1].and(columns[d + 1][b][j]);
                        let z = r[2].and(columns[d + 2][b][j]);
                        let any = x.or3(y, z);
                        two[j] = two[j].or(x.majority(y, z)).or_and(one[j], any);
                        one[j] = one[j].or(any);
                    }
                }
                for j in 0..3 {
                    let k = 3 * i + j;
                    let taken = self.taken[b][k];
                    single[b][k] = one[j].without(two[j].or(taken));
                    dead = dead.or_not(one[j].or(taken));
                }
            }
        }
        // Once more, where digit 1 is no candidate of the first cell.
        let mut one = rows[0][0][0].and(columns[0][0][0]).without(self.denied);
        let mut two = V::zero();
        for d in 1..9 {
            let x = rows[d][0][0].and(columns[d][0][0]);
            two = two.or_and(one, x);
            one = one.or(x);
        }
        let taken = self.taken[0][0];
        single[0][0] = one.without(two.or(taken));
        dead.or_not(one.or(taken))
    }

    /// What naked singles and taken cells leave of a digit's flags in a box.
    #[inline(always)]
    fn narrow(&self, d: usize, b: usize, single: &[V; 9]) -> ([V; 3], [V; 3]) {
        let (r, c) = (&self.rows[d][b], &self.columns[d][b]);
        let mut naked = V::zero();
        for i in 0..3 {
            let s = [single[3 * i], single[3 * i + 1], single[3 * i + 2]];
            let in_row = c[0].and(s[0]).or_and(c[1], s[1]).or_and(c[2], s[2]);
            naked = naked.or_and(r[i], in_row);
        }
        let mut in_rows = [V::zero(); 3];
        let mut in_columns = [V::zero(); 3];
        for i in 0..3 {
            for j in 0..3 {
                let k = 3 * i + j;
                // Where the digit is a naked single of this box, its other cells are out too.
                let out = self.taken[b][k].or_without(naked, single[k]);
                let x = r[i].and_without(c[j], out);
                in_rows[i] = in_rows[i].or(x);
                in_columns[j] = in_columns[j].or(x);
            }
        }
        // Where the digit is placed already, its one cell is taken by itself.
        let open = self.open[d][b];
        for i in 0..3 {
            in_rows[i] = r[i].unless(open, in_rows[i]);
            in_columns[i] = c[i].unless(open, in_columns[i]);
        }
        (in_rows, in_columns)
    }

    /// Takes the digit's cell in the lanes where one is left.
    #[inline(always)]
    fn place(&mut self, d: usize, b: usize) {
        let (r, c) = (&self.rows[d][b], &self.columns[d][b]);
        let open = undecided(r, c);
        self.open[d][b] = open;
        for i in 0..3 {
            let placed = r[i].without(open);
            for j in 0..3 {
                let taken = &mut self.taken[b][3 * i + j];
                *taken = taken.or_and(placed, c[j]);
            }
        }
    }
}

/// Where a digit of a box has several minirows or several minicolumns.
#[inline(always)]
pub(super) fn undecided<V: Vector>(rows: &[V; 3], columns: &[V; 3]) -> V {
    let rows = rows[0].majority(rows[1], rows[2]);
    rows.or(columns[0].majority(columns[1], columns[2]))
}

/// Keeps of a digit's minirows in the boxes of a band (or its minicolumns in a stack) those that some
/// permutation uses, a permutation being another row in each box; also returns where there is one.
///
/// This one rule is row and column elimination, locked candidates and contradiction together.
#[inline(always)]
fn close<V: Vector>(m: [&[V; 3]; 3]) -> ([[V; 3]; 3], V) {
    let p012 = m[0][0].and3(m[1][1], m[2][2]);
    let p021 = m[0][0].and3(m[1][2], m[2][1]);
    let p102 = m[0][1].and3(m[1][0], m[2][2]);
    let p120 = m[0][1].and3(m[1][2], m[2][0]);
    let p201 = m[0][2].and3(m[1][0], m[2][1]);
    let p210 = m[0][2].and3(m[1][1], m[2][0]);
    let kept = [
        [p012.or(p021), p102.or(p120), p201.or(p210)],
        [p102.or(p201), p012.or(p210), p021.or(p120)],
        [p120.or(p210), p021.or(p201), p012.or(p102)],
    ];
    let fit = kept[0][0].or3(kept[0][1], kept[0][2]);
    (kept, fit)
}
