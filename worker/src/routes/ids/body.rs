//! The bytes of an answer with ids.

use edgeflake::text::{self, Encoding};

/// The smallest number that has more than eight digits.
const LOW: u64 = 100_000_000;

/// The largest number of digits of a number below [`LOW`].
const LOW_DIGITS: usize = 8;

/// The largest number of bytes of an id, rounded up to a multiple of 8: 20 digits, and three
/// characters around them in JSON.
const PIECE_MAX: usize = 24;

/// Writes `{"ids":["1","2"]}`.
pub(super) fn json(ids: &[u64], encoding: Encoding) -> Vec<u8> {
    let mut json = written(br#"{"ids":["#, ids, encoding, "\"", "\",");
    json.pop();
    json.extend(b"]}");
    json
}

/// Writes an id per line.
pub(super) fn lines(ids: &[u64], encoding: Encoding) -> Vec<u8> {
    written(b"", ids, encoding, "", "\n")
}

/// Writes eight bytes per id, the most significant first.
pub(super) fn binary(ids: &[u64]) -> Vec<u8> {
    ids.iter().map(|id| id.to_be_bytes()).collect::<Vec<_>>().into_flattened()
}

/// Writes `start`, and then `before`, an id and `after` for each id.
fn written(start: &[u8], ids: &[u64], encoding: Encoding, before: &str, after: &str) -> Vec<u8> {
    if encoding == Encoding::Decimal {
        return decimals(start, ids, before, after);
    }
    let mut bytes = start.to_vec();
    for (index, id) in ids.iter().enumerate() {
        bytes.extend(before.bytes());
        bytes.extend(text::format(*id, encoding).bytes());
        bytes.extend(after.bytes());
        if index == 0 {
            // All ids of a request have about the same length, so the first tells how much to
            // reserve; the end of the JSON needs one byte more.
            bytes.reserve((ids.len() - 1) * (bytes.len() - start.len()) + 1);
        }
    }
    bytes
}

/// Does the same as [`written`] in decimal digits. Ids that were issued together mostly differ in
/// their last eight digits only, so each id overwrites a copy of the one before.
fn decimals(start: &[u8], ids: &[u64], before: &str, after: &str) -> Vec<u8> {
    let mut bytes = vec![0; start.len() + (ids.len() + 1) * PIECE_MAX];
    bytes[..start.len()].copy_from_slice(start);
    let mut end = start.len();
    let mut piece = [0; PIECE_MAX];
    let (mut length, mut low_at) = (0, 0);
    // This is the id whose last eight digits are 0, and whose other digits are those of the piece.
    let mut base = 0;
    for &id in ids {
        let mut low = id.wrapping_sub(base);
        if id < LOW || low >= LOW {
            low = id % LOW;
            base = id - low;
            let text = [before, &*text::format(id, Encoding::Decimal), after].concat();
            length = text.len();
            piece[..length].copy_from_slice(text.as_bytes());
            low_at = (length - after.len()).saturating_sub(LOW_DIGITS);
        }
        // Copies of a constant number of bytes take a few instructions. The next piece overwrites
        // what is behind this one.
        let Some(place) = bytes[end..].first_chunk_mut::<PIECE_MAX>() else {
            unreachable!("there is room for a piece more than there are ids")
        };
        *place = piece;
        if id >= LOW
            && let Some(digits) = place[low_at..].first_chunk_mut::<LOW_DIGITS>()
        {
            *digits = eight(low);
        }
        end += length;
    }
    bytes.truncate(end);
    bytes
}

/// Returns the eight digits of a number below `LOW`. All digits of a step lie side by side in one
/// number, and are divided by a multiplication, which is exact for numbers as small as these.
const fn eight(number: u64) -> [u8; LOW_DIGITS] {
    let (first, second) = (number / 10_000, number % 10_000);
    let fours = first | (second << 32);
    let hundreds = ((fours * 10_486) >> 20) & 0x7f_0000_007f;
    let twos = hundreds | ((fours - 100 * hundreds) << 16);
    let tens = ((twos * 103) >> 10) & 0x000f_000f_000f_000f;
    let ones = tens | ((twos - 10 * tens) << 8);
    (ones | 0x3030_3030_3030_3030).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies() {
        let ids = [0, u64::MAX];
        assert_eq!(json(&ids, Encoding::Decimal), br#"{"ids":["0","18446744073709551615"]}"#);
        assert_eq!(json(&ids[..1], Encoding::Hex), br#"{"ids":["0000000000000000"]}"#);
        assert_eq!(lines(&ids, Encoding::SignedDecimal), b"0\n-1\n");
        assert_eq!(lines(&ids, Encoding::Base62), b"00000000000\nLygHa16AHYF\n");
        assert_eq!(binary(&[1, u64::MAX]), *b"\0\0\0\0\0\0\0\x01\xff\xff\xff\xff\xff\xff\xff\xff");
    }

    #[test]
    fn decimals_as_the_standard_library_prints_them() {
        let edges = (0..20).map(|digits| 10_u64.pow(digits));
        let near = |id: u64| (0..3).map(move |i| (id - 1).saturating_add(i));
        let ascending: Vec<u64> = edges.clone().flat_map(near).collect();
        let descending = ascending.iter().rev().copied();
        // These are the ids of one generator, over the end of their last eight digits.
        let issued = (0..1_000).map(|i| 1_541_815_603_599_000_000 + i * 4_194_305);
        let apart = (0..1_000).map(|i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let ids: Vec<u64> =
            ascending.iter().copied().chain(descending).chain(issued).chain(apart).collect();
        let texts: Vec<String> = ids.iter().map(u64::to_string).collect();
        let quoted = format!(r#"{{"ids":["{}"]}}"#, texts.join(r#"",""#));
        assert_eq!(json(&ids, Encoding::Decimal), quoted.as_bytes());
        assert_eq!(lines(&ids, Encoding::Decimal), format!("{}\n", texts.join("\n")).as_bytes());
    }
}
