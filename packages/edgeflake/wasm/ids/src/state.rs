use alloc::boxed::Box;

use edgeflake::identify::Classifier;
use edgeflake::preset::Preset;
use edgeflake::{Decoder, Error, Layout};
use spin::{Mutex, MutexGuard};

use crate::handles::Handles;

/// The data that is kept between calls.
pub(crate) struct State {
    pub(crate) layouts: Handles<Known>,
    pub(crate) generators: Handles<Generator>,
    /// The estimated source of the ids that are identified next.
    pub(crate) column: Option<Box<Classifier>>,
}

/// A layout that JavaScript holds a handle to.
pub(crate) struct Known {
    pub(crate) layout: Layout,
    /// The preset by whose name the layout was made. Some warnings depend on the time at which the
    /// preset's system began.
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
    /// The reason why there was no id, until [`crate::explain`] takes it.
    pub(crate) failure: Option<Error>,
}

static STATE: Mutex<State> =
    Mutex::new(State { layouts: Handles::new(), generators: Handles::new(), column: None });

/// Locks the state. Calls are not nested, so another call holds the lock only if that call
/// panicked. In that case every later call panics, too.
#[inline]
pub(crate) fn state() -> MutexGuard<'static, State> {
    STATE.try_lock().unwrap_or_else(|| unreachable!())
}
