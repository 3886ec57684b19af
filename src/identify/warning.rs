use alloc::vec::Vec;
use core::fmt;

use super::dating::Dating;
use super::rounding;
use crate::Instant;
use crate::error::write_old_ids;
use crate::layout::Layout;
use crate::preset::{self, Preset};

/// An oddity of an id or its layout. A warning's text describes it in plain words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// The id's last digits may be lost: it looks like an id that JavaScript, a JSON reader or a
    /// spreadsheet printed after holding it as a floating-point number. Ids below 2^55 get no such
    /// warning.
    Rounded {
        /// At most one in `one_in` ids of this size looks rounded by chance. This is one in 8 from
        /// 2^55 on, in 256 from 2^60 on, and in 1,024 from 2^62 on. The test finds 24 of 25 rounded
        /// ids.
        one_in: u64,
    },
    /// The sign bit is set, so a signed 64-bit integer with the id's bits is another number.
    SignBit {
        /// The value of the signed integer.
        signed: i64,
    },
    /// The date is later than now by more than [`Dating::FUTURE_MS`].
    Future {
        /// The date, in Unix ms.
        instant_ms: u64,
        /// The current time, in Unix ms.
        now_ms: u64,
    },
    /// The date is before the system issued its first id.
    BeforeSystem {
        /// The date, in Unix ms.
        instant_ms: u64,
        /// The time at which the system began, in Unix ms.
        since_ms: u64,
    },
    /// The date is within [`Dating::EPOCH_MS`] of the epoch. A small number that is no timestamp,
    /// such as a plain counter, also decodes to a date near the epoch.
    AtEpoch {
        /// The epoch, in Unix ms.
        epoch_ms: u64,
    },
    /// Ids of the layout could be equal to ids of a preset that has ended.
    OverlapsOldIds {
        /// The preset.
        preset: &'static Preset,
    },
    /// The layout is in the last tenth of its life.
    LayoutEnding {
        /// The time at which the layout ends, in Unix ms.
        end_ms: u64,
    },
    /// The layout has ended.
    LayoutEnded {
        /// The time at which the layout ended, in Unix ms.
        end_ms: u64,
    },
}

impl Warning {
    /// Returns a stable name of the warning, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Rounded { .. } => "rounded",
            Self::SignBit { .. } => "sign-bit",
            Self::Future { .. } => "future",
            Self::BeforeSystem { .. } => "before-system",
            Self::AtEpoch { .. } => "at-epoch",
            Self::OverlapsOldIds { .. } => "overlaps-old-ids",
            Self::LayoutEnding { .. } => "layout-ending",
            Self::LayoutEnded { .. } => "layout-ended",
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Rounded { one_in } => write!(
                f,
                "JavaScript may have rounded this id, so its last digits may be wrong (one id \
                 in {one_in} looks so by chance)"
            ),
            Self::SignBit { signed } => {
                write!(f, "the sign bit is set: a signed 64-bit integer reads {signed}")
            }
            Self::Future { instant_ms, now_ms } => {
                write!(f, "{} is in the future: now is {}", Instant(instant_ms), Instant(now_ms))
            }
            Self::BeforeSystem { instant_ms, since_ms } => {
                let (instant, since) = (Instant(instant_ms), Instant(since_ms));
                write!(f, "{instant} is before the system existed: it began at {since}")
            }
            Self::AtEpoch { epoch_ms } => write!(
                f,
                "the date is within a minute of the epoch {}: this may be a small number, no id",
                Instant(epoch_ms)
            ),
            Self::OverlapsOldIds { preset } => write_old_ids(f, preset.name, preset.issued_ms()),
            Self::LayoutEnding { end_ms } => write!(
                f,
                "the layout runs out at {}: at most a tenth of its life is left",
                Instant(end_ms)
            ),
            Self::LayoutEnded { end_ms } => {
                write!(f, "the layout ran out at {}", Instant(end_ms))
            }
        }
    }
}

