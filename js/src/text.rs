use edgeflake::Error;
use edgeflake::text::{self, Form};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::exchange::exchange;

/// The number of the form whose name is the text; negative if there is none.
#[must_use]
#[wasm_bindgen]
pub fn form(length: usize) -> i32 {
    let exchange = &mut *exchange();
    let name = exchange.read(length);
    let place = Form::ALL.iter().position(|form| form.name() == name);
    if let Some(number) = place.and_then(|place| i32::try_from(place).ok()) {
        return number;
    }
    exchange.refuse(Error::UnknownForm);
    -1
}

/// Leaves an id as text, and says its length.
#[must_use]
#[wasm_bindgen]
pub fn encode(id: u64, form: usize) -> usize {
    match Form::ALL.get(form) {
        Some(form) => exchange().put(&text::encode(id, *form)),
        None => 0,
    }
}

/// Leaves the id of the text, in the place of this row.
#[must_use]
#[wasm_bindgen]
pub fn parse(length: usize, form: usize, row: usize) -> bool {
    let exchange = &mut *exchange();
    let Some(form) = Form::ALL.get(form) else { return false };
    let id = text::parse(exchange.read(length), *form);
    let Some(id) = exchange.accept(id) else { return false };
    if let Some(place) = exchange.ids.get_mut(row) {
        *place = id;
    }
    true
}
