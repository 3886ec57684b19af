use crate::layout::Layout;
use crate::lease::error::Error;

/// The layout and the incarnation to which a holder is bound.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    pub(super) layout: Option<Layout>,
    /// The incarnation; `None` until the first grant or batch.
    pub(super) incarnation: Option<u64>,
    /// The reason why the holder issues no more ids; `None` while it may issue ids.
    pub(super) ended: Option<Error>,
}
