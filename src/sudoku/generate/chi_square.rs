//! How far counts are from what is expected of them.

/// The sum of squares of the deviations, each over what is expected, of pairs of what was counted and
/// what is expected. Its mean is the number of freedoms, mostly one less than that of the pairs, and
/// its variance twice that.
pub(super) fn chi_square(pairs: impl IntoIterator<Item = (f64, f64)>) -> f64 {
    let pairs = pairs.into_iter();
    let squares = pairs.map(|(observed, expected)| (observed - expected).powi(2) / expected);
    squares.sum()
}
