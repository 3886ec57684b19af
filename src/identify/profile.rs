use alloc::vec::Vec;

use super::dating::Dating;
use super::likelihood::{IMPLAUSIBLE, Odds, RECENT};
use super::unix_time;
use super::unix_unit::UnixUnit;
use crate::instant::gregorian::DAY_MS;
use crate::layout::{Role, packing};
use crate::preset::{self, Preset};

/// The profiles of all sources, with everything that is the same for all ids and so is computed
/// once.
#[derive(Clone, Debug)]
pub(super) struct Profiles {
    systems: Vec<Profile>,
    pub(super) now_ms: u64,
    /// The beginning of the last day, in Unix ms.
    recent_ms: u64,
    /// The first date that is in the future, in Unix ms.
    future_ms: u64,
}

impl Profiles {
    pub(super) fn at(now_ms: u64) -> Self {
        let systems = preset::ALL.iter().map(Profile::new).collect();
        let recent_ms = now_ms.saturating_sub(DAY_MS);
        let future_ms = now_ms.saturating_add(Dating::FUTURE_MS + 1);
        Self { systems, now_ms, recent_ms, future_ms }
    }

    /// Returns the profile of the system in a place; `None` for Unix time.
    pub(super) fn system(&self, place: usize) -> Option<&Profile> {
        self.systems.get(place)
    }

    /// Returns the likelihood that the source in a place makes exactly this id; 0 if it cannot. It
    /// is comparable among the sources of one id. A node that is known is no evidence.
    pub(super) fn likelihood(&self, place: usize, id: u64, is_node_known: bool) -> f64 {
        if let Some(system) = self.systems.get(place) {
            if id & system.zeros != 0 {
                return 0.0;
            }
            let likelihood = system.likelihood(id, is_node_known);
            let date = self.date_likelihood(system.instant_ms(id), system.first_ms);
            return date.map_or(likelihood * IMPLAUSIBLE, |date| likelihood * date);
        }
        let Some(unit) = unit(place) else { return 0.0 };
        let date = self.date_likelihood(unix_time::instant_ms(unit, id), unix_time::SINCE_MS);
        date.map_or(0.0, |date| date * unix_time::likelihood(unit, id))
    }

    /// Returns the likelihood of a ms of a date; `None` for a date in the future or before the
    /// first one.
    #[inline]
    fn date_likelihood(&self, instant_ms: u64, first_ms: u64) -> Option<f64> {
        if instant_ms < first_ms || instant_ms >= self.future_ms {
            None
        } else if instant_ms < self.recent_ms {
            Some(1.0)
        } else {
            Some(RECENT)
        }
    }

    /// Returns the date of an id from the source in a place, in Unix ms.
    pub(super) fn instant_ms(&self, place: usize, id: u64) -> u64 {
        if let Some(system) = self.systems.get(place) {
            return system.instant_ms(id);
        }
        unit(place).map_or(0, |unit| unix_time::instant_ms(unit, id))
    }
}

/// Returns the unit of Unix time in a place.
fn unit(place: usize) -> Option<UnixUnit> {
    UnixUnit::ALL.get(place - preset::ALL.len()).copied()
}

/// The largest number of fields that a preset has besides its timestamp and unused ones.
const FIELDS_MAX: usize = 4;

/// The common properties of a system's ids.
#[derive(Clone, Debug)]
pub(super) struct Profile {
    /// The bits that are always 0.
    zeros: u64,
    /// The bits that are always 0, and the bits of all nodes.
    zeros_and_nodes: u64,
    tick_shift: u32,
    tick_mask: u64,
    epoch_ms: u64,
    /// The first date that is neither at the epoch nor before the system began, in Unix ms.
    first_ms: u64,
    tick_ms: u64,
    /// The likelihood of a tick, of which each ms is as likely as another.
    tick_likelihood: f64,
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
    #[expect(clippy::cast_precision_loss, reason = "ticks are far below 2^53 ms")]
    fn new(preset: &Preset) -> Self {
        let layout = &preset.layout;
        let zeros = !packing::largest(layout.fields());
        let mut profile = Self {
            zeros,
            zeros_and_nodes: zeros,
            tick_shift: 0,
            tick_mask: 0,
            epoch_ms: layout.epoch_ms(),
            first_ms: preset.since_ms.max(layout.epoch_ms() + Dating::EPOCH_MS),
            tick_ms: layout.tick_ms(),
            tick_likelihood: layout.tick_ms() as f64,
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

    /// Returns the likelihood that the system makes exactly this id at the id's date.
    fn likelihood(&self, id: u64, is_node_known: bool) -> f64 {
        // This is a fraction, because a division takes as long as everything else that is done for
        // a field.
        let (mut up, mut down) = (self.tick_likelihood, 1.0);
        for field in self.fields.iter().take(self.field_count) {
            if is_node_known && field.is_node {
                continue;
            }
            let (even, small) = field.odds(id);
            up *= even + small;
            down *= 2.0 * even * small;
        }
        up / down
    }

    #[inline]
    const fn instant_ms(&self, id: u64) -> u64 {
        self.epoch_ms + (id >> self.tick_shift & self.tick_mask) * self.tick_ms
    }

    /// Returns the bits of an id that are equal for two ids of one node. The bits of the timestamp
    /// are 0.
    pub(super) const fn node_bits(&self, id: u64) -> u64 {
        id & self.zeros_and_nodes
    }
}
