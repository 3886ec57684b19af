use core::fmt::Write as _;

use edgeflake::identify::{Candidate, Mixture, UnixUnit};
use edgeflake::preset;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::exchange::{Exchange, exchange};
use crate::number::{integer, number};

/// Leaves the names of the presets, then those of the units of Unix time, one per line. Returns the
/// text's length.
#[must_use]
#[wasm_bindgen]
pub fn sources() -> usize {
    let exchange = &mut *exchange();
    exchange.clear();
    let units = UnixUnit::ALL.map(UnixUnit::name);
    for name in preset::NAMES.into_iter().chain(units) {
        exchange.add(name);
        exchange.add("\n");
    }
    exchange.length()
}

/// Leaves what an id may be, and returns the text's length. Each candidate is a line of name, tab,
/// title, tab and reasons, and a pair of numbers: its share, and its date in Unix ms. If
/// `is_mixed`, the numbers must be the weights of a mixture before the call.
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
        let _ = writeln!(exchange, "{}", found.reasons);
    }
    exchange.length()
}

/// Leaves the weights of the mixture that explains the first `count` ids best.
#[wasm_bindgen]
pub fn mixture(count: usize, now_ms: f64) {
    let exchange = &mut *exchange();
    let ids = exchange.ids.get(..count).unwrap_or_default();
    let mixture = Mixture::of(ids, integer(now_ms));
    exchange.put_numbers(mixture.weights());
}

/// Identifies the first `count` ids as parts of the mixture whose weights are the numbers. Leaves
/// in the columns the place of the weight, the share, and the date in Unix ms.
#[wasm_bindgen(js_name = identifyMany)]
pub fn identify_many(count: usize, now_ms: f64) {
    let exchange = &mut *exchange();
    let classifier = left(exchange).classifier(integer(now_ms));
    let Exchange { ids, columns: [places, shares, instants, _], .. } = exchange;
    for (i, id) in ids.iter().take(count).enumerate() {
        let Some(found) = classifier.likeliest(*id) else { continue };
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
