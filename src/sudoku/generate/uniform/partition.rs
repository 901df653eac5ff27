//! How the nine digits of a box are spread over its minicolumns.
//!
//! A *partition* is three sets of three digits: the minicolumns of a box without their order. There
//! are 280.
//!
//! In a stack each column takes one set from each of its three boxes, and the three are disjoint.
//! So, given the upper box, there are 56 ways to go on, here called *moves*: 54 take one digit of
//! each set to the column on one side and the other two to the column on the other side, and 2
//! take whole sets. A move says where the digits stand in the middle box. In the lower box they
//! stand in the column that is left, which is the *opposite* move.
//!
//! ```text
//!               column 0  column 1  column 2
//! upper box      1 2 3     4 5 6     7 8 9
//! middle box     4 8 9     7 2 3     1 5 6     1, 4 and 7 go one column back, the others on
//! lower box      7 5 6     1 8 9     4 2 3     and here the other way round
//! ```
//!
//! In this module and its neighbours digits are 0 to 8, and sets, columns and rows 0 to 2.

use crate::sudoku::symmetry::ORDERS;

/// How many moves there are. Moves `m` and `m ^ 1` are opposite.
pub(super) const MOVES: usize = 56;

/// The number of a partition. Partition 0 is {0 1 2} {3 4 5} {6 7 8}.
pub(super) type Partition = u16;

/// How many partitions there are.
pub(super) const PARTITIONS: Partition = 280;

/// Where a move leads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moved {
    /// The column of each digit, if in the upper box the columns are the sets in their order.
    pub(super) columns: [u8; 9],
    /// The partition that these columns make.
    pub(super) partition: Partition,
}

/// The tables of all partitions, about 400 kB.
#[derive(Debug)]
pub(super) struct Partitions {
    /// By partition, the set of each digit. Sets are in the order of their least digits, and
    /// partitions in the order of their `sets`.
    sets: Vec<[u8; 9]>,
    /// By partition, the digits of its sets, one set after the other.
    members: Vec<[u8; 9]>,
    /// By [`code`], in whatever order the sets are.
    numbers: Vec<Partition>,
    /// By two partitions, what becomes of the second when the first is renamed to 0.
    renamed: Vec<Partition>,
    /// By partition and move.
    moved: Vec<Moved>,
}

impl Partitions {
    pub(super) fn new() -> Self {
        let (sets, numbers) = number_all();
        let members: Vec<[u8; 9]> = sets.iter().map(members).collect();
        let mut renamed = Vec::new();
        let mut moved = Vec::new();
        for (partition, members) in sets.iter().zip(&members) {
            renamed.extend(sets.iter().map(|sets| {
                let renamed = members.map(|digit| sets[usize::from(digit)]);
                numbers[code(&renamed)]
            }));
            moved.extend((0..MOVES).map(|step| {
                let columns = columns(partition, members, step);
                let partition = numbers[code(&columns)];
                Moved { columns, partition }
            }));
        }
        Self {
            sets,
            members,
            numbers,
            renamed,
            moved,
        }
    }

    /// The set of each digit.
    pub(super) fn sets(&self, partition: Partition) -> &[u8; 9] {
        &self.sets[usize::from(partition)]
    }

    /// The digits of the sets, one set after the other: the names that the digits of partition 0
    /// get to make it this one.
    pub(super) fn members(&self, partition: Partition) -> &[u8; 9] {
        &self.members[usize::from(partition)]
    }

    /// What becomes of each partition when digit `members(partition)[i]` is renamed to `i`, which
    /// makes `partition` 0.
    pub(super) fn renamed(&self, partition: Partition) -> &[Partition] {
        let all = usize::from(PARTITIONS);
        &self.renamed[all * usize::from(partition)..][..all]
    }

    /// What becomes of a partition when digit `i` is renamed to `names[i]`.
    pub(super) fn image(&self, partition: Partition, names: &[u8; 9]) -> Partition {
        let mut image = [0; 9];
        for (&name, &set) in names.iter().zip(self.sets(partition)) {
            image[usize::from(name)] = set;
        }
        self.numbers[code(&image)]
    }

