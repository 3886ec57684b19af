use core::fmt;

use crate::digits;
use crate::text::{self, Form, Text};
use crate::{Instant, Name};

/// What stands in a sentence.
#[derive(Clone, Copy)]
pub(crate) enum Word<'a> {
    Text(&'a str),
    Name(&'a Name),
    Number(u64),
    Signed(i64),
    /// A number in hexadecimal.
    Bits(u64),
    /// A character as Unicode numbers it.
    Character(char),
    /// An instant, in Unix ms.
    Time(u64),
    /// A number with leading zeros up to so many digits.
    Padded(u64, usize),
}

/// Says a sentence piece by piece, with a word in the place of each `{}`. Words beyond these are left
/// out.
///
/// The formatting of the standard library can do more, and would be a twentieth of the npm package.
pub(crate) fn say(listener: &mut dyn FnMut(&str), pattern: &str, words: &[Word<'_>]) {
    let mut rest = pattern;
    for word in words {
        let Some((before, after)) = halves(rest, b'{') else { break };
        listener(before);
        word.say(listener);
        rest = after.strip_prefix('}').unwrap_or(after);
    }
    listener(rest);
}

/// Writes what is said.
pub(crate) fn write(
    f: &mut fmt::Formatter<'_>,
    said: impl FnOnce(&mut dyn FnMut(&str)),
) -> fmt::Result {
    let mut result = Ok(());
    said(&mut |piece| {
        if result.is_ok() {
            result = f.write_str(piece);
        }
    });
    result
}

impl Word<'_> {
    fn say(self, listener: &mut dyn FnMut(&str)) {
        let (number, width) = match self {
            Self::Text(text) => return listener(text),
            Self::Name(name) => return listener(name.as_str()),
            Self::Time(ms) => return Instant(ms).say(listener),
            Self::Number(number) => (text::encode(number, Form::Decimal), 0),
            Self::Padded(number, width) => (text::encode(number, Form::Decimal), width),
            Self::Signed(number) => (text::encode(number.cast_unsigned(), Form::SignedDecimal), 0),
            Self::Bits(bits) => (Text::shortest(&digits::HEX, bits), 0),
            Self::Character(found) => (Text::shortest(&digits::UPPER_HEX, found.into()), 4),
        };
        for _ in number.len()..width {
            listener("0");
        }
        listener(&number);
    }
}

/// What stands before an ASCII character, and after.
pub(crate) fn halves(text: &str, mark: u8) -> Option<(&str, &str)> {
    let at = text.bytes().position(|byte| byte == mark)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}
