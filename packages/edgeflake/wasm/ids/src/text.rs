use wasm_bindgen::prelude::wasm_bindgen;

use crate::exchange::{Exchange, exchange};
use crate::number::number;

/// Every number with at most this many decimal digits fits an id.
const DIGITS_MAX: u32 = 19;

/// Reads ids from the first lines of the text. Writes the ids to the exchange, and the count of
/// these ids as the first number. Stops before the first line that is not 1 to `DIGITS_MAX` decimal
/// digits with a line end (LF or CR LF), or when the exchange has no room for another id. Returns
/// the position of the first byte that was not read.
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
