//! Faults as rows of a table, and how much of them there is.

use edgeflake_world::Random;

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
    /// Causes the fault, and returns whether that was possible.
    pub(crate) cause: fn(&mut W, P) -> bool,
}

impl<W, P> Fault<W, P> {
    pub(crate) const fn of(
        name: &'static str,
        weight: u64,
        least: u64,
        cause: fn(&mut W, P) -> bool,
    ) -> Self {
        Self { name, weight, least, cause }
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
