use crate::lease::error::Error;

/// What a reply changed in the holder that received it, for statistics and logs.
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
