use core::convert::Infallible;

use edgeflake::lease::{
    Authority, BoundConfig, CallFailure, Reply, Request, Sequencer, Settings, Token, Write,
};
use edgeflake::preset::EDGE;

/// The number of nodes of the sequencer: one that the authority keeps for batches, one per process,
/// and two that are free for holders that swap.
const NODES: u64 = 6;

/// The leases are short and the allowed future small, so that both fit into what is seen at once.
pub(crate) const LEASE_MS: u64 = 20_000;
pub(crate) const ALLOWED_FUTURE_MS: u64 = 6_000;

/// The authority, and the rectangles that it granted.
#[derive(Debug)]
pub(crate) struct Shard {
    authority: Authority,
    pub(crate) leases: Vec<Lease>,
}

/// A rectangle in id space that was granted to a process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lease {
    pub(crate) process: usize,
    pub(crate) node: u64,
    pub(crate) from_tick: u64,
    pub(crate) until_tick: u64,
    token: Token,
}

impl Shard {
    pub(crate) fn new() -> Self {
        let mut settings = Settings::default();
        settings.terms.lease_ms = LEASE_MS;
        settings.terms.allowed_future_ms = ALLOWED_FUTURE_MS;
        let sequencer = BoundConfig::new(EDGE, 0, NODES, 1).map(Sequencer::new).ok();
        let Ok(authority) = Authority::load(0, sequencer, settings, []) else {
            unreachable!("the settings suit the layout")
        };
        Self { authority, leases: Vec::new() }
    }

    /// Answers a process at a time of the playground, in Unix ms. The clock of the authority is
    /// right.
    pub(crate) fn answer(
        &mut self,
        true_ms: u64,
        process: usize,
        request: &Request,
    ) -> Result<Reply, CallFailure> {
        let leases = &mut self.leases;
        let answer = self.authority.answer(true_ms, request, |write| {
            note(leases, process, write);
            Ok::<(), Infallible>(())
        });
        answer.map_err(|never| match never {})
    }

    /// Returns the number of pairs of rectangles that overlap, which must be 0.
    pub(crate) fn overlaps(&self) -> usize {
        let pairs = self
            .leases
            .iter()
            .enumerate()
            .flat_map(|(i, one)| self.leases.iter().skip(i + 1).map(move |other| (one, other)));
        let overlap = |(one, other): &(&Lease, &Lease)| {
            one.node == other.node
                && one.from_tick < other.until_tick
                && other.from_tick < one.until_tick
        };
        pairs.filter(overlap).count()
    }
}

/// Notes the rectangle of a write: a new one, or another end of one.
fn note(leases: &mut Vec<Lease>, process: usize, write: &Write) {
    let Write::Node { node, before, after, .. } = *write else { return };
    let token = after.token.or_else(|| before.and_then(|before| before.token));
    // Batches have no token.
    let Some(token) = token else { return };
    let known = leases.iter_mut().rev().find(|lease| {
        lease.node == node && lease.token == token && lease.from_tick == after.from_tick
    });
    match known {
        Some(lease) => lease.until_tick = after.until_tick,
        None => leases.push(Lease {
            process,
            node,
            from_tick: after.from_tick,
            until_tick: after.until_tick,
            token,
        }),
    }
}
