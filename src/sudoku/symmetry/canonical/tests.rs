//! Forms against the known, and against a search of all symmetries.

use super::*;

#[test]
fn forms_are_as_known() {
    let text = include_str!("../../../../tests/data/minlex.tsv");
    let mut canonicalizer = Canonicalizer::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split('\t');
        let mut puzzle = || -> Puzzle {
            fields
                .next()
                .expect("two fields")
                .parse()
                .expect("a puzzle")
        };
        let (puzzle, form) = (puzzle(), puzzle());
        let canonical = canonicalizer.canonical(&puzzle);
        assert_eq!(canonical.form, form, "{puzzle}");
        assert_eq!(canonical.transformation.apply(&puzzle), form, "{puzzle}");
    }
}
