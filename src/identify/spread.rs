//! The typical values of fields.

use crate::preset;

/// The frequencies of values that need 0, 1, 2 ... bits. They may have any sum. If all frequencies
/// are 0, all values are equally likely.
type Spread = [u8; 33];

/// The spreads of fields. The frequencies are counted from ids in links and documentation.
static SPREADS: [Spread; 9] = [
    spread(&[]),
    // Most nodes are numbered in order or chosen by people, so each number of bits is equally
    // likely.
    [1; 33],
    // Most sequences start again in each tick, so small values are the most frequent.
    spread(&[64, 32, 16, 8, 4, 2, 1, 1]),
    // The next two spreads belong to Twitter's sequence (often 256 to 511 since 2022) and to
    // Twitter's datacenter (10 to 13 since 2014).
    spread(&[16, 8, 2, 1, 2, 1, 1, 1, 2, 12]),
    spread(&[1, 3, 1, 3, 32, 2]),
    // The next three spreads belong to Discord's increment (which is small, although it does not
    // restart each ms), process and worker.
    spread(&[10, 5, 3, 3, 4, 8, 12, 10, 6, 1, 1]),
    spread(&[16, 8, 5, 4, 1]),
    spread(&[12, 12, 10, 4, 1, 1]),
    // The last spread belongs to LinkedIn's node.
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

/// For each preset, an index in [`SPREADS`] for each field that is neither the timestamp nor
/// unused, the lowest field first.
static TYPICAL: [[u8; 4]; preset::ALL.len()] = {
    let (mut all, mut place) = ([[0; 4]; preset::ALL.len()], 0);
    while place < all.len() {
        all[place] = match preset::ALL[place].name.as_bytes() {
            b"twitter" => [3, 0, 4, 0],
            b"discord" => [5, 6, 7, 0],
            b"linkedin" => [2, 8, 0, 0],
            b"instagram" | b"mastodon" | b"tiktok" | b"tsid" => [0, 0, 0, 0],
            // The machine number is the last bits of a private IP address, so all values are
            // equally likely.
            b"sonyflake" | b"sonyflake-v2" => [0, 2, 0, 0],
            b"hazelcast" | b"edge" => [1, 2, 0, 0],
            // Most systems of this kind have one datacenter.
            b"flake-idgen" | b"datacenter-worker" => [2, 1, 2, 0],
            _ => [2, 1, 0, 1],
        };
        place += 1;
    }
    all
};

/// The assumed share of untypical values of a field. Among these, all values are equally likely.
const UNTYPICAL: f64 = 1.0 / 16.0;

/// The likelihoods of a field's values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Odds {
    /// The frequencies of values that need 0, 1, 2 ... bits.
    spread: &'static Spread,
    /// The part of the likelihood that is the same for all values of the field.
    even: f64,
    /// The factor that turns a frequency into the likelihood of a typical value.
    typical: f64,
}

impl Odds {
    /// The odds of a field without bits.
    pub(super) const NONE: Self = Self { spread: &SPREADS[0], even: 1.0, typical: 0.0 };

    /// Returns the odds of a field. `place` is the index of this field in the preset's row of
    /// [`TYPICAL`].
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

/// Returns the likelihood of each value that needs exactly `bits` bits, if all these values are
/// equally likely.
pub(super) fn power(bits: usize) -> f64 {
    f64::from_bits((1_023 - bits.saturating_sub(1) as u64) << 52)
}
