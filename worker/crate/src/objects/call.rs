//! Calls Durable Objects, and reads their answers.

use edgeflake::lease::{Error, Refusal};
use edgeflake_wire::{OVERLOADED_MS, misconfiguration};
use js_sys::{Function, Reflect};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
#[cfg(feature = "authority")]
use web_sys::ResponseInit;
use web_sys::{RequestInit, Response};

use crate::found::{message, shown};
use crate::log::{self, Event};
use crate::problem::{Problem, note_mistake};
use crate::settings::table::WITNESS;

/// The HTTP status of an object's answer if the object cannot read its storage.
pub const UNREADABLE: u16 = 507;

/// The HTTP status of a shard's answer if the witness of the shard does not answer.
pub(crate) const UNWITNESSED: u16 = 504;

/// The text of SQLite's error if the disk has no room for a write.
const FULL: &str = "database or disk is full";

/// If the variable [`WITNESS`] has this value, shards run without a witness.
const NONE: &str = "none";

#[wasm_bindgen(module = "cloudflare:workers")]
extern "C" {
    /// The classes that the Worker's main module exports, as namespaces of Durable Objects.
    #[wasm_bindgen(thread_local_v2, js_name = exports)]
    static EXPORTS: JsValue;
}

#[wasm_bindgen]
extern "C" {
    /// A namespace of Durable Objects.
    #[derive(Clone, Debug)]
    pub type Namespace;

    #[wasm_bindgen(method, catch, js_name = getByName)]
    fn get_by_name(this: &Namespace, name: &str, options: &JsValue) -> Result<Stub, JsValue>;

    type Stub;

    #[wasm_bindgen(method, catch)]
    async fn fetch(this: &Stub, url: &str, init: &RequestInit) -> Result<Response, JsValue>;
}

/// The reason why an object did not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// More requests wait for the object than the platform allows.
    Overloaded,
    /// The object cannot read its storage.
    Unreadable,
    /// The object cannot write because its disk is full.
    Unwritable,
    /// The object's witness does not answer.
    Unwitnessed,
    /// The object's Worker is configured wrongly.
    Misconfigured,
    /// The call failed for any other reason.
    Failed,
}

impl NoAnswer {
    /// Returns the refusal that matches this reason; `None` if the call counts as unanswered.
    pub(crate) const fn refusal(self) -> Option<Refusal> {
        match self {
            Self::Overloaded => Some(Refusal::Overloaded { retry_in_ms: OVERLOADED_MS }),
            Self::Unreadable => Some(Refusal::Unreadable),
            Self::Misconfigured => Some(Refusal::InvalidConfiguration),
            Self::Unwritable | Self::Unwitnessed | Self::Failed => None,
        }
    }

    /// Returns the problem that matches this reason.
    pub fn problem(self) -> Problem {
        match self {
            Self::Misconfigured => {
                Problem::issuing(&Error::Refused(Refusal::InvalidConfiguration), None)
            }
            _ => Problem::unreachable(),
        }
    }
}

impl Namespace {
    /// Returns the namespace of the objects that grant leases.
    ///
    /// # Errors
    /// A problem that says which binding and class are missing.
    pub fn authority(env: &JsValue) -> Result<Self, Problem> {
        Self::bound(env, "AUTHORITY", "Authority").map_err(Problem::configuration)
    }

    /// Returns the namespace of the object that stores the names of the sequencers.
    ///
    /// # Errors
    /// A problem that says which binding and class are missing.
    pub fn directory(env: &JsValue) -> Result<Self, Problem> {
        Self::bound(env, "DIRECTORY", "Directory").map_err(Problem::configuration)
    }

    /// Returns the namespace of the witnesses; `None` if a variable turns witnesses off.
    ///
    /// # Errors
    /// A text that says which binding and class are missing, or which value was found instead.
    pub fn witness(env: &JsValue) -> Result<Option<Self>, String> {
        let found = Reflect::get(env, &WITNESS.into()).unwrap_or_default();
        if found.is_undefined() {
            return Self::bound(env, "DIRECTORY", "Directory").map(Some);
        }
        if found.as_string().as_deref() == Some(NONE) {
            return Ok(None);
        }
        Self::of(found).map(Some).map_err(|found| {
            let allowed = format_args!("give a binding of the class Directory, or the text {NONE}");
            format!("{WITNESS} is {}: {allowed}", shown(&found))
        })
    }

