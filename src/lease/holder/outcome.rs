use crate::lease::error::Error;

/// What a reply changed in the holder that received it, for statistics and logs.
///
/// ```
/// use edgeflake::lease::{CallFailed, Error, Holder, Outcome, Step, Wait};
///
/// let mut holder = Holder::new();
/// let step = holder.step(0, &mut Wait::default(), &mut [0], || 7);
/// let Step::Send(call) = step else { unreachable!() };
/// let failed = Outcome::Failed(Error::AuthorityUnreachable);
/// assert_eq!(holder.receive(9, call.number, Err(CallFailed)), failed);
/// assert_eq!(holder.receive(9, call.number, Err(CallFailed)), Outcome::Dropped);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The reply changed nothing, because no call of this number was outstanding.
    Dropped,
    /// The holder has a new span.
    Acquired,
    /// The span has a later end.
    Renewed,
    /// The span cannot be renewed; the holder uses it to its end.
    Ended,
    /// The holder has one more batch.
    Prefetched,
    /// The authority refused, did not answer, or answered something else.
    Failed(Error),
}
