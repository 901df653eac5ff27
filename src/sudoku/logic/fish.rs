//! A digit that has, on some lines, as many places as they are: on the lines across it goes elsewhere.

use super::pencilmarks::{Candidate, Pencilmarks, bits};
use super::step::Step;
use super::subsets::of_size;
use super::technique::Technique;
use super::unit::Unit;
use crate::sudoku::digit::Digit;

/// `size` columns, or else rows, on which a digit has `size` places, and others to lose on the lines across.
pub(super) fn find(marks: &Pencilmarks, size: u32) -> Option<Step> {
    let placed = marks.times_placed();
    let [columns, rows] = [Unit::columns(), Unit::rows()];
    [(columns, rows), (rows, columns)]
        .into_iter()
        .find_map(|(base, across)| {
            // Of each digit the lines that can be members, so that most subsets are passed over unseen.
            let mut fit = [0_u16; 9];
            for (number, &line) in base.iter().enumerate() {
                for (digit, fit) in Digit::ALL.into_iter().zip(&mut fit) {
                    let count = marks.places(line, digit).count_ones();
                    *fit |= u16::from(count >= 2 && count <= size) << number;
                }
            }
            of_size(size).iter().find_map(|&subset| {
                Digit::ALL.into_iter().zip(fit).find_map(|(digit, fit)| {
                    let d = usize::from(digit.value());
                    if subset & !fit != 0 || placed[d] + 2 * size as usize > 9 {
                        return None;
                    }
                    let cover =
                        bits(subset).fold(0, |cover, line| cover | marks.places(base[line], digit));
                    if cover.count_ones() != size {
                        return None;
                    }
                    let cells = |lines: u16| {
                        bits(lines).flat_map(move |line| {
                            let kept = bits(marks.places(base[line], digit) & cover);
                            kept.map(move |place| Candidate::new(base[line].cells()[place], digit))
                        })
                    };
                    let (technique, er_tenths) = match size {
                        2 => (Technique::XWing, 32),
                        3 => (Technique::Swordfish, 38),
                        _ => (Technique::Jellyfish, 52),
                    };
                    let step = Step::taking(technique, er_tenths, cells(!subset & 0x1ff))?;
                    let lines = bits(subset).map(|line| base[line]);
                    let lines = lines.chain(bits(cover).map(|place| across[place]));
                    Some(step.proven_by(cells(subset), lines))
                })
            })
        })
}
