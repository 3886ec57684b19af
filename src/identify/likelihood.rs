//! How likely a system is to have issued an id.

use core::f64::consts::{LN_2, PI};

use super::candidate::{Candidate, Reasons};
use super::dating::Dating;
use super::source::Source;
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

/// How likely a system is to make just this id, as the share of a candidate; `None` if it cannot.
pub(super) fn of_system(preset: &'static Preset, id: u64, now_ms: u64) -> Option<Candidate> {
    let layout = &preset.layout;
    let parts = layout.unpack(id).ok()?;
    let instant_ms = layout.start_ms(parts.tick);
    let date = Dating::of(instant_ms, layout.epoch_ms(), preset.since_ms, now_ms);
    #[expect(clippy::cast_precision_loss, reason = "ticks are far below 2^53 ms")]
    let ms = layout.tick_ms() as f64 * date_belief(date);
    let share = ms
        * fields_belief(layout, id, |role| matches!(role, Role::Node | Role::Sequence | Role::Tag));
    let reasons = Reasons {
        date,
        unused_bits: packing::unused_bits(layout.fields()),
        node_small: is_small(layout, Role::Node, parts.node),
        sequence_small: is_small(layout, Role::Sequence, parts.sequence),
    };
    Some(Candidate { source: Source::System { preset, parts }, instant_ms, share, reasons })
}

/// How likely the fields of some roles are to hold what they hold.
pub(super) fn fields_belief(layout: &Layout, id: u64, has: impl Fn(Role) -> bool) -> f64 {
    let mut belief = 1.0;
    for (field, value) in layout.values(id) {
        if has(field.role()) {
            let bits = field.bits();
            belief *= even_belief(bits).midpoint(small_belief(field.role(), bits, value));
        }
    }
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

/// How likely a value is in so many bits, if small ones are likelier.
#[expect(clippy::cast_precision_loss, reason = "a few parts in 2^53 decide nothing")]
fn small_belief(role: Role, bits: u8, value: u64) -> f64 {
    let rank = value as f64 + 1.0;
    match role {
        Role::Sequence => 1.0 / INVERSE_SQUARES / (rank * rank),
        _ => 1.0 / (f64::from(bits) * LN_2 + EULER_GAMMA) / rank,
    }
}

/// How likely a value is in so many bits, if all are equally likely.
#[expect(clippy::cast_precision_loss, reason = "a few parts in 2^53 decide nothing")]
fn even_belief(bits: u8) -> f64 {
    1.0 / (packing::ones(bits) as f64 + 1.0)
}

/// Whether a value is likelier if small values are preferred than if all are equally likely; `None`
/// without fields of the role.
fn is_small(layout: &Layout, role: Role, value: u64) -> Option<bool> {
    let bits = layout.role_bits(role);
    (bits > 0).then(|| small_belief(role, bits, value) >= even_belief(bits))
}
