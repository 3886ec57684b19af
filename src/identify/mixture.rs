use alloc::vec::Vec;

use super::candidate::Candidate;
use super::likelihood::{Likelihood, node_belief, of_system};
use super::source::Source;
use super::unix_time;
use super::unix_unit::UnixUnit;
use crate::preset::{self, Kind, Preset};

/// Which share of some ids each system has issued: the weights of a mixture model.
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

/// Rounds of collapsed variational inference: enough to settle two systems that fit 50 ids alike, where
/// one more id fits only one of them.
const ROUNDS: usize = 200;

impl Mixture {
    /// Number of weights.
    ///
    /// ```
    /// assert_eq!(edgeflake::identify::Mixture::LEN, edgeflake::preset::ALL.len() + 4);
    /// ```
    pub const LEN: usize = Source::COUNT;

    /// The prior mixture: what people usually ask about, if nothing else is known.
    pub(super) fn common() -> Self {
        let mut weights = [UNIX_TIME_WEIGHT; Self::LEN];
        for (weight, preset) in weights.iter_mut().zip(&preset::ALL) {
            *weight = common_weight(preset);
        }
        Self { weights }
    }

    /// The mixture that explains these ids best, at a time in Unix ms. The prior mixture counts as
    /// much as one id. The running time grows with the square of the number of ids, so give a
    /// sample: some hundreds are enough. To identify one id by the others, leave it out of `ids`.
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
        let likelihoods = likelihoods(ids, now_ms);
        let common = Self::common().weights;
        let total: f64 = common.iter().sum();
        let mut weights = common.map(|weight| weight / total);
        let mut shares = alloc::vec![[0.0; Self::LEN]; likelihoods.len()];
        for _ in 0..ROUNDS {
            for (likelihood, share) in likelihoods.iter().zip(&mut shares) {
                // Each id is judged by the others only. Otherwise an id that fits a rare system
                // would itself make this system look common.
                for (weight, own) in weights.iter_mut().zip(&*share) {
                    *weight -= own;
                }
                *share = shares_of(likelihood, &weights);
                for (weight, own) in weights.iter_mut().zip(&*share) {
                    *weight += own;
                }
            }
        }
        Self { weights }
    }

    /// The mixture of these weights, in the order of [`Mixture::weights`].
    ///
    /// ```
    /// use edgeflake::identify::Mixture;
    ///
    /// let mixture = Mixture::of(&[1_541_815_603_606_036_480], 1_780_000_000_000);
    /// assert_eq!(Mixture::new(mixture.weights()), mixture);
    /// ```
    #[must_use]
    pub const fn new(weights: [f64; Self::LEN]) -> Self {
        Self { weights }
    }

    /// The weight of each of [`preset::ALL`], then of each of [`UnixUnit::ALL`](super::UnixUnit::ALL). After `of`, their
    /// sum is the number of ids plus 1.
    ///
    /// ```
    /// use edgeflake::identify::Mixture;
    ///
    /// let weights = Mixture::of(&[1_541_815_603_606_036_480], 1_780_000_000_000).weights();
    /// assert!((weights.iter().sum::<f64>() - 2.0).abs() < 1e-9);
    /// ```
    #[must_use]
    pub const fn weights(&self) -> [f64; Self::LEN] {
        self.weights
    }

    /// What an id may be, as [`identify`](super::identify()) says it, where the systems have issued
    /// these shares.
    ///
    /// ```
    /// use edgeflake::identify::Mixture;
    ///
    /// let now_ms = 1_780_000_000_000;
    /// let mixture = Mixture::of(&[1_585_841_080_431_321_088], now_ms);
    /// let candidates = mixture.identify(1_541_815_603_606_036_480, now_ms);
    /// assert_eq!(candidates[0].source.name(), "twitter");
    /// ```
    #[must_use]
    pub fn identify(&self, id: u64, now_ms: u64) -> Vec<Candidate> {
        // By insertion: the library's sort is a tenth of the npm package, and there are few.
        let mut found: Vec<(usize, Likelihood)> = Vec::new();
        let mut total = 0.0;
        for (place, likelihood) in self.weighted(id, now_ms) {
            total += likelihood.belief;
            let before = found.partition_point(|(_, other)| !likelihood.is_before(other));
            found.insert(before, (place, likelihood));
        }
        let candidate = |(place, likelihood): (usize, Likelihood)| {
            let belief = likelihood.belief / total;
            Candidate::new(place, id, now_ms, Likelihood { belief, ..likelihood })
        };
        found.into_iter().filter_map(candidate).collect()
    }

    /// The first candidate of [`Mixture::identify`], in much less time; `None` for an id that no
    /// preset has, which there is not while a preset uses all 64 bits.
    ///
    /// ```
    /// use edgeflake::identify::{Likeliest, Mixture};
    /// use edgeflake::preset;
    ///
    /// let mixture = Mixture::of(&[], 1_780_000_000_000);
    /// let Likeliest { place, share, instant_ms } =
    ///     mixture.likeliest(6_685_980_502_161_199_104, 1_780_000_000_000).unwrap();
    /// assert_eq!(preset::ALL[place].name, "linkedin");
    /// assert_eq!(instant_ms, 1_594_061_971_226);
    /// assert!(share > 0.9);
    /// ```
    #[must_use]
    pub fn likeliest(&self, id: u64, now_ms: u64) -> Option<Likeliest> {
        let mut total = 0.0;
        let mut first: Option<(usize, Likelihood)> = None;
        for (place, found) in self.weighted(id, now_ms) {
            total += found.belief;
            if first.is_none_or(|(_, first)| found.is_before(&first)) {
                first = Some((place, found));
            }
        }
        let (place, Likelihood { belief, instant_ms }) = first?;
        Some(Likeliest { place, share: belief / total, instant_ms })
    }

    /// The place of each source that can have made the id, with its belief by likelihood and weight.
    fn weighted(&self, id: u64, now_ms: u64) -> impl Iterator<Item = (usize, Likelihood)> {
        self.weights.iter().enumerate().filter_map(move |(place, weight)| {
            let Likelihood { belief, instant_ms } = of_source(place, id, now_ms)?;
            Some((place, Likelihood { belief: belief * weight, instant_ms }))
        })
    }
}

