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

impl UnixUnit {
    /// All units, the longest first.
    pub const ALL: [Self; 4] = [Self::Seconds, Self::Millis, Self::Micros, Self::Nanos];

    /// The number of units per second.
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

    /// Returns a stable name, for programs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Seconds => "unix-s",
            Self::Millis => "unix-ms",
            Self::Micros => "unix-us",
            Self::Nanos => "unix-ns",
        }
    }

    /// Returns the name for people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Seconds => "Unix time in s",
            Self::Millis => "Unix time in ms",
            Self::Micros => "Unix time in µs",
            Self::Nanos => "Unix time in ns",
        }
    }

    /// Returns the length of the unit in ms.
    pub(super) const fn ms(self) -> f64 {
        match self {
            Self::Seconds => 1_000.0,
            Self::Millis => 1.0,
            Self::Micros => 1e-3,
            Self::Nanos => 1e-6,
        }
    }
}
