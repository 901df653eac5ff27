//! Puzzles that are images of one another, and how a job is kept free of them.
//!
//! Two puzzles are alike if the board's symmetries and new names for the digits turn one into the
//! other; then, and only then, their canonical forms are equal. Where no two may be alike, puzzle `i` is
//! the first of those that are made for `i` (remake 0, 1, 2, …) whose form no lower item has; it is not
//! found if one of these is not, or after [`MAX_REMAKES`]. So it depends on the items before it, and still
//! on nothing else: chunks are run in any order and *sealed* in index order. One with a form that is known
//! by then is run again, its item with the next remake.
//!
//! All items of a chunk that have the form of a sealed item, or of a lower one in the chunk, move on at
//! once. That is never too soon: whatever a form was held by when an item had to leave it, from then on
//! that one or a lower one holds it.
//!
//! A form is known by 64 bits. Two forms with the same bits count as alike: in a billion puzzles that is
//! to be expected once in forty times, and it costs one remake. So no puzzle need ever be read back.
//!
//! A remake costs a run of its whole chunk. That is simple, and rare but where hardly any two puzzles can
//! be unlike; there it is bounded by [`MAX_REMAKES`].

use std::collections::{BTreeMap, HashSet};

use sha2::{Digest, Sha256};

use crate::sudoku::Puzzle;

/// The last remake of an item; if its puzzle is alike to another too, the item is given up. Where only one
/// in ten is new, one item in a thousand comes to that.
pub const MAX_REMAKES: u32 = 64;

/// How often each item was made in vain, by index; where nothing stands, never.
pub type Remakes = BTreeMap<u64, u32>;

/// What is kept of a canonical form: the first 64 bits of the SHA-256 of its 81 cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Form(pub i64);

impl Form {
    /// Of a puzzle in canonical form.
    #[must_use]
    pub fn of(canonical: &Puzzle) -> Self {
        let hash: [u8; 32] = Sha256::digest(canonical.cells()).into();
        let first = hash.iter().take(8).rev();
        let bits = first.fold(0_u64, |bits, &byte| bits << 8 | u64::from(byte));
        Self(bits.cast_signed())
    }
}

/// The form of an item's puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MadeForm {
    /// The item.
    pub index: u64,
    /// Which of its puzzles that is.
    pub remake: u32,
    /// The form.
    pub form: Form,
}

/// The items that have to be made again, of these in index order: their form is known or that of an item
/// before them.
pub fn alike(made: &[MadeForm], is_known: impl Fn(Form) -> bool) -> Remakes {
    let mut before = HashSet::with_capacity(made.len());
    let again = made
        .iter()
        .filter(|item| !before.insert(item.form) || is_known(item.form));
    again.map(|item| (item.index, item.remake + 1)).collect()
}

/// The forms of items that are sealed, where all of them fit memory.
#[derive(Clone, Debug, Default)]
pub struct Sealed(HashSet<Form>);

impl Sealed {
    /// Seals the next items, in index order. If some have to be made again, they are told and none is
    /// sealed.
    pub fn seal(&mut self, made: &[MadeForm]) -> Remakes {
        let again = alike(made, |form| self.0.contains(&form));
        if again.is_empty() {
            self.0.extend(made.iter().map(|item| item.form));
        }
        again
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(items: &[(u64, u32, i64)]) -> Vec<MadeForm> {
        let made = |&(index, remake, form)| MadeForm {
            index,
            remake,
            form: Form(form),
        };
        items.iter().map(made).collect()
    }

    #[test]
    fn what_is_known_or_comes_twice_is_made_again() {
        let mut sealed = Sealed::default();
        assert!(sealed.seal(&made(&[(0, 0, 7), (1, 0, 8)])).is_empty());
        let again = sealed.seal(&made(&[(2, 0, 9), (3, 0, 8), (4, 2, 9), (5, 0, 10)]));
        assert_eq!(again, Remakes::from([(3, 1), (4, 3)]));
        // Nothing of that was sealed: 9 and 10 may come again.
        assert!(sealed.seal(&made(&[(2, 0, 9), (3, 1, 10)])).is_empty());
    }

    /// The rule itself, item by item, where item `i`'s puzzle `r` has the form `i * i * (r + 1) % 23`.
    #[test]
    fn chunks_of_any_size_come_to_the_same() {
        let form = |index: u64, remake: u32| {
            let form = index * index * (u64::from(remake) + 1) % 23;
            Form(i64::try_from(form).expect("small"))
        };
        let mut plain = Vec::new();
        for index in 0..30 {
            let mut remakes = 0..=MAX_REMAKES;
            let is_new = |&remake: &u32| {
                let form = form(index, remake);
                plain.iter().all(|item: &MadeForm| item.form != form)
            };
            if let Some(remake) = remakes.find(is_new) {
                plain.push(MadeForm {
                    index,
                    remake,
                    form: form(index, remake),
                });
            }
        }
        assert!(plain.len() < 30 && plain.iter().any(|item| item.remake > 1));
        for size in [1, 2, 3, 7, 30] {
            let mut sealed = Sealed::default();
            let mut all = Vec::new();
            for first in (0..30).step_by(size) {
                let mut remakes = Remakes::new();
                loop {
                    let made = |index| {
                        let remake = remakes.get(&index).copied().unwrap_or(0);
                        (remake <= MAX_REMAKES).then(|| MadeForm {
                            index,
                            remake,
                            form: form(index, remake),
                        })
                    };
                    let end = 30.min(first + size as u64);
                    let made: Vec<_> = (first..end).filter_map(made).collect();
                    let again = sealed.seal(&made);
                    if again.is_empty() {
                        all.extend(made);
                        break;
                    }
                    remakes.extend(again);
                }
            }
            assert_eq!(all, plain, "in chunks of {size}");
        }
    }

    #[test]
    fn a_form_is_the_same_on_every_machine() {
        let empty = Puzzle::from_cells([0; 81]).expect("the empty board");
        assert_eq!(Form::of(&empty), Form(-4_413_045_263_694_333_849));
        let mut cells = [0; 81];
        cells[80] = 1;
        let one = Puzzle::from_cells(cells).expect("one digit");
        assert_ne!(Form::of(&one), Form(-4_413_045_263_694_333_849));
    }
}
