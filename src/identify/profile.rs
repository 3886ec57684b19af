use alloc::vec::Vec;

use super::dating::Dating;
use super::likelihood::{Likelihood, Odds, date_belief};
use super::unix_time;
use super::unix_unit::UnixUnit;
use crate::layout::{Role, packing};
use crate::preset::{self, Preset};

/// What ids of each source look like: what is the same for all ids is computed once.
#[derive(Clone, Debug)]
pub(super) struct Profiles {
    systems: Vec<Profile>,
    pub(super) now_ms: u64,
}

impl Profiles {
    pub(super) fn at(now_ms: u64) -> Self {
        let systems = preset::ALL.iter().map(Profile::new).collect();
        Self { systems, now_ms }
    }

    /// That of the system in a place; `None` for Unix time.
    pub(super) fn system(&self, place: usize) -> Option<&Profile> {
        self.systems.get(place)
    }

    /// How likely the source in a place is to make just this id; `None` if it cannot. A node that is
    /// known is no evidence.
    pub(super) fn likelihood(
        &self,
        place: usize,
        id: u64,
        is_node_known: bool,
    ) -> Option<Likelihood> {
        if let Some(system) = self.systems.get(place) {
            return system.likelihood(id, is_node_known, self.now_ms);
        }
        let unit = *UnixUnit::ALL.get(place - preset::ALL.len())?;
        unix_time::likelihood(unit, id, self.now_ms)
    }
}

/// How many fields a preset has beside its timestamp and what is unused, at most.
const FIELDS_MAX: usize = 4;

/// What ids of a system look like.
#[derive(Clone, Debug)]
pub(super) struct Profile {
    /// The bits that are always 0.
    zeros: u64,
    /// These, and the bits of all nodes.
    zeros_and_nodes: u64,
    tick_shift: u32,
    tick_mask: u64,
    preset: &'static Preset,
    fields: [Field; FIELDS_MAX],
    field_count: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Field {
    shift: u32,
    mask: u64,
    odds: Odds,
    is_node: bool,
}

impl Field {
    #[inline]
    fn odds(&self, id: u64) -> (f64, f64) {
        self.odds.of(id >> self.shift & self.mask)
    }
}

impl Profile {
    fn new(preset: &'static Preset) -> Self {
        let layout = &preset.layout;
        let zeros = !packing::largest(layout.fields());
        let mut profile = Self {
            zeros,
            zeros_and_nodes: zeros,
            tick_shift: 0,
            tick_mask: 0,
            preset,
            fields: [Field::default(); FIELDS_MAX],
            field_count: 0,
        };
        let mut shift = 0;
        for field in layout.fields().iter().rev() {
            let (role, bits) = (field.role(), field.bits());
            let mask = packing::ones(bits);
            match role {
                Role::Unused => {}
                Role::Timestamp => (profile.tick_shift, profile.tick_mask) = (shift, mask),
                Role::Node | Role::Sequence | Role::Tag => {
                    let is_node = role == Role::Node;
                    if is_node {
                        profile.zeros_and_nodes |= mask << shift;
                    }
                    let odds = Odds::new(role, bits);
                    profile.fields[profile.field_count] = Field { shift, mask, odds, is_node };
                    profile.field_count += 1;
                }
            }
            shift += u32::from(bits);
        }
        profile
    }

    /// How likely the system is to make just this id; `None` if it cannot.
    #[expect(clippy::cast_precision_loss, reason = "ticks are far below 2^53 ms")]
    fn likelihood(&self, id: u64, is_node_known: bool, now_ms: u64) -> Option<Likelihood> {
        if id & self.zeros != 0 {
            return None;
        }
        // A fraction, because a division takes as long as all else that is done for a field.
        let (mut up, mut down) = (1.0, 1.0);
        for field in &self.fields[..self.field_count] {
            if is_node_known && field.is_node {
                continue;
            }
            let (even, small) = field.odds(id);
            up *= even + small;
            down *= 2.0 * even * small;
        }
        let Preset { layout, since_ms, .. } = self.preset;
        let tick = id >> self.tick_shift & self.tick_mask;
        let instant_ms = layout.epoch_ms() + tick * layout.tick_ms();
        let date = Dating::of(instant_ms, layout.epoch_ms(), *since_ms, now_ms);
        let belief = layout.tick_ms() as f64 * date_belief(date) * up / down;
        Some(Likelihood { belief, instant_ms })
    }

    /// Whether another id can be of the system, too, and of the same node as this one.
    pub(super) const fn is_of_one_node(&self, other: u64, id: u64) -> bool {
        (other ^ id) & self.zeros_and_nodes == 0
    }
}
