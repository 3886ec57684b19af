use edgeflake::text::{self, Encoding};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::exchange::{Exchange, exchange};
use crate::number::number;

/// Leaves the names of the encodings in the order of their numbers, one per line, and returns the
/// text's length.
#[must_use]
#[wasm_bindgen]
pub fn encodings() -> usize {
    let exchange = &mut *exchange();
    exchange.clear();
    for name in Encoding::ALL.map(Encoding::name) {
        exchange.add(name);
        exchange.add("\n");
    }
    exchange.length()
}

/// Leaves the digits of an encoding, and returns how many there are: none if the encoding does not
/// write the id as an unsigned number.
#[must_use]
#[wasm_bindgen]
pub fn digits(encoding: usize) -> usize {
    match Encoding::ALL.get(encoding) {
        Some(encoding) if encoding.is_unsigned_number() => exchange().put(encoding.digits()),
        _ => 0,
    }
}

/// The most characters that an encoding writes.
#[must_use]
#[wasm_bindgen]
pub fn longest(encoding: usize) -> usize {
    Encoding::ALL.get(encoding).map_or(0, |encoding| *encoding.lengths().end())
}

/// Leaves an id as text, and returns its length.
#[must_use]
#[wasm_bindgen]
pub fn format(id: u64, encoding: usize) -> usize {
    match Encoding::ALL.get(encoding) {
        Some(encoding) => exchange().put(&text::format(id, *encoding)),
        None => 0,
    }
}

/// Reads an id from the text and leaves it in this row. Returns whether the text is an id.
#[must_use]
#[wasm_bindgen]
pub fn parse(length: usize, encoding: usize, row: usize) -> bool {
    let exchange = &mut *exchange();
    let Some(encoding) = Encoding::ALL.get(encoding) else { return false };
    let id = text::parse(exchange.read(length), *encoding);
    let Some(id) = exchange.accept(id) else { return false };
    if let Some(place) = exchange.ids.get_mut(row) {
        *place = id;
    }
    true
}

/// Every number with at most this many digits is an id.
const DIGITS_MAX: u32 = 19;

/// Leaves the ids of the first lines of the text, and their count as the first number. Returns
/// where in the text they end: before the first line that is not 1 to `DIGITS_MAX` decimal digits
/// with a line end (LF or CR LF), or where the rows are full.
#[must_use]
#[wasm_bindgen(js_name = parseLines)]
pub fn parse_lines(length: usize) -> usize {
    let exchange = &mut *exchange();
    let Exchange { text, ids, numbers, .. } = exchange;
    let (mut id, mut digits, mut is_over) = (0_u64, 0, false);
    let (mut count, mut end) = (0, 0);
    for (at, byte) in text.iter().enumerate().take(length) {
        let digit = byte.wrapping_sub(b'0');
        if digit < 10 && digits < DIGITS_MAX && !is_over {
            digits += 1;
            id = id * 10 + u64::from(digit);
        } else if *byte == b'\n' && digits > 0 && count < ids.len() {
            ids[count] = id;
            (count, end) = (count + 1, at + 1);
            (id, digits, is_over) = (0, 0, false);
        } else if *byte == b'\r' && digits > 0 {
            is_over = true;
        } else {
            break;
        }
    }
    numbers[0] = number(count as u64);
    end
}
