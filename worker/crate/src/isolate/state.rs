//! Contains the memory of an isolate: plain state, without calls or awaits.

use edgeflake::lease::{Call, CallFailure, Holder, Reply, Step, Wait};

use super::names::Names;
use crate::objects::client::ShardClient;
use crate::platform;

/// The largest number of sequencers for which an isolate has a holder. If there are more
/// sequencers, the isolate drops the holder that was used longest ago, and releases the lease of
/// that holder.
const HOLDERS_MAX: usize = 256;

/// The state that an isolate keeps between requests.
pub(crate) struct State {
    /// The isolate's place on the circle of shards; `None` before the first request.
    pub(crate) place: Option<u16>,
    holders: Vec<SequencerHolder>,
    /// The names of sequencers for which the isolate has no holder.
    pub(crate) names: Names,
    /// The number of calls of `held` so far. It shows which holder was used longest ago.
    requests: u64,
}

pub(crate) struct SequencerHolder {
    name: String,
    /// A number that no earlier or later holder of the same sequencer has.
    pub(crate) number: u64,
    pub(crate) holder: Holder,
    pub(crate) shards: u64,
    used: u64,
}

impl SequencerHolder {
    /// Notes how many shards the sequencer has, if the reply contains this number.
    pub(crate) fn note(&mut self, reply: &Result<Reply, CallFailure>) {
        let config = match reply {
            Ok(Reply::Granted(grant)) => &grant.config,
            Ok(Reply::Batched(batch)) => &batch.config,
            Ok(Reply::Described(Some(sequencer))) => &sequencer.config,
            _ => return,
        };
        self.shards = config.shards();
    }
}

impl State {
    pub(crate) const fn new() -> Self {
        Self { place: None, holders: Vec::new(), names: Names::new(), requests: 0 }
    }

    /// Returns the holder of a sequencer, and notes that the holder was used.
    pub(crate) fn held(&mut self, name: &str) -> Option<&mut SequencerHolder> {
        self.requests += 1;
        let held = self.holders.iter_mut().find(|held| held.name == name)?;
        held.used = self.requests;
        Some(held)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.holders.iter().any(|held| held.name == name)
    }

    /// Notes that a sequencer was created, and its number of shards.
    pub(crate) fn note_created(&mut self, name: &str, shards: u64) {
        self.names.note_created(name);
        if let Some(held) = self.held(name) {
            held.shards = shards;
            held.holder.created();
        }
    }

    /// Adds a holder of a sequencer, unless the isolate has such a holder. If the new holder
    /// displaces a holder with a lease, returns the displaced holder's number and client, and the
    /// call that releases the lease.
    pub(crate) fn add(&mut self, name: &str, shards: u64) -> Option<(u64, ShardClient, Call)> {
        if self.has(name) {
            return None;
        }
        let mut released = None;
        if self.holders.len() >= HOLDERS_MAX {
            let mut oldest = 0;
            for (index, held) in self.holders.iter().enumerate() {
                if held.used < self.holders[oldest].used {
                    oldest = index;
                }
            }
            let mut held = self.holders.swap_remove(oldest);
            held.holder.detach();
            let step = held.holder.step(0, &mut Wait::default(), &mut [], platform::bits);
            if let Step::Send(call) = step {
                released = Some((held.number, self.client(&held.name, held.shards), call));
            }
        }
        let (name, holder, used) = (name.to_owned(), Holder::new(), self.requests);
        let number = self.requests;
        self.holders.push(SequencerHolder { name, number, holder, shards, used });
        released
    }

    /// Returns the client of a sequencer with this number of shards.
    pub(crate) fn client(&self, name: &str, shards: u64) -> ShardClient {
        ShardClient { name: name.to_owned(), shards, place: self.place.unwrap_or(0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_sequencer_takes_the_place_of_the_one_used_longest_ago() {
        let mut state = State::new();
        let name = |index: usize| format!("s{index}");
        for index in 0..HOLDERS_MAX {
            assert!(state.add(&name(index), 1).is_none(), "{index}");
            assert!(state.held(&name(index)).is_some());
        }
        assert!(state.held("s0").is_some());
        assert!(state.add("s0", 1).is_none(), "it is there");
        // The displaced holder has no lease, so there is nothing to release.
        assert!(state.add("more", 2).is_none());
        assert_eq!((state.has("s0"), state.has("s1"), state.has("more")), (true, false, true));
        assert_eq!(state.held("more").map(|held| held.shards), Some(2));
    }
}
