//! The log. Each line is JSON; `docs/MONITORING.md` lists the events and the fields.

use js_sys::{JSON, Object, Reflect};
use wasm_bindgen::JsValue;
use web_sys::console;

use crate::event::{Event, Level};

/// Writes an event into the log.
pub fn log(event: Event, message: &str) {
    Audit { message, ..Audit::of(event) }.write();
}

/// A log line about a caller's request that matters to the operator.
#[derive(Debug)]
pub struct Audit<'a> {
    /// The event.
    pub event: Event,
    /// A sentence that says what happened.
    pub message: &'a str,
    /// The name of the sequencer.
    pub sequencer: Option<&'a str>,
    /// Its incarnation, below 2^53.
    pub incarnation: Option<u64>,
    /// The role of the token, or the one that was needed.
    pub role: Option<&'a str>,
    /// `ok`, or the name of a problem.
    pub outcome: Option<&'a str>,
    /// The header `CF-Ray` of the request.
    pub ray: Option<&'a str>,
    /// The number of times that this event has happened since its last line.
    pub count: Option<u32>,
}

impl Audit<'_> {
    /// A line that says nothing but the event.
    #[must_use]
    pub const fn of(event: Event) -> Self {
        Self {
            event,
            message: "",
            sequencer: None,
            incarnation: None,
            role: None,
            outcome: None,
            ray: None,
            count: None,
        }
    }

    /// Writes the line into the log, at the level of its event.
    pub fn write(&self) {
        let line = self.line();
        match self.event.level() {
            Level::Error => console::error_1(&line),
            Level::Warn => console::warn_1(&line),
            Level::Info => console::info_1(&line),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "an incarnation is below 2^53")]
    fn line(&self) -> JsValue {
        let Self { event, message, sequencer, incarnation, role, outcome, ray, count } = *self;
        let line = Object::new();
        for (name, value) in [
            ("event", Some(event.name().into())),
            ("message", Some(message.into())),
            ("sequencer", sequencer.map(JsValue::from)),
            ("incarnation", incarnation.map(|incarnation| (incarnation as f64).into())),
            ("role", role.map(JsValue::from)),
            ("outcome", outcome.map(JsValue::from)),
            ("ray", ray.map(JsValue::from)),
            ("count", count.map(JsValue::from)),
        ] {
            if let Some(value) = value {
                // Setting a property of a new object cannot fail.
                let _ = Reflect::set(&line, &name.into(), &value);
            }
        }
        JSON::stringify(&line).map_or(JsValue::UNDEFINED, Into::into)
    }
}
