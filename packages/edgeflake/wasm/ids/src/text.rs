use edgeflake::text::{self, Encoding};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::exchange::exchange;

/// The number of the encoding whose name is the text; negative if there is none.
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

/// Leaves an id as text, and says its length.
#[must_use]
#[wasm_bindgen]
pub fn encode(id: u64, encoding: usize) -> usize {
    match Encoding::ALL.get(encoding) {
        Some(encoding) => exchange().put(&text::encode(id, *encoding)),
        None => 0,
    }
}

/// Leaves the id of the text, in the place of this row.
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
