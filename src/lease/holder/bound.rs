use crate::layout::Layout;
use crate::lease::error::Error;

/// What a holder is bound to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    pub(super) layout: Option<Layout>,
    /// The incarnation; `None` until the first grant or batch.
    pub(super) incarnation: Option<u64>,
    /// Why the holder issues no more ids; `None` while it may.
    pub(super) ended: Option<Error>,
}
