//! Packed puzzles to planes, and planes to packed solutions.

use super::block::Planes;
use super::vector::Vector;

/// 41 bytes are six words.
pub(super) const SLICES: usize = 6;

#[repr(C, align(64))]
pub(super) struct Bits<V>(pub(super) [[V; 64]; SLICES]);

/// Transposes the 64x64 bits that each word of 64 vectors is a column of.
#[inline(always)]
fn transpose<V: Vector>(m: &mut [V; 64]) {
    step::<V, 32>(m, 0x0000_0000_ffff_ffff);
    step::<V, 16>(m, 0x0000_ffff_0000_ffff);
    step::<V, 8>(m, 0x00ff_00ff_00ff_00ff);
    step::<V, 4>(m, 0x0f0f_0f0f_0f0f_0f0f);
    step::<V, 2>(m, 0x3333_3333_3333_3333);
    step::<V, 1>(m, 0x5555_5555_5555_5555);
}

#[inline(always)]
fn step<V: Vector, const N: i32>(m: &mut [V; 64], low: u64) {
    let low = V::from_words(&[low; 8]);
    let n = N as usize;
    let mut i = 0;
    while i < 64 {
        for k in i..i + n {
            let (a, b) = (m[k], m[k + n]);
            m[k] = low.select(a, b.shl::<N>());
            m[k + n] = low.select(a.shr::<N>(), b);
        }
        i += 2 * n;
    }
}

#[inline(always)]
pub(super) fn transpose_all<V: Vector>(bits: &mut Bits<V>, slices: usize) {
    for s in 0..slices {
        transpose(&mut bits.0[s]);
    }
}

/// The four planes of a cell's nibble: slice and first row.
#[inline(always)]
fn nibble(cell: usize) -> (usize, usize) {
    // The high nibble comes first.
    let bit = 8 * (cell / 2) + 4 * (1 - cell % 2);
    (bit / 64, bit % 64)
}

#[inline(always)]
fn cell(b: usize, k: usize) -> usize {
    let row = b / 3 * 3 + k / 3;
    let column = b % 3 * 3 + k % 3;
    9 * row + column
}

/// Sets up the planes of givens, and returns the lanes whose givens repeat a digit in a box.
#[inline(always)]
pub(super) fn load<V: Vector>(bits: &Bits<V>, planes: &mut Planes<V>) -> V {
    let mut dead = V::zero();
    for b in 0..9 {
        let mut givens = [[V::zero(); 9]; 9];
        for k in 0..9 {
            let (slice, row) = nibble(cell(b, k));
            let n = &bits.0[slice];
            let (n0, n1, n2, n3) = (n[row], n[row + 1], n[row + 2], n[row + 3]);
            planes.taken[b][k] = n0.or(n1).or3(n2, n3);
            let low = [n1.or(n0).not(), n0.without(n1), n1.without(n0), n1.and(n0)];
            let high = [n3.or(n2).not(), n2.without(n3), n3.without(n2)];
            for d in 0..9 {
                givens[d][k] = high[(d + 1) / 4].and(low[(d + 1) % 4]);
            }
        }
        for d in 0..9 {
            let g = &givens[d];
            let mut rows = [V::zero(); 3];
            let mut columns = [V::zero(); 3];
            for i in 0..3 {
                rows[i] = g[3 * i].or3(g[3 * i + 1], g[3 * i + 2]);
                columns[i] = g[i].or3(g[i + 3], g[i + 6]);
            }
            let none = rows[0].or3(rows[1], rows[2]).not();
            let twice = rows[0]
                .majority(rows[1], rows[2])
                .or(columns[0].majority(columns[1], columns[2]));
            dead = dead.or(twice);
            for i in 0..3 {
                planes.rows[d][b][i] = rows[i].or(none);
                planes.columns[d][b][i] = columns[i].or(none);
            }
        }
    }
    dead
}

/// The nibbles of solved lanes.
#[inline(always)]
pub(super) fn store<V: Vector>(planes: &Planes<V>, bits: &mut Bits<V>) {
    for row in 0..64 {
        bits.0[SLICES - 1][row] = V::zero();
    }
    for b in 0..9 {
        for i in 0..3 {
            for j in 0..3 {
                let mut n = [V::zero(); 4];
                for d in 0..9 {
                    let x = planes.rows[d][b][i].and(planes.columns[d][b][j]);
                    for bit in 0..4 {
                        if (d + 1) >> bit & 1 != 0 {
                            n[bit] = n[bit].or(x);
                        }
                    }
                }
                let (slice, row) = nibble(cell(b, 3 * i + j));
                for bit in 0..4 {
                    bits.0[slice][row + bit] = n[bit];
                }
            }
        }
    }
}
