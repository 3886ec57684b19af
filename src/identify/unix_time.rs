use super::dating::Dating;
use super::source::Source;
use super::{Candidate, Reasons, date_belief};

/// A unit of Unix time.
///
/// ```
/// use edgeflake::identify::UnixUnit;
///
/// assert_eq!(UnixUnit::ALL.map(UnixUnit::per_second), [1, 1_000, 1_000_000, 1_000_000_000]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnixUnit {
    /// 1 s.
    Seconds,
    /// 1 ms.
    Millis,
    /// 1 µs.
    Micros,
    /// 1 ns.
    Nanos,
}

/// 2001-09-09, since when Unix time has 10 digits in s, in Unix ms.
const SINCE_MS: u64 = 1_000_000_000_000;

impl UnixUnit {
    /// All units, the longest first.
    ///
    /// ```
    /// assert_eq!(edgeflake::identify::UnixUnit::ALL.len(), 4);
    /// ```
    pub const ALL: [Self; 4] = [Self::Seconds, Self::Millis, Self::Micros, Self::Nanos];

    /// Units per second.
    ///
    /// ```
    /// assert_eq!(edgeflake::identify::UnixUnit::Micros.per_second(), 1_000_000);
    /// ```
    #[must_use]
    pub const fn per_second(self) -> u64 {
        match self {
            Self::Seconds => 1,
            Self::Millis => 1_000,
            Self::Micros => 1_000_000,
            Self::Nanos => 1_000_000_000,
        }
    }

    /// A stable name, for programs.
    ///
    /// ```
    /// use edgeflake::identify::UnixUnit;
    ///
    /// assert_eq!(UnixUnit::Micros.name(), "unix-us");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Seconds => "unix-s",
            Self::Millis => "unix-ms",
            Self::Micros => "unix-us",
            Self::Nanos => "unix-ns",
        }
    }

    /// The name for people.
    ///
    /// ```
    /// use edgeflake::identify::UnixUnit;
    ///
    /// assert_eq!(UnixUnit::Micros.title(), "Unix time in µs");
    /// ```
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Seconds => "Unix time in s",
            Self::Millis => "Unix time in ms",
            Self::Micros => "Unix time in µs",
            Self::Nanos => "Unix time in ns",
        }
    }

    /// The number as Unix time, with how likely a clock is to show just this one as its share;
    /// `None` if it would be before 2001-09-09 or in the future.
    pub(super) fn candidate(self, number: u64, now_ms: u64) -> Option<Candidate> {
        let instant_ms = match self {
            Self::Seconds => number.checked_mul(1_000)?,
            _ => number / (self.per_second() / 1_000),
        };
        let date = Dating::of(instant_ms, 0, SINCE_MS, now_ms);
        if !matches!(date, Dating::Plausible | Dating::Recent) {
            return None;
        }
        // The clock counts in this unit, or in a longer one whose multiples it shows.
        let (mut belief, mut units) = (0.0, 0.0);
        for coarser in Self::ALL.into_iter().take_while(|unit| *unit as usize <= self as usize) {
            // A clock of whole seconds is not read in ns.
            if coarser == Self::Seconds && self != Self::Seconds {
                continue;
            }
            units += 1.0;
            if number.is_multiple_of(self.per_second() / coarser.per_second()) {
                belief += coarser.ms();
            }
        }
        let share = date_belief(date) * belief / units;
        let reasons = Reasons { date, unused_bits: 0, node_small: None, sequence_small: None };
        Some(Candidate { source: Source::UnixTime(self), instant_ms, share, reasons })
    }

    /// The length of the unit in ms.
    const fn ms(self) -> f64 {
        match self {
            Self::Seconds => 1_000.0,
            Self::Millis => 1.0,
            Self::Micros => 1e-3,
            Self::Nanos => 1e-6,
        }
    }
}
