//! Where to guess, in all stuck lanes at once.

use super::planes::{Planes, undecided};
use super::vector::Vector;

/// The number of flags of each digit in each band, in binary.
pub(super) type Counts<V> = [[[V; 4]; 9]; 6];

/// Sum and carry of three.
#[inline(always)]
fn add<V: Vector>(a: V, b: V, c: V) -> (V, V) {
    (a.xor3(b, c), a.majority(b, c))
}

#[inline(always)]
fn count9<V: Vector>(f: [&[V; 3]; 3]) -> [V; 4] {
    let (s0, c0) = add(f[0][0], f[0][1], f[0][2]);
    let (s1, c1) = add(f[1][0], f[1][1], f[1][2]);
    let (s2, c2) = add(f[2][0], f[2][1], f[2][2]);
    let (ones, c3) = add(s0, s1, s2);
    let (s3, d0) = add(c0, c1, c2);
    let (twos, d1) = (s3.xor(c3), s3.and(c3));
    let (fours, eights) = (d0.xor(d1), d0.and(d1));
    [ones, twos, fours, eights]
}

/// `a < b`, bit by bit from the lowest.
#[inline(always)]
fn less<V: Vector, const N: usize>(a: &[V; N], b: &[V; N]) -> V {
    let mut less = V::zero();
    for i in 0..N {
        less = a[i].not().majority(b[i], less);
    }
    less
}

/// The lanes where two digits of a box claim the same cell.
#[inline(always)]
pub(super) fn clashes<V: Vector>(planes: &Planes<V>) -> V {
    let mut clash = V::zero();
    for b in 0..9 {
        let t = &planes.taken[b];
        let taken = count9([&[t[0], t[1], t[2]], &[t[3], t[4], t[5]], &[t[6], t[7], t[8]]]);
        let mut placed = [[V::zero(); 3]; 3];
        for d in 0..9 {
            let (r, c) = (&planes.rows[d][b], &planes.columns[d][b]);
            placed[d / 3][d % 3] = undecided(r, c).not();
        }
        let placed = count9([&placed[0], &placed[1], &placed[2]]);
        for i in 0..4 {
            clash = clash.or(taken[i].xor(placed[i]));
        }
    }
    clash
}

/// The box of a band's `k`-th.
#[inline(always)]
fn box_of(band: usize, k: usize) -> usize {
    if band < 3 { 3 * band + k } else { 3 * k + band - 3 }
}

/// In each lane a band, and a digit undecided in it.
pub(super) struct Choice<V> {
    bands: [V; 6],
    digits: [V; 9],
}

/// The band with the fewest flags, in it the digit with the fewest.
#[inline(always)]
pub(super) fn choose<V: Vector>(planes: &Planes<V>, counts: &mut Counts<V>) -> Choice<V> {
    let mut bands = [V::zero(); 6];
    let mut best = [V::ones(); 7];
    for band in 0..6 {
        let mut total = [V::zero(); 7];
        for d in 0..9 {
            let flags = if band < 3 { &planes.rows[d] } else { &planes.columns[d] };
            let f = [&flags[box_of(band, 0)], &flags[box_of(band, 1)], &flags[box_of(band, 2)]];
            let count = count9(f);
            counts[band][d] = count;
            let mut carry = V::zero();
            for i in 0..7 {
                let n = if i < 4 { count[i] } else { V::zero() };
                (total[i], carry) = add(total[i], n, carry);
            }
        }
        // 27 = 0b0011011: nothing is left to decide.
        let t = &total;
        let decided = t[0].and3(t[1], t[3]).and_without(t[4], t[2].or3(t[5], t[6]));
        let take = less(&total, &best).without(decided);
        for i in 0..7 {
            best[i] = take.select(total[i], best[i]);
        }
        for earlier in 0..band {
            bands[earlier] = bands[earlier].without(take);
        }
        bands[band] = take;
    }
    let mut digits = [V::zero(); 9];
    let mut best = [V::ones(); 4];
    for d in 0..9 {
        let mut count = [V::zero(); 4];
        for band in 0..6 {
            for i in 0..4 {
                count[i] = count[i].or_and(bands[band], counts[band][d][i]);
            }
        }
        let decided = count[0].and_without(count[1], count[2].or(count[3]));
        let take = less(&count, &best).without(decided);
        for i in 0..4 {
            best[i] = take.select(count[i], best[i]);
        }
        for earlier in 0..d {
            digits[earlier] = digits[earlier].without(take);
        }
        digits[d] = take;
    }
    Choice { bands, digits }
}

/// In the lanes `keep` the first flag of the choice is all that stays in its box, in the lanes
/// `drop` it goes. Returns the lanes where there was something to choose.
#[inline(always)]
pub(super) fn split<V: Vector>(planes: &mut Planes<V>, choice: &Choice<V>, keep: V, drop: V) -> V {
    let mut chosen = V::zero();
    let lanes = keep.or(drop);
    for band in 0..6 {
        for d in 0..9 {
            let here = choice.bands[band].and3(choice.digits[d], lanes);
            let flags = if band < 3 { &mut planes.rows[d] } else { &mut planes.columns[d] };
            let mut multi = [V::zero(); 3];
            let mut two = [V::zero(); 3];
            for k in 0..3 {
                let f = &flags[box_of(band, k)];
                multi[k] = f[0].majority(f[1], f[2]);
                two[k] = multi[k].without(f[0].and3(f[1], f[2]));
            }
            let any_two = two[0].or3(two[1], two[2]);
            let mut left = here;
            for k in 0..3 {
                let fit = any_two.select(two[k], multi[k]);
                let pick = left.and(fit);
                left = left.without(fit);
                chosen = chosen.or(pick);
                let f = &mut flags[box_of(band, k)];
                let first = [f[0], f[1].without(f[0]), V::zero()];
                for i in 0..3 {
                    // Kept lanes lose the others, dropped lanes this one.
                    f[i] = f[i].without(pick.and(first[i].xor(keep)));
                }
            }
        }
    }
    chosen
}
