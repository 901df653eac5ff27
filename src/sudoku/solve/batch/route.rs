//! Moving lanes to other places, all planes of them.
//!
//! A word of 64 lanes is rotated as a whole, to meet as many free lanes of another word as it can,
//! and those that do not meet one wait. That is three operations a plane with AVX-512. Full words go to the words
//! with the most free lanes, or puzzles with large search spaces would crowd their word while others
//! run empty.

use std::cmp::Reverse;

use super::lanes::{Lanes, WORDS};
use super::planes::Planes;
use super::vector::Vector;

/// Which lanes go where.
#[derive(Debug)]
pub(super) struct Route {
    /// For each word, the word that its lanes come from.
    from: [usize; WORDS],
    /// For each word, how far they are rotated.
    by: [usize; WORDS],
    /// The lanes that get something.
    pub(super) into: Lanes,
}

impl Route {
    /// A way for many of the lanes `from` to come to free ones, in blocks of `words` words.
    #[inline(always)]
    pub(super) fn find(from: Lanes, free: Lanes, words: usize) -> Self {
        let mut sources = [0, 1, 2, 3, 4, 5, 6, 7];
        let mut places = sources;
        sources[..words].sort_unstable_by_key(|&word| Reverse(from.0[word].count_ones()));
        places[..words].sort_unstable_by_key(|&word| Reverse(free.0[word].count_ones()));
        let mut route = Self {
            from: [0; WORDS],
            by: [0; WORDS],
            into: Lanes::NONE,
        };
        for (source, place) in sources.into_iter().zip(places).take(words) {
            route.from[place] = source;
            let (from, free) = (from.0[source], free.0[place]);
            let most = from.count_ones().min(free.count_ones());
            let mut best = 0;
            for by in 0..64 {
                if best == most {
                    break;
                }
                let met = from.rotate_left(by) & free;
                if met.count_ones() > best {
                    best = met.count_ones();
                    route.by[place] = by as usize;
                    route.into.0[place] = met;
                }
            }
        }
        route
    }

    /// The lane that comes to `lane`.
    #[inline(always)]
    pub(super) fn source(&self, lane: usize) -> usize {
        let (word, row) = (lane / 64, lane % 64);
        64 * self.from[word] + (row + 64 - self.by[word]) % 64
    }

    #[inline(always)]
    fn over<V: Vector>(&self) -> Carrier<V> {
        Carrier {
            order: V::order(&self.from),
            by: V::of(Lanes(self.by.map(|by| by as u64))),
            into: V::of(self.into),
        }
    }
}

/// A route, as vectors.
struct Carrier<V> {
    order: V,
    by: V,
    into: V,
}

impl<V: Vector> Carrier<V> {
    #[inline(always)]
    fn carry(&self, from: V, to: &mut V) {
        to.replace(from.permute(self.order).rotate(self.by), self.into);
    }
}

impl<V: Vector> Planes<V> {
    /// Copies lanes from another block.
    #[inline(always)]
    pub(super) fn copy_from(&mut self, from: &Self, route: &Route) {
        let over = route.over();
        let (to, from) = (self.slices_mut(), from.slices());
        for (to, from) in to.into_iter().zip(from) {
            for (to, from) in to.iter_mut().zip(from) {
                over.carry(*from, to);
            }
        }
    }

    /// Copies lanes within the block.
    #[inline(always)]
    pub(super) fn copy_within(&mut self, route: &Route) {
        let over = route.over();
        for planes in self.slices_mut() {
            for plane in planes {
                over.carry(*plane, plane);
            }
        }
    }
}
