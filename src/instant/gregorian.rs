//! The proleptic Gregorian calendar.
//!
//! Years begin in March here, so that the leap day is the last day of its year, and a linear
//! formula gives the first day of each month. 400 such years are an era, and all eras have the same
//! length.

use core::fmt;

/// The last instant that a JavaScript `Date` has, in Unix ms (ECMA-262, "Time Values and Time
/// Range").
pub(crate) const INSTANT_MAX_MS: u64 = 8_640_000_000_000_000;

pub(crate) const SECOND_MS: u64 = 1_000;
pub(crate) const MINUTE_MS: u64 = 60 * SECOND_MS;
pub(crate) const HOUR_MS: u64 = 60 * MINUTE_MS;
pub(crate) const DAY_MS: u64 = 24 * HOUR_MS;

/// A moment in Unix ms, printed as an RFC 3339 date in UTC.
pub(crate) struct Utc(pub(crate) u64);

impl fmt::Display for Utc {
    #[expect(clippy::cast_possible_truncation, reason = "less than 10")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut year, month, day) = date(self.0 / DAY_MS);
        let ms = self.0 % DAY_MS;
        // All digits are written at once, because formatting each number separately takes four
        // times as many instructions.
        let mut text = *b"0000-00-00T00:00:00.000Z";
        let mut start = 0;
        if year > 9_999 {
            write!(f, "{year}")?;
            (year, start) = (0, 4);
        }
        for (place, pair) in [
            (0, year / 100),
            (2, year % 100),
            (5, month),
            (8, day),
            (11, ms / HOUR_MS),
            (14, ms / MINUTE_MS % 60),
            (17, ms / SECOND_MS % 60),
            (20, ms % SECOND_MS / 10),
        ] {
            text[place] += (pair / 10) as u8;
            text[place + 1] += (pair % 10) as u8;
        }
        text[22] += (ms % 10) as u8;
        f.write_str(str::from_utf8(&text[start..]).unwrap_or_default())
    }
}

/// The number of days from 0000-03-01 to 1970-01-01.
const DAYS_TO_UNIX_EPOCH: u64 = 719_468;
const DAYS_PER_ERA: u64 = 146_097;
const YEARS_PER_ERA: u64 = 400;
const MONTHS_PER_YEAR: u64 = 12;
/// The number of months from January to March.
const MARCH: u64 = 2;

/// Returns the date (year, month and day) of a day that is counted from 1970-01-01.
pub(crate) const fn date(unix_day: u64) -> (u64, u64, u64) {
    // Time is counted in quarters of a day. On average, a century has as many quarters as an era
    // (four centuries) has days, and a year of the century has 1,461. Each day is represented by
    // its last quarter.
    let quarter = 4 * (unix_day + DAYS_TO_UNIX_EPOCH) + 3;
    let (century, quarter) = (quarter / DAYS_PER_ERA, (quarter % DAYS_PER_ERA) | 3);
    let (year_of_century, day_of_year) = (quarter / 1_461, quarter % 1_461 / 4);
    let march_month = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * march_month + 2) / 5 + 1;
    let (month, next_year) =
        if march_month < 10 { (march_month + 3, 0) } else { (march_month - 9, 1) };
    (100 * century + year_of_century + next_year, month, day_of_month)
}

/// Returns the day of a date, counted from 1970-01-01 and negative before it; the inverse of
/// [`date`].
pub(crate) const fn unix_day(year: u64, month: u64, day: u64) -> i64 {
    // January of the year 0 comes before the first March, so its month number would be negative. To
    // avoid this, an era is added here and subtracted at the end.
    let months = (year + YEARS_PER_ERA) * MONTHS_PER_YEAR + month - 1 - MARCH;
    let (year, march_month) = (months / MONTHS_PER_YEAR, months % MONTHS_PER_YEAR);
    let year_of_era = year % YEARS_PER_ERA;
    let day_of_year = (153 * march_month + 2) / 5 + day - 1;
    let day_of_era = 365 * year_of_era + year_of_era / 4 - year_of_era / 100 + day_of_year;
    let day = year / YEARS_PER_ERA * DAYS_PER_ERA + day_of_era;
    day.cast_signed() - (DAYS_TO_UNIX_EPOCH + DAYS_PER_ERA).cast_signed()
}

/// Returns the number of days of a month.
pub(crate) const fn days_in(year: u64, month: u64) -> u64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

const fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(YEARS_PER_ERA)
}