impl Layout {
    /// Returns warnings about an id of this layout, at a time in Unix ms. An id that
    /// [`decode`](Self::decode) refuses gets no warning about its date.
    ///
    /// ```
    /// use edgeflake::preset::TWITTER;
    ///
    /// let now_ms = 1_780_000_000_000;
    /// assert_eq!(TWITTER.warnings(1_541_815_603_606_036_480, now_ms), []);
    ///
    /// // JavaScript prints the id above as this number.
    /// let warnings = TWITTER.warnings(1_541_815_603_606_036_500, now_ms);
    /// assert_eq!(warnings[0].code(), "rounded");
    /// ```
    #[must_use]
    pub fn warnings(&self, id: u64, now_ms: u64) -> Vec<Warning> {
        warnings(self, id, self.epoch_ms(), now_ms)
    }

    /// Returns [`LayoutEnding`](Warning::LayoutEnding) if a time in Unix ms is in the last tenth of
    /// the layout's life, [`LayoutEnded`](Warning::LayoutEnded) if the layout has ended by then,
    /// and otherwise `None`.
    #[must_use]
    pub const fn ending(&self, now_ms: u64) -> Option<Warning> {
        let end_ms = self.end_ms();
        if now_ms >= end_ms {
            return Some(Warning::LayoutEnded { end_ms });
        }
        let is_ending = 10 * (end_ms - now_ms) <= end_ms - self.epoch_ms();
        if is_ending { Some(Warning::LayoutEnding { end_ms }) } else { None }
    }

    /// Returns [`OverlapsOldIds`](Warning::OverlapsOldIds) if a preset has ended and the layout
    /// differs from this preset only by a later epoch. Otherwise returns `None`.
    ///
    /// ```
    /// use edgeflake::Layout;
    ///
    /// let layout = Layout::parse("worker-queue epoch=2026-01-01 overlaps-old-ids")?;
    /// assert_eq!(layout.overlap().unwrap().code(), "overlaps-old-ids");
    /// # Ok::<(), edgeflake::Error>(())
    /// ```
    #[must_use]
    pub fn overlap(&self) -> Option<Warning> {
        let epoch_ms = self.epoch_ms();
        let preset = preset::ALL.iter().find(|preset| {
            preset.layout.tick_ms() == self.tick_ms()
                && preset.layout.ticks() == self.ticks()
                && preset.is_overlapped_from(epoch_ms)
                && preset.layout.fields() == self.fields()
        })?;
        Some(Warning::OverlapsOldIds { preset })
    }
}

impl Preset {
    /// Returns warnings about an id of this system, at a time in Unix ms. Unlike
    /// [`Layout::warnings`], this method also warns of a date before the system began.
    #[must_use]
    pub fn warnings(&self, id: u64, now_ms: u64) -> Vec<Warning> {
        warnings(&self.layout, id, self.since_ms, now_ms)
    }
}

fn warnings(layout: &Layout, id: u64, since_ms: u64, now_ms: u64) -> Vec<Warning> {
    let signed = id.cast_signed();
    let epoch_ms = layout.epoch_ms();
    let date = layout.decode(id).ok().and_then(|parts| {
        let instant_ms = layout.start_ms(parts.tick);
        match Dating::of(instant_ms, epoch_ms, since_ms, now_ms) {
            Dating::Plausible | Dating::Recent => None,
            Dating::Future => Some(Warning::Future { instant_ms, now_ms }),
            Dating::BeforeSystem => Some(Warning::BeforeSystem { instant_ms, since_ms }),
            Dating::AtEpoch => Some(Warning::AtEpoch { epoch_ms }),
        }
    });
    // An array of options would take longer, because a warning is large and there is mostly none.
    let mut all = Vec::new();
    let mut add = |warning| {
        if let Some(warning) = warning {
            all.push(warning);
        }
    };
    add(rounding::looks_rounded(id).map(|one_in| Warning::Rounded { one_in }));
    add((signed < 0).then_some(Warning::SignBit { signed }));
    add(date);
    add(layout.overlap());
    add(layout.ending(now_ms));
    all
}
