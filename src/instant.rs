use core::fmt;

/// A moment in Unix ms that prints as an RFC 3339 date in UTC.
///
/// ```
/// use edgeflake::Instant;
///
/// assert_eq!(Instant(1_288_834_974_657).to_string(), "2010-11-04T01:42:54.657Z");
/// assert_eq!(Instant(951_782_400_000).to_string(), "2000-02-29T00:00:00.000Z");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(
    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub u64,
);

const DAY_MS: u64 = 86_400_000;

/// Days from 0000-03-01 to 1970-01-01 in the proleptic Gregorian calendar.
const DAYS_TO_UNIX_EPOCH: u64 = 719_468;
const DAYS_PER_ERA: u64 = 146_097;
const YEARS_PER_ERA: u64 = 400;

impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = civil(self.0 / DAY_MS);
        let ms = self.0 % DAY_MS;
        let (h, m, s) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1_000 % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{h:02}:{m:02}:{s:02}.{:03}Z", ms % 1_000)
    }
}

/// Year, month and day of a day counted from 1970-01-01. Years begin in March here, so that the
/// leap day is the last of its year and months have a linear formula.
const fn civil(unix_day: u64) -> (u64, u64, u64) {
    let day = unix_day + DAYS_TO_UNIX_EPOCH;
    let era = day / DAYS_PER_ERA;
    let day_of_era = day % DAYS_PER_ERA;
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * march_month + 2) / 5 + 1;
    let (month, next_year) =
        if march_month < 10 { (march_month + 3, 0) } else { (march_month - 9, 1) };
    (era * YEARS_PER_ERA + year_of_era + next_year, month, day_of_month)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn dates() {
        for (ms, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (68_169_599_999, "1972-02-28T23:59:59.999Z"),
            (68_169_600_000, "1972-02-29T00:00:00.000Z"),
            (68_256_000_000, "1972-03-01T00:00:00.000Z"),
            (1_514_764_800_000, "2018-01-01T00:00:00.000Z"),
            (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (8_640_000_000_000_000, "275760-09-13T00:00:00.000Z"),
        ] {
            assert_eq!(Instant(ms).to_string(), text);
        }
    }

    #[test]
    fn no_moment_panics() {
        assert_eq!(Instant(u64::MAX).to_string().len(), "584556019-04-03T14:25:51.615Z".len());
    }
}
