use edgeflake::{Error, Policy, SequenceStart, Span};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::exchange::exchange;
use crate::number::{integer, number};
use crate::state::{Generator, Known, state};

/// Makes a generator for a node, from a tick on. The caller has made sure that no other generator
/// uses the node from this tick on. Returns the handle of the generator, or 0 for an error.
/// `start_max` is the largest random start of a tick's sequence; if it is negative, the sequence
/// starts anywhere and wraps around. With `resume`, the generator continues after the first id in
/// the exchange.
#[must_use]
#[expect(clippy::too_many_arguments, reason = "numbers need no glue")]
#[wasm_bindgen(js_name = createGenerator)]
pub fn create_generator(
    layout: usize,
    node: f64,
    from_tick: f64,
    allowed_future_ms: f64,
    start_max: f64,
    gap_max: f64,
    tag: f64,
    seed: u64,
    resume: bool,
) -> usize {
    let state = &mut *state();
    let exchange = &mut *exchange();
    let Some(Known { layout, .. }) = state.layouts.get(layout) else { return 0 };
    let sequence_start = if start_max < 0.0 {
        SequenceStart::Rotating
    } else if start_max > 0.0 {
        SequenceStart::Random { max: integer(start_max) }
    } else {
        SequenceStart::Zero
    };
    let [node, from_tick, allowed_future_ms, gap_max, tag] =
        [node, from_tick, allowed_future_ms, gap_max, tag].map(integer);
    let policy = Policy { allowed_future_ms, sequence_start, gap_max, tag, seed };
    let last = if resume { Some(exchange.ids[0]) } else { None };
    let layout = *layout;
    let ids = Span::new(&layout, node, from_tick, layout.ticks())
        .and_then(|span| edgeflake::Generator::new(layout, span, policy))
        .and_then(|mut ids| last.map_or(Ok(()), |last| ids.resume_after(last)).map(|()| ids));
    let Some(ids) = exchange.accept(ids) else { return 0 };
    state.generators.keep(Generator { ids, failure: None })
}

/// Returns the next id. 0 may be an id or mean that there is none: [`explain`] tells which.
#[must_use]
#[wasm_bindgen]
pub fn next(generator: usize, now_ms: f64) -> u64 {
    next_of(generator, now_ms)
}

/// Issues the id that [`next`] returns.
#[expect(clippy::inline_always, reason = "an id takes 6 % more time if this is not inlined")]
#[inline(always)]
fn next_of(generator: usize, now_ms: f64) -> u64 {
    let state = &mut *state();
    let Some(generator) = state.generators.get(generator) else { return 0 };
    let now_ms = integer(now_ms);
    // `next_in_run` has no errors, so the usual call needs no memory on the stack.
    generator.ids.next_in_run(now_ms).unwrap_or_else(|| issue(generator, |ids| ids.next(now_ms)))
}

/// Returns the next id as [`next`] does, with a tag.
#[must_use]
#[wasm_bindgen(js_name = nextTagged)]
pub fn next_tagged(generator: usize, now_ms: f64, tag: f64) -> u64 {
    let state = &mut *state();
    let Some(generator) = state.generators.get(generator) else { return 0 };
    issue(generator, |ids| ids.next_tagged(integer(now_ms), integer(tag)))
}

#[inline(never)]
fn issue(
    generator: &mut Generator,
    next: impl FnOnce(&mut edgeflake::Generator) -> Result<u64, Error>,
) -> u64 {
    match next(&mut generator.ids) {
        Ok(id) => id,
        Err(error) => {
            generator.failure = Some(error);
            0
        }
    }
}

/// Divides the next id by `lows`, which is at most 2^31. Returns the remainder, and writes the
/// quotient to the exchange. If both are 0, there may be no id: see [`next`].
#[must_use]
#[wasm_bindgen(js_name = nextSplit)]
pub fn next_split(generator: usize, now_ms: f64, lows: u32) -> u32 {
    let id = next_of(generator, now_ms);
    let lows = u64::from(lows);
    let high = id.checked_div(lows).unwrap_or(0);
    exchange().numbers[0] = number(high);
    #[expect(clippy::cast_possible_truncation, reason = "less than `lows`")]
    let low = (id - high * lows) as u32;
    low
}

/// Returns the next id as a number (0: see [`next`]), or -1 if the layout has ids above 2^53 - 1.
#[must_use]
#[wasm_bindgen(js_name = nextNumber)]
pub fn next_number(generator: usize, now_ms: f64) -> f64 {
    let fits = state().generators.get(generator).is_none_or(|it| it.ids.layout().fits_js_number());
    if fits { number(next_of(generator, now_ms)) } else { -1.0 }
}

/// Writes up to `count` ids to the exchange, and returns their number. If there are none,
/// [`explain`] tells why.
#[must_use]
#[wasm_bindgen]
pub fn fill(generator: usize, now_ms: f64, count: usize) -> usize {
    let state = &mut *state();
    let exchange = &mut *exchange();
    let Some(generator) = state.generators.get(generator) else { return 0 };
    let now_ms = integer(now_ms);
    let Some(ids) = exchange.ids.get_mut(..count) else { return 0 };
    // `fill` does not say why there are no ids, so call `ready` first.
    generator.failure = generator.ids.ready(now_ms).err();
    if generator.failure.is_some() { 0 } else { generator.ids.fill(now_ms, ids) }
}

/// Writes the reason why there was no id to the exchange. Returns `false` if there was an id.
#[must_use]
#[wasm_bindgen]
pub fn explain(generator: usize) -> bool {
    let state = &mut *state();
    let exchange = &mut *exchange();
    let failure = match state.generators.get(generator) {
        Some(generator) => generator.failure.take(),
        None => Some(Error::Closed),
    };
    failure.map(|error| exchange.refuse(error)).is_some()
}

/// Writes the statistics of a generator to the exchange.
#[wasm_bindgen]
pub fn stats(generator: usize) {
    let state = &mut *state();
    let exchange = &mut *exchange();
    let Some(generator) = state.generators.get(generator) else { return };
    let statistics = generator.ids.statistics();
    exchange.put_numbers(
        [
            statistics.issued,
            statistics.ticks_borrowed,
            statistics.furthest_ahead_ms,
            statistics.clock_steps_back,
            statistics.exhausted,
        ]
        .map(number),
    );
}

/// Ends a generator, and returns the first tick that the generator did not use.
#[must_use]
#[wasm_bindgen(js_name = closeGenerator)]
pub fn close_generator(generator: usize) -> f64 {
    let closed = state().generators.take(generator);
    number(closed.map_or(0, |Generator { ids, .. }| ids.close()))
}
