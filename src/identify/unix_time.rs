//! Numbers that are Unix time instead of ids.

/// The units of Unix time with their names and titles. Each unit is a thousandth of the unit
/// before.
pub(super) const UNITS: [(&str, &str); 4] = [
    ("unix-s", "Unix time in s"),
    ("unix-ms", "Unix time in ms"),
    ("unix-us", "Unix time in µs"),
    ("unix-ns", "Unix time in ns"),
];

/// 2001-09-09 in Unix ms. Unix time in s has had 10 digits since then.
pub(super) const SINCE_MS: u64 = 1_000_000_000_000;

/// Returns the index in [`UNITS`] of the only unit in which a number can be a date from 2001 to
/// 5138.
pub(super) const fn unit(number: u64) -> usize {
    match number {
        0..100_000_000_000 => 0,
        100_000_000_000..100_000_000_000_000 => 1,
        100_000_000_000_000..100_000_000_000_000_000 => 2,
        _ => 3,
    }
}

/// Returns the date of a number in the unit at an index of [`UNITS`], in Unix ms; `u64::MAX` for a
/// later date.
pub(super) const fn instant_ms(unit: usize, number: u64) -> u64 {
    match unit {
        0 => number.saturating_mul(1_000),
        1 => number,
        2 => number / 1_000,
        _ => number / 1_000_000,
    }
}

/// Returns the resolution, in ms, that the zeros at the end of a number suggest, times the assumed
/// share of clocks with this resolution. Many clocks count in a coarser unit than they print, so
/// such zeros are evidence for Unix time.
pub(super) fn resolution_ms(unit: usize, number: u64) -> f64 {
    let (mut rest, mut ms) = (number, [1_000.0, 1.0, 1e-3 / 2.0, 1e-6 / 3.0][unit]);
    for _ in 1..unit {
        if rest.is_multiple_of(1_000) {
            (rest, ms) = (rest / 1_000, 1_000.0 * ms);
        }
    }
    ms
}
