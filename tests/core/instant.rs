//! Tests dates: which texts are printed, read and refused.

use edgeflake::{Error, Instant, Layout};
use proptest::prelude::proptest;

const DAY_MS: u64 = 86_400_000;

#[test]
fn dates() {
    for (ms, text) in [
        (0, "1970-01-01T00:00:00.000Z"),
        (68_169_599_999, "1972-02-28T23:59:59.999Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        (253_402_300_800_000, "10000-01-01T00:00:00.000Z"),
        (3_093_527_980_799_999, "99999-12-31T23:59:59.999Z"),
        (8_640_000_000_000_000, "275760-09-13T00:00:00.000Z"),
    ] {
        assert_eq!(Instant(ms).to_string(), text);
        assert_eq!(text.parse(), Ok(Instant(ms)), "{text}");
    }
}

#[test]
fn what_is_read_besides() {
    for (text, ms) in [
        ("2018-01-01", 1_514_764_800_000),
        ("275760-09-13", Layout::INSTANT_MAX_MS),
        ("2018-01-01T00:00Z", 1_514_764_800_000),
        ("2018-01-01T05:45+05:45", 1_514_764_800_000),
        ("2018-01-01T23:59:59Z", 1_514_851_199_000),
        ("2018-01-01T00:00:00.01Z", 1_514_764_800_010),
        ("2018-01-01T00:00:00+00:00", 1_514_764_800_000),
        ("2017-12-31T19:00:00-05:00", 1_514_764_800_000),
        ("2018-01-01T23:59:00+23:59", 1_514_764_800_000),
        ("2017-12-31T00:01:00-23:59", 1_514_764_800_000),
        // Both ends of the range are written with a zone in which the date is outside of the range.
        ("1969-12-31T23:30:00-00:30", 0),
        ("275760-09-13T00:30:00.000+00:30", Layout::INSTANT_MAX_MS),
        // These are examples of RFC 3339, section 5.8.
        ("1985-04-12T23:20:50.52Z", 482_196_050_520),
        ("1996-12-19T16:39:57-08:00", 851_042_397_000),
    ] {
        assert_eq!(text.parse(), Ok(Instant(ms)), "{text}");
    }
}

#[test]
fn refused() {
    let year = "a year such as 2026";
    let range = "a date from 1970-01-01T00:00:00Z to 275760-09-13T00:00:00Z";
    for (text, at, wanted) in [
        ("", 0, year),
        ("99999999999999999999999999-01-01", 0, year),
        ("2018", 4, "- and a month"),
        ("2018/01/01", 4, "- and a month"),
        ("2018-00-01", 5, "a month from 01 to 12"),
        ("2018-13-01", 5, "a month from 01 to 12"),
        ("2018-01", 7, "- and a day"),
        ("2018-01-00", 8, "a day of the month"),
        ("2100-02-29", 8, "a day of the month"),
        ("2018-01-01 00:00:00Z", 10, "T and a time, or the end"),
        ("2018-01-01T", 11, "an hour from 00 to 23"),
        ("2018-01-01T24:00:00Z", 11, "an hour from 00 to 23"),
        ("2018-01-01T00", 13, ": and a minute"),
        ("2018-01-01T00:60:00Z", 14, "a minute from 00 to 59"),
        ("2018-01-01T00:00", 16, "Z or an offset such as +01:00"),
        ("2018-01-01T00:00:Z", 17, "a second from 00 to 59"),
        ("2018-01-01T00:00:00", 19, "Z or an offset such as +01:00"),
        ("2018-01-01T00:00:00,5Z", 19, "Z or an offset such as +01:00"),
        ("2018-01-01T00:00:00.Z", 20, "1 to 3 digits of a second"),
        ("2018-01-01T00:00:00+0100", 20, "an hour from 00 to 23"),
        ("2018-01-01T00:00:00+01", 22, ": and a minute"),
        ("2018-01-01T00:00:00+01:00Z", 25, "the end"),
        ("2016-12-31T23:59:60Z", 17, "a second from 00 to 59"),
        ("2018-01-01t00:00:00z", 10, "T and a time, or the end"),
        ("2018-01-01T00:00:00.0005Z", 20, "1 to 3 digits of a second"),
        ("2018-01-01T00:00:00+24:00", 20, "an hour from 00 to 23"),
        ("2018-01-01T\u{e9}", 11, "an hour from 00 to 23"),
        ("02018-01-01", 0, year),
        ("275760-09-13T00:00:00.001Z", 0, range),
        ("2018-01-01T00:00:00\u{2212}01:00", 19, "Z or an offset such as +01:00"),
        ("0000-01-01", 0, range),
        ("1969-12-31", 0, range),
        ("1970-01-01T00:00:00+00:01", 0, range),
    ] {
        let refused = Err(Error::InstantText { position: at, expected: wanted });
        assert_eq!(text.parse::<Instant>(), refused, "{text}");
    }
    let ends = [0, Layout::INSTANT_MAX_MS].map(|ms| Instant(ms).to_string().replace(".000", ""));
    assert_eq!(range, format!("a date from {} to {}", ends[0], ends[1]));
}

#[test]
fn no_moment_panics() {
    assert_eq!(Instant(u64::MAX).to_string(), "584556019-04-03T14:25:51.615Z");
}

/// Checks each day of 800 years, which are two cycles of leap years, and the ends of all months.
#[test]
fn every_day() {
    let mut expected = (1970, 1, 1);
    for day in 0..if cfg!(miri) { 1_000 } else { 292_194 } {
        let instant = Instant(day * DAY_MS);
        let (year, month, date) = expected;
        let text = format!("{year:04}-{month:02}-{date:02}");
        assert_eq!(instant.to_string(), format!("{text}T00:00:00.000Z"));
        assert_eq!(text.parse(), Ok(instant));
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let days = [31, 28 + u64::from(leap), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        expected = match (month, date) {
            (12, 31) => (year + 1, 1, 1),
            (_, date) if date == days[month - 1] => (year, month + 1, 1),
            (_, date) => (year, month, date + 1),
        };
        if expected.2 == 1 {
            let past = format!("{year:04}-{month:02}-{:02}", days[month - 1] + 1);
            assert!(past.parse::<Instant>().is_err(), "{past}");
        }
    }
}

proptest! {
    #[test]
    fn an_offset_moves_the_instant(
        ms in DAY_MS..=Layout::INSTANT_MAX_MS - DAY_MS,
        ahead: bool,
        (hour, minute) in (0_u64..24, 0_u64..60),
    ) {
        let offset_ms = (hour * 60 + minute) * 60_000;
        let (local, sign) = if ahead { (ms + offset_ms, '+') } else { (ms - offset_ms, '-') };
        let local = Instant(local).to_string().replace('Z', "");
        let text = format!("{local}{sign}{hour:02}:{minute:02}");
        assert_eq!(text.parse(), Ok(Instant(ms)), "{text}");
    }

    #[test]
    fn no_date_panics(text in "[0-9]{3,7}-[0-9]{2}-[0-9]{2}(T[0-9:]{8}[.0-9]{0,5}[Z+-][0-9:]{0,6})?") {
        match text.parse::<Instant>() {
            Ok(instant) => assert_eq!(instant.to_string().parse(), Ok(instant)),
            Err(Error::InstantText { position, .. }) => assert!(text.is_char_boundary(position)),
            Err(error) => panic!("{error}"),
        }
    }
}
