//! A layout as people write it: a preset with its options, or a layout string.
//!
//! ```text
//! text   = preset *( SP option ) / layout          ; `layout` is the layout string
//! preset = the name of a row of `ALL`
//! option = ( "epoch" / "epoch-start" ) "=" epoch   ; as in the layout string
//!        / ( "nodes" / "bits-sequence" / "bits-node-id" ) "=" 1*DIGIT
//!        / "overlaps-old-ids"
//! ```
//!
//! If a preset has ended, a later epoch would make it issue the ids of its first years again. Such
//! an epoch is refused, unless the text has the option `overlaps-old-ids`. Other presets take any
//! epoch, because their users chose the epoch for the old ids, too. The option `overlaps-old-ids`
//! changes no id. [`Layout::overlap`] warns of the old ids later, from the layout alone.

use super::library::{hazelcast, snowcast};
use super::row::{OVERLAPS_OLD_IDS, Preset};
use super::table::{NAMES, named};
use crate::error::Error;
use crate::layout::string::{halves, number, position, read_epoch};
use crate::layout::{Field, Layout, Name, Role};

impl Layout {
    /// Reads a layout as people write it: either a layout string, or a preset's name followed by
    /// any of the preset's [options](Preset::options). The option `epoch` is also read for a preset
    /// that calls this option `epoch-start`.
    ///
    /// Messages and storage have only layout strings, which [`str::parse`] reads.
    ///
    /// # Errors
    /// [`Error::UnknownPreset`] and [`Error::UnknownOption`], [`Error::LayoutString`] with the byte
    /// position of the part that cannot be read, [`Error::OverlapsOldIds`] for a later epoch of a
    /// preset that has ended, and the errors of [`hazelcast()`], [`snowcast()`] and
    /// [`Layout::new`].
    ///
    /// ```
    /// use edgeflake::{Error, Layout, preset};
    ///
    /// assert_eq!(Layout::parse("twitter"), Ok(preset::TWITTER));
    /// let layout = Layout::parse("snowcast nodes=129 epoch=2014-02-01T00:00+01:00")?;
    /// let text = "timestamp:41 node:8 sequence.counter:15 @1391209200000 tick=1ms";
    /// assert_eq!(layout.to_string(), text);
    /// assert_eq!(Layout::parse("hazelcast bits-node-id=10")?.nodes(), 1_024);
    /// assert_eq!(Layout::parse(text), Ok(layout));
    /// assert_eq!(
    ///     Layout::parse("twitter epoch=2014-02-01").unwrap_err().to_string(),
    ///     "the preset twitter has no option epoch: leave it out"
    /// );
    /// # Ok::<(), Error>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, Error> {
        match preset_word(text) {
            Some(name) => match named(name) {
                Some(preset) => preset.with_options(text),
                None => Err(unknown(name)),
            },
            None => text.parse(),
        }
    }
}

/// Returns the preset whose name a text begins with, as [`Layout::parse`] reads it.
///
/// ```
/// use edgeflake::preset::{self, SNOWCAST};
///
/// assert_eq!(preset::of("snowcast nodes=129").map(|preset| preset.layout), Some(SNOWCAST));
/// assert_eq!(preset::of("timestamp:41 node:8 @0"), None);
/// ```
#[must_use]
pub fn of(text: &str) -> Option<&'static Preset> {
    named(preset_word(text)?)
}

/// Returns the first word of a text; `None` if the text begins as a layout string does.
fn preset_word(text: &str) -> Option<&str> {
    let first = text.split_ascii_whitespace().next()?;
    let is_other = first.bytes().any(|byte| matches!(byte, b':' | b'@' | b'='));
    (!is_other).then_some(first)
}

/// Returns the error for a word that names no preset.
fn unknown(name: &str) -> Error {
    // Twitter's generator had the name Snowflake.
    let meant = (name == "snowflake").then_some("twitter");
    let expected = "the name of a preset, or a field, such as node:10";
    quote(name).map_or(Error::LayoutString { position: 0, expected }, |name| Error::UnknownPreset {
        name,
        meant,
        names: &NAMES,
    })
}

/// Returns a word to quote in an error; `None` if the word is too long, or has characters that no
/// name has.
fn quote(word: &str) -> Option<Name> {
    Field::new(word, Role::Unused, 1).ok().map(|field| field.name())
}

/// The number of different values that presets' options set.
const VALUES: usize = 5;

/// A second name of the option `epoch`.
const EPOCH_START: &str = "epoch-start";

const OPTIONS: [&str; VALUES + 1] =
    ["epoch", "nodes", "bits-sequence", "bits-node-id", OVERLAPS_OLD_IDS, EPOCH_START];

impl Preset {
    /// Returns the layout with the options that follow the preset's name in `text`.
    fn with_options(&'static self, text: &str) -> Result<Layout, Error> {
        let mut values = [None; VALUES];
        for word in text.split_ascii_whitespace().skip(1) {
            let unexpected =
                |expected| Error::LayoutString { position: position(text, word), expected };
            let expected = "an option, such as epoch=2018-01-01";
            let (name, value) = halves(word, b'=').unwrap_or((word, ""));
            let place = self.place(name).ok_or_else(|| match quote(name) {
                Some(option) => {
                    let (preset, options) = (self.name, self.options);
                    Error::UnknownOption { preset, option, options }
                }
                None => unexpected(expected),
            })?;
            let value = if place == 0 {
                read_epoch(value, position(text, value), unexpected(expected))?
            } else if name == OVERLAPS_OLD_IDS {
                (name == word).then_some(1).ok_or(unexpected("overlaps-old-ids without a value"))?
            } else {
                number(value).ok_or(unexpected("a whole number"))?
            };
            if values[place].replace(value).is_some() {
                return Err(unexpected("each option once"));
            }
        }
        let [epoch_ms, nodes, bits_sequence, bits_node_id, overlaps_old_ids] = values;
        let epoch_ms = epoch_ms.unwrap_or(self.layout.epoch_ms());
        if overlaps_old_ids.is_none() && self.is_overlapped_from(epoch_ms) {
            let (preset, issued_ms) = (self.name, self.issued_ms());
            return Err(Error::OverlapsOldIds { preset, issued_ms, epoch_ms });
        }
        if let Some(nodes) = nodes {
            return snowcast(nodes, epoch_ms);
        }
        if bits_sequence.is_none() && bits_node_id.is_none() {
            return self.layout.with_epoch(epoch_ms);
        }
        // A width above 255 is refused in the same way as 255, because no field can be that wide.
        let width = |bits: Option<u64>, role| {
            let bits = bits.map(|bits| u8::try_from(bits).unwrap_or(u8::MAX));
            bits.unwrap_or(self.layout.role_bits(role))
        };
        let sequence = width(bits_sequence, Role::Sequence);
        hazelcast(epoch_ms, sequence, width(bits_node_id, Role::Node))
    }

    /// Returns the index of the value that an option sets. Index 0 is the epoch.
    fn place(&self, name: &str) -> Option<usize> {
        let place = OPTIONS.iter().position(|option| *option == name)?;
        let is_epoch = place == 0 && self.options.contains(&EPOCH_START);
        (is_epoch || self.options.contains(&name)).then_some(place % VALUES)
    }
}
