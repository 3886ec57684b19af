use super::decision::{Decision, Row};
use crate::lease::message::{Acquire, Refusal, Reply, Request, Sequencer, Settings};

/// The part of a shard's table from which one request is decided. [`Authority`](super::Authority)
/// takes the excerpt from the table in memory, and [`DatabaseCall`](super::DatabaseCall) takes it
/// from the indices of a database.
#[derive(Clone, Debug)]
pub(crate) struct Excerpt<'a> {
    /// The shard.
    pub(crate) shard: u64,
    /// The sequencer, if the shard knows it.
    pub(crate) sequencer: Option<&'a Sequencer>,
    /// The settings of the authority.
    pub(crate) settings: &'a Settings,
    /// Whether several holders decide from the same table at the same time. If so, the node of a
    /// grant is chosen at random, so that the holders do not all write the same row.
    pub(crate) is_shared: bool,
    /// For a renew or a release: the row of the request's node. For a prefetch: the row of the
    /// shard's first node.
    pub(crate) row: Option<Row>,
    /// For an acquire: the nodes whose newest span has the token of the request.
    pub(crate) granted: &'a [(u64, Row)],
    /// For an acquire: the held nodes whose spans end first, without the excluded node. They may be
    /// granted when their spans end.
    pub(crate) held: &'a [(u64, Row)],
    /// For an acquire: the released nodes whose spans end first, without the excluded node. They
    /// may be granted.
    pub(crate) released: &'a [(u64, Row)],
    /// For an acquire: nodes that were never used and may be granted, without the excluded node.
    pub(crate) unused: &'a [u64],
    /// For a destroy and a follow: the first tick after all spans and batches.
    pub(crate) latest_end: u64,
    /// For a shrink: the first node after the last node that was ever used.
    pub(crate) used_end: u64,
}

impl Excerpt<'_> {
    /// Decides the request at the time `now_ms`, in Unix ms.
    pub(crate) fn decide(&self, now_ms: u64, request: &Request) -> Decision {
        let decided = match request {
            Request::Acquire(acquire) => self.acquire(now_ms, acquire),
            Request::Renew(renew) => self.renew(now_ms, renew),
            Request::Release(release) => self.release(release),
            Request::Prefetch(prefetch) => self.prefetch(now_ms, prefetch),
            Request::Describe => Ok(self.described()),
            Request::Create(config) => self.create(now_ms, *config),
            Request::Destroy => self.destroy(),
            Request::Follow(sequencer) => self.follow(*sequencer),
            Request::Confirm(confirm) => self.confirm(confirm),
            Request::Shrink(shrink) => self.shrink(shrink),
        };
        decided.unwrap_or_else(|refusal| Decision {
            write: None,
            reply: Reply::refused(refusal, self.sequencer),
        })
    }

    /// Returns the sequencer if it grants and the request is for its current incarnation.
    pub(super) fn active(&self, incarnation: Option<u64>) -> Result<&Sequencer, Refusal> {
        let sequencer = self.sequencer.ok_or(Refusal::UnknownSequencer)?;
        match incarnation {
            Some(found) if found != sequencer.incarnation => {
                Err(Refusal::OtherIncarnation { found })
            }
            _ if !sequencer.is_active() => Err(Refusal::SequencerDestroyed),
            // The sequencer has no shard of this number.
            _ if self.shard >= sequencer.config.shards() => {
                Err(Refusal::OtherShard { shard: self.shard })
            }
            _ => Ok(sequencer),
        }
    }

    /// Chooses the node to grant. The granted span must start at `from_max` or earlier. The first
    /// choice is the node that has been free for longest, if it has been free for at least
    /// `lease_ticks`. The second choice is a node that was never used. The third choice is again
    /// the node that has been free for longest. So the table gets no larger than the peak demand,
    /// and nodes are not reused soon.
    pub(super) fn choose(
        &self,
        now: u64,
        from_max: u64,
        lease_ticks: u64,
        acquire: &Acquire,
    ) -> Option<(u64, Option<Row>)> {
        let expired = self.held.iter().filter(|(_, row)| row.until_tick <= now);
        let released = self.released.iter().filter(|(_, row)| row.until_tick <= from_max);
        let free = expired.chain(released);
        let is_rested = |row: &Row| row.until_tick.saturating_add(lease_ticks) <= now;
        let rested = free.clone().filter(|(_, row)| is_rested(row));
        // The token serves as the random number: it is random, and each attempt has a new token.
        let chance = if self.is_shared { Some(acquire.token.last_bits()) } else { None };
        let unused = || {
            let index = chance.map_or(0, |bits| bits % self.unused.len().max(1));
            self.unused.get(index).map(|node| (*node, None))
        };
        longest_free(rested, chance).or_else(unused).or_else(|| longest_free(free, chance))
    }
}

/// Returns the node that has been free for longest. If several holders decide, returns a random one
/// of the free nodes instead.
fn longest_free<'r>(
    mut free: impl Iterator<Item = &'r (u64, Row)> + Clone,
    chance: Option<usize>,
) -> Option<(u64, Option<Row>)> {
    let chosen = match chance {
        Some(bits) => {
            let count = free.clone().count();
            free.nth(bits % count.max(1))
        }
        None => free.min_by_key(|(node, row)| (row.until_tick, *node)),
    };
    chosen.map(|(node, row)| (*node, Some(*row)))
}
