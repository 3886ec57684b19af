//! Which layouts have the same bits, whatever their fields are called.

use super::packing::FIELDS_MAX;
use super::role::Role;
use super::{Field, Layout};
use crate::sentence::Word::{Number, Text};
use crate::sentence::say;

/// Adjacent bits of one role: the role, and how many bits there are.
type Run = (Role, u8);

impl Layout {
    /// Passes the layout string to `listener`, without names, with adjacent fields of one role
    /// merged, and without unused bits at the top. Layouts that make equal ids from equal parts
    /// have equal strings.
    ///
    /// ```
    /// use edgeflake::preset::{LEAF, TWITTER};
    ///
    /// let mut bits = String::new();
    /// TWITTER.say_bits(&mut |piece| bits.push_str(piece));
    /// assert_eq!(bits, "timestamp:41 node:10 sequence:12 @1288834974657 tick=1ms");
    ///
    /// let mut same = String::new();
    /// LEAF.say_bits(&mut |piece| same.push_str(piece));
    /// assert_eq!(bits, same);
    /// ```
    pub fn say_bits(&self, listener: &mut dyn FnMut(&str)) {
        let (runs, count) = self.runs();
        for (role, bits) in &runs[..count] {
            say(listener, "{}:{} ", &[Text(role.word()), Number((*bits).into())]);
        }
        let (epoch, tick) = (Number(self.epoch_ms()), Number(self.tick_ms()));
        say(listener, "@{} tick={}ms", &[epoch, tick]);
    }

    /// Whether this layout and another one make equal ids from equal parts.
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
