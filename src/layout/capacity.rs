//! The rate of ids and the largest id of a layout, and the times from which on ids no longer fit
//! other number types.

use super::Layout;
use super::packing;

/// The largest integer up to which a JavaScript number holds every integer exactly.
const JS_INTEGER_MAX: u64 = (1 << f64::MANTISSA_DIGITS) - 1;

impl Layout {
    /// Returns the number of ids that a node can issue per second.
    #[must_use]
    pub const fn ids_per_second(&self) -> u64 {
        self.ids_per_tick().saturating_mul(1_000) / self.tick_ms()
    }

    /// Returns the largest id.
    #[must_use]
    pub fn largest_id(&self) -> u64 {
        packing::largest(self.fields())
    }

    /// Returns the first instant, in Unix ms, whose ids may be negative as signed 64-bit integers,
    /// such as an SQL `BIGINT`. From then on, such integers no longer sort by time.
    ///
    /// If the highest of the 64 bits is unused or absent, this instant is [`end_ms`](Self::end_ms).
    /// If the highest bit belongs to a field other than the timestamp, this instant is the epoch.
    ///
    /// ```
    /// use edgeflake::Instant;
    /// use edgeflake::preset::{DISCORD, TWITTER};
    ///
    /// assert_eq!(Instant(DISCORD.end_ms()).to_string(), "2154-05-15T07:35:11.104Z");
    /// assert_eq!(Instant(DISCORD.signed_end_ms()).to_string(), "2084-09-06T15:47:35.552Z");
    /// assert_eq!(TWITTER.signed_end_ms(), TWITTER.end_ms());
    /// ```
    #[must_use]
    pub fn signed_end_ms(&self) -> u64 {
        self.start_ms(packing::ticks_below(self.fields(), u64::BITS - 1))
    }

    /// Returns the first instant, in Unix ms, whose ids may be larger than 2^53 - 1. Up to this
    /// integer, JavaScript numbers are exact. If no id is ever larger, returns
    /// [`end_ms`](Self::end_ms).
    ///
    /// ```
    /// use edgeflake::{Instant, preset};
    ///
    /// let end = Instant(preset::YITTER.js_number_end_ms());
    /// assert_eq!(end.to_string(), "2089-10-26T10:07:37.552Z");
    /// assert_eq!(preset::JS_SAFE.js_number_end_ms(), preset::JS_SAFE.end_ms());
    /// ```
    #[must_use]
    pub fn js_number_end_ms(&self) -> u64 {
        self.start_ms(packing::ticks_below(self.fields(), f64::MANTISSA_DIGITS))
    }

    /// Returns whether every id is at most 2^53 - 1, so that JavaScript and JSON may hold it as a
    /// number.
    #[must_use]
    pub fn fits_js_number(&self) -> bool {
        self.largest_id() <= JS_INTEGER_MAX
    }

    /// Returns the fraction of the layout's life that has passed at a time in Unix ms, from 0
    /// (before the epoch) to 1 (from the end on).
    ///
    /// ```
    /// use edgeflake::preset::BAIDU;
    ///
    /// assert_eq!(BAIDU.life_used(BAIDU.epoch_ms()), 0.0);
    /// assert_eq!(BAIDU.life_used(BAIDU.epoch_ms() + 67_108_864_000), 0.25);
    /// assert_eq!(BAIDU.life_used(u64::MAX), 1.0);
    /// ```
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "every life is shorter than 2^53 ms")]
    pub const fn life_used(&self, now_ms: u64) -> f64 {
        let now_ms = if now_ms < self.end_ms() { now_ms } else { self.end_ms() };
        let used_ms = now_ms.saturating_sub(self.epoch_ms());
        used_ms as f64 / (self.end_ms() - self.epoch_ms()) as f64
    }
}
