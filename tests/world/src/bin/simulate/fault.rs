//! Faults as rows of a table, and how much of them there is.

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
    /// All faults are over, so every request gets its ids.
    Calm,
}

/// A kind of fault in a world `W`, which affects a place `P` there.
pub(crate) struct Fault<W, P> {
    pub(crate) name: &'static str,
    /// How often the fault is drawn, relative to the others.
    weight: u64,
    /// The smallest allowed number per thousand worlds, which is about half of the usual number.
    pub(crate) least: u64,
    cause: Cause<W, P>,
}

/// A function that causes a fault. Perhaps this is impossible, and it returns false.
enum Cause<W, P> {
    Always(fn(&mut W, P)),
    Perhaps(fn(&mut W, P) -> bool),
}

impl<W, P> Fault<W, P> {
    pub(crate) const fn always(
        name: &'static str,
        weight: u64,
        least: u64,
        cause: fn(&mut W, P),
    ) -> Self {
        Self { name, weight, least, cause: Cause::Always(cause) }
    }

    pub(crate) const fn perhaps(
        name: &'static str,
        weight: u64,
        least: u64,
        cause: fn(&mut W, P) -> bool,
    ) -> Self {
        Self { name, weight, least, cause: Cause::Perhaps(cause) }
    }

    /// Causes the fault, and returns whether that was possible.
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
        let mut left = random.below(faults.iter().map(|fault| fault.weight).sum());
        let is_drawn = |fault: &&Self| {
            let is_drawn = left < fault.weight;
            left = left.saturating_sub(fault.weight);
            is_drawn
        };
        faults.iter().find(is_drawn).expect("one of the weights")
    }
}
