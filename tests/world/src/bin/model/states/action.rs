//! The actions that lead from one state to the next.

/// An action. `isolate` is an index of the world's isolates, `letter` of the isolate's mail, and
/// `instance` of the object's instances. With `again`, the message stays in the mail, as if it had
/// been sent twice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Action {
    /// A request for one id comes at `tick` of the isolate's clock. With `waits`, the request has
    /// waited for a timer.
    Request { isolate: usize, tick: u64, waits: bool },
    /// An authority decides a request from the mail at `tick` of the authority's clock.
    Decide { isolate: usize, letter: usize, instance: usize, tick: u64, again: bool },
    /// The server carries out a statement from the mail at `tick` of the server's clock. With
    /// `is_replicated`, the standby gets the write, too.
    CarryOut { isolate: usize, letter: usize, tick: u64, is_replicated: bool },
    /// The standby is promoted.
    FailOver,
    /// A reply from the mail arrives. Some replies make the holder use batches for a time. With
    /// `passes`, this time ends before the holder's next step.
    Receive { isolate: usize, letter: usize, again: bool, passes: bool },
    /// The isolate is told that its call is lost.
    Fail { isolate: usize },
    /// The isolate gives its lease back, if it has one, and asks for another one.
    Leave { isolate: usize },
    /// The isolate disappears, and another one starts in its place.
    Crash { isolate: usize },
    /// The authority is evicted or reset. The next one will start from the stored rows.
    Stop { instance: usize },
}

impl Action {
    pub(crate) const fn is_fault(&self) -> bool {
        match self {
            Self::Decide { again, .. } | Self::Receive { again, .. } => *again,
            Self::Fail { .. } | Self::Crash { .. } | Self::Stop { .. } | Self::FailOver => true,
            Self::Request { .. } | Self::Leave { .. } | Self::CarryOut { .. } => false,
        }
    }
}
