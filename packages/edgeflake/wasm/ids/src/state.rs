use edgeflake::Error;
use edgeflake::preset::Preset;
use spin::{Mutex, MutexGuard};

use crate::handles::Handles;

/// All that outlives a call.
pub(crate) struct State {
    /// As presets also those that are none, since a system's beginning matters to warnings.
    pub(crate) layouts: Handles<Preset>,
    pub(crate) generators: Handles<Generator>,
}

/// The ids of a static node.
pub(crate) struct Generator {
    pub(crate) ids: edgeflake::Generator,
    /// The reason why there was no id, until [`crate::explain`] hands it over.
    pub(crate) failure: Option<Error>,
}

static STATE: Mutex<State> =
    Mutex::new(State { layouts: Handles::new(), generators: Handles::new() });

/// The state of this memory. No call is made within a call, so only one that panicked keeps it: from
/// then on all of them do.
#[inline]
pub(crate) fn state() -> MutexGuard<'static, State> {
    STATE.try_lock().unwrap_or_else(|| unreachable!())
}
