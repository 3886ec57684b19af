use edgeflake::preset;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::exchange::integer;
use crate::state::state;

/// Leaves the names of the presets, a line each, and says the length.
#[must_use]
#[wasm_bindgen]
pub fn presets() -> usize {
    let exchange = &mut state().exchange;
    exchange.clear();
    let mut length = 0;
    for preset in &preset::ALL {
        length = exchange.print(format_args!("{}\n", preset.name));
    }
    length
}

/// Leaves the systems that an id may come from, a line each of name, tab, title, tab and reasons,
/// with their shares as numbers, and says the text's length.
#[must_use]
#[wasm_bindgen]
pub fn identify(id: u64, now_ms: f64) -> usize {
    let exchange = &mut state().exchange;
    let candidates = edgeflake::identify(id, integer(now_ms));
    exchange.put_numbers(candidates.iter().map(|candidate| candidate.share));
    exchange.clear();
    let mut length = 0;
    for found in candidates {
        let (name, title) = (found.preset.name, found.preset.title);
        length = exchange.print(format_args!("{name}\t{title}\t{}\n", found.reasons));
    }
    length
}
