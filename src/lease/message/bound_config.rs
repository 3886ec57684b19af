use core::fmt;
use core::ops::Range;

use crate::layout::{Layout, Role};
use crate::lease::error::Error;

/// The bound configuration of a sequencer. It is fixed when the sequencer is created (only the node
/// count can shrink), and is part of every grant.
///
/// ```
/// use edgeflake::lease::{BoundConfig, Error};
/// use edgeflake::preset::TWITTER;
///
/// let config = BoundConfig::new(TWITTER, 512, 256, 2)?;
/// assert_eq!(config.layout(), &TWITTER);
/// assert_eq!((config.first_node(), config.node_count(), config.shards()), (512, 256, 2));
/// assert!(config.has_node(767) && !config.has_node(768) && !config.has_node(511));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoundConfig {
    layout: Layout,
    first_node: u64,
    node_count: u64,
    shards: u64,
    /// The number of nodes at the end of the range that were given up.
    withdrawn: u64,
}

impl BoundConfig {
    /// The largest number of nodes of a sequencer: all nodes of 20 node bits, enough for half a
    /// million isolates.
    pub const NODE_COUNT_MAX: u64 = 1 << 20;

    /// The largest number of nodes per shard when a sequencer is created. An object of the platform
    /// has 128 MB of memory, and may share this memory with other objects. A table of this size
    /// takes 27 MB, and 31 MB while it grows to this size (104 bytes per node, as `tests/memory`
    /// counts), so three such tables fit side by side.
    pub const SHARD_NODES_MAX: u64 = 1 << 18;

    /// The largest node that can be leased. Some readers of messages and rows would round a larger
    /// node, because they hold nodes as JavaScript numbers.
    pub const NODE_MAX: u64 = (1 << 53) - 1;

    /// The largest number of shards of a sequencer. With 64 shards, even half a million isolates
    /// with leases of 5 minutes make only 55 calls per second per shard, far below 500, which is
    /// the most that one shard should do.
    pub const SHARDS_MAX: u64 = 64;

    /// Creates the configuration of a sequencer that has `node_count` nodes of a layout, from
    /// `first_node` on. Each of `shards` objects grants an equal part of these nodes.
    ///
    /// # Errors
    /// [`Error::NodeRange`] unless `node_count` is 1 to [`NODE_COUNT_MAX`](Self::NODE_COUNT_MAX)
    /// and the layout has all the nodes, and [`Error::Shards`] unless `shards` is a power of two up
    /// to 64 that divides `node_count`.
    pub const fn new(
        layout: Layout,
        first_node: u64,
        node_count: u64,
        shards: u64,
    ) -> Result<Self, Error> {
        let layout_max = layout.role_max(Role::Node);
        let node_max = if layout_max < Self::NODE_MAX { layout_max } else { Self::NODE_MAX };
        if node_count == 0
            || node_count > Self::NODE_COUNT_MAX
            || first_node > node_max
            || node_count - 1 > node_max - first_node
        {
            let node_count_max = Self::NODE_COUNT_MAX;
            return Err(Error::NodeRange { first_node, node_count, node_count_max, node_max });
        }
        if !shards.is_power_of_two()
            || shards > Self::SHARDS_MAX
            || !node_count.is_multiple_of(shards)
        {
            let shards_max = Self::SHARDS_MAX;
            return Err(Error::Shards { shards, node_count, shards_max });
        }
        Ok(Self { layout, first_node, node_count, shards, withdrawn: 0 })
    }

    /// Does the same as [`new`](Self::new), for a sequencer that is created now: its shards must
    /// have room for their nodes. The shards of a stored sequencer may have more nodes.
    ///
    /// # Errors
    /// The errors of [`new`](Self::new), and [`Error::ShardNodes`] for more than
    /// [`SHARD_NODES_MAX`](Self::SHARD_NODES_MAX) nodes per shard.
    pub const fn to_create(
        layout: Layout,
        first_node: u64,
        node_count: u64,
        shards: u64,
    ) -> Result<Self, Error> {
        let shard_nodes_max = Self::SHARD_NODES_MAX;
        match Self::new(layout, first_node, node_count, shards) {
            Ok(config) if node_count / shards > shard_nodes_max => {
                let shards_min = node_count.div_ceil(shard_nodes_max).next_power_of_two();
                let shards = config.shards;
                Err(Error::ShardNodes { node_count, shards, shard_nodes_max, shards_min })
            }
            config => config,
        }
    }

    /// Returns this configuration with fewer nodes. The nodes at the end of the range are given up,
    /// so that another sequencer may have them. Each shard keeps its first node, so only nodes of
    /// the last shard can be given up. Returns `None` for more nodes than there are, and for fewer
    /// than [`node_count_min`](Self::node_count_min).
    ///
    /// ```
    /// use edgeflake::lease::BoundConfig;
    /// use edgeflake::preset::TWITTER;
    ///
    /// let config = BoundConfig::new(TWITTER, 512, 256, 2)?.shrunk(200).unwrap();
    /// assert_eq!((config.node_count(), config.withdrawn()), (200, 56));
    /// assert_eq!((config.shard_nodes(0), config.shard_nodes(1)), (512..640, 640..712));
    /// assert!(config.shrunk(201).is_none() && config.shrunk(128).is_none());
    /// # Ok::<(), edgeflake::lease::Error>(())
    /// ```
    #[must_use]
    pub const fn shrunk(self, node_count: u64) -> Option<Self> {
        if node_count > self.node_count || node_count < self.node_count_min() {
            return None;
        }
        let withdrawn = self.withdrawn + self.node_count - node_count;
        Some(Self { node_count, withdrawn, ..self })
    }

