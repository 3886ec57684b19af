/// Generates random numbers from a policy's seed with the algorithm `SplitMix64`. A test compares
/// the numbers with published values.
#[derive(Debug)]
#[cfg_attr(model, derive(Clone, Hash))]
pub(crate) struct Draw(u64);

impl Draw {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Returns a random number from 0 to `max`. The numbers are equally likely: their probabilities
    /// differ by at most 2^-64.
    pub(crate) const fn up_to(&mut self, max: u64) -> u64 {
        ((self.bits() as u128 * (max as u128 + 1)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_values() {
        let mut draw = Draw::new(1_234_567);
        assert_eq!(
            [draw.bits(), draw.bits(), draw.bits()],
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn every_number_and_no_other() {
        for max in [0, 1, 2, 63] {
            let mut draw = Draw::new(7);
            let mut drawn = [false; 64];
            for _ in 0..2_000 {
                drawn[usize::try_from(draw.up_to(max)).unwrap()] = true;
            }
            assert_eq!(drawn.iter().filter(|drawn| **drawn).count() as u64, max + 1);
        }
        assert!(Draw::new(7).up_to(u64::MAX) > 0);
    }
}
