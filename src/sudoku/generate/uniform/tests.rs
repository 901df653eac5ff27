use super::*;
#[test]
fn total() {
    let r = Ranks::new();
    assert_eq!(
        u128::from(r.count()) * 13_063_680,
        6_670_903_752_021_072_936_960
    );
}
