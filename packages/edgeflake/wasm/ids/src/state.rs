use alloc::boxed::Box;

use edgeflake::identify::Classifier;
use edgeflake::preset::Preset;
use edgeflake::{Decoder, Error, Layout};
use spin::{Mutex, MutexGuard};

use crate::handles::Handles;

/// Everything that outlives a call.
pub(crate) struct State {
    pub(crate) layouts: Handles<Known>,
    pub(crate) generators: Handles<Generator>,
    /// The judgement of the ids that are identified next.
    pub(crate) column: Option<Box<Classifier>>,
}

/// A layout that JavaScript has a handle of.
pub(crate) struct Known {
    pub(crate) layout: Layout,
    /// The preset whose name stood for the layout. Warnings need to know when its system began.
    pub(crate) preset: Option<&'static Preset>,
    pub(crate) decoder: Decoder,
}

impl Known {
    pub(crate) fn new(layout: Layout, preset: Option<&'static Preset>) -> Self {
        Self { layout, preset, decoder: Decoder::new(&layout) }
    }
}

/// A generator whose node was assigned by hand.
pub(crate) struct Generator {
    pub(crate) ids: edgeflake::Generator,
    /// Why there was no id, until [`crate::explain`] takes it.
    pub(crate) failure: Option<Error>,
}

static STATE: Mutex<State> =
    Mutex::new(State { layouts: Handles::new(), generators: Handles::new(), column: None });

/// The state of this memory. Calls are not nested, so the lock is held by another call only if
/// that call panicked. Then every later call panics, too.
#[inline]
pub(crate) fn state() -> MutexGuard<'static, State> {
    STATE.try_lock().unwrap_or_else(|| unreachable!())
}
