//! Packed puzzles to planes, and planes to packed solutions.

use super::planes::Planes;
use super::vector::Vector;

/// Of 41 bytes, five words of eight and a nibble.
pub(super) const SLICES: usize = 5;

/// Packed cells of a block, lane by lane: by word of the puzzle, lane of its 64, and word of 64
/// lanes; or, after transposition, bit by bit.
#[repr(C, align(64))]
pub(super) struct Bits<V: Vector> {
    pub(super) slices: [[V::Words; 64]; SLICES],
    /// The last cell.
    pub(super) rest: [V::Words; 4],
}

/// Transposes the 64x64 bits of which each word of 64 vectors is a column.
#[inline(always)]
pub(super) fn transpose<V: Vector>(m: &mut [V::Words; 64]) {
    step::<V, 32>(m, 0x0000_0000_ffff_ffff);
    step::<V, 16>(m, 0x0000_ffff_0000_ffff);
    step::<V, 8>(m, 0x00ff_00ff_00ff_00ff);
    step::<V, 4>(m, 0x0f0f_0f0f_0f0f_0f0f);
    step::<V, 2>(m, 0x3333_3333_3333_3333);
    step::<V, 1>(m, 0x5555_5555_5555_5555);
}

#[inline(always)]
fn step<V: Vector, const N: i32>(m: &mut [V::Words; 64], low: u64) {
    let low = V::splat(low);
    let n = N as usize;
    let mut i = 0;
    while i < 64 {
        for k in i..i + n {
            let (a, b) = (V::from_words(&m[k]), V::from_words(&m[k + n]));
            let swap = a.shr::<N>().xor(b).and(low);
            m[k] = a.xor(swap.shl::<N>()).to_words();
            m[k + n] = b.xor(swap).to_words();
        }
        i += 2 * n;
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

#[inline(always)]
fn nibble_of<V: Vector>(bits: &Bits<V>, cell: usize) -> [V; 4] {
    let (slice, row) = nibble(cell);
    let n = if slice == SLICES { &bits.rest[..] } else { &bits.slices[slice][row..row + 4] };
    [V::from_words(&n[0]), V::from_words(&n[1]), V::from_words(&n[2]), V::from_words(&n[3])]
}

/// Sets up the planes of givens in the lanes `into`, and returns the lanes whose givens repeat a
/// digit in a box.
#[inline(always)]
pub(super) fn load<V: Vector>(bits: &Bits<V>, planes: &mut Planes<V>, givens: &mut [[V; 9]; 9], into: V) -> V {
    let mut dead = V::zero();
    for b in 0..9 {
        for k in 0..9 {
            let [n0, n1, n2, n3] = nibble_of::<V>(bits, cell(b, k));
            planes.taken[b][k].replace(n0.or(n1).or3(n2, n3), into);
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
                planes.rows[d][b][i].replace(rows[i].or(none), into);
                planes.columns[d][b][i].replace(columns[i].or(none), into);
            }
            planes.open[d][b].replace(none, into);
        }
    }
    dead
}

/// The nibbles of solved lanes.
#[inline(always)]
pub(super) fn store<V: Vector>(planes: &Planes<V>, bits: &mut Bits<V>) {
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
                    let words = n[bit].to_words();
                    if slice == SLICES {
                        bits.rest[bit] = words;
                    } else {
                        bits.slices[slice][row + bit] = words;
                    }
                }
            }
        }
    }
}
