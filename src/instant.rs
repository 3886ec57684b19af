//! Instants and their text, an RFC 3339 date.
//!
//! ```text
//! instant = date [ "T" time zone ]                         ; a date alone is midnight in UTC
//! date    = year "-" month "-" day
//! year    = 4DIGIT / %x31-39 4*5DIGIT
//! time    = hour ":" minute [ ":" second [ "." 1*3DIGIT ] ]
//! zone    = "Z" / ( "+" / "-" ) hour ":" minute
//! ```
//!
//! Month, day, hour, minute and second have 2 digits. Where RFC 3339 leaves a choice, reading is
//! strict: upper case only, no leap second (Unix time has none), no fraction that would have to be
//! rounded. Two things go beyond RFC 3339: seconds may be left out, as in a JavaScript `Date`, and
//! years may have 5 or 6 digits, because [`Layout::INSTANT_MAX_MS`](crate::Layout::INSTANT_MAX_MS)
//! lies in such a year.

use core::fmt;
use core::str::FromStr;

pub(crate) mod gregorian;

use self::gregorian::{DAY_MS, HOUR_MS, INSTANT_MAX_MS, MINUTE_MS, SECOND_MS, Utc};
use crate::error::Error;

/// A moment in Unix ms. Its text is an RFC 3339 date, printed in UTC.
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

impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Utc(self.0).fmt(f)
    }
}

impl FromStr for Instant {
    type Err = Error;

    /// Reads a date with a time and a zone, or a date alone, which is midnight in UTC. Seconds may
    /// be left out; a fraction of a second has 1 to 3 digits.
    ///
    /// # Errors
    /// [`Error::InstantText`] with the byte position of the part that cannot be read. The position
    /// is 0 for a moment before 1970-01-01T00:00:00Z or after
    /// [`Layout::INSTANT_MAX_MS`](crate::Layout::INSTANT_MAX_MS).
    ///
    /// ```
    /// use edgeflake::{Error, Instant};
    ///
    /// let instant = Instant(1_514_764_800_500);
    /// assert_eq!("2018-01-01T00:00:00.5Z".parse(), Ok(instant));
    /// assert_eq!("2018-01-01T01:30:00.500+01:30".parse(), Ok(instant));
    /// assert_eq!("2018-01-01T01:30+01:30".parse(), Ok(Instant(1_514_764_800_000)));
    /// assert_eq!("2018-01-01".parse(), Ok(Instant(1_514_764_800_000)));
    ///
    /// let refused = "2018-02-29".parse::<Instant>();
    /// assert!(matches!(refused, Err(Error::InstantText { position: 8, .. })));
    /// ```
    fn from_str(text: &str) -> Result<Self, Error> {
        let mut text = Reader { text: text.as_bytes(), position: 0 };
        text.instant().map_err(|expected| Error::InstantText { position: text.position, expected })
    }
}

/// A text and the position up to which it has been read. A method that fails leaves `position`
/// before the part that it cannot read.
struct Reader<'a> {
    text: &'a [u8],
    position: usize,
}

impl Reader<'_> {
    /// Reads the whole text. The error says which texts are allowed at `position`.
    fn instant(&mut self) -> Result<Instant, &'static str> {
        let year = self.year().ok_or("a year such as 2026")?;
        self.mark(b'-').ok_or("- and a month")?;
        let month = self.number(1, 12).ok_or("a month from 01 to 12")?;
        self.mark(b'-').ok_or("- and a day")?;
        let day = self.number(1, gregorian::days_in(year, month)).ok_or("a day of the month")?;
        let (mut time_ms, mut zone_ms) = (0, 0);
        if self.position < self.text.len() {
            self.mark(b'T').ok_or("T and a time, or the end")?;
            time_ms = self.hour_and_minute()?;
            if self.mark(b':').is_some() {
                time_ms += self.number(0, 59).ok_or("a second from 00 to 59")? * SECOND_MS;
                if self.mark(b'.').is_some() {
                    time_ms += self.fraction().ok_or("1 to 3 digits of a second")?;
                }
            }
            zone_ms = self.zone()?;
        }
        if self.position < self.text.len() {
            return Err("the end");
        }
        let day_ms = gregorian::unix_day(year, month, day) * DAY_MS.cast_signed();
        match u64::try_from(day_ms + time_ms.cast_signed() - zone_ms) {
            Ok(ms) if ms <= INSTANT_MAX_MS => Ok(Instant(ms)),
            _ => {
                self.position = 0;
                Err("a date from 1970-01-01T00:00:00Z to 275760-09-13T00:00:00Z")
            }
        }
    }

    /// Reads `mark` if it is the next character.
    fn mark(&mut self, mark: u8) -> Option<()> {
        (self.text.get(self.position) == Some(&mark)).then(|| self.position += 1)
    }

    /// Reads the digits at `position`, without moving `position`. Returns the value of the digits,
    /// and the number of digits. Returns `None` for fewer than `count_min` or more than `count_max`
    /// digits.
    fn digits(&self, count_min: usize, count_max: usize) -> Option<(u64, usize)> {
        let rest = self.text.get(self.position..)?;
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit());
        let count = digits.clone().count();
        if count < count_min || count > count_max {
            return None;
        }
        Some((digits.fold(0, |number, digit| number * 10 + u64::from(digit - b'0')), count))
    }

    /// Reads a number from `min` to `max` that has exactly 2 digits.
    fn number(&mut self, min: u64, max: u64) -> Option<u64> {
        let (number, count) = self.digits(2, 2)?;
        if number < min || number > max {
            return None;
        }
        self.position += count;
        Some(number)
    }

    fn year(&mut self) -> Option<u64> {
        let (year, count) = self.digits(4, 6)?;
        if count > 4 && self.text.starts_with(b"0") {
            return None;
        }
        self.position += count;
        Some(year)
    }

    /// Reads the fraction of a second. Returns the fraction in ms.
    fn fraction(&mut self) -> Option<u64> {
        let (number, count) = self.digits(1, 3)?;
        self.position += count;
        Some(match count {
            1 => number * 100,
            2 => number * 10,
            _ => number,
        })
    }

    /// Reads hour and minute. Returns the time since midnight, in ms.
    fn hour_and_minute(&mut self) -> Result<u64, &'static str> {
        let hour = self.number(0, 23).ok_or("an hour from 00 to 23")?;
        self.mark(b':').ok_or(": and a minute")?;
        let minute = self.number(0, 59).ok_or("a minute from 00 to 59")?;
        Ok(hour * HOUR_MS + minute * MINUTE_MS)
    }

    /// Reads a time zone. Returns the time by which the zone is ahead of UTC, in ms.
    fn zone(&mut self) -> Result<i64, &'static str> {
        if self.mark(b'Z').is_some() {
            return Ok(0);
        }
        if self.mark(b'-').is_some() {
            return Ok(-self.hour_and_minute()?.cast_signed());
        }
        self.mark(b'+').ok_or("Z or an offset such as +01:00")?;
        Ok(self.hour_and_minute()?.cast_signed())
    }
}
