//! How likely a source is to have made an id.

use core::f64::consts::{LN_2, PI};

use super::dating::Dating;
use crate::layout::packing;
use crate::layout::{Layout, Role};
use crate::preset::Preset;

/// How likely an id is to have a date that cannot be.
const IMPLAUSIBLE: f64 = 1e-6;

/// How much likelier a ms of the last day is than one before.
const RECENT: f64 = 100.0;

/// 1 + 1/2 + ... + 1/n is about ln(n) plus this.
const EULER_GAMMA: f64 = 0.577_215_664_901_532_9;

/// 1 + 1/4 + 1/9 + ...
const INVERSE_SQUARES: f64 = PI * PI / 6.0;

/// How likely a source is to make just an id, and when it did.
#[derive(Clone, Copy)]
pub(super) struct Likelihood {
    /// Comparable among the sources of one id.
    pub(super) belief: f64,
    /// The id's date, in Unix ms.
    pub(super) instant_ms: u64,
}

impl Likelihood {
    /// Whether this one is larger than another, or as large and of a later date.
    pub(super) fn is_before(&self, other: &Self) -> bool {
        let later = || self.instant_ms.cmp(&other.instant_ms);
        self.belief.total_cmp(&other.belief).then_with(later).is_gt()
    }
}

/// How likely a system is to make just this id; `None` if it cannot.
pub(super) fn of_system(preset: &Preset, id: u64, now_ms: u64) -> Option<Likelihood> {
    let layout = &preset.layout;
    let (mut tick, mut unused) = (0, 0);
    // A fraction, because a division takes as long as all else that is done for a field.
    let (mut up, mut down) = (1.0, 1.0);
    let above = packing::each_value(layout.fields(), id, |role, bits, value| match role {
        Role::Unused => unused |= value,
        Role::Timestamp => tick = value,
        Role::Node | Role::Sequence | Role::Tag => {
            let (even, small) = odds(role, bits, value);
            up *= even + small;
            down *= 2.0 * even * small;
        }
    });
    if unused | above != 0 {
        return None;
    }
    let instant_ms = layout.start_ms(tick);
    let date = Dating::of(instant_ms, layout.epoch_ms(), preset.since_ms, now_ms);
    #[expect(clippy::cast_precision_loss, reason = "ticks are far below 2^53 ms")]
    let ms = layout.tick_ms() as f64 * date_belief(date);
    Some(Likelihood { belief: ms * up / down, instant_ms })
}

/// How likely the node's fields are to hold what they hold.
pub(super) fn node_belief(layout: &Layout, id: u64) -> f64 {
    let mut belief = 1.0;
    packing::each_value(layout.fields(), id, |role, bits, value| {
        if role == Role::Node {
            let (even, small) = odds(role, bits, value);
            belief *= (even + small) / (2.0 * even * small);
        }
    });
    belief
}

/// How likely a ms of such a date is.
pub(super) const fn date_belief(date: Dating) -> f64 {
    match date {
        Dating::Plausible => 1.0,
        Dating::Recent => RECENT,
        Dating::Future | Dating::BeforeSystem | Dating::AtEpoch => IMPLAUSIBLE,
    }
}

/// A value in so many bits is one of how many if all are equally likely, and if small ones are
/// likelier.
#[expect(clippy::cast_precision_loss, reason = "a few parts in 2^53 decide nothing")]
fn odds(role: Role, bits: u8, value: u64) -> (f64, f64) {
    let rank = value as f64 + 1.0;
    let small = match role {
        Role::Sequence => INVERSE_SQUARES * rank * rank,
        _ => (f64::from(bits) * LN_2 + EULER_GAMMA) * rank,
    };
    (packing::ones(bits) as f64 + 1.0, small)
}

/// Whether a value is likelier if small values are preferred than if all are equally likely; `None`
/// without fields of the role.
pub(super) fn is_small(layout: &Layout, role: Role, value: u64) -> Option<bool> {
    let bits = layout.role_bits(role);
    let (even, small) = odds(role, bits, value);
    (bits > 0).then_some(small <= even)
}
