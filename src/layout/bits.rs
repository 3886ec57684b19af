//! Compares layouts by their bits, whatever the names of their fields are.

use core::fmt;

use super::packing::FIELDS_MAX;
use super::role::Role;
use super::{Field, Layout};

/// Adjacent bits of one role, as the role and the number of bits.
type Run = (Role, u8);

/// Writes the [nameless](Layout::nameless) string of a layout.
struct Nameless<'a>(&'a Layout);

impl fmt::Display for Nameless<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (runs, count) = self.0.runs();
        for (role, bits) in &runs[..count] {
            f.write_str(role.word())?;
            write!(f, ":{bits} ")?;
        }
        write!(f, "@{} tick={}ms", self.0.epoch_ms(), self.0.tick_ms())
    }
}

impl Layout {
    /// Returns the layout string without names, with adjacent fields of one role merged, and
    /// without unused bits at the top. Layouts that make equal ids from equal parts have equal
    /// strings.
    ///
    /// ```
    /// use edgeflake::preset::{LEAF, TWITTER};
    ///
    /// let bits = TWITTER.nameless().to_string();
    /// assert_eq!(bits, "timestamp:41 node:10 sequence:12 @1288834974657 tick=1ms");
    /// assert_eq!(bits, LEAF.nameless().to_string());
    /// ```
    #[must_use]
    pub fn nameless(&self) -> impl fmt::Display {
        Nameless(self)
    }

    /// Returns whether this layout and `other` make equal ids from equal parts.
    pub(crate) fn has_bits_of(&self, other: &Self) -> bool {
        let ((own, own_count), (others, other_count)) = (self.runs(), other.runs());
        own[..own_count] == others[..other_count]
            && (self.epoch_ms(), self.tick_ms()) == (other.epoch_ms(), other.tick_ms())
    }

    fn runs(&self) -> ([Run; FIELDS_MAX], usize) {
        let mut runs = [(Role::Unused, 0); FIELDS_MAX];
        let mut count = 0;
        for field in self.fields() {
            let is_joined = count > 0 && runs[count - 1].0 == field.role();
            let is_above_all = count == 0 && field.role() == Role::Unused;
            if is_joined {
                runs[count - 1].1 += Field::bits(field);
            } else if !is_above_all {
                runs[count] = (field.role(), field.bits());
                count += 1;
            }
        }
        (runs, count)
    }
}
