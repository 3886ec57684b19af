//! A call of one Durable Object.

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::found::message;
use crate::problem::Problem;

#[wasm_bindgen(module = "/src/objects/call.js")]
extern "C" {
    #[wasm_bindgen(js_name = namespaceOf, catch)]
    fn namespace_of(env: &JsValue, binding: &str, class: &str) -> Result<JsValue, JsValue>;

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
pub struct Namespace {
    binding: &'static str,
    /// The name by which the Worker's main module exports the class. Without a binding, the
    /// platform provides the namespace under this name.
    class: &'static str,
}

impl Namespace {
    /// The objects that grant leases.
    pub const AUTHORITY: Self = Self { binding: "AUTHORITY", class: "Authority" };

    /// The object that knows the names of the sequencers.
    pub const DIRECTORY: Self = Self { binding: "DIRECTORY", class: "Directory" };

    /// Checks that the Worker has the namespace.
    ///
    /// # Errors
    /// A problem that says what is missing.
    pub fn check(&self, env: &JsValue) -> Result<(), Problem> {
        let found = namespace_of(env, self.binding, self.class);
        found.map(|_| ()).map_err(|error| Problem::configuration(message(&error)))
    }
}

/// An object of a namespace.
pub struct Object<'a> {
    /// The variables and bindings of the Worker that calls.
    pub env: &'a JsValue,
    /// The namespace.
    pub of: Namespace,
    /// The name of the object.
    pub name: &'a str,
    /// Where the platform places the object if this is its first call.
    pub location_hint: Option<&'a str>,
}

impl Object<'_> {
    /// Returns a promise of the object's answer as text, or of `undefined` for status 404.
    pub fn ask(&self, method: &str, url: &str, body: Option<&str>) -> Promise {
        let Self { env, of: Namespace { binding, class }, name, location_hint } = *self;
        ask_js(env, binding, class, name, location_hint, method, url, body)
    }
}
