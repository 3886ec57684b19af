use alloc::string::ToString as _;

use super::error::Error;
use crate::text::{Encoding, Fault};

const PREFIX_LENGTH_MAX: usize = 63;

/// Returns whether a text follows the rules of `TypeID` for a prefix, and is not empty.
pub(super) const fn is_prefix(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.is_empty() || bytes.len() > PREFIX_LENGTH_MAX {
        return false;
    }
    let mut i = 0;
    while i < bytes.len() {
        let is_inside = i > 0 && i < bytes.len() - 1;
        if !(bytes[i].is_ascii_lowercase() || is_inside && bytes[i] == b'_') {
            return false;
        }
        i += 1;
    }
    true
}

/// Returns the text after the prefix, and checks that this rest is `allowed` digits of base62.
pub(super) fn after_prefix<'a>(
    text: &'a str,
    prefix: &'static str,
    allowed: usize,
) -> Result<&'a str, Error> {
    let digits = match text.rsplit_once('_') {
        Some((found, digits)) if found == prefix => digits,
        Some((found, _)) if is_prefix(found) => {
            return Err(Error::OtherKind { found: found.to_string(), expected: prefix });
        }
        _ => return Err(Error::NoPrefix { expected: prefix }),
    };
    let base62 = Encoding::Base62;
    for (position, character) in digits.char_indices() {
        if !base62.digits().contains(character) {
            return Err(Error::Digits(crate::Error::IdText {
                encoding: base62,
                position: prefix.len() + 1 + position,
                fault: Fault::Character(character),
            }));
        }
    }
    if digits.len() == allowed {
        Ok(digits)
    } else {
        Err(Error::Length { prefix, found: digits.len(), allowed })
    }
}

/// Reads a number of 64 bits in base62.
pub(super) fn number(digits: &str) -> Result<u64, Error> {
    Encoding::Base62.reads().read(digits.as_bytes()).ok_or(Error::TooLarge)
}
