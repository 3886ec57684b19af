use edgeflake::preset::Preset;
use edgeflake::{Decoder, Error};
use spin::{Mutex, MutexGuard};

use crate::handles::Handles;

/// All that outlives a call.
pub(crate) struct State {
    pub(crate) layouts: Handles<Known>,
    pub(crate) generators: Handles<Generator>,
}

/// A layout that JavaScript has.
pub(crate) struct Known {
    /// A layout that is no preset has one, too, because a system's beginning matters to warnings.
    pub(crate) preset: Preset,
    pub(crate) decoder: Decoder,
}

impl Known {
    pub(crate) fn new(preset: Preset) -> Self {
        Self { preset, decoder: Decoder::new(&preset.layout) }
    }
}

/// The ids of a static node.
pub(crate) struct Generator {
    pub(crate) ids: edgeflake::Generator,
    /// The reason why there was no id, until [`crate::explain`] hands it over.
    pub(crate) failure: Option<Error>,
}

static STATE: Mutex<State> =
    Mutex::new(State { layouts: Handles::new(), generators: Handles::new() });

/// The state of this memory. No call is made within a call, so only one that panicked keeps it:
/// from then on all of them do.
#[inline]
pub(crate) fn state() -> MutexGuard<'static, State> {
    STATE.try_lock().unwrap_or_else(|| unreachable!())
}
