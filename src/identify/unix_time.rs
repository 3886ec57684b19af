use super::dating::Dating;
use super::likelihood::{Likelihood, date_belief};
use super::unix_unit::UnixUnit;

/// 2001-09-09 in Unix ms. Since then Unix time in s has 10 digits.
const SINCE_MS: u64 = 1_000_000_000_000;

/// The date of a number as Unix time.
pub(super) const fn dating(instant_ms: u64, now_ms: u64) -> Dating {
    Dating::of(instant_ms, 0, SINCE_MS, now_ms)
}

/// How likely a clock is to show exactly this number as Unix time; `None` if the date would be
/// before 2001-09-09 or in the future.
pub(super) fn likelihood(unit: UnixUnit, number: u64, now_ms: u64) -> Option<Likelihood> {
    let instant_ms = match unit {
        UnixUnit::Seconds => number.checked_mul(1_000)?,
        _ => number / (unit.per_second() / 1_000),
    };
    let date = dating(instant_ms, now_ms);
    if !matches!(date, Dating::Plausible | Dating::Recent) {
        return None;
    }
    // The clock counts in this unit, or in a coarser one and shows multiples of it.
    let (mut belief, mut units) = (0.0, 0.0);
    for coarser in UnixUnit::ALL.into_iter().take_while(|one| *one as usize <= unit as usize) {
        // We assume that a clock of whole seconds is not read in ms, µs or ns.
        if coarser == UnixUnit::Seconds && unit != UnixUnit::Seconds {
            continue;
        }
        units += 1.0;
        if number.is_multiple_of(unit.per_second() / coarser.per_second()) {
            belief += coarser.ms();
        }
    }
    Some(Likelihood { belief: date_belief(date) * belief / units, instant_ms })
}