    /// If the variable or binding [`WITNESS`] is set, checks its value.
    ///
    /// # Errors
    /// A problem that says what was found, and what is allowed.
    pub fn check_witness(env: &JsValue) -> Result<(), Problem> {
        let is_given = Reflect::get(env, &WITNESS.into()).is_ok_and(|found| !found.is_undefined());
        if is_given {
            Self::witness(env).map(|_| ()).map_err(Problem::configuration)
        } else {
            Ok(())
        }
    }

    /// Returns the namespace of the binding, or else the namespace that the platform provides for
    /// the exported class.
    fn bound(env: &JsValue, binding: &str, class: &str) -> Result<Self, String> {
        let get = |of: &JsValue, name: &str| Reflect::get(of, &name.into()).ok();
        let bound = get(env, binding).filter(|found| !found.is_undefined());
        let found = bound.or_else(|| EXPORTS.with(|exports| get(exports, class)));
        // Without a migration, the platform provides the class itself instead of a namespace.
        found.and_then(|found| Self::of(found).ok()).ok_or_else(|| {
            format!(
                "there is no binding {binding} and no exported class {class} with a migration: add \
                 {{ \"name\": \"{binding}\", \"class_name\": \"{class}\" }} to \
                 durable_objects.bindings"
            )
        })
    }

    fn of(found: JsValue) -> Result<Self, JsValue> {
        let method = Reflect::get(&found, &"getByName".into());
        let is_namespace = method.is_ok_and(|method| method.is_instance_of::<Function>());
        if is_namespace { Ok(found.unchecked_into()) } else { Err(found) }
    }
}

/// An object of a namespace.
#[derive(Clone, Debug)]
pub struct Object {
    /// The namespace of the object.
    pub namespace: Namespace,
    /// The name of the object.
    pub name: String,
    /// The location where the platform creates the object at its first call.
    pub location_hint: Option<&'static str>,
}

impl Object {
    /// Sends a request to the object. Returns the object's answer as text, or `None` if the status
    /// is 404. If the object does not answer, logs the reason.
    ///
    /// # Errors
    /// The reason why the object does not answer.
    pub async fn ask(
        &self,
        method: &str,
        url: &str,
        body: Option<&str>,
    ) -> Result<Option<String>, NoAnswer> {
        self.answer(method, url, body).await.map_err(|(why, error)| {
            if why != NoAnswer::Misconfigured {
                log::write(Event::CallFailed, &format!("{url} did not answer: {error}"));
            }
            why
        })
    }

    /// Does the same as [`ask`](Self::ask), but logs nothing.
    pub(crate) async fn answer(
        &self,
        method: &str,
        url: &str,
        body: Option<&str>,
    ) -> Result<Option<String>, (NoAnswer, String)> {
        let init = RequestInit::new();
        init.set_method(method);
        if let Some(body) = body {
            init.set_body(&body.into());
        }
        let answered = async {
            // After an exception, a stub must not be used again, so each call gets its own stub.
            let stub = self.stub()?;
            let response = stub.fetch(url, &init).await?;
            let text = JsFuture::from(response.text()?).await?.as_string().unwrap_or_default();
            Ok((response.status(), text))
        };
        let (status, text) = answered.await.map_err(|error: JsValue| {
            let is_overloaded = Reflect::get(&error, &"overloaded".into());
            let is_overloaded = is_overloaded.is_ok_and(|is| is.is_truthy());
            let why = if is_overloaded { NoAnswer::Overloaded } else { NoAnswer::Failed };
            (why, message(&error))
        })?;
        let why = match status {
            200 => return Ok(Some(text)),
            404 => return Ok(None),
            UNREADABLE => NoAnswer::Unreadable,
            UNWITNESSED => NoAnswer::Unwitnessed,
            _ => {
                if let Some(mistake) = misconfiguration(&text) {
                    note_mistake(mistake);
                    return Err((NoAnswer::Misconfigured, text));
                }
                if text.contains(FULL) { NoAnswer::Unwritable } else { NoAnswer::Failed }
            }
        };
        Err((why, format!("status {status}: {text}")))
    }

    fn stub(&self) -> Result<Stub, JsValue> {
        let options = js_sys::Object::new();
        if let Some(hint) = self.location_hint {
            Reflect::set(&options, &"locationHint".into(), &hint.into())?;
        }
        self.namespace.get_by_name(&self.name, &options)
    }
}

/// Creates the answer of an object: a response with this status and text.
#[cfg(feature = "authority")]
pub(crate) fn response(status: u16, text: &str) -> Result<Response, JsValue> {
    if status == 200 {
        return Response::new_with_opt_str(Some(text));
    }
    let init = ResponseInit::new();
    init.set_status(status);
    Response::new_with_opt_str_and_init(Some(text), &init)
}
