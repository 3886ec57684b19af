/// Every number that crosses the border is an instant, a duration, a node or a tick, below 2^53.
#[expect(clippy::cast_precision_loss, reason = "at most 2^53")]
pub(crate) const fn number(value: u64) -> f64 {
    value as f64
}

/// JavaScript gives integers of 0 to 2^53 - 1.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
pub(crate) const fn integer(number: f64) -> u64 {
    number as u64
}
