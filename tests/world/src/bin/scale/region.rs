//! Where in the world isolates and shards are, and how busy each region is.

use edgeflake_wire::{CIRCLE, REGIONS};
use edgeflake_world::Random;

/// The hours by which the clocks of the `REGIONS` are ahead of UTC.
const AHEAD: [f64; REGIONS.len()] = [-8.0, -5.0, -3.0, 2.0, 1.0, 2.0, 4.0, 8.0, 10.0];

/// The unit of the arcs, in units of 2^-16 of the circle.
const UNIT: u64 = (1 << u16::BITS) / CIRCLE;

/// The region that fails over. It is one of the three largest regions, and contains the registry.
pub(crate) const FAILING: usize = 0;

/// The neighbours of the failing region on the circle, which take over its traffic.
const NEIGHBOURS: [usize; 2] = [1, 8];

/// A region's traffic is above its mean by this fraction at three in the afternoon, and below its
/// mean by the same fraction at three in the morning. This is an assumption.
const SWING: f64 = 0.5;
const BUSIEST_HOUR: f64 = 15.0;

/// The shortest time of a message, and the time from one end of the world to the other, in ms. The
/// latter is the time that light in a fibre takes to go half of the way round the world.
const NEAR_MS: f64 = 4.0;
const FAR_MS: f64 = 110.0;

/// Returns the fraction of the circle that is the arc of a region.
#[expect(clippy::cast_precision_loss, reason = "at most 16")]
fn share(region: usize) -> f64 {
    REGIONS[region].1 as f64 / CIRCLE as f64
}

/// Returns the traffic of a region at an hour in UTC, as a fraction of the world's mean.
fn weight(region: usize, hour: f64) -> f64 {
    let since = (hour + AHEAD[region] - BUSIEST_HOUR) / 24.0 * std::f64::consts::TAU;
    share(region) * (1.0 + SWING * since.cos())
}

/// Returns the traffic of the world, relative to its mean.
pub(crate) fn traffic(hour: f64) -> f64 {
    (0..REGIONS.len()).map(|region| weight(region, hour)).sum()
}

/// Returns the busiest hour of the day, in UTC.
pub(crate) fn busiest_hour() -> f64 {
    (0..96)
        .map(|quarter| f64::from(quarter) / 4.0)
        .max_by(|one, other| traffic(*one).total_cmp(&traffic(*other)))
        .unwrap()
}

/// Returns where a process starts: in a region that is drawn by traffic at that hour, or in a
/// neighbour if that region has failed.
pub(crate) fn place(hour: f64, has_failed: bool, random: &mut Random) -> u16 {
    let mut left = random.part() * traffic(hour);
    let mut region = 0;
    while region + 1 < REGIONS.len() && left >= weight(region, hour) {
        left -= weight(region, hour);
        region += 1;
    }
    if has_failed && region == FAILING { evacuated(random) } else { within(region, random) }
}

/// Returns where traffic of the failed region goes: to its neighbours, in proportion to their arcs.
pub(crate) fn evacuated(random: &mut Random) -> u16 {
    let [one, other] = NEIGHBOURS;
    let goes_to_one = random.part() * (share(one) + share(other)) < share(one);
    within(if goes_to_one { one } else { other }, random)
}

fn within(region: usize, random: &mut Random) -> u16 {
    let from: u64 = REGIONS[..region].iter().map(|(_, arc)| arc).sum();
    let offset = (REGIONS[region].1 * UNIT * (random.next() >> 32)) >> 32;
    u16::try_from(from * UNIT + offset).unwrap()
}

/// Returns the region of a place.
pub(crate) fn of_place(place: u16) -> usize {
    let mut end = 0;
    let has = REGIONS.iter().position(|(_, arc)| {
        end += arc * UNIT;
        u64::from(place) < end
    });
    has.unwrap()
}

/// Returns the place of a shard: the middle of the largest part of its arc that lies in one region.
/// A single shard is in the region that fails.
pub(crate) fn of_shard(shard: u64, shards: u64) -> u16 {
    let part = shard * 0x1_0000 / shards..(shard + 1) * 0x1_0000 / shards;
    let (mut from, mut best) = (0, (0, 0));
    for (_, arc) in REGIONS {
        let end = from + arc * UNIT;
        let common = (end.min(part.end)).saturating_sub(from.max(part.start));
        if common > best.0 {
            best = (common, from.max(part.start) + common / 2);
        }
        from = end;
    }
    u16::try_from(best.1).unwrap()
}

/// Draws how long a message is under way, in ms.
pub(crate) fn way_ms(from: u16, to: u16, random: &mut Random) -> u64 {
    let apart = from.wrapping_sub(to).min(to.wrapping_sub(from));
    let most_ms = NEAR_MS + f64::from(apart) / f64::from(0x8000) * FAR_MS;
    // A message takes a random part longer, 10 % on average.
    ms(most_ms * (1.0 + random.exponential(0.1)))
}

/// Rounds to whole ms.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "times of a simulation; a cast of anything else saturates"
)]
pub(crate) fn ms(ms: f64) -> u64 {
    ms.round() as u64
}
