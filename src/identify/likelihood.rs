//! The likelihood that a source has made an id.

use core::f64::consts::{LN_2, PI};

use crate::layout::packing;
use crate::layout::{Layout, Role};

/// The likelihood of a date that cannot be.
pub(super) const IMPLAUSIBLE: f64 = 1e-6;

/// The factor by which a ms of the last day is likelier than an earlier one.
pub(super) const RECENT: f64 = 100.0;

/// The constant by which 1 + 1/2 + ... + 1/n exceeds ln(n), for a large n.
const EULER_GAMMA: f64 = 0.577_215_664_901_532_9;

/// The sum 1 + 1/4 + 1/9 + ...
const INVERSE_SQUARES: f64 = PI * PI / 6.0;

/// The odds of the values of a field. A value has the likelihood 1 in n.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Odds {
    /// The n of each value if all values are equally likely.
    even: f64,
    /// For nodes and tags: the n of a value if small values are likelier, divided by the value's
    /// rank.
    ranked: f64,
    /// For sequences: the n of a value if small values are likelier, divided by the square of its
    /// rank.
    squared: f64,
}

impl Odds {
    #[expect(clippy::cast_precision_loss, reason = "a few parts in 2^53 decide nothing")]
    pub(super) fn new(role: Role, bits: u8) -> Self {
        let even = packing::ones(bits) as f64 + 1.0;
        match role {
            Role::Sequence => Self { even, ranked: 0.0, squared: INVERSE_SQUARES },
            _ => Self { even, ranked: f64::from(bits) * LN_2 + EULER_GAMMA, squared: 0.0 },
        }
    }

    /// Returns the n of a value, first if all values are equally likely, then if small ones are
    /// likelier.
    #[expect(clippy::cast_precision_loss, reason = "a few parts in 2^53 decide nothing")]
    #[inline]
    pub(super) fn of(&self, value: u64) -> (f64, f64) {
        // Signed numbers become floating-point ones by one instruction.
        let rank = value.cast_signed() as f64 + 1.0;
        (self.even, rank * (self.ranked + rank * self.squared))
    }
}

/// Returns whether a value is likelier if small values are preferred than if all are equally
/// likely; `None` without fields of the role.
pub(super) fn is_small(layout: &Layout, role: Role, value: u64) -> Option<bool> {
    let bits = layout.role_bits(role);
    let (even, small) = Odds::new(role, bits).of(value);
    (bits > 0).then_some(small <= even)
}
