use super::role::Role;

/// The parts of an id.
///
/// ```
/// use edgeflake::{Error, Parts, preset::TWITTER};
///
/// // Datacenter 11 and worker 26, of 5 bits each.
/// let parts = Parts { tick: 367_597_485_448, node: 11 << 5 | 26, sequence: 0, tag: 0 };
/// assert_eq!(TWITTER.decode(1_541_815_603_606_036_480)?, parts);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Ticks since the layout's epoch.
    pub tick: u64,
    /// The node, as one number even if the layout splits the node over several fields.
    pub node: u64,
    /// The sequence within the tick, as one number even if the layout splits it over several
    /// fields.
    pub sequence: u64,
    /// The value of the tag fields; 0 in a layout without tag fields.
    pub tag: u64,
}

impl Parts {
    pub(crate) const fn roles(&self) -> [(Role, u64); 4] {
        [
            (Role::Timestamp, self.tick),
            (Role::Node, self.node),
            (Role::Sequence, self.sequence),
            (Role::Tag, self.tag),
        ]
    }
}
