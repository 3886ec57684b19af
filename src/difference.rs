use core::fmt;

use crate::{Identity, Layout};

/// What a sequencer is bound to, and what was found instead.
///
/// ```
/// use edgeflake::{Difference, Identity, preset::{HAZELCAST, TWITTER}};
///
/// let bound = Identity::new(TWITTER, 0, 1_024, 1)?;
/// let found = Identity::new(HAZELCAST, 0, 65_536, 1)?;
/// assert_eq!(
///     bound.difference(&found),
///     Some(Difference::Layout { bound: TWITTER, found: HAZELCAST })
/// );
/// # Ok::<(), edgeflake::Error>(())
/// ```
#[expect(clippy::large_enum_variant, reason = "one at a time; without alloc, Copy")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Another layout.
    Layout {
        /// That of the sequencer.
        bound: Layout,
        /// The other one.
        found: Layout,
    },
    /// Another first node.
    FirstNode {
        /// That of the sequencer.
        bound: u64,
        /// The other one.
        found: u64,
    },
    /// Another number of nodes.
    NodeCount {
        /// That of the sequencer.
        bound: u64,
        /// The other one.
        found: u64,
    },
    /// Another number of shards.
    Shards {
        /// That of the sequencer.
        bound: u64,
        /// The other one.
        found: u64,
    },
}

impl Difference {
    pub(crate) fn between(bound: &Identity, found: &Identity) -> Option<Self> {
        let differ = |bound: u64, found: u64| (bound != found).then_some((bound, found));
        if bound.layout() != found.layout() {
            return Some(Self::Layout { bound: *bound.layout(), found: *found.layout() });
        }
        if let Some((bound, found)) = differ(bound.first_node(), found.first_node()) {
            return Some(Self::FirstNode { bound, found });
        }
        if let Some((bound, found)) = differ(bound.node_count(), found.node_count()) {
            return Some(Self::NodeCount { bound, found });
        }
        let (bound, found) = differ(bound.shards(), found.shards())?;
        Some(Self::Shards { bound, found })
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Layout { bound, found } => write!(f, "layout is {bound}, not {found}"),
            Self::FirstNode { bound, found } => write!(f, "first_node is {bound}, not {found}"),
            Self::NodeCount { bound, found } => write!(f, "node_count is {bound}, not {found}"),
            Self::Shards { bound, found } => write!(f, "shards is {bound}, not {found}"),
        }
    }
}
