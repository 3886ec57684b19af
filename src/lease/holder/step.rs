use crate::lease::error::Error;
use crate::lease::message::Request;

/// The next step of a request.
#[expect(clippy::large_enum_variant, reason = "a request has one step at a time")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Use the ids, because the request has all of them.
    Done,
    /// Send this call in the background, so that the call outlives the request, and ask the holder
    /// again at once.
    Send(Call),
    /// Sleep on a timer of the request's own, report the timer to
    /// [`Wait::fired`](crate::lease::Wait::fired), and ask the holder again.
    Sleep {
        /// The length of the sleep in ms, at least 1.
        ms: u64,
    },
    /// Give up. Discard the ids that were filled in so far. The holder gives them to another
    /// request only if you call [`Holder::cancel`](crate::lease::Holder::cancel).
    Failed {
        /// The reason why the request fails.
        error: Error,
        /// The time in ms after which another try can succeed; `None` if no try can.
        retry_in_ms: Option<u64>,
    },
}

/// A request that you send to the authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// The number of the call. Give it to [`Holder::receive`](crate::lease::Holder::receive) with
    /// the reply.
    pub number: u64,
    /// The shard that granted the lease, for a renew or a release; `None` if a
    /// [`ShardRouter`](crate::lease::ShardRouter) chooses the shard.
    pub shard: Option<u64>,
    /// The request to send.
    pub request: Request,
    /// The number of times that the call was sent before.
    pub tries: u64,
}

/// The change that a reply caused in the holder, for statistics and logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The reply changed nothing, because its call was not outstanding.
    Dropped,
    /// The holder has a new span.
    Acquired,
    /// The span has a later end.
    Renewed,
    /// The span cannot be renewed; the holder uses it to its end.
    Ended,
    /// The holder has one more batch.
    Prefetched,
    /// The authority refused, did not answer, or gave an unexpected answer.
    Failed(Error),
}
