//! Estimates the probability that each source has made an id.

use super::dating::Dating;
use super::spread::{Odds, power};
use super::unix_time::{self, UNITS};
use crate::instant::gregorian::DAY_MS;
use crate::layout::{Role, packing};
use crate::preset::{self, Kind, Preset};

/// The number of sources: all presets and all units of Unix time.
pub(super) const SOURCES: usize = preset::ALL.len() + UNITS.len();

/// The number of sources plus the number of kinds of unknown systems.
pub(super) const COUNT: usize = SOURCES + UNKNOWN.len();

/// The number of ids that come from each kind of unknown system, among [`MET`] ids, in the order of
/// the results of [`unknown`].
const UNKNOWN: [f64; 4] = [6.0, 6.0, 3.0, 3.0];

/// The share of ids that were made within the last day, among the ids that people look up.
const RECENT: f64 = 0.05;

/// The number of ids that come from each source and each kind of unknown system, among [`MET`] ids
/// that people look up. These numbers are guesses.
pub(super) static COMMON: [f64; COUNT] = counts();

/// The sum of [`COMMON`].
pub(super) const MET: f64 = {
    let (counts, mut total, mut place) = (counts(), 0.0, 0);
    while place < COUNT {
        total += counts[place];
        place += 1;
    }
    total
};

const fn counts() -> [f64; COUNT] {
    let (mut counts, mut place) = ([2.0; COUNT], 0);
    while place < COUNT {
        if place < preset::ALL.len() {
            let Preset { name, kind, .. } = preset::ALL[place];
            counts[place] = match (name.as_bytes(), kind) {
                (b"discord", _) => 50.0,
                (b"twitter", _) => 30.0,
                (_, Kind::Service) => 8.0,
                (b"bwmarrin", _) => 3.0,
                (b"sonyflake-v2", _) => 1.0,
                (b"cosid-js" | b"js-safe" | b"edge", _) => 0.5,
                (b"snowid", _) => 0.2,
                (_, Kind::Library) => 1.5,
                (_, Kind::Example) => 0.15,
            };
        } else if place >= SOURCES {
            counts[place] = UNKNOWN[place - SOURCES];
        }
        place += 1;
    }
    counts
}

/// The models of all sources at one time.
#[derive(Clone, Debug)]
pub(super) struct Models {
    systems: [System; preset::ALL.len()],
    unix: Ticks,
    pub(super) now_ms: u64,
}

impl Models {
    pub(super) fn at(now_ms: u64) -> Self {
        let systems = core::array::from_fn(|place| System::new(place, now_ms));
        let unix = Ticks::new((0, 1), unix_time::SINCE_MS, u64::MAX, now_ms, 1.0);
        Self { systems, unix, now_ms }
    }

    /// Estimates the probability that each source has made an id. The probability is 0 if the
    /// source cannot have made the id, for example because its date is in the future.
    pub(super) fn believe(&self, id: u64) -> [f64; COUNT] {
        let (mut beliefs, mut total) = ([0.0; COUNT], 0.0);
        for (belief, system) in beliefs.iter_mut().zip(&self.systems) {
            *belief = system.likelihood(id);
            total += *belief;
        }
        let unit = unix_time::unit(id);
        let (place, date) = (preset::ALL.len() + unit, unix_time::instant_ms(unit, id));
        let date = COMMON[place] * self.unix.likelihood(date);
        beliefs[place] = date * unix_time::resolution_ms(unit, id);
        total += beliefs[place];
        for (kind, likelihood) in unknown(id).into_iter().enumerate() {
            beliefs[SOURCES + kind] = UNKNOWN[kind] * likelihood;
            total += beliefs[SOURCES + kind];
        }
        for belief in &mut beliefs {
            // Most beliefs are 0, and dividing takes longer than comparing.
            if *belief > 0.0 {
                *belief /= total;
            }
        }
        beliefs
    }

    /// Returns whether the source at an index is a system whose unused bits are 0 in an id.
    pub(super) fn fits(&self, place: usize, id: u64) -> bool {
        self.systems.get(place).is_some_and(|system| id & system.zeros == 0)
    }

    /// Returns the date, in Unix ms, of an id from the source at an index.
    pub(super) fn instant_ms(&self, place: usize, id: u64) -> u64 {
        match self.systems.get(place) {
            Some(system) => system.clock.0 + system.tick(id) * system.clock.1,
            None => unix_time::instant_ms(place - self.systems.len(), id),
        }
    }
}

/// Returns how likely a number is for each kind of unknown system. The kinds are: random numbers;
/// numbers of any length; ids of an unknown epoch whose node and sequence have Twitter's bits; and
/// ids of an unknown epoch with a node in the lowest 16 bits.
fn unknown(id: u64) -> [f64; UNKNOWN.len()] {
    let any = power(used(id, u64::MAX)) / 64.0;
    let sequence = used(id, 0xfff);
    let node = power(used(id >> 12, 0x3ff)) / 11.0;
    // The timestamp begins at bit 22. An epoch is rarely more than 2^39 ms (17 years) ago.
    let epoch = if id >> 61 == 0 { power(40) } else { power(46) };
    let snowflake = epoch * node * power(sequence) * power(sequence + 2);
    let low_node = epoch * power(9) * power(used(id, 0xffff)) / 17.0;
    [power(65), any, snowflake, low_node]
}

