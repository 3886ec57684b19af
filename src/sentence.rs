use core::fmt;

use crate::instant::gregorian::{self, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::text::digits;
use crate::text::printed::Text as Printed;

/// A value that fills a `{}` of a sentence.
#[derive(Clone, Copy)]
pub(crate) enum Word<'a> {
    Text(&'a str),
    Number(u64),
    Signed(i64),
    /// A number in hexadecimal.
    Bits(u64),
    /// A character, written as its Unicode number.
    Character(char),
    /// An instant, in Unix ms.
    Time(u64),
    /// A number with leading zeros up to this many digits.
    Padded(u64, usize),
}

/// Passes a sentence to `listener` piece by piece, with a word in the place of each `{}`. Words
/// that have no `{}` are left out.
///
/// The standard library's formatting would be a twentieth of the npm package.
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

/// Writes to `f` what `said` passes to its listener.
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
            Self::Time(ms) => return time(ms, listener),
            Self::Number(number) => (Printed::shortest(&digits::DECIMAL, number), 0),
            Self::Padded(number, width) => (Printed::shortest(&digits::DECIMAL, number), width),
            Self::Signed(number) => (Printed::signed(number), 0),
            Self::Bits(bits) => (Printed::shortest(&digits::HEX, bits), 0),
            Self::Character(found) => (Printed::shortest(&digits::UPPER_HEX, found.into()), 4),
        };
        for _ in number.len()..width {
            listener("0");
        }
        listener(&number);
    }
}

/// Passes an instant, in Unix ms, to `listener` as an RFC 3339 date.
fn time(instant_ms: u64, listener: &mut dyn FnMut(&str)) {
    let (year, month, day) = gregorian::date(instant_ms / DAY_MS);
    let ms = instant_ms % DAY_MS;
    let (h, m, s) = (ms / HOUR_MS, ms / MINUTE_MS % 60, ms / SECOND_MS % 60);
    let widths = [(year, 4), (month, 2), (day, 2), (h, 2), (m, 2), (s, 2), (ms % SECOND_MS, 3)];
    let words = widths.map(|(number, width)| Word::Padded(number, width));
    say(listener, "{}-{}-{}T{}:{}:{}.{}Z", &words);
}

/// The text before the first `mark`, an ASCII character, and the text after it.
pub(crate) fn halves(text: &str, mark: u8) -> Option<(&str, &str)> {
    let at = text.bytes().position(|byte| byte == mark)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}
