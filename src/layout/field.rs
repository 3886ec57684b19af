use super::name::Name;
use super::role::Role;
use crate::error::Error;

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
    /// Fills the unused slots of a layout's array.
    pub(crate) const NONE: Self = Self { name: Name::NONE, role: Role::Unused, bits: 0 };

    /// Creates a field of `bits` bits.
    ///
    /// # Errors
    /// [`Error::NameLength`] unless the name has 1 to 24 bytes, [`Error::NameCharacter`] for a
    /// character that [names](crate::Name) may not have, and [`Error::FieldWidth`] unless `bits` is
    /// 1 to 64.
    ///
    /// ```
    /// use edgeflake::{Error, Field, Role};
    ///
    /// assert_eq!(Field::new("datacenter", Role::Node, 5)?.bits(), 5);
    /// assert!(matches!(Field::new("node", Role::Node, 0), Err(Error::FieldWidth { .. })));
    /// let refused = Field::new("data center", Role::Node, 5);
    /// assert_eq!(refused, Err(Error::NameCharacter { position: 4 }));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn new(name: &str, role: Role, bits: u8) -> Result<Self, Error> {
        let name = match checked(name.as_bytes()) {
            Ok(name) => name,
            Err(error) => return Err(error),
        };
        if bits == 0 || bits > 64 {
            return Err(Error::FieldWidth { field: name, bits });
        }
        Ok(Self { name, role, bits })
    }

    /// Returns the field's name.
    #[must_use]
    pub const fn name(&self) -> Name {
        self.name
    }

    /// Returns the role of the field.
    #[must_use]
    pub const fn role(&self) -> Role {
        self.role
    }

    /// Returns the field's width in bits, 1 to 64.
    #[must_use]
    pub const fn bits(&self) -> u8 {
        self.bits
    }
}

const fn checked(name: &[u8]) -> Result<Name, Error> {
    let mut bytes = [0; Name::LENGTH_MAX];
    let mut i = 0;
    while i < name.len() {
        if !name[i].is_ascii_alphanumeric() && name[i] != b'-' && name[i] != b'_' {
            return Err(Error::NameCharacter { position: i });
        }
        if i < Name::LENGTH_MAX {
            bytes[i] = name[i];
        }
        i += 1;
    }
    if name.is_empty() || name.len() > Name::LENGTH_MAX {
        return Err(Error::NameLength { length: name.len() });
    }
    #[expect(clippy::cast_possible_truncation, reason = "at most LENGTH_MAX")]
    Ok(Name::of(bytes, name.len() as u8))
}