/// Returns the number of bits that the value of a field needs.
const fn used(id: u64, mask: u64) -> usize {
    (u64::BITS - (id & mask).leading_zeros()) as usize
}

/// The epoch of a layout in Unix ms, and the length of its tick in ms.
type Clock = (u64, u64);

/// The likelihoods of ticks. The last tick is three times as likely as the first tick, and ticks of
/// the last day are likelier still.
#[derive(Clone, Copy, Debug)]
struct Ticks {
    first: u64,
    recent: u64,
    until: u64,
    likelihood: f64,
    slope: f64,
    bonus: f64,
}

#[expect(clippy::cast_precision_loss, reason = "ticks are below 2^53")]
impl Ticks {
    /// Creates the likelihoods of the ticks between two dates, but not of ticks that are later than
    /// now by more than [`Dating::FUTURE_MS`]. The likelihoods sum to about `weight`.
    fn new(clock: Clock, first_ms: u64, end_ms: u64, now_ms: u64, weight: f64) -> Self {
        let (epoch_ms, tick_ms) = clock;
        let tick = |ms: u64| ms.saturating_sub(epoch_ms).div_ceil(tick_ms);
        let first = tick(first_ms);
        let until = tick(end_ms.min(now_ms.saturating_add(Dating::FUTURE_MS + 1)));
        let day = DAY_MS / tick_ms;
        let count = until.saturating_sub(first).max(day) as f64;
        let (even, bonus) = (weight * (1.0 - RECENT) / count, weight * RECENT / day as f64);
        let recent = tick(now_ms.saturating_sub(DAY_MS));
        Self { first, recent, until, likelihood: 0.5 * even, slope: even / count, bonus }
    }

    /// Returns the likelihood of a tick; 0 if the tick is impossible.
    fn likelihood(&self, tick: u64) -> f64 {
        if tick < self.first || tick >= self.until {
            return 0.0;
        }
        let bonus = if tick >= self.recent { self.bonus } else { 0.0 };
        // Converting a signed number to floating point takes one instruction, and converting an
        // unsigned number takes more.
        self.likelihood + self.slope * (tick - self.first).cast_signed() as f64 + bonus
    }
}

/// The model of a system's ids.
#[derive(Clone, Debug)]
struct System {
    /// The bits that are 0 in all ids of the system.
    zeros: u64,
    shift: u32,
    mask: u64,
    clock: Clock,
    ticks: Ticks,
    fields: [Values; FIELDS_MAX],
}

/// The largest number of fields in a preset, without its timestamp and unused fields.
const FIELDS_MAX: usize = 4;

/// The bits of a field of a system, and the likelihoods of its values.
#[derive(Clone, Copy, Debug)]
struct Values {
    shift: u32,
    mask: u64,
    odds: Odds,
}

impl System {
    fn new(place: usize, now_ms: u64) -> Self {
        let Preset { layout, since_ms, .. } = &preset::ALL[place];
        let clock = (layout.epoch_ms(), layout.tick_ms());
        let first_ms = (layout.epoch_ms() + Dating::EPOCH_MS).max(*since_ms);
        let mut system = Self {
            zeros: !packing::largest(layout.fields()),
            shift: 0,
            mask: 0,
            clock,
            ticks: Ticks::new(clock, first_ms, layout.end_ms(), now_ms, COMMON[place]),
            fields: [Values { shift: 0, mask: 0, odds: Odds::NONE }; FIELDS_MAX],
        };
        let (mut shift, mut count) = (0, 0);
        for field in layout.fields().iter().rev() {
            let mask = packing::ones(field.bits());
            match field.role() {
                Role::Unused => {}
                Role::Timestamp => (system.shift, system.mask) = (shift, mask),
                Role::Node | Role::Sequence | Role::Tag => {
                    let odds = Odds::new(place, count, usize::from(field.bits()));
                    system.fields[count] = Values { shift, mask, odds };
                    count += 1;
                }
            }
            shift += u32::from(field.bits());
        }
        system
    }

    fn likelihood(&self, id: u64) -> f64 {
        let date = self.ticks.likelihood(self.tick(id));
        if id & self.zeros != 0 || date <= 0.0 {
            return 0.0;
        }
        // The unused places of the array come last, and their mask is 0.
        let fields = self.fields.iter().take_while(|field| field.mask > 0);
        fields.fold(date, |likelihood, field| {
            likelihood * field.odds.of(used(id >> field.shift, field.mask))
        })
    }

    const fn tick(&self, id: u64) -> u64 {
        id >> self.shift & self.mask
    }
}
