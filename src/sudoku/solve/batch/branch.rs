//! Where to guess, in all stuck lanes at once.
//!
//! In the band or stack that is not decided and has the fewest flags, at its undecided digit with the
//! fewest. That digit mostly has two permutations left, so that either half of the guess settles it in
//! the whole band. Guessing at the band's most constrained digit, not at a cell, is what
//! tdoku does; it takes two thirds of the guesses that the first cell with two candidates takes.

use super::planes::{Planes, Scratch};
use super::vector::Vector;

/// Flags of a decided band: three of each digit.
const DECIDED_BAND: usize = 27;
/// Flags of a decided digit in a band.
const DECIDED_DIGIT: usize = 3;

/// In each lane a band or stack, and a digit undecided in it; in lanes without any, none.
pub(super) struct Choice<V> {
    /// Three bands, three stacks.
    bands: [V; 6],
    digits: [V; 9],
}

/// The lanes where two digits of a box claim the same cell. A sweep does not see it when closing the
/// minirows and the minicolumns of a digit leaves it one cell that another one has; but the box then
/// has more placed digits than taken cells. For lanes as a sweep left them.
#[inline(always)]
pub(super) fn clashes<V: Vector>(planes: &Planes<V>) -> V {
    let mut clash = V::zero();
    for b in 0..9 {
        let taken = count(&planes.taken[b]);
        let mut placed = [V::zero(); 9];
        for d in 0..9 {
            placed[d] = planes.open[d][b].not();
        }
        let placed = count(&placed);
        for bit in 0..4 {
            clash = clash.or(taken[bit].xor(placed[bit]));
        }
    }
    clash
}

/// Chooses in every lane.
#[inline(always)]
pub(super) fn choose<V: Vector>(planes: &Planes<V>, scratch: &mut Scratch<V>) -> Choice<V> {
    let counts = &mut scratch.counts;
    let mut bands = [V::zero(); 6];
    // 81 flags at most: seven bits.
    let mut fewest = [V::ones(); 7];
    for band in 0..6 {
        let mut total = [V::zero(); 7];
        for d in 0..9 {
            let flags = planes.lines(band, d);
            let [x, y, z] = boxes(band);
            let (x, y, z) = (&flags[x], &flags[y], &flags[z]);
            counts[band][d] = count(&[x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]]);
            let mut carry = V::zero();
            for bit in 0..7 {
                let one = if bit < 4 {
                    counts[band][d][bit]
                } else {
                    V::zero()
                };
                (total[bit], carry) = add(total[bit], one, carry);
            }
        }
        let better = less(&total, &fewest).without(equals(&total, DECIDED_BAND));
        take(better, band, &mut bands);
        for bit in 0..7 {
            fewest[bit].replace(total[bit], better);
        }
    }
    let mut digits = [V::zero(); 9];
    let mut fewest = [V::ones(); 4];
    for d in 0..9 {
        let mut number = [V::zero(); 4];
        for band in 0..6 {
            for bit in 0..4 {
                number[bit] = number[bit].or_and(bands[band], counts[band][d][bit]);
            }
        }
        let better = less(&number, &fewest).without(equals(&number, DECIDED_DIGIT));
        take(better, d, &mut digits);
        for bit in 0..4 {
            fewest[bit].replace(number[bit], better);
        }
    }
    Choice { bands, digits }
}

/// In the lanes `keep` the chosen digit is in the first minirow left to it, in a box where it has two
/// if there is one; in the lanes `drop` it is not.
#[inline(always)]
pub(super) fn split<V: Vector>(planes: &mut Planes<V>, choice: &Choice<V>, keep: V, drop: V) {
    let lanes = keep.or(drop);
    for band in 0..6 {
        for d in 0..9 {
            let flags = planes.lines_mut(band, d);
            let mut left = choice.bands[band].and3(choice.digits[d], lanes);
            let mut several = [V::zero(); 3];
            let mut two = [V::zero(); 3];
            for (k, b) in boxes(band).into_iter().enumerate() {
                let f = &flags[b];
                several[k] = f[0].majority(f[1], f[2]);
                two[k] = several[k].without(f[0].and3(f[1], f[2]));
            }
            let any_two = two[0].or3(two[1], two[2]);
            for (k, b) in boxes(band).into_iter().enumerate() {
                let good = any_two.select(two[k], several[k]);
                let here = left.and(good);
                left = left.without(good);
                let f = &mut flags[b];
                let first = [f[0], f[1].without(f[0]), V::zero()];
                for i in 0..3 {
                    // Lanes that keep lose the others, lanes that drop lose it.
                    f[i] = f[i].without(here.and(first[i].xor(keep)));
                }
            }
        }
    }
}

/// The boxes of a band or stack.
#[inline(always)]
fn boxes(band: usize) -> [usize; 3] {
    if band < 3 {
        [3 * band, 3 * band + 1, 3 * band + 2]
    } else {
        [band - 3, band, band + 3]
    }
}

/// Of disjoint sets, of which those below `to` are in use: moves the lanes `better` from wherever they
/// are to the one numbered `to`.
#[inline(always)]
fn take<V: Vector>(better: V, to: usize, sets: &mut [V]) {
    for earlier in 0..to {
        sets[earlier] = sets[earlier].without(better);
    }
    sets[to] = better;
}

/// Sum and carry of three bits.
#[inline(always)]
fn add<V: Vector>(a: V, b: V, c: V) -> (V, V) {
    (a.xor3(b, c), a.majority(b, c))
}

/// How many of nine are set, in binary, the lowest bit first.
#[inline(always)]
fn count<V: Vector>(f: &[V; 9]) -> [V; 4] {
    let (a, a2) = add(f[0], f[1], f[2]);
    let (b, b2) = add(f[3], f[4], f[5]);
    let (c, c2) = add(f[6], f[7], f[8]);
    let (ones, d2) = add(a, b, c);
    let (e2, e4) = add(a2, b2, c2);
    let (twos, f4) = (e2.xor(d2), e2.and(d2));
    [ones, twos, e4.xor(f4), e4.and(f4)]
}

/// Where `a < b`.
#[inline(always)]
fn less<V: Vector, const N: usize>(a: &[V; N], b: &[V; N]) -> V {
    let mut borrow = V::zero();
    for bit in 0..N {
        borrow = a[bit].not().majority(b[bit], borrow);
    }
    borrow
}

/// Where `a` is this number.
#[inline(always)]
fn equals<V: Vector, const N: usize>(a: &[V; N], number: usize) -> V {
    let mut equal = V::ones();
    for bit in 0..N {
        equal = if number >> bit & 1 == 0 {
            equal.without(a[bit])
        } else {
            equal.and(a[bit])
        };
    }
    equal
}
