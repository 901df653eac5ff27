//! The state of a block of puzzles, and deduction on all of them at once.

use super::vector::Vector;

/// The first cell of each box, row-major, is `FIRST`; here cells are numbered box by box.
pub(super) type Flags<V> = [[[V; 3]; 9]; 9];

#[derive(Clone)]
#[repr(C, align(64))]
pub(super) struct Planes<V> {
    /// By digit, box and row of the box: the digit may still be in that minirow.
    pub(super) rows: Flags<V>,
    /// By digit, box and column of the box: the digit may still be in that minicolumn.
    pub(super) columns: Flags<V>,
    /// By box and cell of the box: the cell's digit is known.
    pub(super) taken: [[V; 9]; 9],
}

/// What a sweep found out about lanes.
pub(super) struct Found<V> {
    pub(super) dead: V,
    pub(super) moved: V,
    pub(super) solved: V,
}

/// The flags of three boxes, in order, that some permutation within the matrix uses, and whether
/// none fits.
#[inline(always)]
fn close<V: Vector>(m: &[[V; 3]; 3]) -> ([[V; 3]; 3], V) {
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
    let some = kept[0][0].or3(kept[0][1], kept[0][2]);
    (kept, some)
}

impl<V: Vector> Planes<V> {
    pub(super) fn empty() -> Self {
        Self {
            rows: [[[V::zero(); 3]; 9]; 9],
            columns: [[[V::zero(); 3]; 9]; 9],
            taken: [[V::zero(); 9]; 9],
        }
    }

    /// For each cell, the lanes where it is open and has one candidate; and the lanes where some
    /// cell has none.
    #[inline(always)]
    fn naked(&self, single: &mut [[V; 9]; 9]) -> V {
        let mut dead = V::zero();
        for b in 0..9 {
            let mut some = [V::zero(); 9];
            let mut two = [V::zero(); 9];
            for d in 0..3 {
                let r = [&self.rows[3 * d][b], &self.rows[3 * d + 1][b], &self.rows[3 * d + 2][b]];
                let c = [
                    &self.columns[3 * d][b],
                    &self.columns[3 * d + 1][b],
                    &self.columns[3 * d + 2][b],
                ];
                for i in 0..3 {
                    for j in 0..3 {
                        let x = r[0][i].and(c[0][j]);
                        let y = r[1][i].and(c[1][j]);
                        let z = r[2][i].and(c[2][j]);
                        let s = x.or3(y, z);
                        let t = x.majority(y, z);
                        let k = 3 * i + j;
                        if d == 0 {
                            some[k] = s;
                            two[k] = t;
                        } else {
                            two[k] = two[k].or(t).or_and(some[k], s);
                            some[k] = some[k].or(s);
                        }
                    }
                }
            }
            for k in 0..9 {
                let taken = self.taken[b][k];
                single[b][k] = some[k].without(two[k].or(taken));
                dead = dead.or(some[k].or(taken).not());
            }
        }
        dead
    }

    #[inline(always)]
    pub(super) fn sweep<const NAKED: bool>(&mut self) -> Found<V> {
        let mut single = [[V::zero(); 9]; 9];
        let mut dead = V::zero();
        if NAKED {
            dead = self.naked(&mut single);
        }
        let mut moved = V::zero();
        for d in 0..9 {
            let mut rows = [[V::zero(); 3]; 9];
            let mut columns = [[V::zero(); 3]; 9];
            for b in 0..9 {
                let r = &self.rows[d][b];
                let c = &self.columns[d][b];
                // Where the digit is placed in this box, its one cell is taken by itself.
                let open = r[0].majority(r[1], r[2]).or(c[0].majority(c[1], c[2]));
                let mut x = [V::zero(); 9];
                let mut any = V::zero();
                for i in 0..3 {
                    for j in 0..3 {
                        let k = 3 * i + j;
                        x[k] = r[i].and_without(c[j], self.taken[b][k]);
                        if NAKED {
                            any = any.or_and(x[k], single[b][k]);
                        }
                    }
                }
                if NAKED {
                    for k in 0..9 {
                        x[k] = x[k].unless(any, single[b][k]);
                    }
                }
                for i in 0..3 {
                    let some = x[3 * i].or3(x[3 * i + 1], x[3 * i + 2]);
                    rows[b][i] = r[i].unless(open, some);
                    let some = x[i].or3(x[i + 3], x[i + 6]);
                    columns[b][i] = c[i].unless(open, some);
                }
            }
            let mut fits = V::ones();
            for band in 0..3 {
                let (kept, some) = close(&[rows[3 * band], rows[3 * band + 1], rows[3 * band + 2]]);
                fits = fits.and(some);
                for k in 0..3 {
                    let b = 3 * band + k;
                    rows[b] = kept[k];
                    for i in 0..3 {
                        moved = moved.or_without(self.rows[d][b][i], kept[k][i]);
                        self.rows[d][b][i] = kept[k][i];
                    }
                }
            }
            for stack in 0..3 {
                let (kept, some) =
                    close(&[columns[stack], columns[stack + 3], columns[stack + 6]]);
                fits = fits.and(some);
                for k in 0..3 {
                    let b = 3 * k + stack;
                    columns[b] = kept[k];
                    for j in 0..3 {
                        moved = moved.or_without(self.columns[d][b][j], kept[k][j]);
                        self.columns[d][b][j] = kept[k][j];
                    }
                }
            }
            dead = dead.or(fits.not());
            for b in 0..9 {
                let r = &rows[b];
                let c = &columns[b];
                let open = r[0].majority(r[1], r[2]).or(c[0].majority(c[1], c[2]));
                for i in 0..3 {
                    let placed = r[i].without(open);
                    for j in 0..3 {
                        let k = 3 * i + j;
                        self.taken[b][k] = self.taken[b][k].or_and(placed, c[j]);
                    }
                }
            }
        }
        let mut solved = V::ones();
        for b in 0..9 {
            for k in 0..9 {
                solved = solved.and(self.taken[b][k]);
            }
        }
        Found { dead, moved, solved }
    }
}
