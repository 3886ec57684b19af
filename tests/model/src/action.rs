//! What can happen next.

/// `isolate`, `letter` and `instance` are places in the lists of a world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Action {
    /// A request for one id, where the clock says `tick`, which may have waited for a timer.
    Request { isolate: usize, tick: u64, waits: bool },
    /// A request of the mail is decided, where the authority's clock says `tick`.
    Decide { isolate: usize, letter: usize, instance: usize, tick: u64, again: bool },
    /// A reply of the mail arrives. `passes`: what follows from it by the clock is over when the
    /// holder is asked next.
    Receive { isolate: usize, letter: usize, again: bool, passes: bool },
    /// The isolate is told that its call is lost.
    Fail { isolate: usize },
    /// The isolate gives its lease back, if it has one, and seeks another.
    Leave { isolate: usize },
    /// The isolate is gone without a word, and another one starts in its place.
    Crash { isolate: usize },
    /// The authority is evicted, or reset: the next one starts from the rows.
    Stop { instance: usize },
}

impl Action {
    pub(crate) const fn is_fault(&self) -> bool {
        match self {
            Self::Decide { again, .. } | Self::Receive { again, .. } => *again,
            Self::Fail { .. } | Self::Crash { .. } | Self::Stop { .. } => true,
            Self::Request { .. } | Self::Leave { .. } => false,
        }
    }
}
