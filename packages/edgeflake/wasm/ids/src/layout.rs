use core::fmt::Write as _;

use edgeflake::{Layout, Parts, Role, preset};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::exchange::{COLUMNS, Exchange, exchange};
use crate::number::{integer, number};
use crate::state::{Known, state};

/// The largest width, in bits, of integers that a JavaScript number holds exactly.
const NUMBER_BITS: u32 = f64::MANTISSA_DIGITS;

/// Makes the layout that the text in the exchange describes, see [`Layout::parse`]. Returns the
/// layout's handle, or 0 for an error.
#[must_use]
#[wasm_bindgen(js_name = parseLayout)]
pub fn parse_layout(length: usize) -> usize {
    let mut state = state();
    let exchange = &mut *exchange();
    let text = exchange.read(length);
    let (layout, preset) = (Layout::parse(text), preset::named(text));
    let Some(layout) = exchange.accept(layout) else { return 0 };
    if fits_numbers(&layout, exchange) { state.layouts.keep(Known::new(layout, preset)) } else { 0 }
}

fn fits_numbers(layout: &Layout, exchange: &mut Exchange) -> bool {
    for role in [Role::Node, Role::Sequence, Role::Tag] {
        let fields = layout.fields().iter().filter(|field| field.role() == role);
        let bits: u32 = fields.map(|field| u32::from(field.bits())).sum();
        if bits > NUMBER_BITS {
            let role = role.word();
            exchange.clear();
            exchange.add("invalid-layout\n");
            exchange.add(role);
            let _ = write!(exchange, " has {bits} bits: a JavaScript number holds {NUMBER_BITS}\0");
            exchange.put_numbers([f64::NAN]);
            return false;
        }
    }
    true
}

/// Frees a layout.
#[wasm_bindgen(js_name = freeLayout)]
pub fn free_layout(layout: usize) {
    state().layouts.take(layout);
}

/// Writes the layout string to the exchange, and returns the string's length.
#[must_use]
#[wasm_bindgen(js_name = printLayout)]
pub fn print_layout(layout: usize) -> usize {
    let state = &mut *state();
    let exchange = &mut *exchange();
    let Some(Known { layout, .. }) = state.layouts.get(layout) else { return 0 };
    exchange.clear();
    let _ = write!(exchange, "{layout}");
    exchange.length()
}

/// Writes the layout string without names (see `Layout::nameless`) to the exchange, and returns the
/// string's length.
#[must_use]
#[wasm_bindgen(js_name = printBits)]
pub fn print_bits(layout: usize) -> usize {
    let state = &mut *state();
    let exchange = &mut *exchange();
    let Some(Known { layout, .. }) = state.layouts.get(layout) else { return 0 };
    exchange.clear();
    let _ = write!(exchange, "{}", layout.nameless());
    exchange.length()
}

/// Decodes the first `count` ids into the columns. Returns the number of ids that do not fit the
/// layout. The rows of these ids are NaN.
#[must_use]
#[wasm_bindgen(js_name = decodeMany)]
pub fn decode_many(layout: usize, count: usize) -> usize {
    let state = &mut *state();
    let exchange = &mut *exchange();
    let Some(Known { layout, decoder, .. }) = state.layouts.get(layout) else { return 0 };
    let mut refused = 0;
    let Exchange { ids, columns: [times, nodes, sequences, tags], .. } = exchange;
    let (epoch_ms, tick_ms) = (layout.epoch_ms(), layout.tick_ms());
    let rows = times.iter_mut().zip(nodes).zip(sequences).zip(tags);
    for (id, (((time, node), sequence), tag)) in ids.iter().take(count).zip(rows) {
        if let Ok(parts) = decoder.decode(*id) {
            *time = number(epoch_ms + parts.tick * tick_ms);
            *node = number(parts.node);
            *sequence = number(parts.sequence);
            *tag = number(parts.tag);
        } else {
            refused += 1;
            [*time, *node, *sequence, *tag] = [f64::NAN; COLUMNS];
        }
    }
    refused
}

/// Writes warnings about an id to the exchange, and returns the text's length. Each warning is a
/// line of code, tab and message.
#[must_use]
#[wasm_bindgen]
pub fn warnings(layout: usize, id: u64, now_ms: f64) -> usize {
    let state = &mut *state();
    let exchange = &mut *exchange();
    let Some(Known { layout, preset, .. }) = state.layouts.get(layout) else { return 0 };
    exchange.clear();
    let now_ms = integer(now_ms);
    let warnings = match preset {
        Some(preset) => preset.warnings(id, now_ms),
        None => layout.warnings(id, now_ms),
    };
    for warning in warnings {
        exchange.add(warning.code());
        let _ = writeln!(exchange, "\t{warning}");
    }
    exchange.length()
}

/// Returns the number of a node. The first `count` ids of the exchange are the values of the node's
/// fields. Returns a negative number for an error.
#[must_use]
#[wasm_bindgen(js_name = nodeOf)]
pub fn node_of(layout: usize, count: usize) -> f64 {
    let state = &mut *state();
    let exchange = &mut *exchange();
    let Some(Known { layout, .. }) = state.layouts.get(layout) else {
        return -1.0;
    };
    let node = layout.node_of(exchange.ids.get(..count).unwrap_or_default());
    exchange.accept(node).map_or(-1.0, number)
}

/// Writes the id with these parts to the exchange. Returns whether the layout has such an id.
#[must_use]
#[wasm_bindgen]
pub fn encode(layout: usize, timestamp_ms: f64, node: f64, sequence: f64, tag: f64) -> bool {
    let state = &mut *state();
    let exchange = &mut *exchange();
    let Some(Known { layout, .. }) = state.layouts.get(layout) else {
        return false;
    };
    let [node, sequence, tag] = [node, sequence, tag].map(integer);
    let id = layout
        .tick(integer(timestamp_ms))
        .and_then(|tick| layout.encode(Parts { tick, node, sequence, tag }));
    let Some(id) = exchange.accept(id) else { return false };
    exchange.ids[0] = id;
    true
}

/// Writes the smallest and the largest id of a time window to the exchange. If `node` is negative,
/// they are the ids of all nodes. Returns whether the layout has such ids.
#[must_use]
#[wasm_bindgen]
pub fn range(layout: usize, from_ms: f64, until_ms: f64, node: f64) -> bool {
    let state = &mut *state();
    let exchange = &mut *exchange();
    let Some(Known { layout, .. }) = state.layouts.get(layout) else {
        return false;
    };
    let node = (node >= 0.0).then_some(integer(node));
    let ids = layout.id_range(integer(from_ms)..integer(until_ms), node);
    let Some(ids) = exchange.accept(ids) else { return false };
    (exchange.ids[0], exchange.ids[1]) = ids.into_inner();
    true
}

/// Writes a layout's capacity and limits, and the layout's largest id, to the exchange.
#[wasm_bindgen]
pub fn info(layout: usize, now_ms: f64) {
    let state = &mut *state();
    let exchange = &mut *exchange();
    let Some(Known { layout, .. }) = state.layouts.get(layout) else {
        return;
    };
    exchange.ids[0] = layout.largest_id();
    exchange.put_numbers([
        number(layout.nodes()),
        number(layout.ids_per_tick()),
        number(layout.end_ms()),
        layout.life_used(integer(now_ms)),
        f64::from(u8::from(layout.fits_js_number())),
        number(layout.js_number_end_ms()),
        number(layout.signed_end_ms()),
    ]);
}
