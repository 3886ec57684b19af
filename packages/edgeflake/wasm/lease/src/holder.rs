use alloc::string::{String, ToString};
use alloc::vec::Vec;

use edgeflake::Layout;
use edgeflake::lease::{Record, State};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::number::{integer, number};

/// What all generators of one authority, sequencer and mode share.
#[derive(Debug, Default)]
#[wasm_bindgen]
pub struct Holder {
    pub(crate) inner: edgeflake::lease::Holder,
    /// What is being written down.
    record: Option<Record>,
}

#[wasm_bindgen]
impl Holder {
    /// A holder of a lease.
    #[must_use]
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// A holder that only prefetches batches, of so many ids and used for so many ms; what is left
    /// out is as the authority says.
    #[must_use]
    pub fn prefetching(count: Option<f64>, validity_ms: Option<f64>) -> Self {
        let mut inner = edgeflake::lease::Holder::prefetching();
        inner.set_prefetch(count.map(integer), validity_ms.map(integer));
        Self { inner, record: None }
    }

    /// A holder that issues only what is written down.
    #[must_use]
    pub fn storing() -> Self {
        Self { inner: edgeflake::lease::Holder::storing(), record: None }
    }

    /// Binds it to a layout string and an incarnation. Says what cannot be read of the text.
    pub fn bind(&mut self, layout: Option<String>, incarnation: Option<f64>) -> Option<String> {
        match layout.map(|text| text.parse::<Layout>()).transpose() {
            Ok(layout) => {
                self.inner.bind(layout, incarnation.map(integer));
                None
            }
            Err(error) => {
                let mut text = String::new();
                error.say(&mut |piece| text.push_str(piece));
                Some(text)
            }
        }
    }

    /// Whether the holder is bound to a sequencer that is over.
    #[must_use]
    #[wasm_bindgen(js_name = hasEnded)]
    pub fn has_ended(&self) -> bool {
        self.inner.has_ended()
    }

    /// Gives the lease back: the next asking sends that.
    pub fn detach(&mut self) {
        self.inner.detach();
    }

    /// Issues ids again.
    pub fn attach(&mut self) {
        self.inner.attach();
    }

    /// What it is doing, as `LeaseState` names it.
    #[must_use]
    pub fn state(&self) -> String {
        let name = match self.inner.state() {
            State::Acquiring => "acquiring",
            State::Attached => "attached",
            State::Renewing => "renewing",
            State::Detached => "detached",
            State::Destroyed => "destroyed",
        };
        name.into()
    }

    /// Why there is no id at a time in Unix ms, by its code; nothing where there is one.
    #[must_use]
    pub fn why(&mut self, now_ms: f64) -> Option<String> {
        self.inner.ready(integer(now_ms)).err().map(|error| error.code().into())
    }

    /// Node, first tick, first tick after the span and incarnation, if there is a span.
    #[must_use]
    pub fn span(&self) -> Option<Vec<f64>> {
        let (span, incarnation) = (self.inner.span()?, self.inner.incarnation()?);
        let numbers = [span.node(), span.from_tick(), span.until_tick(), incarnation];
        Some(numbers.map(number).to_vec())
    }

    /// The layout string of the sequencer, once that is known.
    #[must_use]
    pub fn layout(&self) -> Option<String> {
        self.inner.config().map(|config| config.layout().to_string())
    }
}

// Functions, so that a bundler leaves out those that only a store calls.

/// Goes on with what was written down, if that can be; `random` are 64 random bits.
#[wasm_bindgen]
pub fn resume(holder: &mut Holder, record: &str, random: u64) -> bool {
    let record =
        edgeflake_wire::parse(record).and_then(|record| edgeflake_wire::read_record(&record));
    record.is_ok_and(|record| holder.inner.resume(&record, random).is_ok())
}

/// What is to be written down at a time in Unix ms; nothing for no lease.
#[wasm_bindgen]
pub fn record(holder: &mut Holder, now_ms: f64) -> Option<String> {
    holder.record = holder.inner.record(integer(now_ms));
    holder.record.as_ref().map(edgeflake_wire::write_record)
}

/// The newest [`record`] is written down.
#[wasm_bindgen]
pub fn written(holder: &mut Holder) {
    holder.inner.written(holder.record.as_ref());
}

/// Another process goes on with what was written down.
#[wasm_bindgen]
pub fn lose(holder: &mut Holder) {
    holder.inner.lose();
}
