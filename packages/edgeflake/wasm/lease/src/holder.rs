use alloc::string::{String, ToString};
use alloc::vec::Vec;

use edgeflake::Layout;
use edgeflake::lease::Record;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::number::{integer, number};

/// A holder of a lease. `src/leased/shared-holder.ts` decides which generators share a holder.
#[derive(Debug, Default)]
#[wasm_bindgen]
pub struct Holder {
    pub(crate) inner: edgeflake::lease::Holder,
    /// The record that JavaScript is writing to the store.
    record: Option<Record>,
}

#[wasm_bindgen]
impl Holder {
    /// Creates a holder that leases nodes.
    #[must_use]
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a holder that only prefetches batches. A batch has `count` ids and is used for at
    /// most `validity_ms`; by default, the authority chooses both.
    #[must_use]
    pub fn prefetching(count: Option<f64>, validity_ms: Option<f64>) -> Self {
        let mut inner = edgeflake::lease::Holder::prefetching();
        inner.set_prefetch(count.map(integer), validity_ms.map(integer));
        Self { inner, record: None }
    }

    /// Creates a holder with a store. The holder issues an id only after a record that covers the
    /// id is stored.
    #[must_use]
    pub fn storing() -> Self {
        Self { inner: edgeflake::lease::Holder::storing(), record: None }
    }

    /// Binds the holder to a layout and an incarnation. Returns the error if the layout string
    /// cannot be read.
    pub fn bind(&mut self, layout: Option<String>, incarnation: Option<f64>) -> Option<String> {
        match layout.map(|text| text.parse::<Layout>()).transpose() {
            Ok(layout) => {
                self.inner.bind(layout, incarnation.map(integer));
                None
            }
            Err(error) => Some(error.to_string()),
        }
    }

    /// Returns whether the holder can never issue an id again, because the sequencer has another
    /// layout or incarnation than the holder is bound to.
    #[must_use]
    #[wasm_bindgen(js_name = hasEnded)]
    pub fn has_ended(&self) -> bool {
        self.inner.has_ended()
    }

    /// Gives the lease back. The next `IdRequest` sends the release.
    pub fn detach(&mut self) {
        self.inner.detach();
    }

    /// Allows ids again after `detach`.
    pub fn attach(&mut self) {
        self.inner.attach();
    }

    /// Notes that an incarnation of the sequencer was destroyed.
    pub fn destroyed(&mut self, now_ms: f64, incarnation: f64) {
        self.inner.destroyed(integer(now_ms), integer(incarnation));
    }

    /// Notes that the sequencer was created.
    pub fn created(&mut self) {
        self.inner.created();
    }

    /// Returns the name of the holder's state.
    #[must_use]
    pub fn state(&self) -> String {
        self.inner.state().name().into()
    }

    /// Returns the code of the error that says why no id is available at `now_ms` (in Unix ms);
    /// `undefined` if an id is available.
    #[must_use]
    pub fn why(&mut self, now_ms: f64) -> Option<String> {
        self.inner.ready(integer(now_ms)).err().map(|error| error.code().into())
    }

    /// Returns the leased span, if there is one: node, first tick, first tick after the span, and
    /// incarnation.
    #[must_use]
    pub fn span(&self) -> Option<Vec<f64>> {
        let (span, incarnation) = (self.inner.span()?, self.inner.incarnation()?);
        let numbers = [span.node(), span.from_tick(), span.until_tick(), incarnation];
        Some(numbers.map(number).to_vec())
    }

    /// Returns the layout string of the sequencer, once the holder knows it.
    #[must_use]
    pub fn layout(&self) -> Option<String> {
        self.inner.config().map(|config| config.layout().to_string())
    }
}

// These are free functions, so that a bundler leaves them out of programs without a store.

/// Continues with the lease of a stored record. `random` has 64 random bits. Returns whether the
/// holder can continue with this lease.
#[wasm_bindgen]
pub fn resume(holder: &mut Holder, record: &str, random: u64) -> bool {
    let record = edgeflake_wire::parse(record).and_then(|record| edgeflake_wire::read(&record));
    record.is_ok_and(|record| holder.inner.resume(&record, random).is_ok())
}

/// Returns the record to store at `now_ms` (in Unix ms); `undefined` if there is no lease.
#[wasm_bindgen]
pub fn record(holder: &mut Holder, now_ms: f64) -> Option<String> {
    holder.record = holder.inner.record(integer(now_ms));
    holder.record.as_ref().map(edgeflake_wire::write)
}

/// Tells the holder that the newest [`record`] is stored.
#[wasm_bindgen]
pub fn written(holder: &mut Holder) {
    holder.inner.written(holder.record.as_ref());
}

/// Tells the holder that another process continues with the stored record.
#[wasm_bindgen]
pub fn lose(holder: &mut Holder) {
    holder.inner.lose();
}
