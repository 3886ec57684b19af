use alloc::vec::Vec;

use crate::error::Error;
use crate::layout::Layout;
use crate::span::Span;

/// Records which hand-assigned nodes (nodes without a lease) are in use in one process or one
/// WebAssembly module.
///
/// Two generators of one node would issue the same ids, so [`claim`](Self::claim) refuses a node
/// that is in use. After a release, the next generator of the node starts where the released
/// generator ended. If two layouts have the same bits, node 7 of the first layout is also node 7 of
/// the second layout. The table protects only this process or module: another process can still use
/// the same node.
///
/// ```
/// use edgeflake::preset::{LEAF, TWITTER};
/// use edgeflake::{Error, Generator, Policy, StaticNodes};
///
/// let now_ms = TWITTER.epoch_ms() + 1_000;
/// let mut nodes = StaticNodes::new();
/// let mut ids = Generator::new(TWITTER, nodes.claim(&TWITTER, 7)?, Policy::default())?;
/// let last = ids.next(now_ms)?;
/// assert_eq!(nodes.claim(&TWITTER, 7), Err(Error::NodeInUse { node: 7 }));
/// assert_eq!(nodes.claim(&LEAF, 7), Err(Error::NodeInUse { node: 7 })); // the same bits
///
/// nodes.release(&TWITTER, 7, ids.close());
/// let mut ids = Generator::new(TWITTER, nodes.claim(&TWITTER, 7)?, Policy::default())?;
/// assert_eq!(ids.next(now_ms), Err(Error::Exhausted { retry_in_ms: 1 }));
/// assert!(ids.next(now_ms + 1)? > last);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Default)]
pub struct StaticNodes {
    nodes: Vec<StaticNode>,
}

#[derive(Debug)]
struct StaticNode {
    layout: Layout,
    node: u64,
    in_use: bool,
    from_tick: u64,
}

impl StaticNodes {
    /// Creates a table in which no node is in use.
    #[must_use]
    pub const fn new() -> Self {
        Self { nodes: Vec::new() }
    }

    /// Claims a node, and returns the span of the node's ticks that were not yet used according to
    /// this table.
    ///
    /// # Errors
    /// [`Error::NodeInUse`] for a node that was claimed and not released, [`Error::TooLarge`] for a
    /// node that the layout does not have, and [`Error::EmptySpan`] if all ticks of the node were
    /// used.
    pub fn claim(&mut self, layout: &Layout, node: u64) -> Result<Span, Error> {
        let Some(known) = self.find(layout, node) else {
            let span = Span::whole(layout, node)?;
            self.nodes.push(StaticNode { layout: *layout, node, in_use: true, from_tick: 0 });
            return Ok(span);
        };
        if known.in_use {
            return Err(Error::NodeInUse { node });
        }
        let span = Span::new(layout, node, known.from_tick, layout.ticks())?;
        known.in_use = true;
        Ok(span)
    }

    /// Gives a node back. `unused_tick` is the first tick that the node's generator did not use, as
    /// [`Generator::close`](crate::Generator::close) returns it. If the node is not in use, nothing
    /// changes.
    pub fn release(&mut self, layout: &Layout, node: u64, unused_tick: u64) {
        if let Some(known) = self.find(layout, node).filter(|known| known.in_use) {
            known.in_use = false;
            known.from_tick = known.from_tick.max(unused_tick);
        }
    }

    fn find(&mut self, layout: &Layout, node: u64) -> Option<&mut StaticNode> {
        self.nodes.iter_mut().find(|known| known.node == node && known.layout.has_bits_of(layout))
    }
}
