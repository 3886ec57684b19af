/// A generator of random numbers from a seed: xorshift64*.
#[derive(Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn of_seed(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) const fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Returns a number below a bound, which is not 0.
    pub(crate) const fn below(&mut self, bound: u64) -> u64 {
        (self.next() >> 32) % bound
    }

    pub(crate) fn bits(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }
}
