//! The layout string: a layout as text.
//!
//! ```text
//! layout = *( field SP ) "@" epoch [ SP "tick=" ms "ms" ]     ; or the tick before the epoch
//! field  = role [ "." name ] ":" bits        ; without a name, the role is the name
//! role   = "unused" / "timestamp" / "node" / "sequence" / "tag"
//! name   = 1*24( ALPHA / DIGIT / "-" / "_" )
//! bits   = 1*DIGIT
//! epoch  = 1*DIGIT                            ; Unix ms
//!        / date [ "T" time zone ]            ; RFC 3339, see `Instant`
//! ms     = 1*DIGIT                            ; 1 if the tick is left out
//! ```
//!
//! Fields may be separated by any ASCII white space. The epoch may be a date such as `@2018-01-01`,
//! which is midnight in UTC, or `@2018-01-01T00:00:00.000Z`. A layout always prints with single
//! spaces, its epoch in Unix ms, and its tick, so that equal layouts have equal texts.

use core::fmt;
use core::str::FromStr;

use super::{Field, Layout, Role};
use crate::error::Error;
use crate::instant::Instant;
use crate::text::Encoding;

const EPOCH_MARK: char = '@';
const TICK_MARK: &str = "tick=";
const TICK_UNIT: &str = "ms";

/// The expected epoch, as errors describe it.
const EPOCH: &str = "an epoch, such as @1514764800000 or @2018-01-01";

/// Shows the layout string.
impl fmt::Debug for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Layout({self})")
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for field in self.fields() {
            let (role, name) = (field.role().word(), field.name());
            f.write_str(role)?;
            if name.as_str() != role {
                write!(f, ".{name}")?;
            }
            write!(f, ":{} ", field.bits())?;
        }
        write!(f, "@{} tick={}ms", self.epoch_ms(), self.tick_ms())
    }
}

impl FromStr for Layout {
    type Err = Error;

    /// Reads a layout string.
    ///
    /// # Errors
    /// [`Error::LayoutString`] with the byte position of the word, or of the part of a date, that
    /// cannot be read, and the errors of [`Layout::new`].
    ///
    /// ```
    /// use edgeflake::{Error, Layout};
    ///
    /// let layout: Layout = "timestamp:39 sequence:8 node.id:16 @2014-09-01 tick=10ms".parse()?;
    /// let text = "timestamp:39 sequence:8 node.id:16 @1409529600000 tick=10ms";
    /// assert_eq!(layout.to_string(), text);
    /// let refused = "timestamp:39 host:16 @0".parse::<Layout>();
    /// assert!(matches!(refused, Err(Error::LayoutString { position: 13, .. })));
    /// # Ok::<(), Error>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, Error> {
        let mut fields = [Field::NONE; Layout::FIELDS_MAX];
        let mut count = 0;
        let mut epoch_ms = None;
        let mut tick_ms = None;
        for word in text.split_ascii_whitespace() {
            let unexpected =
                |expected| Error::LayoutString { position: position(text, word), expected };
            if let Some(epoch) = word.strip_prefix(EPOCH_MARK) {
                if epoch_ms.is_some() {
                    return Err(unexpected("one epoch"));
                }
                epoch_ms = Some(read_epoch(epoch, position(text, epoch), unexpected(EPOCH))?);
            } else if let Some(tick) = word.strip_prefix(TICK_MARK) {
                if tick_ms.is_some() {
                    return Err(unexpected("one tick"));
                }
                let ms = tick.strip_suffix(TICK_UNIT).and_then(number);
                tick_ms = Some(ms.ok_or(unexpected("a tick in ms, such as tick=10ms"))?);
            } else {
                if epoch_ms.is_some() || tick_ms.is_some() {
                    return Err(unexpected("fields before epoch and tick"));
                }
                let field = field(word).ok_or(unexpected(
                    "unused, timestamp, node, sequence or tag, such as node:10",
                ))??;
                if count == Layout::FIELDS_MAX {
                    return Err(Error::FieldCount { count: count + 1, max: Layout::FIELDS_MAX });
                }
                fields[count] = field;
                count += 1;
            }
        }
        let epoch_ms =
            epoch_ms.ok_or(Error::LayoutString { position: text.len(), expected: EPOCH })?;
        Self::new(&fields[..count], epoch_ms, tick_ms.unwrap_or(1))
    }
}

