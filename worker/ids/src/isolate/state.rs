//! What an isolate remembers: plain state, which knows no object and awaits nothing.

use edgeflake::lease::{BoundConfig, Call, CallFailed, Holder, Reply, Step, Wait};

use crate::random;
use crate::shard_client::ShardClient;

/// Most sequencers that an isolate issues ids of. Another one takes the place of the one that was
/// used longest ago, whose lease is released.
const HOLDERS_MAX: usize = 256;

/// Most names that an isolate remembers as unknown.
const UNKNOWN_MAX: usize = 1_000;

/// For how long it remembers them, in ms.
const UNKNOWN_MS: u64 = 5_000;

/// What an isolate remembers from one request to the next.
pub(crate) struct State {
    /// The place of the isolate, once a request has told it; see `region.rs`.
    pub(crate) place: Option<u16>,
    holders: Vec<Held>,
    /// Names that no sequencer has, and until when the isolate believes so, in Unix ms.
    unknown: Vec<(String, u64)>,
    /// Number of requests, which tells the sequencer that was used longest ago.
    requests: u64,
}

/// The holder of a sequencer.
pub(crate) struct Held {
    name: String,
    /// This number tells the holder from an earlier or later one of the same name.
    pub(crate) number: u64,
    pub(crate) holder: Holder,
    pub(crate) shards: u64,
    used: u64,
}

impl Held {
    /// Notes how many shards the sequencer has, if the reply says so.
    pub(crate) fn note(&mut self, reply: &Result<Reply, CallFailed>) {
        if let Some(config) = bound_config(reply) {
            self.shards = config.shards();
        }
    }
}

/// The configuration that the sequencer is bound to, if the reply says it.
const fn bound_config(reply: &Result<Reply, CallFailed>) -> Option<&BoundConfig> {
    match reply {
        Ok(Reply::Granted(grant)) => Some(&grant.config),
        Ok(Reply::Batched(batch)) => Some(&batch.config),
        Ok(Reply::Described(Some(sequencer))) => Some(&sequencer.config),
        _ => None,
    }
}

impl State {
    pub(crate) const fn new() -> Self {
        Self { place: None, holders: Vec::new(), unknown: Vec::new(), requests: 0 }
    }

    /// The holder of a sequencer, which counts as used.
    pub(crate) fn held(&mut self, name: &str) -> Option<&mut Held> {
        self.requests += 1;
        let held = self.holders.iter_mut().find(|held| held.name == name)?;
        held.used = self.requests;
        Some(held)
    }

    /// Whether there is a sequencer of this name; `None` if the isolate does not know.
    pub(crate) fn knows(&self, name: &str, now_ms: impl FnOnce() -> u64) -> Option<bool> {
        if self.has(name) {
            return Some(true);
        }
        let now_ms = now_ms();
        let is_unknown =
            self.unknown.iter().any(|(unknown, until_ms)| unknown == name && now_ms < *until_ms);
        is_unknown.then_some(false)
    }

    fn has(&self, name: &str) -> bool {
        self.holders.iter().any(|held| held.name == name)
    }

    /// Notes that no sequencer has this name.
    pub(crate) fn note_unknown(&mut self, name: &str, now_ms: u64) {
        if self.unknown.len() >= UNKNOWN_MAX {
            self.unknown.clear();
        }
        self.unknown.push((name.to_owned(), now_ms + UNKNOWN_MS));
    }

    /// Notes that a sequencer was created with this number of shards.
    pub(crate) fn note_created(&mut self, name: &str, shards: u64) {
        self.unknown.retain(|(unknown, _)| unknown != name);
        if let Some(held) = self.held(name) {
            held.shards = shards;
            held.holder.created();
        }
    }

    /// Adds a holder unless there is one. Returns the number of the holder whose place it takes,
    /// and the call that releases the lease of that one.
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
            let step = held.holder.step(0, &mut Wait::default(), &mut [], random::bits);
            if let Step::Send(call) = step {
                released = Some((held.number, self.client(&held.name, held.shards), call));
            }
        }
        self.unknown.retain(|(unknown, _)| unknown != name);
        let (name, holder, used) = (name.to_owned(), Holder::new(), self.requests);
        let number = self.requests;
        self.holders.push(Held { name, number, holder, shards, used });
        released
    }

    /// The client of a sequencer with this number of shards.
    pub(crate) fn client(&self, name: &str, shards: u64) -> ShardClient {
        ShardClient { name: name.to_owned(), shards, place: self.place.unwrap_or(0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_names_are_believed_for_a_time() {
        let mut state = State::new();
        assert_eq!(state.knows("a", || 0), None);
        state.note_unknown("a", 1_000);
        assert_eq!(state.knows("a", || 5_999), Some(false));
        assert_eq!(state.knows("a", || 6_000), None);
        assert_eq!(state.knows("b", || 1_000), None);
        state.note_created("a", 1);
        assert_eq!(state.knows("a", || 1_000), None, "the next request asks the directory");
        state.note_unknown("a", 1_000);
        assert!(state.add("a", 1).is_none());
        assert_eq!(state.knows("a", || 1_000), Some(true));
    }

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
        // Without a lease there is nothing to release.
        assert!(state.add("more", 2).is_none());
        assert_eq!((state.has("s0"), state.has("s1"), state.has("more")), (true, false, true));
        assert_eq!(state.held("more").map(|held| held.shards), Some(2));
    }
}
