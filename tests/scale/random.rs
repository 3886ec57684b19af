//! Random numbers, which are the same for the same seed.

use std::f64::consts::TAU;

#[expect(dead_code, reason = "the simulation draws in more ways")]
#[path = "../simulation/random.rs"]
mod xorshift;

pub(crate) use xorshift::Random;

impl Random {
    pub(crate) fn bits_of_token(&mut self) -> u128 {
        u128::from(self.next()) << u64::BITS | u128::from(self.next())
    }

    /// Draws a number that is at least 0 and less than 1.
    pub(crate) fn part(&mut self) -> f64 {
        let bits = u32::try_from(self.next() >> u32::BITS).unwrap();
        f64::from(bits) / (f64::from(u32::MAX) + 1.0)
    }

    /// Draws the time until the next of events that come at any time.
    pub(crate) fn exponential(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.part()).ln()
    }

    /// Draws a number with this mean. `sigma` is the standard deviation of its logarithm.
    pub(crate) fn log_normal(&mut self, mean: f64, sigma: f64) -> f64 {
        let normal = (-2.0 * (1.0 - self.part()).ln()).sqrt() * (TAU * self.part()).cos();
        mean * (sigma * normal - sigma * sigma / 2.0).exp()
    }
}
