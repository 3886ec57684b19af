//! Ids lose digits when they are held as JavaScript numbers (64 bits of floating point). JavaScript
//! (besides bigint), spreadsheets and many JSON readers have no other numbers. Below, *number*
//! means a JavaScript number.
//!
//! From 2^53 on numbers are 2, 4, 8 ... apart, so most ids round to a neighbour. A number prints as
//! the shortest decimal that identifies it, filled up with zeros: the tweet 1541815603606036480
//! comes back as 1541815603606036500. So if an id equals the printed form of a number, but is not
//! itself a number, it may be a rounded id. Where neighbouring numbers are n apart, at most one id
//! in n looks rounded by chance. The test misses a rounded id whose printed form is itself a
//! number. This is one rounded id in 25.

/// Returns `Some(n)` if an id may have lost its last digits when it was held as a JavaScript
/// number. One in n ids of this size looks rounded by chance. Returns `None` below 2^55, where too
/// many ids look rounded.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "the function rounds on purpose"
)]
pub(crate) fn looks_rounded(id: u64) -> Option<u64> {
    let spacing = 1 << (id.checked_ilog2().filter(|log| *log >= 55)? - 52);
    let number = id as f64 as u64;
    // The last 1,024 ids round to 2^64, which prints as a number that is larger than any id.
    // A number that prints as another integer prints with zeros at the end. Testing this first
    // makes most calls several times faster.
    let has_zeros = id.is_multiple_of(10);
    let is_rounded =
        has_zeros && number != id && number != u64::MAX && prints(number, spacing) == id;
    is_rounded.then_some(spacing)
}

/// Returns the integer that JavaScript prints for a number of at least 2^53.
fn prints(number: u64, spacing: u64) -> u64 {
    // A number represents all values that are nearer to it than to its neighbours; a value halfway
    // between two numbers belongs to the even one. The neighbour below a power of two is only half
    // as far away, but this does not change the printed digits of any power of two.
    let half = spacing / 2 - u64::from(!(number / spacing).is_multiple_of(2));
    let is_own = |value: u64| number.abs_diff(value) <= half;
    // JavaScript prints the value with the most zeros at the end: a multiple of the largest power
    // of ten that has a multiple among these values. A multiple of a power is a multiple of all
    // lower powers, so the search ends at the first power without one.
    let mut printed = number;
    for power in (1..=19).map(|exponent| 10_u64.pow(exponent)) {
        let below = number / power * power;
        let above = below.saturating_add(power);
        let nearest = if number - below <= above - number { below } else { above };
        if !is_own(nearest) {
            break;
        }
        printed = nearest;
    }
    printed
}
