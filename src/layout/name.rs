use core::fmt;

/// The name of a field: 1 to 24 of the ASCII characters `a-z A-Z 0-9 - _`.
///
/// ```
/// use edgeflake::{Error, Field, Name, Role};
///
/// let longest = "n".repeat(Name::LENGTH_MAX);
/// assert_eq!(Field::new(&longest, Role::Node, 5)?.name().as_str(), longest);
/// let longer = "n".repeat(Name::LENGTH_MAX + 1);
/// assert_eq!(Field::new(&longer, Role::Node, 5), Err(Error::NameLength { length: 25 }));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Name {
    bytes: [u8; Self::LENGTH_MAX],
    length: u8,
}

impl Name {
    /// The largest length of a name, in ASCII characters. The longest name in a preset has 13
    /// characters. Names are kept inline, so that a layout and the errors about it are `Copy`.
    pub const LENGTH_MAX: usize = 24;

    /// The name of the placeholder `Field::NONE`.
    pub(super) const NONE: Self = Self { bytes: [0; Self::LENGTH_MAX], length: 0 };

    /// Makes a name of the first `length` bytes, which [`Field::new`](crate::Field::new) has
    /// checked.
    pub(super) const fn of(bytes: [u8; Self::LENGTH_MAX], length: u8) -> Self {
        Self { bytes, length }
    }

    /// Returns the name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // The bytes are always ASCII, so the fallback is never used. Unlike a panic, the fallback
        // does not enlarge the compiled code.
        core::str::from_utf8(&self.bytes[..usize::from(self.length)]).unwrap_or_default()
    }

    pub(super) const fn equals(&self, other: &Self) -> bool {
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

/// Writes the name without padding, whatever width the format string asks for, because padding
/// would add 450 bytes to a WebAssembly module.
impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}
