use edgeflake::preset;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::exchange::exchange;
use crate::number::integer;

/// Leaves the names of the presets, a line each, and says the length.
#[must_use]
#[wasm_bindgen]
pub fn presets() -> usize {
    let exchange = &mut *exchange();
    exchange.clear();
    for preset in &preset::ALL {
        exchange.add(preset.name);
        exchange.add("\n");
    }
    exchange.length()
}

/// Leaves the systems that an id may come from, a line each of name, tab, title, tab and reasons,
/// with their shares as numbers, and says the text's length.
#[must_use]
#[wasm_bindgen]
pub fn identify(id: u64, now_ms: f64) -> usize {
    let exchange = &mut *exchange();
    let candidates = edgeflake::identify(id, integer(now_ms));
    exchange.put_numbers(candidates.iter().map(|candidate| candidate.share));
    exchange.clear();
    for found in candidates {
        for text in [found.preset.name, "\t", found.preset.title, "\t"] {
            exchange.add(text);
        }
        found.reasons.say(&mut |piece| exchange.add(piece));
        exchange.add("\n");
    }
    exchange.length()
}
