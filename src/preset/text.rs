//! A layout as people write it: a preset with its options, or a layout string.
//!
//! ```text
//! text   = preset *( SP option ) / layout          ; `layout` is the layout string
//! preset = the name of a row of `ALL`
//! option = ( "epoch" / "epoch-start" ) "=" epoch   ; as in the layout string
//!        / ( "nodes" / "bits-sequence" / "bits-node-id" ) "=" 1*DIGIT
//! ```

use super::library::{hazelcast, snowcast};
use super::row::Preset;
use super::table::{NAMES, named};
use crate::error::Error;
use crate::layout::string::{halves, number, position, read_epoch};
use crate::layout::{Field, Layout, Name, Role};

/// What people call a preset, and its name.
const NICKNAMES: [(&str, &str); 1] = [("snowflake", "twitter")];

/// The largest width of a field of `hazelcast`: 63 bits minus one for the timestamp.
const BITS_MAX: u64 = 62;

impl Layout {
    /// Reads a layout as people write it: a preset's name with the [options](Preset::options) of
    /// its users, or a layout string. `epoch` is also read where a preset calls it `epoch-start`.
    ///
    /// Messages and storage have only layout strings, which [`str::parse`] reads.
    ///
    /// # Errors
    /// [`Error::UnknownPreset`] and [`Error::UnknownOption`], [`Error::LayoutString`] with the byte
    /// position of what cannot be read, and the errors of [`hazelcast()`], [`snowcast()`] and
    /// [`Layout::new`].
    ///
    /// ```
    /// use edgeflake::{Error, Layout, preset};
    ///
    /// assert_eq!(Layout::parse("twitter"), Ok(preset::TWITTER));
    /// let layout = Layout::parse("snowcast nodes=129 epoch=2014-02-01T00:00+01:00")?;
    /// assert_eq!(layout.to_string(), "timestamp:41 node:8 sequence.counter:15 @1391209200000 tick=1ms");
    /// assert_eq!(Layout::parse("hazelcast bits-node-id=10")?.nodes(), 1_024);
    /// assert_eq!(Layout::parse(&layout.to_string()), Ok(layout));
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

/// The preset whose name a text begins with, as [`Layout::parse`] reads it.
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

/// The first word of a text, unless it is one of a layout string.
fn preset_word(text: &str) -> Option<&str> {
    let first = text.split_ascii_whitespace().next()?;
    (!first.contains([':', '@', '='])).then_some(first)
}

/// The error for a word that names no preset.
fn unknown(name: &str) -> Error {
    let nickname = NICKNAMES.iter().find(|(nickname, _)| *nickname == name);
    match word(name) {
        Some(name) => {
            Error::UnknownPreset { name, meant: nickname.map(|(_, meant)| *meant), names: &NAMES }
        }
        None => Error::LayoutString {
            position: 0,
            expected: "the name of a preset, such as hazelcast, or a field, such as node:10",
        },
    }
}

/// A word as an error quotes it; `None` if it is longer, or has other characters, than any name.
fn word(word: &str) -> Option<Name> {
    Field::new(word, Role::Unused, 1).ok().map(|field| field.name())
}

impl Preset {
    /// The layout with the options that follow the preset's name in `text`.
    fn with_options(&self, text: &str) -> Result<Layout, Error> {
        let (mut epoch_ms, mut nodes) = (None, None);
        let (mut bits_sequence, mut bits_node_id) = (None, None);
        for option in text.split_ascii_whitespace().skip(1) {
            let unexpected =
                |expected| Error::LayoutString { position: position(text, option), expected };
            let (name, value) = halves(option, b'=')
                .ok_or(unexpected("an option with its value, such as epoch=2018-01-01"))?;
            let is_epoch = name == "epoch" && self.options.contains(&"epoch-start");
            if !is_epoch && !self.options.contains(&name) {
                let refused = |option| Error::UnknownOption {
                    preset: self.name,
                    option,
                    options: self.options,
                };
                return Err(word(name).map_or(unexpected("the name of an option"), refused));
            }
            let (chosen, number) = match name {
                "nodes" => {
                    (&mut nodes, number(value).ok_or("a number of nodes, such as nodes=129"))
                }
                "bits-sequence" => (&mut bits_sequence, bits(value)),
                "bits-node-id" => (&mut bits_node_id, bits(value)),
                _ => {
                    let refusal = unexpected("Unix ms or a date, such as epoch=2018-01-01");
                    let epoch = read_epoch(value, position(text, value), refusal)?;
                    (&mut epoch_ms, Ok(epoch))
                }
            };
            if chosen.replace(number.map_err(unexpected)?).is_some() {
                return Err(unexpected("each option once"));
            }
        }
        let epoch_ms = epoch_ms.unwrap_or(self.layout.epoch_ms());
        let width = |bits: Option<u64>, role| match bits {
            Some(bits) => u8::try_from(bits).unwrap_or(u8::MAX),
            None => self.layout.role_bits(role),
        };
        match nodes {
            Some(nodes) => snowcast(nodes, epoch_ms),
            None if bits_sequence.is_some() || bits_node_id.is_some() => hazelcast(
                epoch_ms,
                width(bits_sequence, Role::Sequence),
                width(bits_node_id, Role::Node),
            ),
            None => self.layout.with_epoch(epoch_ms),
        }
    }
}

/// A number of bits.
fn bits(value: &str) -> Result<u64, &'static str> {
    number(value).filter(|bits| *bits <= BITS_MAX).ok_or("a number of bits from 0 to 62")
}
