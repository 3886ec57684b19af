/// Converts a number for JavaScript. Every number that is passed to JavaScript is an instant, a
/// duration, a count or a part of an id, and has at most 53 bits.
#[expect(clippy::cast_precision_loss, reason = "at most 2^53")]
pub(crate) const fn number(value: u64) -> f64 {
    value as f64
}

/// Rounds a number from JavaScript down to an integer. JavaScript passes integers from 0 to
/// 2^53 - 1, and what clocks return.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
pub(crate) const fn integer(number: f64) -> u64 {
    number as u64
}
