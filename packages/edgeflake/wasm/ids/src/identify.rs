use alloc::boxed::Box;
use core::fmt::Write as _;

use edgeflake::identify::{Classifier, names};
use edgeflake::preset;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::exchange::{Exchange, NUMBERS_MAX, exchange};
use crate::number::{integer, number};
use crate::state::state;

// An id has at most one candidate for each preset, and one for a unit of Unix time.
const _: () = assert!(2 * (preset::ALL.len() + 1) <= NUMBERS_MAX);

/// Writes the names of the presets and then of the units of Unix time to the exchange, one per
/// line. Returns the text's length.
#[must_use]
#[wasm_bindgen]
pub fn sources() -> usize {
    let exchange = &mut *exchange();
    exchange.clear();
    for name in names() {
        exchange.add(name);
        exchange.add("\n");
    }
    exchange.length()
}

/// Estimates the common source of a column from some or all of its ids: the first `count` ids in
/// the exchange. Later calls identify ids of this column.
#[wasm_bindgen]
pub fn column(count: usize, now_ms: f64) {
    let ids = &exchange().ids;
    let column = ids.get(..count).unwrap_or_default();
    state().column = Some(Box::new(Classifier::of(column, integer(now_ms))));
}

/// Writes the possible sources of an id to the exchange, and returns the length of the text. The id
/// must belong to the column. Each source is a line of text (name, tab, title, tab, reasons) and
/// two numbers: the probability of the source, and the id's date in Unix ms.
#[must_use]
#[wasm_bindgen]
pub fn identify(id: u64) -> usize {
    let exchange = &mut *exchange();
    exchange.clear();
    let state = state();
    let Some(column) = &state.column else { return 0 };
    for (i, found) in column.identify(id).into_iter().enumerate() {
        if let Some(pair) = exchange.numbers.get_mut(2 * i..2 * i + 2) {
            pair.copy_from_slice(&[found.share, number(found.instant_ms)]);
        }
        for text in [found.name(), "\t", found.title(), "\t"] {
            exchange.add(text);
        }
        let _ = writeln!(exchange, "{}", found.reasons());
    }
    exchange.length()
}

/// Identifies the first `count` ids as ids of the column. For each id, writes to the columns the
/// index of the likeliest source, the probability of the id's date (the sum for all sources that
/// give this date), and this date in Unix ms.
#[wasm_bindgen(js_name = identifyMany)]
pub fn identify_many(count: usize) {
    let Exchange { ids, columns: [places, shares, instants, _], .. } = &mut *exchange();
    let state = state();
    let Some(column) = &state.column else { return };
    for (i, id) in ids.iter().take(count).enumerate() {
        let Some(found) = column.likeliest(*id) else { continue };
        places[i] = number(found.place as u64);
        shares[i] = found.reading;
        instants[i] = number(found.instant_ms);
    }
}