    /// Where each move leads.
    pub(super) fn moves(&self, partition: Partition) -> &[Moved] {
        &self.moved[MOVES * usize::from(partition)..][..MOVES]
    }
}

/// The sets of the nine digits read as a number in base 3.
fn code(sets: &[u8; 9]) -> usize {
    sets.iter()
        .fold(0, |code, &set| 3 * code + usize::from(set))
}

/// The sets of all partitions, and the partitions' numbers by code.
fn number_all() -> (Vec<[u8; 9]>, Vec<Partition>) {
    let mut partitions = Vec::new();
    let mut numbers = vec![Partition::MAX; 19_683];
    for code_of_sets in 0..numbers.len() {
        let mut rest = code_of_sets;
        let mut sets = [0; 9];
        for set in sets.iter_mut().rev() {
            *set = [0, 1, 2][rest % 3];
            rest /= 3;
        }
        let mut sizes = [0; 3];
        for set in sets {
            sizes[usize::from(set)] += 1;
        }
        // The least of the six codes of a partition comes first.
        if sizes == [3; 3] && numbers[code_of_sets] == Partition::MAX {
            let number = Partition::try_from(partitions.len()).expect("there are 280");
            for order in ORDERS {
                numbers[code(&sets.map(|set| order[usize::from(set)]))] = number;
            }
            partitions.push(sets);
        }
    }
    (partitions, numbers)
}

fn members(sets: &[u8; 9]) -> [u8; 9] {
    let mut members = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    members.sort_by_key(|&digit| sets[usize::from(digit)]);
    members
}

/// The columns the digits move to. Half the move's number says in base 3 which digit of each set
/// goes the other way; 27 is the move of whole sets.
fn columns(sets: &[u8; 9], members: &[u8; 9], step: usize) -> [u8; 9] {
    let (on, back) = if step.is_multiple_of(2) {
        (1, 2)
    } else {
        (2, 1)
    };
    let mut columns = sets.map(|set| (set + on) % 3);
    let choice = step / 2;
    if choice < 27 {
        for (set, choice) in [choice / 9, choice / 3 % 3, choice % 3]
            .into_iter()
            .enumerate()
        {
            let digit = usize::from(members[3 * set + choice]);
            columns[digit] = (sets[digit] + back) % 3;
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn there_are_280_and_each_has_a_renaming_to_the_first() {
        let partitions = Partitions::new();
        assert_eq!(partitions.sets.len(), usize::from(PARTITIONS));
        assert_eq!(partitions.sets(0), &[0, 0, 0, 1, 1, 1, 2, 2, 2]);
        for partition in 0..PARTITIONS {
            let members = partitions.members(partition);
            assert_eq!(partitions.image(0, members), partition);
            assert_eq!(partitions.renamed(partition)[usize::from(partition)], 0);
            for other in 0..PARTITIONS {
                let renamed = partitions.renamed(partition)[usize::from(other)];
                assert_eq!(partitions.image(renamed, members), other);
            }
        }
    }

    #[test]
    fn a_move_and_its_opposite_leave_each_digit_a_column_for_each_box() {
        let partitions = Partitions::new();
        for partition in 0..PARTITIONS {
            let upper = partitions.sets(partition);
            let mut ways = HashSet::new();
            for pair in partitions.moves(partition).chunks(2) {
                for [middle, lower] in [[pair[0], pair[1]], [pair[1], pair[0]]] {
                    for ((a, b), c) in upper.iter().zip(middle.columns).zip(lower.columns) {
                        assert_eq!(1 << a | 1 << b | 1 << c, 0b111);
                    }
                    assert_eq!(partitions.numbers[code(&middle.columns)], middle.partition);
                    ways.insert(middle.columns);
                }
            }
            // Felgenhauer and Jarvis: 56 ways to spread the rows of a box over the next.
            assert_eq!(ways.len(), MOVES);
        }
    }
}
