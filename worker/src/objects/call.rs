//! A call of one Durable Object.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use worker::Env;
use worker::js_sys::Promise;

use crate::promise::{Unanswered, settled};

#[wasm_bindgen(module = "/authority/src/objects/call.js")]
extern "C" {
    #[wasm_bindgen(js_name = ask)]
    fn ask_js(
        env: &JsValue,
        binding: &str,
        class: &str,
        name: &str,
        location_hint: Option<&str>,
        method: &str,
        url: &str,
        body: Option<&str>,
    ) -> Promise;
}

/// The namespace of a class.
pub(crate) struct Namespace {
    pub(crate) binding: &'static str,
    /// The name by which the Worker's main module exports the class. Where nothing is bound, the
    /// platform gives the namespace by it.
    pub(crate) class: &'static str,
}

/// An object of a namespace.
pub(crate) struct Object<'a> {
    pub(crate) env: &'a Env,
    /// The namespace.
    pub(crate) of: &'static Namespace,
    pub(crate) name: &'a str,
    pub(crate) location_hint: Option<&'a str>,
}

impl Object<'_> {
    /// The text that the object answers; `None` for a 404. A call that fails is logged.
    pub(crate) async fn ask(
        &self,
        method: &str,
        url: &str,
        body: Option<&str>,
    ) -> Result<Option<String>, Unanswered> {
        let Self { env, of: Namespace { binding, class }, name, location_hint } = *self;
        let promise = ask_js(env.as_ref(), binding, class, name, location_hint, method, url, body);
        Ok(settled(promise, url).await?.as_string())
    }
}
