//! Writes the log as lines of JSON. `docs/OPERATING.md` lists the fields and the events. `npm run
//! generate` makes the list of events from the table in this file.

use js_sys::{JSON, Object, Reflect};
use wasm_bindgen::JsValue;
use web_sys::console;

/// The importance of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Something went wrong.
    Error,
    /// An operator should look at this.
    Warn,
    /// No action is needed.
    Info,
}

/// Defines the events. Each event has a meaning, a name in the log, and a level.
macro_rules! events {
    ($($(#[doc = $meaning:literal])+ $event:ident, $name:literal, $level:ident;)+) => {
        /// An event of the log.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Event {
            $($(#[doc = $meaning])+ $event,)+
        }

        impl Event {
            /// All events.
            pub const ALL: &[Self] = &[$(Self::$event),+];

            /// Returns the event's name in the log.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$event => $name,)+ }
            }

            /// Returns the importance of the event.
            pub const fn level(self) -> Level {
                match self { $(Self::$event => Level::$level,)+ }
            }

            /// Returns when the event happens, for the documents.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$event => concat!($($meaning),+),)+ }
            }
        }
    };
}

events! {
    /// A caller asked over HTTP, or by `admin` of `edgeflake/authority` or of the crate
    /// `edgeflake-workers`, to create a sequencer; `outcome` says whether the request succeeded.
    SequencerCreated, "sequencer-created", Info;
    /// A caller asked to shrink a sequencer; `outcome` says whether the request succeeded.
    SequencerShrunk, "sequencer-shrunk", Info;
    /// A caller asked to destroy a sequencer; `outcome` says whether the request succeeded.
    SequencerDestroyed, "sequencer-destroyed", Info;
    /// A request had no token, an unknown token, or a token of too low a role. The log never
    /// contains the token.
    TokenRefused, "token-refused", Info;
    /// A variable, secret, binding or class cannot be used. An isolate logs this once.
    ConfigurationRefused, "configuration-refused", Error;
    /// The variables differ from the bound configuration of `default`.
    ConfigurationDiffers, "configuration-differs", Warn;
    /// An object did not answer. The isolate that called the object logs this event.
    CallFailed, "call-failed", Error;
    /// An object could not answer. The object itself logs this event, with the reason.
    ObjectFailed, "object-failed", Error;
    /// A shard's storage was [restored or emptied](#restoring-storage); the message says the
    /// storage's version before and after this, and when the shard's nodes start.
    StorageRolledBack, "storage-rolled-back", Error;
    /// A witness has forgotten how far its shard got, because the witness was [restored or
    /// emptied](#restoring-storage). If the shard was restored, too, follow the steps for both;
    /// otherwise do nothing.
    WitnessRolledBack, "witness-rolled-back", Error;
    /// On Node: the HTTP server around edgeflake's code failed to answer a request.
    RequestFailed, "request-failed", Error;
    /// `edgeflake authority serve` listens at `host` and `port`; `witness` is the directory of its
    /// witnesses.
    Serving, "serving", Info;
    /// `edgeflake authority serve` has answered a request, or the caller has gone (`status` 499).
    Request, "request", Info;
    /// `edgeflake authority serve` got the signal `signal`, and answers the requests that have
    /// arrived.
    Ending, "ending", Info;
    /// `edgeflake authority serve` has answered all requests, and has closed its files.
    Ended, "ended", Info;
    /// The WebAssembly code crashed; the next call runs in a fresh instance.
    Panic, "panic", Error;
}

/// Writes an event into the log.
pub fn write(event: Event, message: &str) {
    Audit { message, ..Audit::of(event) }.write();
}

/// A log line. Its optional fields are about the request that caused the event.
#[derive(Debug)]
pub struct Audit<'a> {
    /// The event.
    pub event: Event,
    /// A sentence about what happened.
    pub message: &'a str,
    /// The name of the sequencer.
    pub sequencer: Option<&'a str>,
    /// The sequencer's incarnation, below 2^53.
    pub incarnation: Option<u64>,
    /// The role of the token, or the role that the request needed.
    pub role: Option<&'a str>,
    /// `ok`, or the name of a problem.
    pub outcome: Option<&'a str>,
    /// The header `CF-Ray` of the request.
    pub ray: Option<&'a str>,
    /// The number of events of this kind since the previous log line about this kind.
    pub count: Option<u32>,
}

impl Audit<'_> {
    /// Creates a line that contains only the event.
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

    /// Writes the line to the log, at the level of its event.
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
