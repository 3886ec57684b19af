use edgeflake::identify::{Candidate, Mixture, UnixUnit};
use edgeflake::preset;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::exchange::{Exchange, exchange};
use crate::number::{integer, number};

/// Leaves the names of the presets, then those of the units of Unix time, a line each, and says the
/// length.
#[must_use]
#[wasm_bindgen]
pub fn sources() -> usize {
    let exchange = &mut *exchange();
    exchange.clear();
    let units = UnixUnit::ALL.map(UnixUnit::name);
    for name in preset::ALL.iter().map(|preset| preset.name).chain(units) {
        exchange.add(name);
        exchange.add("\n");
    }
    exchange.length()
}

/// Leaves what an id may be, a line each of name, tab, title, tab and reasons, with shares and Unix
/// ms as pairs of numbers, and says the text's length. The numbers are the weights of a mixture
/// before if `is_mixed`.
#[must_use]
#[wasm_bindgen]
pub fn identify(id: u64, now_ms: f64, is_mixed: bool) -> usize {
    let exchange = &mut *exchange();
    let now_ms = integer(now_ms);
    let candidates = if is_mixed {
        left(exchange).identify(id, now_ms)
    } else {
        edgeflake::identify(id, now_ms)
    };
    let pair = |found: &Candidate| [found.share, number(found.instant_ms)];
    exchange.put_numbers(candidates.iter().flat_map(pair));
    exchange.clear();
    for found in candidates {
        for text in [found.source.name(), "\t", found.source.title(), "\t"] {
            exchange.add(text);
        }
        found.reasons.say(&mut |piece| exchange.add(piece));
        exchange.add("\n");
    }
    exchange.length()
}

/// Leaves the weights of the mixture that the first ids are.
#[wasm_bindgen]
pub fn mixture(count: usize, now_ms: f64) {
    let exchange = &mut *exchange();
    let ids = exchange.ids.get(..count).unwrap_or_default();
    let mixture = Mixture::of(ids, integer(now_ms));
    exchange.put_numbers(mixture.weights());
}

/// Identifies the first ids as parts of the mixture whose weights are the numbers: the columns are
/// the place of the weight, the share, and Unix ms.
#[wasm_bindgen(js_name = identifyMany)]
pub fn identify_many(count: usize, now_ms: f64) {
    let exchange = &mut *exchange();
    let mixture = left(exchange);
    let now_ms = integer(now_ms);
    let Exchange { ids, columns: [places, shares, instants, _], .. } = exchange;
    for (i, id) in ids.iter().take(count).enumerate() {
        let Some(found) = mixture.likeliest(*id, now_ms) else { continue };
        places[i] = number(found.place as u64);
        shares[i] = found.share;
        instants[i] = number(found.instant_ms);
    }
}

/// The mixture whose weights are the numbers.
fn left(exchange: &Exchange) -> Mixture {
    let mut weights = [0.0; Mixture::LEN];
    for (weight, number) in weights.iter_mut().zip(exchange.numbers) {
        *weight = number;
    }
    Mixture::new(weights)
}
