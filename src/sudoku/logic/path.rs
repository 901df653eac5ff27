//! The way through a puzzle: one step at a time, each the first of the first technique that finds one.
//!
//! That order is the scale's, and a rating is that of this one way, not of the easiest one.

use super::budget::{Budget, Halt};
use super::chains::{Desk, Forcing};
use super::pencilmarks::Pencilmarks;
use super::rating::Rating;
use super::step::Step;
use super::technique::Technique;
use super::{aligned, bug, chains, fish, locked, singles, subsets, uniqueness, wings};

/// What is known of the puzzle beside its givens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// Nothing: unique rectangles and loops and BUG are left out.
    Nothing,
    /// That it has exactly one solution.
    OneSolution,
}

/// The next step of the way; `None` if there is none, or if it is worth more than `max_er` tenths. The way ends
/// there, even where a later technique would find something cheaper.
///
/// # Errors
/// If it was cancelled, or the budget was spent: chains may take many steps of it.
pub fn next(
    marks: &Pencilmarks,
    known: Known,
    max_er: u16,
    budget: &mut Budget<'_>,
) -> Result<Option<Step>, Halt> {
    let step = next_at(marks, known, max_er, &mut Desk::new(budget))?;
    Ok(step.filter(|step| step.er_tenths <= max_er))
}

/// The least that a chain without branches is worth.
const LEAST_UNARY: u16 = 65;
/// The least that whatever comes after those is worth.
const LEAST_AFTER: u16 = 75;

/// The same with room from steps before, and perhaps one that is worth more.
fn next_at(
    marks: &Pencilmarks,
    known: Known,
    max_er: u16,
    desk: &mut Desk<'_, '_>,
) -> Result<Option<Step>, Halt> {
    desk.budget.step()?;
    if let Some(step) = pattern(marks, known, desk)? {
        return Ok(Some(step));
    }
    if max_er < LEAST_UNARY {
        return Ok(None);
    }
    if let Some(step) = chains::unary(marks, desk)? {
        return Ok(Some(step));
    }
    if max_er < LEAST_AFTER {
        return Ok(None);
    }
    if let Some(step) = aligned::triplet(&mut desk.memory.look(marks)) {
        return Ok(Some(step));
    }
    for forcing in Forcing::ALL.into_iter().take_while(|of| of.base <= max_er) {
        if let Some(step) = chains::forcing(marks, forcing, desk)? {
            return Ok(Some(step));
        }
    }
    Ok(None)
}

/// The next step by the techniques that come before all chains.
fn pattern(
    marks: &Pencilmarks,
    known: Known,
    desk: &mut Desk<'_, '_>,
) -> Result<Option<Step>, Halt> {
    if let Some(step) = singles::hidden_single(marks) {
        return Ok(Some(step));
    }
    let mut board = desk.memory.look(marks);
    let board = &mut board;
    let early = locked::direct(&mut *board)
        .or_else(|| subsets::direct_hidden(&mut *board, 2))
        .or_else(|| singles::naked_single(marks))
        .or_else(|| subsets::direct_hidden(&mut *board, 3))
        .or_else(|| locked::indirect(&mut *board))
        .or_else(|| subsets::naked(&mut *board, 2))
        .or_else(|| fish::find(&mut *board, 2))
        .or_else(|| subsets::hidden(&mut *board, 2))
        .or_else(|| subsets::naked(&mut *board, 3))
        .or_else(|| fish::find(&mut *board, 3))
        .or_else(|| subsets::hidden(&mut *board, 3))
        .or_else(|| wings::xy(marks))
        .or_else(|| wings::xyz(marks));
    if early.is_some() {
        return Ok(early);
    }
    let is_unique = known == Known::OneSolution;
    if is_unique && let Some(step) = uniqueness::find_within(marks, desk.budget)? {
        return Ok(Some(step));
    }
    Ok(subsets::naked(&mut *board, 4)
        .or_else(|| fish::find(&mut *board, 4))
        .or_else(|| subsets::hidden(&mut *board, 4))
        .or_else(|| is_unique.then_some(marks).and_then(bug::find))
        .or_else(|| aligned::pair(&mut *board)))
}

/// A way under way, of a puzzle that is known to have one solution.
pub struct Way<'a, 'b> {
    marks: Pencilmarks,
    rating: Rating,
    max_er: u16,
    desk: Desk<'a, 'b>,
}

impl<'a, 'b> Way<'a, 'b> {
    /// At its beginning. Where nothing is found that is worth no more than `max_er` tenths, it may end.
    #[must_use]
    pub fn new(marks: Pencilmarks, max_er: u16, budget: &'a mut Budget<'b>) -> Self {
        Self {
            marks,
            rating: Rating::default(),
            max_er,
            desk: Desk::new(budget),
        }
    }

    /// Takes the next step and tells its technique and what it is worth, which may be more than `max_er`.
    /// `None` at the end.
    ///
    /// # Errors
    /// If it was cancelled, or the budget was spent.
    pub fn step(&mut self) -> Result<Option<(Technique, u16)>, Halt> {
        if self.marks.is_solved() {
            return Ok(None);
        }
        // Most steps are hidden singles: no need to write down why.
        if let Some(single) = singles::hidden(&self.marks) {
            self.desk.budget.step()?;
            let (technique, er) = (single.technique, single.er_tenths);
            self.rating.count(technique, er, true);
            self.marks
                .place(single.placed.cell(), single.placed.digit());
            return Ok(Some((technique, er)));
        }
        let step = next_at(&self.marks, Known::OneSolution, self.max_er, &mut self.desk)?;
        let Some(step) = step else { return Ok(None) };
        self.rating.add(&step);
        step.apply(&mut self.marks);
        Ok(Some((step.technique, step.er_tenths)))
    }

