//! The events of the log. Their table in `docs/MONITORING.md` is made from this one.

/// How important an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Something went wrong.
    Error,
    /// Something should be looked at.
    Warn,
    /// Somebody did something.
    Info,
}

/// Defines the events: what an event says, its name in the log, and its level.
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

            /// The name in the log.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$event => $name,)+ }
            }

            /// How important the event is.
            pub const fn level(self) -> Level {
                match self { $(Self::$event => Level::$level,)+ }
            }

            /// When the event happens, for the documents.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$event => concat!($($meaning),+),)+ }
            }
        }
    };
}

events! {
    /// A caller asked over HTTP, or by `admin` of `edgeflake/authority` or of the crate
    /// `edgeflake-workers`, to create a sequencer; `outcome` says whether it was done.
    SequencerCreated, "sequencer-created", Info;
    /// The same, to shrink a sequencer.
    SequencerShrunk, "sequencer-shrunk", Info;
    /// The same, to destroy a sequencer.
    SequencerDestroyed, "sequencer-destroyed", Info;
    /// The token of a request was missing, unknown or of too low a role; the token itself is never
    /// logged.
    TokenRefused, "token-refused", Info;
    /// A variable, secret, binding or class cannot be used. An isolate logs this once.
    ConfigurationRefused, "configuration-refused", Error;
    /// The variables differ from the bound configuration of `default`.
    ConfigurationDiffers, "configuration-differs", Warn;
    /// Logged by the isolate that called: an object did not answer.
    CallFailed, "call-failed", Error;
    /// Logged by the object: why it could not answer.
    ObjectFailed, "object-failed", Error;
    /// A shard's storage was [restored or emptied](OPERATIONS.md#restoring-storage); the message
    /// says from which version to which, and when its nodes start.
    StorageRolledBack, "storage-rolled-back", Error;
    /// A witness has forgotten how far its shard got, because the witness was [restored or
    /// emptied](OPERATIONS.md#restoring-storage). Do nothing, unless its shard was restored, too: then
    /// follow the steps there.
    WitnessRolledBack, "witness-rolled-back", Error;
    /// On Node: the HTTP server around edgeflake's code failed to answer a request.
    RequestFailed, "request-failed", Error;
    /// The WebAssembly code crashed; the next call runs in a fresh instance.
    Panic, "panic", Error;
}
