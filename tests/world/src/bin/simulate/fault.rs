//! Faults as rows of a table, and the phases of a world.

use std::iter::repeat_n;

use edgeflake_world::Random;

/// This time is longer than any pause of a holder, and longer than a holder remembers a refusal, in
/// ms.
pub(crate) const PATIENCE_MS: u64 = 70_000;

/// The shortest lease in a calm, in ms: a span must arrive before it ends.
pub(crate) const LEASE_MIN_MS: u64 = 1_000;

/// How much goes wrong in a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Storm,
    /// Nothing goes wrong any more, but earlier faults may last.
    Thaw,
    /// The effects of all faults are over, so every request must get its ids.
    Calm,
}

/// A kind of fault in a world `W`. The fault affects the place `P` in this world.
pub(crate) struct Fault<W, P> {
    pub(crate) name: &'static str,
    /// How often the fault is drawn, relative to the others.
    weight: usize,
    /// The smallest allowed number per thousand worlds, which is about half of the usual number.
    pub(crate) least: u64,
    cause: Cause<W, P>,
}

/// A function that causes a fault. With `Perhaps`, the function returns whether the fault happened.
enum Cause<W, P> {
    Always(fn(&mut W, P)),
    Perhaps(fn(&mut W, P) -> bool),
}

impl<W, P> Fault<W, P> {
    pub(crate) const fn always(
        name: &'static str,
        weight: usize,
        least: u64,
        cause: fn(&mut W, P),
    ) -> Self {
        Self { name, weight, least, cause: Cause::Always(cause) }
    }

    pub(crate) const fn perhaps(
        name: &'static str,
        weight: usize,
        least: u64,
        cause: fn(&mut W, P) -> bool,
    ) -> Self {
        Self { name, weight, least, cause: Cause::Perhaps(cause) }
    }

    /// Tries to cause the fault, and returns whether it happened.
    pub(crate) fn happens(&self, world: &mut W, place: P) -> bool {
        match self.cause {
            Cause::Perhaps(cause) => cause(world, place),
            Cause::Always(cause) => {
                cause(world, place);
                true
            }
        }
    }

    /// Draws one of the faults.
    pub(crate) fn draw(faults: &'static [Self], random: &mut Random) -> &'static Self {
        let weights = faults.iter().map(|fault| fault.weight).sum();
        let mut weighed = faults.iter().flat_map(|fault| repeat_n(fault, fault.weight));
        weighed.nth(random.index(weights)).expect("the index is less than the weights")
    }
}
