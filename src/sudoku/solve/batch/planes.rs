//! The state of a block of puzzles, and deduction on all of them at once.

use super::vector::Vector;

/// By digit, box, and row or column of the box.
pub(super) type Flags<V> = [[[V; 3]; 9]; 9];

#[derive(Clone)]
#[repr(C, align(64))]
pub(super) struct Planes<V> {
    /// The digit may still be in that minirow.
    pub(super) rows: Flags<V>,
    /// The digit may still be in that minicolumn.
    pub(super) columns: Flags<V>,
    /// By box and cell of the box: the cell's digit is known.
    pub(super) taken: [[V; 9]; 9],
    /// By digit and box: the digit's cell in the box is not known.
    pub(super) open: [[V; 9]; 9],
}

/// How lanes are copied: word by word to another word, rotated there.
pub(super) struct Route<V> {
    pub(super) order: V,
    pub(super) by: V,
    pub(super) into: V,
}

impl<V: Vector> Route<V> {
    #[inline(always)]
    fn carry(&self, from: V, to: &mut V) {
        *to = self.into.select(from.permute(self.order).rotate(self.by), *to);
    }
}

/// Room for what lasts no longer than a pass; kept, so that it need not be cleared.
#[repr(C, align(64))]
pub(super) struct Scratch<V> {
    /// By box and cell; of a digit, where it is given, by digit and cell.
    pub(super) cells: [[V; 9]; 9],
    pub(super) columns: [[V; 3]; 9],
    pub(super) counts: [[[V; 4]; 9]; 6],
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

/// What a sweep found out about lanes.
pub(super) struct Found<V> {
    pub(super) dead: V,
    pub(super) moved: V,
    pub(super) solved: V,
}

/// The flags of three boxes, in order, that some permutation within the matrix uses, and whether
/// any fits.
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
    let some = kept[0][0].or3(kept[0][1], kept[0][2]);
    (kept, some)
}

#[inline(always)]
pub(super) fn undecided<V: Vector>(rows: &[V; 3], columns: &[V; 3]) -> V {
    let r = rows[0].majority(rows[1], rows[2]);
    r.or(columns[0].majority(columns[1], columns[2]))
}

impl<V: Vector> Planes<V> {
    pub(super) fn empty() -> Self {
        Self {
            rows: [[[V::zero(); 3]; 9]; 9],
            columns: [[[V::zero(); 3]; 9]; 9],
            taken: [[V::zero(); 9]; 9],
            open: [[V::zero(); 9]; 9],
        }
    }

    /// For each cell, the lanes where it is open and has one candidate; and the lanes where some
    /// cell has none.
    #[inline(always)]
    fn naked(&self, single: &mut [[V; 9]; 9]) -> V {
        let mut dead = V::zero();
        for b in 0..9 {
            for i in 0..3 {
                let mut some = [V::zero(); 3];
                let mut two = [V::zero(); 3];
                for t in 0..3 {
                    let d = 3 * t;
                    let r = [self.rows[d][b][i], self.rows[d + 1][b][i], self.rows[d + 2][b][i]];
                    for j in 0..3 {
                        let x = r[0].and(self.columns[d][b][j]);
                        let y = r[1].and(self.columns[d + 1][b][j]);
                        let z = r[2].and(self.columns[d + 2][b][j]);
                        let any = x.or3(y, z);
                        let more = x.majority(y, z);
                        if t == 0 {
                            some[j] = any;
                            two[j] = more;
                        } else {
                            two[j] = two[j].or(more).or_and(some[j], any);
                            some[j] = some[j].or(any);
                        }
                    }
                }
                for j in 0..3 {
                    let k = 3 * i + j;
                    let taken = self.taken[b][k];
                    single[b][k] = some[j].without(two[j].or(taken));
                    dead = dead.or_not(some[j].or(taken));
                }
            }
        }
        dead
    }

    /// What is left of a digit's minirows and minicolumns in a box after naked singles and taken
    /// cells.
    #[inline(always)]
    fn narrow(&self, d: usize, b: usize, single: &[V; 9]) -> ([V; 3], [V; 3]) {
        let r = &self.rows[d][b];
        let c = &self.columns[d][b];
        let open = self.open[d][b];
        let mut naked = V::zero();
        for i in 0..3 {
            let s = [single[3 * i], single[3 * i + 1], single[3 * i + 2]];
            let in_row = c[0].and(s[0]).or_and(c[1], s[1]).or_and(c[2], s[2]);
            naked = if i == 0 { r[i].and(in_row) } else { naked.or_and(r[i], in_row) };
        }
        let mut in_rows = [V::zero(); 3];
        let mut in_columns = [V::zero(); 3];
        for i in 0..3 {
            for j in 0..3 {
                let k = 3 * i + j;
                // With a naked single in the box, the other cells are out.
                let out = self.taken[b][k].or_without(naked, single[k]);
                let x = r[i].and_without(c[j], out);
                in_rows[i] = if j == 0 { x } else { in_rows[i].or(x) };
                in_columns[j] = if i == 0 { x } else { in_columns[j].or(x) };
            }
        }
        let rows = [
            r[0].unless(open, in_rows[0]),
            r[1].unless(open, in_rows[1]),
            r[2].unless(open, in_rows[2]),
        ];
        let columns = [
            c[0].unless(open, in_columns[0]),
            c[1].unless(open, in_columns[1]),
            c[2].unless(open, in_columns[2]),
        ];
        (rows, columns)
    }

