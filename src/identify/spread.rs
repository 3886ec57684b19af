//! The typical values of fields.

use crate::preset;

/// The frequencies of values that need 0, 1, 2 ... bits, as numbers of any sum. If all are 0, all
/// values are equally likely.
type Spread = [u8; 33];

/// The spreads of fields. The numbers are those of ids in links and documentation.
static SPREADS: [Spread; 9] = [
    spread(&[]),
    // Most nodes are counted up or chosen: all numbers of bits are equally likely.
    [1; 33],
    // Most sequences start again in each tick.
    spread(&[64, 32, 16, 8, 4, 2, 1, 1]),
    // Twitter's sequence, of which many are below 512 since 2022, and its datacenter, which is from
    // 10 to 13 since 2014.
    spread(&[16, 8, 2, 1, 2, 1, 1, 1, 2, 12]),
    spread(&[1, 3, 1, 3, 32, 2]),
    // Discord's increment, which runs on from ms to ms and rarely gets far, process and worker.
    spread(&[10, 5, 3, 3, 4, 8, 12, 10, 6, 1, 1]),
    spread(&[16, 8, 5, 4, 1]),
    spread(&[12, 12, 10, 4, 1, 1]),
    // LinkedIn's node.
    spread(&[0, 0, 0, 1, 3, 5, 8, 12, 12]),
];

const fn spread(frequencies: &[u8]) -> Spread {
    let (mut spread, mut bits) = ([0; 33], 0);
    while bits < frequencies.len() {
        spread[bits] = frequencies[bits];
        bits += 1;
    }
    spread
}

/// For each preset the places in [`SPREADS`] of its fields, the lowest one first.
static TYPICAL: [[u8; 4]; preset::ALL.len()] = {
    let (mut all, mut place) = ([[0; 4]; preset::ALL.len()], 0);
    while place < all.len() {
        all[place] = match preset::ALL[place].name.as_bytes() {
            b"twitter" => [3, 0, 4, 0],
            b"discord" => [5, 6, 7, 0],
            b"linkedin" => [2, 8, 0, 0],
            b"instagram" | b"mastodon" | b"tiktok" | b"tsid" => [0, 0, 0, 0],
            // The machine is the last bits of a private address.
            b"sonyflake" | b"sonyflake-v2" => [0, 2, 0, 0],
            b"hazelcast" | b"edge" => [1, 2, 0, 0],
            // Most have one datacenter.
            b"flake-idgen" | b"datacenter-worker" => [2, 1, 2, 0],
            _ => [2, 1, 0, 1],
        };
        place += 1;
    }
    all
};

/// The part of a field's values that is spread evenly, whatever is typical.
const UNTYPICAL: f64 = 1.0 / 16.0;

/// The likelihood of the values of a field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Odds {
    /// The frequencies of values that need 0, 1, 2 ... bits.
    spread: &'static Spread,
    /// The likelihood of each value as one of all values.
    even: f64,
    /// The likelihood of each value as one of the typical values, divided by its frequency.
    typical: f64,
}

impl Odds {
    /// The odds of a field of no bits.
    pub(super) const NONE: Self = Self { spread: &SPREADS[0], even: 1.0, typical: 0.0 };

    /// The odds of the field at `place` among a preset's fields, the lowest first.
    pub(super) fn new(preset: usize, place: usize, bits: usize) -> Self {
        let spread = &SPREADS[usize::from(TYPICAL[preset][place])];
        let total: u32 = spread[..=bits].iter().copied().map(u32::from).sum();
        let untypical = if total == 0 { 1.0 } else { UNTYPICAL };
        let typical = (1.0 - untypical) / f64::from(total.max(1));
        Self { spread, even: untypical * power(bits + 1), typical }
    }

    /// Returns the likelihood of a value that needs `bits` bits.
    pub(super) fn of(&self, bits: usize) -> f64 {
        self.even + self.typical * f64::from(self.spread[bits]) * power(bits)
    }
}

/// Returns the likelihood of each value that needs `bits` bits, if one of them must be.
pub(super) fn power(bits: usize) -> f64 {
    f64::from_bits((1_023 - bits.saturating_sub(1) as u64) << 52)
}
