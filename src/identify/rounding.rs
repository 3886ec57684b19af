//! The loss of digits of ids as JavaScript numbers (64 bits of floating point), the only number
//! type of JavaScript (besides bigint), of many JSON readers and of spreadsheets. Below, *number*
//! means such a value.
//!
//! From 2^53 on numbers are 2, 4, 8 ... apart, so most ids round to a neighbour. A number prints as
//! the shortest decimal that no other number is nearer to, filled with zeros: the tweet
//! 1541815603606036480 comes back as 1541815603606036500. So if an id equals the printed form of a
//! number, but is not itself a number, it may be a rounded id. Where neighbouring numbers are n
//! apart, at most one id in n has this property by chance.
//!
//! If the id is itself a number (its low bits are 0), we cannot tell: in most layouts the first id
//! of each tick is a number, and of rounded ids only one in 25 is.

/// An id has at most one decimal digit more than this.
const POWER_MAX: u32 = 19;

/// Returns the distance between neighbouring numbers around an id.
pub(crate) const fn spacing(id: u64) -> u64 {
    match id.checked_ilog2() {
        Some(log) if log >= f64::MANTISSA_DIGITS => 2_u64.pow(log + 1 - f64::MANTISSA_DIGITS),
        _ => 1,
    }
}

/// Returns whether an id looks as if it had been a number and lost its last digits.
pub(crate) fn looks_rounded(id: u64) -> bool {
    prints(id) && nearest(id) != id
}

/// Returns the value of the number nearest to an id. It is `u64::MAX` for the last 1,024 ids,
/// because their nearest number is 2^64, which prints as more than any id.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "the rounding is what is asked for"
)]
const fn nearest(id: u64) -> u64 {
    id as f64 as u64
}

/// Returns whether a number prints as `id`.
fn prints(id: u64) -> bool {
    let (double, spacing) = (nearest(id), spacing(id));
    if spacing == 1 || double == u64::MAX {
        return spacing == 1;
    }
    // A number represents all values that are nearer to it than to its neighbours; a value halfway
    // between two numbers belongs to the even one. The neighbour below a power of two is only half
    // as far away, but this does not change the printed digits of any power of two.
    let (low, high) = (double - spacing / 2, double + spacing / 2);
    let even = (double / spacing).is_multiple_of(2);
    let own = |value: u64| {
        if even { low <= value && value <= high } else { low < value && value < high }
    };
    for exponent in (0..=POWER_MAX).rev() {
        let power = 10_u64.pow(exponent);
        let below = double / power * power;
        let above = below.saturating_add(power);
        let printed = match (own(below), own(above)) {
            (false, false) => continue,
            (true, false) => below,
            (true, true) if double - below <= above - double => below,
            (_, true) => above,
        };
        return printed == id;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    /// Returns whether a number prints as `id` in Rust, which prints the shortest digits, filled
    /// with zeros, as JavaScript does.
    #[expect(clippy::cast_precision_loss, reason = "the rounding is what is asked for")]
    fn display(id: u64) -> bool {
        (id as f64).to_string() == id.to_string()
    }

    #[test]
    fn agrees_with_the_standard_library() {
        // A Weyl sequence over all magnitudes. Each value is checked with its printed form and
        // their neighbours.
        let mut state = 0_u64;
        let mut found = 0;
        let steps = if cfg!(miri) { 20 } else { 20_000_u32 };
        for step in 0..steps {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let id = state >> (step % 12);
            #[expect(clippy::cast_precision_loss, reason = "the rounding is what is asked for")]
            let printed = (id as f64).to_string().parse().unwrap_or(u64::MAX);
            for id in [id, printed, printed.saturating_add(1), id / 1_000 * 1_000] {
                assert_eq!(prints(id), display(id), "{id}");
                found += u32::from(prints(id));
            }
        }
        assert!(found > steps, "{found}");
        for power in 50..64 {
            let near = if cfg!(miri) { 2 } else { 1_100 };
            for id in (1_u64 << power) - near..(1 << power) + near {
                assert_eq!(prints(id), display(id), "{id}");
            }
        }
        for id in (u64::MAX - 5_000..=u64::MAX).chain([0, 1]) {
            assert_eq!(prints(id), display(id), "{id}");
        }
    }

    #[test]
    fn one_in_so_many() {
        for (id, apart) in [
            (0, 1),
            ((1 << 53) - 1, 1),
            (1 << 53, 2),
            (1_541_815_603_606_036_480, 256),
            (u64::MAX, 2_048),
        ] {
            assert_eq!(spacing(id), apart);
        }
        let first = 1_541_815_603_606_036_480;
        // Numbers are 256 apart here and print to a hundred, so every 25th prints as itself.
        let printed = if cfg!(miri) { 25 } else { 1_000 };
        let all = first..first + printed * 256;
        assert_eq!(all.clone().filter(|id| prints(*id)).count() as u64, printed);
        let doubles = all.clone().filter(|id| prints(*id) && !looks_rounded(*id)).count();
        assert_eq!(doubles as u64, printed / 25);
        assert_eq!(all.filter(|id| looks_rounded(*id)).count() as u64, printed - printed / 25);
    }
}