/// Returns the byte offset at which a word of `text` begins.
pub(crate) fn position(text: &str, word: &str) -> usize {
    word.as_ptr() as usize - text.as_ptr() as usize
}

/// Reads an epoch that starts at `position`, in Unix ms or as a date. For any other text, returns
/// the error `refusal`.
pub(crate) fn read_epoch(epoch: &str, position: usize, refusal: Error) -> Result<u64, Error> {
    let is_date = epoch.bytes().position(|byte| byte == b'-').is_some_and(|at| at >= 4);
    if !is_date {
        return number(epoch).ok_or(refusal);
    }
    match epoch.parse() {
        Ok(Instant(ms)) => Ok(ms),
        Err(Error::InstantText { position: within, expected }) => {
            Err(Error::LayoutString { position: position + within, expected })
        }
        Err(error) => Err(error),
    }
}

/// Reads a field. Returns `None` if the word does not look like a field, and an error if the
/// field's name or width is invalid.
fn field(word: &str) -> Option<Result<Field, Error>> {
    let (label, bits) = halves(word, b':')?;
    let (role, name) = halves(label, b'.').unwrap_or((label, label));
    let role = Role::ALL.into_iter().find(|known| known.word() == role)?;
    let bits = u8::try_from(number(bits)?).ok()?;
    Some(Field::new(name, role, bits))
}

/// Reads decimal digits only; `str::parse` would also accept a sign.
pub(crate) fn number(digits: &str) -> Option<u64> {
    Encoding::Decimal.reads().read(digits.as_bytes())
}

/// Returns the text before the first `mark`, an ASCII character, and the text after it.
pub(crate) fn halves(text: &str, mark: u8) -> Option<(&str, &str)> {
    let at = text.bytes().position(|byte| byte == mark)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset;
    use alloc::format;
    use alloc::string::ToString;

    #[test]
    fn round_trip() {
        for (text, layout) in [
            ("unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms", preset::HAZELCAST),
            (
                "unused:1 timestamp:41 node.datacenter:5 node.worker:5 sequence:12 \
                 @1288834974657 tick=1ms",
                preset::TWITTER,
            ),
        ] {
            assert_eq!(layout.to_string(), text);
            assert_eq!(text.parse(), Ok(layout));
        }
    }

    #[test]
    fn white_space_and_defaults() {
        let layout: Layout = "\ttimestamp:39\n sequence:8  node:16 @0 tick=10ms ".parse().unwrap();
        assert_eq!(layout.to_string(), "timestamp:39 sequence:8 node:16 @0 tick=10ms");
        let layout: Layout = "timestamp:39 @7".parse().unwrap();
        assert_eq!(layout.to_string(), "timestamp:39 @7 tick=1ms");
    }

    #[test]
    fn s17_an_epoch_as_a_date() {
        for date in ["2018-01-01", "2018-01-01T00:00:00Z", "2017-12-31T23:30:00.000-00:30"] {
            let text = format!("unused:1 timestamp:41 sequence:6 node:16 @{date}");
            assert_eq!(text.parse(), Ok(preset::HAZELCAST));
        }
    }

    #[test]
    fn refused() {
        let position = |text: &str| match text.parse::<Layout>() {
            Err(Error::LayoutString { position, .. }) => position,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(position(""), 0);
        assert_eq!(position("timestamp:41"), 12);
        assert_eq!(position("timestamp:41 node @0"), 13);
        assert_eq!(position("timestamp:41 host:5 @0"), 13);
        assert_eq!(position("timestamp:41 node:+5 @0"), 13);
        assert_eq!(position("timestamp:41 node:999 @0"), 13);
        assert_eq!(position("timestamp:41 @-1"), 13);
        assert_eq!(position("timestamp:41 @1 @1"), 16);
        assert_eq!(position("timestamp:41 @1 tick=1s"), 16);
        assert_eq!(position("timestamp:41 @1 tick=1ms tick=1ms"), 25);
        assert_eq!(position("timestamp:41 @1 node:5"), 16);
        assert_eq!(position("timestamp:41 @99999999999999999999"), 13);
        assert_eq!(position("timestamp:41 @"), 13);
        assert_eq!(position("timestamp:41 @2018-13-01"), 19);
        assert_eq!(position("timestamp:41 @2018-01-01T00:00:00"), 33);
        assert_eq!(position("timestamp:41 @1969-12-31"), 14);
    }
}
