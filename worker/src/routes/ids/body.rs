//! The bytes of an answer with ids.

use edgeflake::text::{self, Encoding};

/// How many numbers have at most eight digits: ids that were issued together mostly differ only in
/// these.
const LOW: u64 = 100_000_000;

/// Those digits.
const LOW_DIGITS: usize = 8;

/// The most bytes of an id: 20 digits, and three characters around them in JSON, by 8.
const PIECE_MAX: usize = 24;

/// `{"ids":["1","2"]}`.
pub(super) fn json(ids: &[u64], encoding: Encoding) -> Vec<u8> {
    let mut json = written(br#"{"ids":["#, ids, encoding, "\"", "\",");
    json.pop();
    json.extend(b"]}");
    json
}

/// An id per line.
pub(super) fn lines(ids: &[u64], encoding: Encoding) -> Vec<u8> {
    written(b"", ids, encoding, "", "\n")
}

/// After `start`: `before`, an id and `after` for each id.
fn written(start: &[u8], ids: &[u64], encoding: Encoding, before: &str, after: &str) -> Vec<u8> {
    if encoding == Encoding::Decimal {
        return decimals(start, ids, before, after);
    }
    let mut bytes = start.to_vec();
    for (index, id) in ids.iter().enumerate() {
        bytes.extend(before.bytes());
        bytes.extend(text::encode(*id, encoding).bytes());
        bytes.extend(after.bytes());
        if index == 0 {
            // All ids of a request have about the same length, so the first tells how much to
            // reserve; the end of the JSON needs one byte more.
            bytes.reserve((ids.len() - 1) * (bytes.len() - start.len()) + 1);
        }
    }
    bytes
}

/// The same in decimal digits.
fn decimals(start: &[u8], ids: &[u64], before: &str, after: &str) -> Vec<u8> {
    let mut bytes = vec![0; start.len() + (ids.len() + 1) * PIECE_MAX];
    bytes[..start.len()].copy_from_slice(start);
    let mut end = start.len();
    let mut piece = Piece::new(before, after);
    for id in ids {
        piece.set(*id);
        // A number of bytes that is always the same takes a few instructions. The next piece
        // overwrites what is behind this one.
        let from = &piece.bytes[piece.start..][..PIECE_MAX];
        bytes[end..][..PIECE_MAX].copy_from_slice(from);
        end += PIECE_MAX + after.len() - piece.start;
    }
    bytes.truncate(end);
    bytes
}

/// An id with what stands before and after it, of which the next id overwrites only its last digits.
struct Piece<'a> {
    before: &'a str,
    /// It begins at `start`; the digits end at `PIECE_MAX`.
    bytes: [u8; 2 * PIECE_MAX],
    start: usize,
    /// The id whose last eight digits are 0 and whose others stand in `bytes`.
    base: u64,
}

impl<'a> Piece<'a> {
    fn new(before: &'a str, after: &str) -> Self {
        let mut bytes = [0; 2 * PIECE_MAX];
        bytes[PIECE_MAX..][..after.len()].copy_from_slice(after.as_bytes());
        Self { before, bytes, start: PIECE_MAX, base: 0 }
    }

    fn set(&mut self, id: u64) {
        let low = id.wrapping_sub(self.base);
        if id < LOW || low >= LOW {
            self.set_whole(id);
        } else {
            #[expect(clippy::cast_possible_truncation, reason = "below 100,000,000")]
            let low = low as u32;
            let (high, low) = (low / 10_000, low % 10_000);
            let pairs = [high / 100, high % 100, low / 100, low % 100];
            let places = self.bytes[PIECE_MAX - LOW_DIGITS..PIECE_MAX].chunks_exact_mut(2);
            for (place, pair) in places.zip(pairs) {
                place.copy_from_slice(&PAIRS[pair as usize]);
            }
        }
    }

    #[cold]
    fn set_whole(&mut self, id: u64) {
        self.base = id - id % LOW;
        let digits = text::encode(id, Encoding::Decimal);
        let middle = PIECE_MAX - digits.len();
        self.bytes[middle..PIECE_MAX].copy_from_slice(digits.as_bytes());
        self.start = middle - self.before.len();
        self.bytes[self.start..middle].copy_from_slice(self.before.as_bytes());
    }
}

/// The two digits of each number below 100.
static PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut number = 0;
    while number < 100 {
        pairs[number as usize] = [b'0' + number / 10, b'0' + number % 10];
        number += 1;
    }
    pairs
};

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
    }

    #[test]
    fn decimals_as_the_standard_library_prints_them() {
        let edges = (0..20).map(|digits| 10_u64.pow(digits));
        let near = |id: u64| (0..3).map(move |i| (id - 1).saturating_add(i));
        let ascending: Vec<u64> = edges.clone().flat_map(near).collect();
        let descending = ascending.iter().rev().copied();
        // Those of one generator, over the end of their last eight digits.
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
