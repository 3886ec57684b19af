use crate::random::Random;
use crate::tally::{Count, Tally};

/// How reliable and fast messages are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// No message is lost. Each takes at least the first and at most the second number of ms.
    Calm(u64, u64),
    /// One message in six is lost or duplicated, and some are late. Delays are proportional to this
    /// number of ms.
    Storm(u64),
    /// As in a storm, but no message gets to or from the shard with the first number. The second
    /// number is that of the storm.
    Cut(u64, u64),
    /// As in a storm, but no message gets to or from any shard.
    Out(u64),
}

/// The fate of a copy of a message.
#[derive(Clone, Copy, Debug)]
pub enum Delivery {
    /// The copy arrives after this many ms.
    Arrives(u64),
    /// The message is lost, and its sender is told so after this many ms.
    Fails(u64),
}

impl Network {
    /// Draws the deliveries of a message to or from a shard, or within an isolate if `shard` is
    /// `None`.
    pub fn send(self, shard: Option<u64>, random: &mut Random, tally: &mut Tally) -> Vec<Delivery> {
        let unit_ms = match self {
            Self::Calm(least_ms, most_ms) => {
                let delay_ms = least_ms + random.below(most_ms - least_ms + 1);
                return vec![Delivery::Arrives(delay_ms)];
            }
            Self::Storm(unit_ms) | Self::Cut(_, unit_ms) | Self::Out(unit_ms) => unit_ms,
        };
        let is_cut = match self {
            Self::Cut(cut, _) => shard == Some(cut),
            Self::Out(_) => shard.is_some(),
            Self::Calm(..) | Self::Storm(_) => false,
        };
        if is_cut {
            tally.count(Count::Lost);
            return if random.one_in(2) { Vec::new() } else { vec![Delivery::Fails(5)] };
        }
        let copies = if random.one_in(6) { random.pick([0, 2, 2]) } else { 1 };
        let mut deliveries = Vec::with_capacity(copies);
        for copy in 0..copies {
            let most = match copy {
                0 => random.pick([3, 3, 3, 3, 3, 3, 3, 50, 400, 3_000]),
                _ => random.pick([50, 400, 400, 1_000, 3_000]),
            };
            let most = if random.one_in(50) { 10_000 } else { most };
            let delay_ms = random.below(most * unit_ms);
            if delay_ms > 1_000 {
                tally.count(Count::Late);
            }
            deliveries.push(Delivery::Arrives(delay_ms));
        }
        match copies {
            0 => {
                tally.count(Count::Lost);
                if random.one_in(2) {
                    deliveries.push(Delivery::Fails(random.below(50)));
                }
            }
            2 => tally.count(Count::Doubled),
            _ => {}
        }
        deliveries
    }
}