/// What an id most likely is.
///
/// ```
/// use edgeflake::identify::{Likeliest, Mixture};
///
/// let now_ms = 1_780_000_000_000;
/// let found: Likeliest = Mixture::of(&[], now_ms).likeliest(1_700_000_000_000, now_ms).unwrap();
/// assert_eq!(found.place, edgeflake::preset::ALL.len() + 1); // Unix time in ms
/// assert_eq!(found.instant_ms, 1_700_000_000_000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likeliest {
    /// The place of the source's weight in [`Mixture::weights`].
    pub place: usize,
    /// That of the [`Candidate`].
    pub share: f64,
    /// When its tick began, in Unix ms.
    pub instant_ms: u64,
}

/// How much of one id each source has, by its likelihood and weight; their sum is 1, or 0 where no
/// source can have made the id.
fn shares_of(
    likelihood: &[f64; Source::COUNT],
    weights: &[f64; Source::COUNT],
) -> [f64; Source::COUNT] {
    let mut shares = *likelihood;
    for (share, weight) in shares.iter_mut().zip(weights) {
        *share *= weight;
    }
    let total: f64 = shares.iter().sum();
    if total > 0.0 { shares.map(|share| share / total) } else { [0.0; Source::COUNT] }
}

/// For each id and source the likelihood, 0 without a candidate. The evidence of a node counts only
/// for the first id with that node, because ids that were found together are often of one node.
fn likelihoods(ids: &[u64], now_ms: u64) -> Vec<[f64; Source::COUNT]> {
    let mut rows = Vec::new();
    let mut seen = Vec::new();
    for id in ids {
        let mut row = [0.0; Source::COUNT];
        for (place, likelihood) in row.iter_mut().enumerate() {
            let Some(found) = of_source(place, *id, now_ms) else { continue };
            *likelihood = found.belief;
            let Some(Preset { layout, .. }) = preset::ALL.get(place) else { continue };
            let Ok(parts) = layout.unpack(*id) else { continue };
            let node = (place, parts.node);
            if seen.contains(&node) {
                *likelihood /= node_belief(layout, *id);
            } else {
                seen.push(node);
            }
        }
        rows.push(row);
    }
    rows
}

/// How likely the source in a place is to make just this id; `None` if it cannot.
fn of_source(place: usize, id: u64, now_ms: u64) -> Option<Likelihood> {
    if let Some(preset) = preset::ALL.get(place) {
        return of_system(preset, id, now_ms);
    }
    let unit = *UnixUnit::ALL.get(place - preset::ALL.len())?;
    unix_time::likelihood(unit, id, now_ms)
}

/// How many ids of a system are met, beside those of the others.
fn common_weight(preset: &Preset) -> f64 {
    match preset.kind {
        Kind::Service if matches!(preset.name, "discord" | "twitter") => 400.0,
        Kind::Service => 100.0,
        Kind::Library => 10.0,
        Kind::Example => 1.0,
    }
}
