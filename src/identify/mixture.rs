use alloc::vec::Vec;

use super::candidate::Candidate;
use super::classifier::Classifier;
use super::profile::Profiles;
use super::source::Source;
use crate::preset::{self, Kind, Preset};

/// The share of some ids that each system has issued: the weights of a mixture model.
///
/// ```
/// use edgeflake::identify::Mixture;
///
/// let now_ms = 1_795_000_000_000; // 2026-11
/// let tweet = 1_541_815_603_606_036_480; // of 2022-06, and of 2026-08 as an id of Discord's
/// assert_eq!(edgeflake::identify(tweet, now_ms)[0].source.name(), "discord");
///
/// // Beside a tweet of 2022-10, which is of 2026-12 as an id of Discord's:
/// let mixture = Mixture::of(&[1_585_841_080_431_321_088, tweet], now_ms);
/// assert_eq!(mixture.identify(tweet, now_ms)[0].source.name(), "twitter");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mixture {
    /// The weight of each preset, then of each unit of Unix time; any sum.
    weights: [f64; Source::COUNT],
}

/// The prior weight of each unit of Unix time: as many as ids of a library, a guess.
const UNIX_TIME_WEIGHT: f64 = 10.0;

/// The number of rounds of collapsed variational inference. It suffices to settle two systems that
/// fit 50 ids alike, where one more id fits only one of them.
const ROUNDS: usize = 200;

/// A weight has settled when it moves by less than this in a round, in ids.
const SETTLED: f64 = 1e-9;

impl Mixture {
    /// The number of weights.
    pub const LEN: usize = Source::COUNT;

    /// The prior mixture, which says how common the ids of each source are. The sum of its weights
    /// is 1.
    pub(super) const COMMON: &'static Self = &Self { weights: common_weights() };

    /// Returns the mixture that explains these ids best, at a time in Unix ms. The prior mixture
    /// counts as much as one id. Each id takes some µs, so give a sample: some hundreds are enough.
    /// To identify one id by the others, leave it out of `ids`.
    ///
    /// ```
    /// use edgeflake::identify::Mixture;
    ///
    /// let of_nothing = Mixture::of(&[], 1_780_000_000_000);
    /// let id = 6_685_980_502_161_199_104;
    /// assert_eq!(
    ///     of_nothing.identify(id, 1_780_000_000_000)[0].source,
    ///     edgeflake::identify(id, 1_780_000_000_000)[0].source,
    /// );
    /// ```
    #[must_use]
    pub fn of(ids: &[u64], now_ms: u64) -> Self {
        let mut rows = likelihoods(ids, now_ms);
        let mut weights = Self::COMMON.weights;
        for _ in 0..ROUNDS {
            let before = weights;
            for row in &mut rows {
                reassign(row, &mut weights);
            }
            let moved =
                weights.iter().zip(&before).any(|(now, before)| (now - before).abs() > SETTLED);
            if !moved {
                break;
            }
        }
        Self { weights }
    }

    /// Creates the mixture of these weights, in the order of [`Mixture::weights`]. They must be
    /// numbers of at least 0, because a NaN makes the order of the candidates arbitrary.
    #[must_use]
    pub const fn new(weights: [f64; Self::LEN]) -> Self {
        Self { weights }
    }

    /// Returns the weight of each of [`preset::ALL`], then of each of
    /// [`UnixUnit::ALL`](super::UnixUnit::ALL). For a mixture from [`of`](Self::of), their sum is
    /// the number of ids plus 1.
    #[must_use]
    pub const fn weights(&self) -> [f64; Self::LEN] {
        self.weights
    }

    /// Does the same as [`identify`](super::identify()), if the systems have issued these shares.
    #[must_use]
    pub fn identify(&self, id: u64, now_ms: u64) -> Vec<Candidate> {
        self.classifier(now_ms).identify(id)
    }

    /// Returns a classifier, which identifies many ids in much less time, at a time in Unix ms.
    #[must_use]
    pub fn classifier(&self, now_ms: u64) -> Classifier {
        Classifier::new(self.weights, now_ms)
    }
}

/// A source and one id.
#[derive(Clone, Copy)]
struct Part {
    /// The likelihood that the source makes the id.
    likelihood: f64,
    /// The part of the id that is the source's.
    share: f64,
}

/// Divides one id among the sources again, by its likelihood for each and by the weights, and moves
/// the weights by the difference. An id that no source can have made has no shares.
fn reassign(row: &mut [Part; Source::COUNT], weights: &mut [f64; Source::COUNT]) {
    // There are two sums, which take turns, because each addition to one sum waits for the one
    // before.
    let mut sums = (0.0, 0.0);
    for (part, weight) in row.iter_mut().zip(&mut *weights) {
        // Each id is judged by the others only. Otherwise an id that fits a rare system would
        // itself make this system look common.
        *weight -= part.share;
        part.share = part.likelihood * *weight;
        sums = (sums.1, sums.0 + part.share);
    }
    let total = sums.0 + sums.1;
    let scale = if total > 0.0 { total.recip() } else { 0.0 };
    for (part, weight) in row.iter_mut().zip(weights) {
        part.share *= scale;
        *weight += part.share;
    }
}

/// Returns for each id and source the likelihood, 0 if it cannot be, and no share yet. The evidence
/// of a node counts only for the first id with that node, because ids that were found together are
/// often of one node.
fn likelihoods(ids: &[u64], now_ms: u64) -> Vec<[Part; Source::COUNT]> {
    let profiles = Profiles::at(now_ms);
    let mut rows = alloc::vec![[Part { likelihood: 0.0, share: 0.0 }; Source::COUNT]; ids.len()];
    let mut nodes = alloc::vec![0; (2 * ids.len()).next_power_of_two()];
    for place in 0..Source::COUNT {
        nodes.fill(0);
        for (row, id) in rows.iter_mut().zip(ids) {
            let is_node_known = profiles
                .system(place)
                .is_some_and(|system| is_known(&mut nodes, system.node_bits(*id)));
            row[place].likelihood = profiles.likelihood(place, *id, is_node_known);
        }
    }
    rows
}

/// Returns whether these node bits are known, and adds them if not. The known ones are a hash table
/// with open addressing, at most half full. They are inverted there, so 0 marks a free slot.
fn is_known(nodes: &mut [u64], node_bits: u64) -> bool {
    let last = nodes.len() - 1;
    // The high half of the product depends on all bits.
    let mut at = (node_bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize;
    loop {
        let slot = &mut nodes[at & last];
        if *slot == !node_bits {
            return true;
        }
        if *slot == 0 {
            *slot = !node_bits;
            return false;
        }
        at += 1;
    }
}

/// Returns the share of each source in the ids that people ask about.
const fn common_weights() -> [f64; Source::COUNT] {
    let mut weights = [UNIX_TIME_WEIGHT; Source::COUNT];
    let (mut total, mut place) = (0.0, 0);
    while place < weights.len() {
        if place < preset::ALL.len() {
            weights[place] = common_weight(&preset::ALL[place]);
        }
        total += weights[place];
        place += 1;
    }
    while place > 0 {
        place -= 1;
        weights[place] /= total;
    }
    weights
}

/// Returns how common the ids of a system are, relative to those of the others.
const fn common_weight(preset: &Preset) -> f64 {
    match preset.kind {
        Kind::Service if matches!(preset.name.as_bytes(), b"discord" | b"twitter") => 400.0,
        Kind::Service => 100.0,
        Kind::Library => 10.0,
        Kind::Example => 1.0,
    }
}
