//! Steps of an explanation.

use super::conflict::house;
use crate::rpc::pb;
use crate::rpc::pb::step::Kind;
use crate::sudoku::logic::explanation::Event;
use crate::sudoku::logic::pencilmarks::{Candidate, Pencilmarks};

/// To the wire; `marks` is the board after the step.
pub(in crate::rpc) fn write(
    event: &Event,
    number: u32,
    level: usize,
    marks: &Pencilmarks,
) -> pb::Step {
    let numbers = |candidates: &[Candidate]| {
        let numbers = candidates.iter().map(|candidate| candidate.index().into());
        numbers.collect::<Vec<u32>>()
    };
    let told = pb::Step {
        number,
        text: event.to_string(),
        guess_level: u32::try_from(level).unwrap_or(u32::MAX),
        board: marks.to_string(),
        candidates: marks.all().iter().map(|&mask| mask.into()).collect(),
        ..pb::Step::default()
    };
    match event {
        Event::Step(step) => pb::Step {
            kind: Kind::Deduction.into(),
            technique: step.technique.name().to_owned(),
            er_tenths: step.er_tenths.into(),
            placements: numbers(step.placement.as_slice()),
            eliminations: numbers(&step.eliminations),
            evidence: numbers(&step.evidence),
            houses: step.units.iter().map(|unit| house(unit.house())).collect(),
            ..told
        },
        Event::Guess(guess) => pb::Step {
            kind: Kind::Guess.into(),
            technique: "Guess".to_owned(),
            placements: numbers(&[*guess]),
            ..told
        },
        Event::Contradiction { guess, .. } => pb::Step {
            kind: Kind::Contradiction.into(),
            technique: "Contradiction".to_owned(),
            eliminations: numbers(&[*guess]),
            ..told
        },
    }
}