    /// What the way is rated, if it has come to the solution.
    #[must_use]
    pub fn rating(&self) -> Option<Rating> {
        self.marks.is_solved().then_some(self.rating)
    }
}

/// The rating of a puzzle that is known to have one solution; `None` if the techniques do not solve it.
///
/// # Errors
/// If it was cancelled, or the budget was spent.
pub fn rate(marks: Pencilmarks, budget: &mut Budget<'_>) -> Result<Option<Rating>, Halt> {
    let mut way = Way::new(marks, u16::MAX, budget);
    while way.step()?.is_some() {}
    Ok(way.rating())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::logic::pencilmarks::Candidate;
    use crate::sudoku::puzzle_maker::{Made, MakeOptions, PuzzleMaker, Wishes};
    use crate::sudoku::solve::Cancel;

    /// The techniques that come late in the order, so that they seldom get a turn.
    const LATE: [fn(&Pencilmarks) -> Option<Step>; 9] = [
        wings::xy,
        wings::xyz,
        |marks| fish::find(marks, 3),
        |marks| fish::find(marks, 4),
        |marks| subsets::naked(marks, 4),
        uniqueness::find,
        bug::find,
        |marks| aligned::pair(marks),
        |marks| aligned::triplet(marks),
    ];

    /// On the ways through some puzzles every step takes away or fills in something, nothing of the solution
    /// goes, and nothing else is filled in, whoever's turn it is.
    #[test]
    fn no_step_contradicts_the_solution() {
        let mut solved = 0;
        let mut maker = PuzzleMaker::new(5, MakeOptions::new(Wishes::any(100_000)).unwrap());
        let sink = |_, made| {
            let Made::Puzzle(made) = made else {
                panic!("a puzzle of any kind is easily made");
            };
            let is_true = |candidate: Candidate| {
                made.solution.cells()[candidate.cell().index()] == candidate.digit().value()
            };
            let mut marks = Pencilmarks::new(&made.puzzle);
            while let Some(step) = next(
                &marks,
                Known::OneSolution,
                u16::MAX,
                &mut Budget::unlimited(),
            )
            .unwrap()
            {
                let late = LATE.iter().filter_map(|find| find(&marks));
                for step in late.chain([step.clone()]) {
                    let is_sound = step.placement.is_none_or(is_true)
                        && step
                            .eliminations
                            .iter()
                            .all(|&gone| marks.has(gone) && !is_true(gone));
                    assert!(is_sound, "{}: {step:?}", made.puzzle);
                    assert!(step.placement.is_some() || !step.eliminations.is_empty());
                }
                step.apply(&mut marks);
            }
            solved += u32::from(marks.is_solved());
        };
        maker.make_all(0..500_u64, Cancel::never(), sink).unwrap();
        assert!(solved > 300, "{solved}");
    }

    /// Puzzles whose ratings by Sudoku Explainer 1.2.1's techniques are known.
    #[test]
    fn ratings_are_those_of_the_scale() {
        let rows = include_str!("../../../tests/data/ratings.tsv").lines();
        for row in rows.filter(|row| !row.starts_with('#')) {
            let fields: Vec<_> = row.split('\t').collect();
            let tenths = |number: usize| fields[number].replace('.', "").parse::<u16>().unwrap();
            let marks = Pencilmarks::new(&fields[0].parse().unwrap());
            let rating = rate(marks, &mut Budget::unlimited()).unwrap().unwrap();
            let expected = [1, 2, 3].map(tenths);
            assert_eq!([rating.er, rating.ep, rating.ed], expected, "{row}");
        }
    }

    /// What was sought in vain before is passed over, and nothing else.
    #[test]
    fn a_way_that_remembers_is_the_way_of_one_that_does_not() {
        let rows = include_str!("../../../tests/data/ratings.tsv").lines();
        let mut steps = 0;
        for row in rows.filter(|row| !row.starts_with('#')) {
            let mut marks = Pencilmarks::new(&row.split('\t').next().unwrap().parse().unwrap());
            let mut budget = Budget::unlimited();
            let mut desk = Desk::new(&mut budget);
            while !marks.is_solved() {
                let step = next_at(&marks, Known::OneSolution, u16::MAX, &mut desk);
                let alone = next(
                    &marks,
                    Known::OneSolution,
                    u16::MAX,
                    &mut Budget::unlimited(),
                );
                assert_eq!(step, alone, "{row}");
                let step = step.unwrap().expect("the techniques solve it");
                step.apply(&mut marks);
                steps += 1;
            }
        }
        assert!(steps > 1_000, "{steps}");
    }

    /// A rectangle is no argument where there may be two solutions.
    #[test]
    fn uniqueness_is_supposed_only_where_it_is_known() {
        let rows = include_str!("../../../tests/data/ratings.tsv").lines();
        let steps = rows.filter(|row| row.contains("Unique")).map(|row| {
            let puzzle = row.split('\t').next().unwrap().parse().unwrap();
            let mut marks = Pencilmarks::new(&puzzle);
            let mut late = 0;
            let mut budget = Budget::unlimited();
            let mut desk = Desk::new(&mut budget);
            while let Some(step) = pattern(&marks, Known::Nothing, &mut desk).unwrap() {
                assert!(!step.technique.supposes_one_solution(), "{row}");
                late += 1;
                step.apply(&mut marks);
            }
            late
        });
        assert!(steps.sum::<u32>() > 100);
    }
}
