use alloc::vec::Vec;

use super::candidate::Candidate;
use super::profile::Profiles;
use super::source::Source;

/// A [`Mixture`](super::Mixture) at one time: it finds out which system each of many ids comes from.
///
/// ```
/// use edgeflake::identify::Mixture;
/// use edgeflake::preset;
///
/// let ids = [6_685_980_502_161_199_104, 1_541_815_603_606_036_480];
/// let classifier = Mixture::of(&ids, 1_780_000_000_000).classifier(1_780_000_000_000);
/// let found = ids.map(|id| preset::ALL[classifier.likeliest(id).unwrap().place].name);
/// assert_eq!(found, ["linkedin", "twitter"]);
/// ```
#[derive(Clone, Debug)]
pub struct Classifier {
    weights: [f64; Source::COUNT],
    profiles: Profiles,
}

/// The likeliest source of an id.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likeliest {
    /// The place of the source's weight in [`Mixture::weights`](super::Mixture::weights).
    pub place: usize,
    /// The share of the [`Candidate`].
    pub share: f64,
    /// The beginning of the id's tick, in Unix ms.
    pub instant_ms: u64,
}

impl Classifier {
    pub(super) fn new(weights: [f64; Source::COUNT], now_ms: u64) -> Self {
        Self { weights, profiles: Profiles::at(now_ms) }
    }

    /// Returns the first candidate of [`Mixture::identify`](super::Mixture::identify), in much less
    /// time; `None` for an id that no preset has, which cannot be while a preset uses all 64 bits.
    #[must_use]
    pub fn likeliest(&self, id: u64) -> Option<Likeliest> {
        let mut total = 0.0;
        let mut first: Option<Likeliest> = None;
        for (place, weight) in self.weights.iter().enumerate() {
            let likelihood = self.profiles.likelihood(place, id, false);
            let share = likelihood * weight;
            total += share;
            let is_before = |first: Likeliest| {
                let is_later = || self.profiles.instant_ms(place, id) > first.instant_ms;
                share > first.share || (share >= first.share && is_later())
            };
            if likelihood > 0.0 && first.is_none_or(is_before) {
                let instant_ms = self.profiles.instant_ms(place, id);
                first = Some(Likeliest { place, share, instant_ms });
            }
        }
        first.map(|first| Likeliest { share: first.share / total, ..first })
    }

    /// Returns all candidates, the likeliest first.
    pub(super) fn identify(&self, id: u64) -> Vec<Candidate> {
        // This sorts by insertion, because the library's sort is a tenth of the npm package, and
        // there are few candidates.
        let mut all: Vec<Candidate> = Vec::new();
        let mut total = 0.0;
        for (place, weight) in self.weights.iter().enumerate() {
            let likelihood = self.profiles.likelihood(place, id, false);
            if likelihood <= 0.0 {
                continue;
            }
            let share = likelihood * weight;
            total += share;
            let instant_ms = self.profiles.instant_ms(place, id);
            let now_ms = self.profiles.now_ms;
            if let Some(found) = Candidate::new(place, id, now_ms, share, instant_ms) {
                let is_before =
                    |other: &Candidate| (share, instant_ms) > (other.share, other.instant_ms);
                all.insert(all.iter().position(is_before).unwrap_or(all.len()), found);
            }
        }
        for found in &mut all {
            found.share /= total;
        }
        all
    }
}