    #[inline(always)]
    pub(super) fn sweep(&mut self, scratch: &mut Scratch<V>) -> Found<V> {
        let Scratch { cells: single, columns, .. } = scratch;
        let mut dead = self.naked(single);
        let mut moved = V::zero();
        for d in 0..9 {
            let mut fits = V::ones();
            for band in 0..3 {
                let b = 3 * band;
                let (r0, c0) = self.narrow(d, b, &single[b]);
                let (r1, c1) = self.narrow(d, b + 1, &single[b + 1]);
                let (r2, c2) = self.narrow(d, b + 2, &single[b + 2]);
                (columns[b], columns[b + 1], columns[b + 2]) = (c0, c1, c2);
                let (kept, some) = close([&r0, &r1, &r2]);
                fits = fits.and(some);
                for k in 0..3 {
                    for i in 0..3 {
                        moved = moved.or_without(self.rows[d][b + k][i], kept[k][i]);
                        self.rows[d][b + k][i] = kept[k][i];
                    }
                }
            }
            for stack in 0..3 {
                let (kept, some) =
                    close([&columns[stack], &columns[stack + 3], &columns[stack + 6]]);
                fits = fits.and(some);
                for k in 0..3 {
                    let b = stack + 3 * k;
                    let c = &kept[k];
                    for j in 0..3 {
                        moved = moved.or_without(self.columns[d][b][j], c[j]);
                        self.columns[d][b][j] = c[j];
                    }
                    let r = &self.rows[d][b];
                    let open = undecided(r, c);
                    self.open[d][b] = open;
                    for i in 0..3 {
                        let placed = r[i].without(open);
                        for j in 0..3 {
                            let cell = &mut self.taken[b][3 * i + j];
                            *cell = cell.or_and(placed, c[j]);
                        }
                    }
                }
            }
            dead = dead.or_not(fits);
        }
        let mut solved = self.taken[0][0];
        for b in 0..9 {
            for k in 0..9 {
                solved = solved.and(self.taken[b][k]);
            }
        }
        Found { dead, moved, solved }
    }

    /// Copies lanes: into those of `into`, from as many lanes below in the same word as `by` says.
    #[inline(always)]
    pub(super) fn take(&mut self, from: &Self, route: &Route<V>) {
        for d in 0..9 {
            for b in 0..9 {
                for i in 0..3 {
                    route.carry(from.rows[d][b][i], &mut self.rows[d][b][i]);
                    route.carry(from.columns[d][b][i], &mut self.columns[d][b][i]);
                }
                route.carry(from.taken[d][b], &mut self.taken[d][b]);
                route.carry(from.open[d][b], &mut self.open[d][b]);
            }
        }
    }

    /// Copies lanes within the block.
    #[inline(always)]
    pub(super) fn spread(&mut self, route: &Route<V>) {
        for d in 0..9 {
            for b in 0..9 {
                for i in 0..3 {
                    let row = self.rows[d][b][i];
                    route.carry(row, &mut self.rows[d][b][i]);
                    let column = self.columns[d][b][i];
                    route.carry(column, &mut self.columns[d][b][i]);
                }
                let taken = self.taken[d][b];
                route.carry(taken, &mut self.taken[d][b]);
                let open = self.open[d][b];
                route.carry(open, &mut self.open[d][b]);
            }
        }
    }

    /// Triads: three digits fill a minirow. Returns the lanes where that told something.
    #[inline(always)]
    pub(super) fn triads(&mut self) -> V {
        let mut moved = V::zero();
        for b in 0..9 {
            moved = moved.or(triads(&mut self.rows, b));
            moved = moved.or(triads(&mut self.columns, b));
        }
        moved
    }
}

/// The triads of a box.
#[inline(always)]
fn triads<V: Vector>(flags: &mut Flags<V>, b: usize) -> V {
    let mut three = [V::zero(); 3];
    let mut sure = [V::zero(); 3];
    for i in 0..3 {
        three[i] = exactly_three([
            flags[0][b][i], flags[1][b][i], flags[2][b][i], flags[3][b][i], flags[4][b][i],
            flags[5][b][i], flags[6][b][i], flags[7][b][i], flags[8][b][i],
        ]);
        let (m, n) = ((i + 1) % 3, (i + 2) % 3);
        let mut only = [V::zero(); 9];
        for d in 0..9 {
            let f = &flags[d][b];
            only[d] = f[i].without(f[m].or(f[n]));
        }
        sure[i] = exactly_three(only);
    }
    let mut moved = V::zero();
    for d in 0..9 {
        let f = flags[d][b];
        for i in 0..3 {
            let (m, n) = ((i + 1) % 3, (i + 2) % 3);
            // Elsewhere it must be; or here it cannot be.
            let must = f[m].and(three[m]).or_and(f[n], three[n]);
            let other = sure[i].and(f[m].or(f[n]));
            let kept = f[i].without(must.or(other));
            moved = moved.or_without(f[i], kept);
            flags[d][b][i] = kept;
        }
    }
    moved
}

/// Where exactly three of nine are set.
#[inline(always)]
fn exactly_three<V: Vector>(f: [V; 9]) -> V {
    let (a, b, c) = (f[0].xor3(f[1], f[2]), f[3].xor3(f[4], f[5]), f[6].xor3(f[7], f[8]));
    let twos = [
        f[0].majority(f[1], f[2]),
        f[3].majority(f[4], f[5]),
        f[6].majority(f[7], f[8]),
        a.majority(b, c),
    ];
    let odd = a.xor3(b, c);
    // One pair, and no more.
    let any = twos[0].or3(twos[1], twos[2]);
    let more = twos[0].majority(twos[1], twos[2]);
    odd.and(any.xor(twos[3])).without(more)
}
