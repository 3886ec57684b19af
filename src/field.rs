use core::fmt;

use crate::Error;

/// What a field of a [`Layout`](crate::Layout) holds.
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
    /// Always 0, such as a sign bit.
    Unused,
    /// Ticks since the epoch.
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

    /// The role's word in a layout's text form.
    ///
    /// ```
    /// assert_eq!(edgeflake::Role::Sequence.word(), "sequence");
    /// ```
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

/// The name of a field: 1 to 24 of the ASCII characters `a-z A-Z 0-9 - _`.
///
/// ```
/// use edgeflake::{Error, Name};
///
/// let longest = "n".repeat(Name::LENGTH_MAX);
/// assert_eq!(Name::new(&longest)?.as_str(), longest);
/// let longer = "n".repeat(Name::LENGTH_MAX + 1);
/// assert_eq!(Name::new(&longer), Err(Error::NameLength { length: 25 }));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Name {
    bytes: [u8; Self::LENGTH_MAX],
    length: u8,
}

impl Name {
    /// Longest name, in ASCII characters; the longest of a preset has 13. Names are kept inline,
    /// so that a layout and the errors about it are `Copy`.
    pub const LENGTH_MAX: usize = 24;

    /// Checks a name.
    ///
    /// # Errors
    /// [`Error::NameLength`] unless it has 1 to 24 bytes, [`Error::NameCharacter`] for a character
    /// that names do not have.
    ///
    /// ```
    /// use edgeflake::{Error, Name};
    ///
    /// assert_eq!(Name::new("datacenter")?.as_str(), "datacenter");
    /// assert_eq!(Name::new("data center"), Err(Error::NameCharacter { position: 4 }));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn new(name: &str) -> Result<Self, Error> {
        let name = name.as_bytes();
        if name.is_empty() || name.len() > Self::LENGTH_MAX {
            return Err(Error::NameLength { length: name.len() });
        }
        let mut bytes = [0; Self::LENGTH_MAX];
        let mut i = 0;
        while i < name.len() {
            if !name[i].is_ascii_alphanumeric() && name[i] != b'-' && name[i] != b'_' {
                return Err(Error::NameCharacter { position: i });
            }
            bytes[i] = name[i];
            i += 1;
        }
        #[expect(clippy::cast_possible_truncation, reason = "at most LENGTH_MAX")]
        Ok(Self { bytes, length: name.len() as u8 })
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // Only ASCII is ever stored, so the fallback is unreachable and costs no panic path.
        core::str::from_utf8(&self.bytes[..usize::from(self.length)]).unwrap_or_default()
    }

    pub(crate) const fn equals(&self, other: &Self) -> bool {
        let mut i = 0;
        while i < Self::LENGTH_MAX {
            if self.bytes[i] != other.bytes[i] {
                return false;
            }
            i += 1;
        }
        true
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

/// One field of a [`Layout`](crate::Layout): a run of bits with a name and a role.
///
/// ```
/// use edgeflake::{Error, Field, Role};
///
/// let field = Field::new("worker", Role::Node, 5)?;
/// assert_eq!(field.name().as_str(), "worker");
/// assert_eq!((field.role(), field.bits()), (Role::Node, 5));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    name: Name,
    role: Role,
    bits: u8,
}

impl Field {
    /// Stands in the places of a layout that has fewer fields than the most.
    pub(crate) const NONE: Self = Self {
        name: Name { bytes: [0; Name::LENGTH_MAX], length: 0 },
        role: Role::Unused,
        bits: 0,
    };

    /// A field of `bits` bits.
    ///
    /// # Errors
    /// Those of [`Name::new`], and [`Error::FieldWidth`] unless `bits` is 1 to 64.
    ///
    /// ```
    /// use edgeflake::{Error, Field, Role};
    ///
    /// assert_eq!(Field::new("datacenter", Role::Node, 5)?.bits(), 5);
    /// assert!(matches!(Field::new("node", Role::Node, 0), Err(Error::FieldWidth { .. })));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn new(name: &str, role: Role, bits: u8) -> Result<Self, Error> {
        let name = match Name::new(name) {
            Ok(name) => name,
            Err(error) => return Err(error),
        };
        if bits == 0 || bits > 64 {
            return Err(Error::FieldWidth { field: name, bits });
        }
        Ok(Self { name, role, bits })
    }

    /// The field's name.
    #[must_use]
    pub const fn name(&self) -> Name {
        self.name
    }

    /// What the field holds.
    #[must_use]
    pub const fn role(&self) -> Role {
        self.role
    }

    /// The field's width in bits, 1 to 64.
    #[must_use]
    pub const fn bits(&self) -> u8 {
        self.bits
    }
}