    /// Returns the smallest number of nodes to which the sequencer can shrink. At that number, the
    /// last shard keeps only its first node.
    #[must_use]
    pub const fn node_count_min(&self) -> u64 {
        (self.shards - 1) * self.shard_size() + 1
    }

    /// Returns the number of nodes that a shard had before any were given up.
    const fn shard_size(&self) -> u64 {
        (self.node_count + self.withdrawn) / self.shards
    }

    /// Returns the first difference between this configuration and `found`; `None` if both are the
    /// same.
    ///
    /// ```
    /// use edgeflake::lease::{BoundConfig, Difference};
    /// use edgeflake::preset::TWITTER;
    ///
    /// let config = BoundConfig::new(TWITTER, 512, 256, 2)?;
    /// assert_eq!(config.difference(&config), None);
    /// let difference = config.difference(&BoundConfig::new(TWITTER, 512, 256, 4)?).unwrap();
    /// assert_eq!(difference, Difference::Shards { bound: 2, found: 4 });
    /// assert_eq!(difference.to_string(), "shards is 2, not 4");
    /// # Ok::<(), edgeflake::lease::Error>(())
    /// ```
    #[must_use]
    pub fn difference(&self, found: &Self) -> Option<Difference> {
        let differ = |bound: u64, found: u64| (bound != found).then_some((bound, found));
        if self.layout != found.layout {
            return Some(Difference::Layout { bound: self.layout, found: found.layout });
        }
        if let Some((bound, found)) = differ(self.first_node, found.first_node) {
            return Some(Difference::FirstNode { bound, found });
        }
        if let Some((bound, found)) = differ(self.node_count, found.node_count) {
            return Some(Difference::NodeCount { bound, found });
        }
        let (bound, found) = differ(self.shards, found.shards)?;
        Some(Difference::Shards { bound, found })
    }

    /// Returns the layout of the ids.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the first node.
    #[must_use]
    pub const fn first_node(&self) -> u64 {
        self.first_node
    }

    /// Returns the number of nodes, from the first node on.
    #[must_use]
    pub const fn node_count(&self) -> u64 {
        self.node_count
    }

    /// Returns the number of nodes at the end that were given up; see [`shrunk`](Self::shrunk).
    #[must_use]
    pub const fn withdrawn(&self) -> u64 {
        self.withdrawn
    }

    /// Returns the number of shards, one object each, that grant the nodes: 1, 2, 4 ... 64.
    #[must_use]
    pub const fn shards(&self) -> u64 {
        self.shards
    }

    /// Returns whether a node is one of the sequencer's nodes.
    #[must_use]
    pub const fn has_node(&self, node: u64) -> bool {
        node >= self.first_node && node - self.first_node < self.node_count
    }

    /// Returns the shard of a node; `None` for a node that the sequencer does not have.
    ///
    /// ```
    /// use edgeflake::lease::BoundConfig;
    /// use edgeflake::preset::TWITTER;
    ///
    /// let config = BoundConfig::new(TWITTER, 512, 256, 2)?;
    /// assert_eq!((config.shard_of(639), config.shard_of(640)), (Some(0), Some(1)));
    /// assert_eq!((config.shard_of(511), config.shard_of(768)), (None, None));
    /// # Ok::<(), edgeflake::lease::Error>(())
    /// ```
    #[must_use]
    pub const fn shard_of(&self, node: u64) -> Option<u64> {
        if !self.has_node(node) {
            return None;
        }
        Some((node - self.first_node) / self.shard_size())
    }

    /// Returns the nodes of a shard. The first shard has the number 0. If the sequencer has no
    /// shard with this number, returns an empty range. The first node is kept for batches, and the
    /// others are granted.
    ///
    /// ```
    /// use edgeflake::lease::BoundConfig;
    /// use edgeflake::preset::TWITTER;
    ///
    /// let config = BoundConfig::new(TWITTER, 512, 256, 2)?;
    /// assert_eq!(config.shard_nodes(0), 512..640);
    /// assert_eq!(config.shard_nodes(1), 640..768);
    /// assert_eq!(config.shard_nodes(2).count(), 0);
    /// # Ok::<(), edgeflake::lease::Error>(())
    /// ```
    #[must_use]
    pub const fn shard_nodes(&self, shard: u64) -> Range<u64> {
        if shard >= self.shards {
            return 0..0;
        }
        let (size, end) = (self.shard_size(), self.first_node + self.node_count);
        let first = self.first_node + shard * size;
        first..if first + size < end { first + size } else { end }
    }
}

/// A difference between a sequencer's bound configuration and another configuration.
#[expect(clippy::large_enum_variant, reason = "one difference exists at a time")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The layouts differ.
    Layout {
        /// The sequencer's layout.
        bound: Layout,
        /// The other layout.
        found: Layout,
    },
    /// The first nodes differ.
    FirstNode {
        /// The sequencer's first node.
        bound: u64,
        /// The other first node.
        found: u64,
    },
    /// The numbers of nodes differ.
    NodeCount {
        /// The sequencer's number of nodes.
        bound: u64,
        /// The other number of nodes.
        found: u64,
    },
    /// The numbers of shards differ.
    Shards {
        /// The sequencer's number of shards.
        bound: u64,
        /// The other number of shards.
        found: u64,
    },
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
