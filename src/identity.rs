use core::ops::Range;

use crate::{Difference, Error, Layout, Role};

/// What makes a sequencer the one it is: bound when it is created, the same for good, and part of
/// every grant.
///
/// ```
/// use edgeflake::{Error, Identity, preset::TWITTER};
///
/// let identity = Identity::new(TWITTER, 512, 256, 2)?;
/// assert_eq!(identity.layout(), &TWITTER);
/// assert_eq!((identity.first_node(), identity.node_count(), identity.shards()), (512, 256, 2));
/// assert!(identity.has_node(767) && !identity.has_node(768) && !identity.has_node(511));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    layout: Layout,
    first_node: u64,
    node_count: u64,
    shards: u64,
}

impl Identity {
    /// Most nodes of a sequencer: those of 20 node bits, half a million isolates.
    ///
    /// ```
    /// use edgeflake::{Identity, preset::BAIDU};
    ///
    /// assert!(Identity::new(BAIDU, 0, Identity::NODE_COUNT_MAX, 1).is_ok());
    /// assert!(Identity::new(BAIDU, 0, Identity::NODE_COUNT_MAX + 1, 1).is_err());
    /// ```
    pub const NODE_COUNT_MAX: u64 = 1 << 20;

    /// The largest node that can be leased: messages and rows carry nodes as numbers, which some
    /// readers hold in a double.
    ///
    /// ```
    /// use edgeflake::{Error, Identity, Layout};
    ///
    /// let layout: Layout = "timestamp:10 node:54 @0".parse()?;
    /// assert!(Identity::new(layout, Identity::NODE_MAX, 1, 1).is_ok());
    /// assert!(Identity::new(layout, Identity::NODE_MAX + 1, 1, 1).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub const NODE_MAX: u64 = (1 << 53) - 1;

    /// Most shards of a sequencer. Half a million isolates with leases of 5 minutes call 3,500
    /// times a second, 55 times each of so many shards; one object answers some hundreds.
    ///
    /// ```
    /// use edgeflake::{Identity, preset::TWITTER};
    ///
    /// assert!(Identity::new(TWITTER, 0, 1_024, Identity::SHARDS_MAX).is_ok());
    /// assert!(Identity::new(TWITTER, 0, 1_024, Identity::SHARDS_MAX * 2).is_err());
    /// ```
    pub const SHARDS_MAX: u64 = 64;

    /// A sequencer of the nodes `first_node..first_node + node_count` of a layout, granted by
    /// `shards` objects, each of which has an equal part of the nodes.
    ///
    /// # Errors
    /// [`Error::NodeRange`] for no node, too many, or one that the layout does not have;
    /// [`Error::Shards`] unless the shards are a power of two of at most 64 that divides the nodes.
    ///
    /// ```
    /// use edgeflake::{Error, Identity, preset::TWITTER};
    ///
    /// assert!(Identity::new(TWITTER, 512, 512, 1).is_ok());
    /// assert!(matches!(Identity::new(TWITTER, 513, 512, 1), Err(Error::NodeRange { .. })));
    /// assert!(matches!(Identity::new(TWITTER, 0, 512, 3), Err(Error::Shards { .. })));
    /// ```
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
            return Err(Error::NodeRange { first_node, node_count, node_max });
        }
        if !shards.is_power_of_two()
            || shards > Self::SHARDS_MAX
            || !node_count.is_multiple_of(shards)
        {
            return Err(Error::Shards { shards, node_count });
        }
        Ok(Self { layout, first_node, node_count, shards })
    }

    /// What is different in another one, the first thing of it; `None` if they are the same.
    ///
    /// ```
    /// use edgeflake::{Difference, Identity, preset::TWITTER};
    ///
    /// let identity = Identity::new(TWITTER, 512, 256, 2)?;
    /// assert_eq!(identity.difference(&identity), None);
    /// let difference = identity.difference(&Identity::new(TWITTER, 512, 256, 4)?).unwrap();
    /// assert_eq!(difference, Difference::Shards { bound: 2, found: 4 });
    /// assert_eq!(difference.to_string(), "shards is 2, not 4");
    /// # Ok::<(), edgeflake::Error>(())
    /// ```
    #[must_use]
    pub fn difference(&self, found: &Self) -> Option<Difference> {
        Difference::between(self, found)
    }

    /// The layout of the ids.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The first node.
    #[must_use]
    pub const fn first_node(&self) -> u64 {
        self.first_node
    }

    /// How many nodes there are, from the first on.
    #[must_use]
    pub const fn node_count(&self) -> u64 {
        self.node_count
    }

    /// How many objects grant the nodes: 1, 2, 4 ... 64.
    #[must_use]
    pub const fn shards(&self) -> u64 {
        self.shards
    }

    /// Whether a node is one of the sequencer's.
    #[must_use]
    pub const fn has_node(&self, node: u64) -> bool {
        node >= self.first_node && node - self.first_node < self.node_count
    }

    /// The shard of a node; `None` for a node that is not one of the sequencer's.
    ///
    /// ```
    /// use edgeflake::{Identity, preset::TWITTER};
    ///
    /// let identity = Identity::new(TWITTER, 512, 256, 2)?;
    /// assert_eq!((identity.shard_of(639), identity.shard_of(640)), (Some(0), Some(1)));
    /// assert_eq!((identity.shard_of(511), identity.shard_of(768)), (None, None));
    /// # Ok::<(), edgeflake::Error>(())
    /// ```
    #[must_use]
    pub const fn shard_of(&self, node: u64) -> Option<u64> {
        if !self.has_node(node) {
            return None;
        }
        Some((node - self.first_node) / (self.node_count / self.shards))
    }

    /// The nodes of a shard, counted from 0; none for a shard that there is not. The first one is
    /// kept for batches, the others are granted.
    ///
    /// ```
    /// use edgeflake::{Identity, preset::TWITTER};
    ///
    /// let identity = Identity::new(TWITTER, 512, 256, 2)?;
    /// assert_eq!(identity.shard_nodes(0), 512..640);
    /// assert_eq!(identity.shard_nodes(1), 640..768);
    /// assert_eq!(identity.shard_nodes(2).count(), 0);
    /// # Ok::<(), edgeflake::Error>(())
    /// ```
    #[must_use]
    pub const fn shard_nodes(&self, shard: u64) -> Range<u64> {
        if shard >= self.shards {
            return 0..0;
        }
        let count = self.node_count / self.shards;
        let first = self.first_node + shard * count;
        first..first + count
    }
}
