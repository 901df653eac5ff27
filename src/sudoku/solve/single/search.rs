//! Placeholder.

use super::board::{Board, Found, Lines as Lines_};
use super::lanes::Lanes;
use crate::sudoku::grid::Grid;
use crate::sudoku::solve::{Answer, Cancel, Cancelled, End, SolveLimits, Tally};

#[inline(always)]
pub(super) fn solve<V: Lanes<N>, const N: usize>(
    stack: &mut Vec<Board<V, N>>,
    cells: &[u8; 81],
    limits: SolveLimits,
    keep: usize,
    cancel: Cancel<'_>,
) -> Result<Answer, Cancelled> {
    let mut tally = Tally::new(limits, keep);
    let mut guesses = 0;
    stack.clear();
    let (mut board, mut settled) = Board::<V, N>::new(cells);
    let mut lines = Lines_ { rows: board.digits, columns: board.digits };
    let end = loop {
        match board.deduce(settled, &mut lines) {
            Found::Open => {
                cancel.check()?;
                if guesses == limits.steps {
                    break End::StepLimit;
                }
                guesses += 1;
                let guess = Board::best_guess(&lines);
                let mut otherwise = board;
                otherwise.cut(guess.digit, guess.band, guess.denied);
                stack.push(otherwise);
                board.cut(guess.digit, guess.band, guess.assumed);
                settled = V::splat(0);
                continue;
            }
            Found::Solution => {
                tally.count += 1;
                if tally.solutions.len() < keep {
                    tally.solutions.push(Grid::from_checked(V::write(&board.digits)));
                }
                if tally.count == tally.limit {
                    break End::CountLimit;
                }
            }
            Found::Contradiction => {}
        }
        match stack.pop() {
            Some(next) => board = next,
            None => break End::Exhausted,
        }
        settled = V::splat(0);
    };
    Ok(tally.answer(&end, guesses))
}
