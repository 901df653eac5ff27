//! How long puzzles of a rating take, by what was measured once.

use super::MakeOptions;
use crate::sudoku::logic::difficulty::Difficulty;

/// How many of 20,000 random minimal puzzles have an ER, in tenths. All are in the list, and none was worth more.
const SEEN: [(u16, u64); 48] = [
    (12, 311),
    (15, 4603),
    (17, 301),
    (20, 3989),
    (23, 717),
    (25, 222),
    (26, 1196),
    (28, 359),
    (30, 238),
    (32, 35),
    (34, 149),
    (36, 47),
    (38, 2),
    (40, 20),
    (42, 927),
    (44, 130),
    (45, 425),
    (46, 42),
    (47, 1),
    (50, 3),
    (56, 172),
    (57, 25),
    (58, 1),
    (62, 12),
    (65, 13),
    (66, 1343),
    (67, 138),
    (68, 81),
    (69, 40),
    (70, 30),
    (71, 1634),
    (72, 1594),
    (73, 394),
    (74, 19),
    (75, 12),
    (76, 51),
    (77, 23),
    (78, 39),
    (79, 5),
    (80, 1),
    (82, 33),
    (83, 287),
    (84, 203),
    (85, 58),
    (86, 7),
    (88, 11),
    (89, 31),
    (90, 26),
];

/// The time that a rating takes, in that of making a minimal puzzle, by its ER.
const fn cost(er: u16) -> u64 {
    match er {
        ..26 => 2,
        26..45 => 6,
        45..65 => 10,
        65..70 => 20,
        70..72 => 45,
        72..75 => 100,
        75..80 => 160,
        80..85 => 400,
        85..90 => 750,
        90.. => 1500,
    }
}

impl MakeOptions {
    /// About how many times as long as a minimal puzzle one takes for the sake of its rating: 1 if that is of
    /// no interest, 6 for easy, 150 for extreme, tens of thousands from ER 9.0 on. What else is wanted, and how
    /// seldom a required technique is met, comes on top. For sharing out work, not for promises.
    #[must_use]
    pub fn effort(&self) -> u64 {
        if !self.is_rated() {
            return 1;
        }
        let levels = self.levels();
        let is_settled = *levels.end() <= Difficulty::Hard;
        let hardest = self.er().map_or(u16::MAX, |er| *er.end());
        let (mut wanted, mut time) = (0, 0);
        for (er, puzzles) in SEEN {
            let level = Difficulty::of(er);
            let is_easier = level < *levels.start() && level <= Difficulty::Hard;
            let is_sieved = is_easier || is_settled && level > *levels.end();
            // A rating ends where it goes beyond what is wanted.
            let rating = if is_sieved { 0 } else { cost(er.min(hardest)) };
            time += puzzles * (1 + rating);
            if levels.contains(&level) && self.er().is_none_or(|wanted| wanted.contains(&er)) {
                wanted += puzzles;
            }
        }
        // What none of them is may be half as frequent as what one of them is.
        time.checked_div(wanted).unwrap_or(2 * time)
    }
}
