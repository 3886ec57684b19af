use crate::instant::gregorian::DAY_MS;

/// Whether a date is possible for an id of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dating {
    /// The date is between the system's beginning and a day ago.
    Plausible,
    /// The date is at most a day ago, and not later than now by more than [`Dating::FUTURE_MS`].
    Recent,
    /// The date is within [`Dating::EPOCH_MS`] of the layout's epoch, like the date of any small
    /// number.
    AtEpoch,
    /// The date is before the system began.
    BeforeSystem,
    /// The date is later than now by more than [`Dating::FUTURE_MS`].
    Future,
}

impl Dating {
    /// The time in ms by which a date may be later than now before it counts as a future date. This
    /// is more than the default allowed future (15 s) plus the default clock disagreement (10 s).
    pub const FUTURE_MS: u64 = 60_000;

    /// If an id's date is within this time after the layout's epoch, in ms, the id may really be a
    /// small number. Before its snowflakes, Twitter used plain numbers, and the last of these
    /// numbers decode to 7 s after the epoch.
    pub const EPOCH_MS: u64 = 60_000;

    /// Rates a date. All times are in Unix ms.
    pub(crate) const fn of(instant_ms: u64, epoch_ms: u64, since_ms: u64, now_ms: u64) -> Self {
        if instant_ms > now_ms.saturating_add(Self::FUTURE_MS) {
            Self::Future
        } else if instant_ms < since_ms {
            Self::BeforeSystem
        } else if instant_ms - epoch_ms < Self::EPOCH_MS {
            Self::AtEpoch
        } else if instant_ms.saturating_add(DAY_MS) >= now_ms {
            Self::Recent
        } else {
            Self::Plausible
        }
    }

    /// Returns the rating in words, such as `date plausible`.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Plausible => "date plausible",
            Self::Recent => "date plausible and recent",
            Self::AtEpoch => "date at the epoch",
            Self::BeforeSystem => "date before the system existed",
            Self::Future => "date in the future",
        }
    }
}
