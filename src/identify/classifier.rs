use alloc::vec::Vec;

use super::candidate::Candidate;
use super::model::{COMMON, COUNT, MET, Models, SOURCES};

/// The assumed fraction of a column's ids that come from another system than most ids of the
/// column.
const STRAY: f64 = 0.02;

/// The largest factor by which one id can raise the probability that its column comes from a
/// system.
const CAP: f64 = 8.0;

/// If the probability of a source is lower than this, we assume that the source made none of a
/// column's ids.
const NEGLIGIBLE: f64 = 1e-9;

/// The number of low bits in which ids of about the same time differ. Consecutive ids that differ
/// only in these bits count as one id.
const MOMENT_BITS: u32 = 22;

/// Finds out which system made the ids of a column, such as a database column or a log.
///
/// ```
/// use edgeflake::identify::Classifier;
///
/// let now_ms = 1_795_000_000_000; // 2026-11
/// let id = 661_720_242_585_735_168; // of 2020-01 in Discord, and of 2015-11 in Twitter
/// let column = [id, 175_928_847_299_117_063, 197_038_439_483_310_086, 613_425_648_685_547_541];
/// let [alone, beside] = [&[], &column[..]].map(|ids| Classifier::of(ids, now_ms).identify(id)[0]);
/// assert_eq!(beside.name(), "discord");
/// assert!(alone.share < beside.share);
/// ```
#[derive(Clone, Debug)]
pub struct Classifier {
    /// The probability that the column comes from each source. All probabilities are 0 if fewer
    /// than two ids count (see [`MOMENT_BITS`]).
    weights: [f64; COUNT],
    models: Models,
}

impl Classifier {
    /// Judges a column of ids; `now_ms` is the current time in Unix ms. Each id takes about 1 µs; a
    /// few hundred ids of a long column are enough. If all ids are from one moment, each id is
    /// judged by itself.
    #[must_use]
    pub fn of(ids: &[u64], now_ms: u64) -> Self {
        let mut classifier = Self { weights: [0.0; COUNT], models: Models::at(now_ms) };
        // If a source cannot have made an id, the score goes to `certain`, which is not damped,
        // because other ids cannot make this id possible.
        let (mut scores, mut certain, mut count) = ([0.0; COUNT], [0.0; COUNT], 0.0);
        let mut before = None;
        for id in ids {
            if before.replace(id >> MOMENT_BITS) == Some(id >> MOMENT_BITS) {
                continue;
            }
            count += 1.0;
            let beliefs = classifier.models.believe(*id);
            for place in 0..COUNT {
                let belief = beliefs[place];
                let score = if belief > 0.0 { &mut scores } else { &mut certain };
                let ratio = ratio(belief, place);
                score[place] += log2(if ratio < CAP { ratio } else { CAP });
            }
        }
        if count < 2.0 {
            return classifier;
        }
        // Ids of a column resemble each other, so n such ids weigh as much as √n independent ids.
        let damping = exp2(log2(count) / -2.0);
        let mut most = f64::MIN;
        for place in 0..COUNT {
            scores[place] = damping * scores[place] + certain[place];
            most = if scores[place] > most { scores[place] } else { most };
        }
        let mut total = 0.0;
        for place in 0..COUNT {
            classifier.weights[place] = COMMON[place] * exp2(scores[place] - most);
            total += classifier.weights[place];
        }
        for weight in &mut classifier.weights {
            *weight /= total;
        }
        classifier
    }

    /// Returns the sources of an id of the column, as [`identify`](super::identify()) does.
    #[must_use]
    pub fn identify(&self, id: u64) -> Vec<Candidate> {
        let (models, shares) = (&self.models, self.shares(id));
        let mut all: Vec<Candidate> = Vec::with_capacity(SOURCES);
        for (place, &share) in shares[..SOURCES].iter().enumerate() {
            if share > 0.0 || models.fits(place, id) {
                let (now_ms, instant_ms) = (models.now_ms, models.instant_ms(place, id));
                all.push(Candidate { place, id, now_ms, instant_ms, share, reading: 0.0 });
            }
        }
        // Candidates are sorted by insertion, because they are few, and the sort of the standard
        // library would make the npm package a tenth larger.
        for i in 0..all.len() {
            let date = all[i].instant_ms;
            all[i].reading =
                all.iter().filter(|found| found.instant_ms == date).map(|found| found.share).sum();
            let rank = |found: &Candidate| (found.reading, found.share);
            let mut place = i;
            while place > 0 && rank(&all[place]) > rank(&all[place - 1]) {
                all.swap(place, place - 1);
                place -= 1;
            }
        }
        all
    }

    /// Returns the first candidate of [`identify`](Self::identify), several times as fast.
    #[must_use]
    pub fn likeliest(&self, id: u64) -> Option<Candidate> {
        let (models, shares) = (&self.models, self.shares(id));
        let (mut possible, mut count) = ([(0, 0.0, 0); SOURCES], 0);
        for (place, &share) in shares[..SOURCES].iter().enumerate() {
            if share > 0.0 {
                possible[count] = (place, share, models.instant_ms(place, id));
                count += 1;
            }
        }
        let possible = &possible[..count];
        let mut likeliest = None;
        let mut most = (0.0, 0.0);
        for &(place, share, instant_ms) in possible {
            let same = possible.iter().filter(|(_, _, other_ms)| *other_ms == instant_ms);
            let reading = same.map(|(_, share, _)| share).sum();
            if (reading, share) > most {
                most = (reading, share);
                let now_ms = models.now_ms;
                likeliest = Some(Candidate { place, id, now_ms, instant_ms, share, reading });
            }
        }
        likeliest.or_else(|| self.identify(id).first().copied())
    }

    /// Returns the share of each source. The function assumes that most ids of the column come from
    /// one source, and that a few come from other sources.
    fn shares(&self, id: u64) -> [f64; COUNT] {
        let mut shares = self.models.believe(id);
        let (mut own, mut stray) = ([0.0; COUNT], 1.0);
        for place in 0..COUNT {
            let weight = self.weights[place];
            if weight > NEGLIGIBLE {
                own[place] = weight * (1.0 - STRAY / ratio(shares[place], place));
                stray -= own[place];
            }
        }
        let stray = if stray > 0.0 { stray } else { 0.0 };
        for place in 0..COUNT {
            shares[place] = own[place] + stray * shares[place];
        }
        shares
    }
}

/// Returns how many times likelier an id is in a column of the source than elsewhere. `belief` is
/// the probability that the source made the id, judged by this id alone.
fn ratio(belief: f64, place: usize) -> f64 {
    STRAY + (1.0 - STRAY) * MET * belief / COMMON[place]
}

/// 2^52, because the exponent of a floating-point number begins at bit 52.
const EXPONENT: f64 = 4_503_599_627_370_496.0;

/// Returns the logarithm to base 2, interpolated linearly between powers of two, because an exact
/// logarithm needs `std`.
#[expect(clippy::cast_precision_loss, reason = "it is an approximation")]
fn log2(value: f64) -> f64 {
    value.to_bits() as f64 / EXPONENT - 1_023.0
}

/// Returns the inverse of [`log2`]. If `log` is less than -1,023, returns 0, because the conversion
/// to an integer saturates.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a negative number becomes 0"
)]
fn exp2(log: f64) -> f64 {
    f64::from_bits(((log + 1_023.0) * EXPONENT) as u64)
}
