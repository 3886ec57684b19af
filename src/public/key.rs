use alloc::vec::Vec;

use super::error::Error;
use super::speck::Speck;
use crate::text::Encoding;

/// The ciphers of one key for one prefix. No type that contains a key shows it in `Debug`.
pub(super) struct Key {
    pub(super) name: u8,
    /// The cipher that hides ids.
    pub(super) ids: Speck,
    /// The cipher that makes check digits.
    pub(super) checks: Speck,
}

const DISTINCT_BYTES_MIN: usize = 8;

/// Reads one or two keys, such as `k:000102030405060708090a0b0c0d0e0f`, with a comma between them.
pub(super) fn keys(text: &str, prefix: &str) -> Result<Vec<Key>, Error> {
    let texts: Vec<&str> = text.split(',').collect();
    if texts.len() > 2 {
        return Err(Error::KeyCount { count: texts.len() });
    }
    let keys = texts.into_iter().map(named).collect::<Result<Vec<_>, _>>()?;
    if let [(first, first_key), (second, second_key)] = keys[..] {
        if first == second {
            return Err(Error::SameName { name: char::from(first) });
        }
        if first_key == second_key {
            return Err(Error::SameKey { names: [first, second].map(char::from) });
        }
    }
    Ok(keys
        .into_iter()
        .map(|(name, key)| {
            let key = Speck::new(key);
            let [ids, checks] = [b'i', b'c'].map(|purpose| derived(&key, purpose, prefix));
            Key { name, ids, checks }
        })
        .collect())
}

/// Reads a name and its key.
fn named(text: &str) -> Result<(u8, u128), Error> {
    let &[name, b':', ref digits @ ..] = text.trim_ascii().as_bytes() else {
        return Err(Error::KeyName);
    };
    if !name.is_ascii_alphanumeric() {
        return Err(Error::KeyName);
    }
    let name_char = char::from(name);
    let key = bits(digits).ok_or(Error::KeyDigits { name: name_char })?;
    let mut bytes = key.to_be_bytes();
    if bytes.iter().all(|byte| matches!(byte, b' '..=b'~')) {
        return Err(Error::KeyPrintable { name: name_char });
    }
    bytes.sort_unstable();
    let distinct = bytes.chunk_by(u8::eq).count();
    if distinct < DISTINCT_BYTES_MIN {
        return Err(Error::KeyRepeats { name: name_char, distinct });
    }
    Ok((name, key))
}

/// Reads 16 bytes in hex or base64.
fn bits(text: &[u8]) -> Option<u128> {
    let (encoding, width, digits) = match text {
        _ if text.len() == 32 => (Encoding::Hex, 4, text),
        [digits @ .., b'=', b'='] if text.len() == 24 => (Encoding::Base64Url, 6, digits),
        _ => return None,
    };
    // 22 digits of base64 have four bits more than 16 bytes, and these bits must be 0.
    let excess = (width * digits.len()).saturating_sub(128);
    let mut key = 0;
    for (number, &digit) in digits.iter().enumerate() {
        let digit = match (encoding, digit) {
            (Encoding::Base64Url, b'+') => b'-',
            (Encoding::Base64Url, b'/') => b'_',
            (Encoding::Base64Url, b'-' | b'_') => return None,
            _ => digit,
        };
        let value = encoding.reads().digit(digit)?;
        if number < digits.len() - 1 {
            key = key << width | u128::from(value);
        } else if value & ((1 << excess) - 1) != 0 {
            return None;
        } else {
            key = key << (width - excess) | u128::from(value >> excess);
        }
    }
    Some(key)
}

/// Derives a key for one purpose and prefix, by the counter mode of NIST SP 800-108 with CBC-MAC as
/// the pseudorandom function. The first block has the prefix's length, so no input is the beginning
/// of another input. Without this property, CBC-MAC is not secure.
fn derived(key: &Speck, purpose: u8, prefix: &str) -> Speck {
    let half = |counter| {
        #[expect(clippy::cast_possible_truncation, reason = "a prefix has at most 63 characters")]
        let length = prefix.len() as u8;
        let first = u64::from_be_bytes([counter, purpose, length, 0, 0, 0, 0, 0]);
        prefix.as_bytes().chunks(8).fold(key.encrypt(first), |state, characters| {
            let mut block = [0; 8];
            block[..characters.len()].copy_from_slice(characters);
            key.encrypt(state ^ u64::from_be_bytes(block))
        })
    };
    Speck::new(u128::from(half(1)) << 64 | u128::from(half(2)))
}
