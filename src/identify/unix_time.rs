use super::dating::Dating;
use super::unix_unit::UnixUnit;

/// 2001-09-09 in Unix ms. Unix time in s has had 10 digits since then.
pub(super) const SINCE_MS: u64 = 1_000_000_000_000;

/// Returns the date of a number as Unix time.
pub(super) const fn dating(instant_ms: u64, now_ms: u64) -> Dating {
    Dating::of(instant_ms, 0, SINCE_MS, now_ms)
}

/// Returns the date of a number as Unix time in a unit, in Unix ms; `u64::MAX` if it is larger.
pub(super) const fn instant_ms(unit: UnixUnit, number: u64) -> u64 {
    match unit {
        UnixUnit::Seconds => number.saturating_mul(1_000),
        UnixUnit::Millis => number,
        UnixUnit::Micros => number / 1_000,
        UnixUnit::Nanos => number / 1_000_000,
    }
}

/// Returns the likelihood that a clock shows exactly this number as Unix time; 0 if the date would
/// be before 2001-09-09 or in the future.
pub(super) fn likelihood(unit: UnixUnit, number: u64) -> f64 {
    // The clock counts either in this unit, or in a coarser one, and then it shows multiples of
    // that one. We assume that a clock of whole seconds is not read in ms, µs or ns.
    let units = (unit as u32).max(1);
    let (mut belief, mut ms, mut rest) = (0.0, unit.ms(), number);
    for _ in 0..units {
        belief += ms;
        if !rest.is_multiple_of(1_000) {
            break;
        }
        rest /= 1_000;
        ms *= 1_000.0;
    }
    belief / f64::from(units)
}
