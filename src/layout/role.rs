/// The meaning of a field of a [`Layout`](crate::Layout).
///
/// ```
/// use edgeflake::{Field, Role, preset::RESOURCE_TYPE};
///
/// let roles: Vec<Role> = RESOURCE_TYPE.fields().iter().map(Field::role).collect();
/// let (node, tag, sequence) = (Role::Node, Role::Tag, Role::Sequence);
/// assert_eq!(roles, [Role::Unused, Role::Timestamp, node, tag, node, sequence]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The bits are always 0, for example a sign bit.
    Unused,
    /// The ticks since the epoch.
    Timestamp,
    /// The node, or a part of it.
    Node,
    /// The sequence within one tick, or a part of it.
    Sequence,
    /// A value that the caller gives, such as a resource type.
    Tag,
}

impl Role {
    pub(crate) const ALL: [Self; 5] =
        [Self::Unused, Self::Timestamp, Self::Node, Self::Sequence, Self::Tag];

    /// Returns the role's word in a layout string.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Unused => "unused",
            Self::Timestamp => "timestamp",
            Self::Node => "node",
            Self::Sequence => "sequence",
            Self::Tag => "tag",
        }
    }
}
