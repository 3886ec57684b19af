//! edgeflake in JavaScript. This crate translates and computes nothing itself; `../index.d.ts`
//! documents what it exports.
#![warn(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod decoded;
mod error;
mod id;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::decoded::Decoded;
use crate::error::Error;

/// How the bits of an id are divided, and what time its ticks count.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Layout {
    inner: edgeflake::Layout,
}

#[wasm_bindgen]
impl Layout {
    /// The layout of a known system.
    ///
    /// # Errors
    /// `unknown-preset`.
    pub fn preset(name: &str) -> Result<Layout, Error> {
        let preset = edgeflake::preset::named(name)
            .ok_or_else(|| Error::UnknownPreset { name: name.into() })?;
        Ok(Self { inner: preset.layout })
    }

    /// The layout of a text form.
    ///
    /// # Errors
    /// `invalid-layout`.
    pub fn parse(text: &str) -> Result<Layout, Error> {
        Ok(Self { inner: text.parse()? })
    }

    /// The layout's text form.
    #[must_use]
    #[wasm_bindgen(js_name = toString)]
    pub fn text(&self) -> String {
        self.inner.to_string()
    }

    /// What an id, a bigint or a decimal string, says in this layout.
    ///
    /// # Errors
    /// `invalid-id` and `unused-bits`.
    pub fn decode(&self, id: JsValue) -> Result<Decoded, Error> {
        decoded::decode(&self.inner, id::read(id)?)
    }
}

/// The names that `Layout.preset` knows.
#[must_use]
#[wasm_bindgen]
pub fn presets() -> Vec<String> {
    edgeflake::preset::ALL.iter().map(|preset| preset.name.into()).collect()
}
