use std::f64::consts::TAU;

/// The random number generator xorshift64*. The same seed gives the same numbers.
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    pub const fn of_seed(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub const fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub const fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    pub fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length as u64)).unwrap()
    }

    pub const fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    pub fn pick<T: Copy, const N: usize>(&mut self, of: [T; N]) -> T {
        of[self.index(N)]
    }

    pub const fn bits(&mut self) -> u128 {
        (self.next() as u128) << u64::BITS | self.next() as u128
    }

    /// Draws a number that is at least 0 and less than 1.
    pub fn part(&mut self) -> f64 {
        let bits = u32::try_from(self.next() >> u32::BITS).unwrap();
        f64::from(bits) / (f64::from(u32::MAX) + 1.0)
    }

    /// Draws the time until the next event of a Poisson process. `mean` is the mean of these times.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.part()).ln()
    }

    /// Draws a number with this mean. `sigma` is the standard deviation of its logarithm.
    pub fn log_normal(&mut self, mean: f64, sigma: f64) -> f64 {
        let normal = (-2.0 * (1.0 - self.part()).ln()).sqrt() * (TAU * self.part()).cos();
        mean * (sigma * normal - sigma * sigma / 2.0).exp()
    }
}
