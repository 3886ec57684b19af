use edgeflake::text::{self, Encoding};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::exchange::{Exchange, exchange};
use crate::number::number;

/// The number of the encoding whose name is the text; negative if no encoding has it.
#[must_use]
#[wasm_bindgen]
pub fn encoding(length: usize) -> i32 {
    let exchange = &mut *exchange();
    let name = exchange.read(length);
    let place = Encoding::ALL.iter().position(|encoding| encoding.name() == name);
    if let Some(number) = place.and_then(|place| i32::try_from(place).ok()) {
        return number;
    }
    exchange.clear();
    exchange.add("unknown-encoding\n");
    for (index, encoding) in Encoding::ALL.iter().enumerate() {
        exchange.add(match index {
            0 => "",
            _ if index + 1 < Encoding::ALL.len() => ", ",
            _ => " and ",
        });
        exchange.add(encoding.name());
    }
    exchange.add(" are allowed\0");
    -1
}

/// Leaves an id as text, and returns its length.
#[must_use]
#[wasm_bindgen]
pub fn encode(id: u64, encoding: usize) -> usize {
    match Encoding::ALL.get(encoding) {
        Some(encoding) => exchange().put(&text::encode(id, *encoding)),
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
